"""Ways around a sandbox that take more than one call; prints one line per trick.

tricks.py <a unix socket that somebody listens on> <a secret file>
"""
import ctypes, errno, mmap, os, platform, socket, struct, sys

listener, secret = sys.argv[1:3]
libc = ctypes.CDLL(None, use_errno=True)


def trick(name, attempt):
    try:
        attempt()
        print(name, "works", flush=True)
    except OSError as error:
        print(name, errno.errorcode[error.errno], flush=True)


def call(function, *args):
    if function(*args) == -1:
        raise OSError(ctypes.get_errno(), "")


def by_pair(kind):
    mine, other = socket.socketpair(socket.AF_UNIX, kind)
    other.close()
    mine.connect(listener)


def by_disconnecting():
    mine, _ = socket.socketpair()
    call(libc.connect, mine.fileno(), struct.pack("H14x", socket.AF_UNSPEC), 16)
    mine.connect(listener)


def by_path_descriptor():
    os.open("/proc/self/fd/%d" % os.open(secret, os.O_PATH), os.O_RDONLY)


def by_folder_descriptor():
    os.open(os.path.basename(secret), os.O_RDONLY, dir_fd=os.open(os.path.dirname(secret), os.O_PATH))


def ends(body):
    """The signal that ends a child which runs the body, 0 for none."""
    child = os.fork()
    if child == 0:
        body()
        os._exit(0)
    return os.waitpid(child, 0)[1] & 127


def old_gate():
    memory = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    memory.write(b"\xb8\x14\x00\x00\x00\xcd\x80\xc3")  # mov eax, 20 (getpid of i386); int 0x80; ret
    ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(memory)))()


trick("connect by a unix socket", lambda: socket.socket(socket.AF_UNIX).connect(listener))
trick("connect by a pair", lambda: by_pair(socket.SOCK_STREAM))
trick("connect by disconnecting a pair", by_disconnecting)
trick("connect by standard input", lambda: socket.socket(fileno=os.dup(0)).connect(listener))
trick("read by a path descriptor", by_path_descriptor)
trick("read by a folder descriptor", by_folder_descriptor)
trick("read by /proc/1/root", lambda: open("/proc/1/root" + secret))
trick("write /proc/self/oom_score_adj", lambda: os.open("/proc/self/oom_score_adj", os.O_WRONLY))
trick("signal gum", lambda: os.kill(os.getppid(), 0))
if platform.machine() == "x86_64":
    print("the gate of i386 ends by", ends(old_gate))
    print("the table of x32 ends by", ends(lambda: libc.syscall(0x40000000 + 39)))
