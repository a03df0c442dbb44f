"""Answers newline JSON with whatever bytes it is told to write; `ping` it answers by itself."""
import json
import os
import signal
import subprocess
import sys
import time

out = sys.stdout.buffer
held = None

for line in sys.stdin:
    request = json.loads(line)
    method, params, ident = request["method"], request.get("params") or {}, request["id"]
    if method == "write":
        data = open(params["file"], "rb").read().replace(b"$ID", str(ident).encode())
        if params.get("slowly"):
            for byte in data:
                out.write(bytes([byte]))
                out.flush()
        else:
            out.write(data)
            out.flush()
        if params.get("exit") is not None:
            sys.exit(params["exit"])
    elif method == "hold":
        held = ident
    elif method == "late":
        out.write(json.dumps({"id": held, "result": "late"}).encode() + b"\n")
        out.write(json.dumps({"id": ident, "result": "mine"}).encode() + b"\n")
        out.flush()
    elif method == "child":
        child = subprocess.Popen(["sleep", "60"], stdin=subprocess.DEVNULL)
        out.write(json.dumps({"id": ident, "result": child.pid}).encode() + b"\n")
        out.flush()
    elif method == "close-stdout":
        os.close(1)
        time.sleep(60)
    elif method == "die":
        print("about to die", file=sys.stderr, flush=True)
        os.kill(os.getpid(), signal.SIGUSR1)
    elif method == "endless":
        while True:
            out.write(b"x" * 65536)
    elif method == "stay":
        while True:
            time.sleep(60)
    else:
        result = {"pid": os.getpid(), "request": request} if method == "who" else "pong"
        out.write(json.dumps({"id": ident, "result": result}).encode() + b"\n")
        out.flush()
