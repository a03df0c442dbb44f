"""The contract's plugin as a side process."""
import json
import os
import sys
import time

TOOLS = ["echo", "refuse", "crash", "hang", "garbage"]

sys.stdin.readline()
print("noise on stderr", file=sys.stderr, flush=True)
manifest = {"plugin_id": "contract", "plugin_version": "1", "protocol_version": "rterm.plugin.v1"}
print(json.dumps({"type": "handshake", "manifest": {**manifest, "exposed_tools": TOOLS}}), flush=True)
line = sys.stdin.readline()
if line:
    request = json.loads(line)
    tool, answer = request["tool_name"], {"type": "response", "request_id": request["request_id"]}
    if tool == "crash":
        os._exit(9)
    if tool == "hang":
        time.sleep(60)
    if tool == "echo":
        answer.update({"status": "ok", "output": request["input"]})
    else:
        answer.update({"status": "error", "error": {"code": "invalid_input", "message": "no"}})
    print("this is no message" if tool == "garbage" else json.dumps(answer), flush=True)
