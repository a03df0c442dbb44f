"""The contract's plugin over MCP."""
import json
import os
import sys
import time

TOOLS = ["echo", "refuse", "crash", "hang", "garbage"]


def send(ident, result):
    print(json.dumps({"jsonrpc": "2.0", "id": ident, "result": result}), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    method, ident, params = message["method"], message.get("id"), message.get("params") or {}
    print("noise on stderr", file=sys.stderr, flush=True)
    if method == "initialize":
        version = params["protocolVersion"]
        info = {"name": "contract", "version": "1"}
        send(ident, {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": info})
    elif method == "tools/list":
        send(ident, {"tools": [{"name": name, "inputSchema": {"type": "object"}} for name in TOOLS]})
    elif method == "tools/call":
        tool, args = params["name"], params.get("arguments")
        if tool == "echo":
            text = json.dumps({"success": True, "data": args})
            send(ident, {"content": [{"type": "text", "text": text}]})
        elif tool == "refuse":
            text = json.dumps({"success": False, "error_code": "INVALID_INPUT", "error": "no"})
            send(ident, {"content": [{"type": "text", "text": text}], "isError": True})
        elif tool == "crash":
            os._exit(9)
        elif tool == "hang":
            time.sleep(60)
        else:
            print("this is no message", flush=True)
