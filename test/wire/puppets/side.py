"""A side process that answers each of its two lines with the bytes of the files that it is given; "-" is silence."""
import json
import sys
import time

first, second, then = sys.argv[1:4]
out = sys.stdout.buffer


def say(file, request_id):
    with open(file, "rb") as data:
        out.write(data.read().replace(b"$ID", request_id.encode()))
    out.flush()


print("started", file=sys.stderr, flush=True)
sys.stdin.readline()
if first != "-":
    say(first, "")
if then == "exit-after-first":
    sys.exit(3)
request = sys.stdin.readline()
if request:
    if second == "request":
        answer = {"type": "response", "request_id": json.loads(request)["request_id"], "status": "ok"}
        out.write(json.dumps({**answer, "output": json.loads(request)}).encode() + b"\n")
        out.flush()
    elif second != "-":
        say(second, json.loads(request)["request_id"])
    if then == "stay":
        time.sleep(60)
    if then == "exit":
        sys.exit(3)
    if second == "-":
        time.sleep(60)
elif first == "-":
    time.sleep(60)
