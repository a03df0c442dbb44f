"""The contract's plugin over newline JSON."""
import json
import os
import sys
import time

for line in sys.stdin:
    request = json.loads(line)
    tool, answer = request["method"], {"id": request["id"]}
    print("noise on stderr", file=sys.stderr, flush=True)
    if tool == "crash":
        os._exit(9)
    if tool == "hang":
        time.sleep(60)
    if tool == "echo":
        answer["result"] = request.get("params")
    else:
        answer["error"] = {"code": -32602, "message": "no"}
    print("this is no message" if tool == "garbage" else json.dumps(answer), flush=True)
