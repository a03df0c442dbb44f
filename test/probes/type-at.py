"""Types at a program as a person would: a real pseudo terminal is its stdin, stdout and stderr.

stdin: {"argv": [...], "env": {...}, "cwd": "...", "keys": [[seen, typed], ...], "seconds": n}
Each `typed` is sent once `seen` has been printed after the one before. The answer, as JSON on stdout, is everything
that the terminal showed, whether it was in its usual mode at the end, and how the program ended.
"""
import fcntl
import json
import os
import pty
import select
import signal
import sys
import termios
import time

plan = json.load(sys.stdin)
deadline = time.monotonic() + plan["seconds"]
# The program's end stays open here, too, so that the terminal's mode can be read after the program has gone.
master, slave = pty.openpty()
before = termios.tcgetattr(slave)
pid = os.fork()
if pid == 0:
    os.setsid()
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
    for fd in range(3):
        os.dup2(slave, fd)
    os.closerange(3, 64)
    os.chdir(plan["cwd"])
    os.execve(plan["argv"][0], plan["argv"], plan["env"])

shown = b""
fresh = b""
keys = [(seen.encode(), typed.encode()) for seen, typed in plan["keys"]]
status = None
while status is None and time.monotonic() < deadline:
    if select.select([master], [], [], 0.02)[0]:
        block = os.read(master, 65536)
        shown += block
        fresh += block
        if keys and keys[0][0] in fresh:
            _, typed = keys.pop(0)
            fresh = b""
            os.write(master, typed)
    ended, code = os.waitpid(pid, os.WNOHANG)
    if ended:
        status = code
if status is None:
    os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
while select.select([master], [], [], 0)[0]:
    shown += os.read(master, 65536)
json.dump(
    {
        "shown": shown.decode("utf-8", "replace"),
        "restored": termios.tcgetattr(slave)[3] == before[3],
        "left": len(keys),
        "exit": os.waitstatus_to_exitcode(status),
    },
    sys.stdout,
)
