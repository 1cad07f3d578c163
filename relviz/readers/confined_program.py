"""The program in which files are read: it waits, and forks a process for each file, which is capped.

It is started by its path. The packages it takes its readers from are entered without running their
``__init__``, which would import torch: it starts in a third of a second, and a fork takes milliseconds.
"""

import importlib
import json
import os
import selectors
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib.abc import MetaPathFinder
from pathlib import Path
from types import ModuleType
from typing import Any

QUESTION, ANSWER = "question.json", "answer.json"
OUT_OF_MEMORY = 3
"""How a process ends that was given no more memory."""
_PACKAGES = ("relviz", "relviz.readers", "relviz.items", "relviz.state")
_LONGEST_REASON = 1000
_LONGEST_MESSAGE = 2**16


def perform(folder: Path, report: Callable[[float], object]) -> None:
    """Answer the question in a folder: call what it names, and leave there what that gives or raises.

    The function gets the folder, ``report``, and the question's arguments; what it returns is written as
    JSON.

    Raises
    ------
    MemoryError
        If there is too little.
    """
    from relviz.errors import Error

    question: dict[str, Any] = json.loads((folder / QUESTION).read_bytes())
    module, _, name = question.pop("task").partition(":")
    try:
        answer = {"answer": getattr(importlib.import_module(module), name)(folder, report, **question)}
    except MemoryError:
        raise
    except Error as reason:
        answer = {"error": [type(reason).__name__, str(reason)]}
    except Exception as reason:  # parsers of other projects, on hostile bytes, raise anything
        answer = {"failed": [type(reason).__name__, str(reason)[:_LONGEST_REASON]]}
    (folder / ANSWER).write_text(json.dumps(answer))


def serve(control: socket.socket) -> None:
    """Fork a process for each message, until the other end is closed.

    A message is JSON, ``folder``, ``modules`` to have loaded, and ``caps``, with a socket: on it the process
    tells its progress and, when it is gone, its status, seconds and peak of memory are told. Who closes the
    other end of that socket ends the process.
    """
    wake_read, wake_write = os.pipe2(os.O_NONBLOCK) if hasattr(os, "pipe2") else _pipe()
    signal.set_wakeup_fd(wake_write)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    running: dict[int, socket.socket] = {}
    with selectors.DefaultSelector() as ready:
        ready.register(control, selectors.EVENT_READ)
        ready.register(wake_read, selectors.EVENT_READ)
        try:
            while True:
                for key, _ in ready.select():
                    if key.fileobj is control:
                        message, handles, _, _ = socket.recv_fds(control, _LONGEST_MESSAGE, 1)
                        if not message:
                            return
                        channel = socket.socket(fileno=handles[0])
                        pid = _fork(channel, json.loads(message))
                        running[pid] = channel
                        ready.register(channel, selectors.EVENT_READ, pid)
                        control.sendall(b".")
                    elif key.fileobj == wake_read:
                        with suppress(BlockingIOError):
                            os.read(wake_read, 4096)
                    else:  # nothing is said on it: the other end is closed
                        ready.unregister(key.fileobj)
                        os.kill(key.data, signal.SIGKILL)
                _bury(running, ready)
        finally:
            for pid in running:
                os.kill(pid, signal.SIGKILL)


def _pipe() -> tuple[int, int]:
    ends = os.pipe()
    for end in ends:
        os.set_blocking(end, False)
    return ends


def _bury(running: dict[int, socket.socket], ready: selectors.BaseSelector) -> None:
    """Tell of every process that is gone how it ended."""
    while running:
        pid, status, used = os.wait4(-1, os.WNOHANG)
        if not pid:
            return
        channel = running.pop(pid)
        with suppress(KeyError):
            ready.unregister(channel)
        with suppress(OSError):
            channel.setblocking(False)
            code, seconds = os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime
            channel.sendall(f"ended {code} {seconds:.3f} {used.ru_maxrss}\n".encode())
        channel.close()


def _fork(channel: socket.socket, message: dict[str, Any]) -> int:
    for module in message["modules"]:
        with suppress(Exception):  # the process that needs it says what is wrong
            importlib.import_module(module)
    pid = os.fork()
    if pid:
        return pid
    try:
        os.close(0)
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        folder = Path(message["folder"])
        os.chdir(folder)
        _cap(**message["caps"])
        perform(folder, lambda share: channel.sendall(f"{share:.3f}\n".encode()))
    except MemoryError:
        os._exit(OUT_OF_MEMORY)
    except BaseException:
        os._exit(1)
    os._exit(0)


def _cap(memory: int, written: int, seconds: int) -> None:
    """Take no more than so many bytes over those of now, write no more, and no more of a processor's time.

    Memory is capped on Linux alone: macOS does not hold a process to it.
    """
    import resource

    limits = {resource.RLIMIT_CORE: 0, resource.RLIMIT_CPU: seconds, resource.RLIMIT_FSIZE: written}
    if sys.platform == "linux":
        with open("/proc/self/statm") as file:
            pages = [int(count) for count in file.read().split()]
        size = resource.getpagesize()
        # Files that are mapped, and the stacks of threads, take addresses but no memory.
        limits |= {
            resource.RLIMIT_AS: pages[0] * size + memory + 2 * written + 2**30,
            resource.RLIMIT_DATA: pages[5] * size + memory,
        }
    for limit, value in limits.items():
        hard = resource.getrlimit(limit)[1]
        if hard != resource.RLIM_INFINITY:
            value = min(value, hard)
        resource.setrlimit(limit, (value, value))


class _Without(MetaPathFinder):
    """Arrow would import pandas, to no use here."""

    def find_spec(self, fullname: str, *_: object) -> None:
        """Nothing; pandas is said to be absent."""
        if fullname == "pandas":
            raise ModuleNotFoundError(name=fullname)


def main() -> None:
    """Serve on the standard input, which is a socket."""
    root = Path(__file__).resolve().parents[2]
    for name in _PACKAGES:
        package = sys.modules[name] = ModuleType(name)
        package.__path__ = [str(root.joinpath(*name.split(".")))]
    sys.meta_path.insert(0, _Without())
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is for the program that asks, which then ends
    serve(socket.socket(fileno=0))


if __name__ == "__main__":
    main()
