"""Files are read in a process of their own, which may grow, hang or die without harm to the one that asks.

One small process waits (confined_program) and forks another for each file. That one may take so much memory,
time and disk as a file of its size can honestly need; what it finds it leaves as arrays and JSON in a
private folder. Nothing goes through a shell or a pickle. Where there is no fork (Windows), files are read in
the process that asks.
"""

import atexit
import json
import logging
import math
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

from relviz import errors
from relviz.compute.json_text import JsonObject
from relviz.errors import ReadError
from relviz.readers import confined_program, messages
from relviz.readers.found import FORMATS
from relviz.readers.limits import Limits
from relviz.readers.reading import reader_of
from relviz.readers.source import no_room, opened, unreadable

logger = logging.getLogger(__name__)

OnProgress = Callable[[float], object]
"""Called now and then with the fraction done, at least once a second; it may raise to stop."""

_OWN_BYTES = 320 * 2**20
_TIMES_THE_LIMIT = 2
_FULL_MEMORY_BYTES, _FULL_SECONDS_BYTES = 512 * 2**20, 320 * 2**20
"""Sizes of a file from which on it may take as much as its limits allow; a smaller one, its share."""
_SMALLEST_BYTES = 4 * 2**20
_LEAST_SECONDS = 5
"""What a file of any size may take, if its limits allow that: a slow machine needs them for a wide table."""
_LONGEST_ANSWER = 64 * 2**20
_MOST_AT_ONCE = 4
_HEARTBEAT = 0.5
_ENVIRONMENT = {
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_MMAP_THRESHOLD_": "4194304",
}
"""Against pools, threads and arenas that reserve memory they do not use, and keep what they no longer use."""
_TIMES_AS_LONG = 10
"""How much longer than the time of a processor a file may take on a busy machine or a slow disk."""


@contextmanager
def private_folder() -> Iterator[Path]:
    """A folder for one file: its question, and what the process that reads it leaves."""
    try:
        folder = tempfile.TemporaryDirectory(prefix="relviz-", ignore_cleanup_errors=True)
    except OSError as reason:
        raise no_room("The file", reason) from None
    with folder as path:
        yield Path(path)


def ask(
    task: str,
    question: JsonObject,
    folder: Path,
    what: str,
    size: int,
    limits: Limits,
    on_progress: OnProgress | None = None,
    modules: Sequence[str] = (),
    seconds: int | None = None,
) -> Any:
    """Have a file read; gives what the task returns, by way of JSON.

    Parameters
    ----------
    task
        ``module:function``. It is called with the folder and a function that is told the progress.
    question
        Further arguments, as JSON can hold them.
    what, size
        What is read, for messages, and how many bytes it has.
    modules
        Those that the task will need, which are then loaded once and not for each file.
    seconds
        Of a processor that the task may take; by default, what a file of that size may.

    Raises
    ------
    Error
        What the task raises of relviz's own; a ReadError if it raises anything else, is late, takes too much,
        or ends.
    """
    try:
        (folder / confined_program.QUESTION).write_text(json.dumps({"task": task, **question}))
    except OSError as reason:
        raise no_room(what, reason) from None
    if hasattr(os, "fork"):
        with _turn(on_progress):
            caps = _Caps(_memory(size, limits), seconds or _seconds(size, limits))
            _wait_for([*modules, task.partition(":")[0]], folder, what, caps, limits, on_progress)
    else:
        try:
            confined_program.perform(folder, on_progress or (lambda _: None))
        except MemoryError:
            raise _too_much(what, _memory(size, limits)) from None
    answer = _answer(folder, what)
    if on_progress:
        on_progress(1.0)
    return answer


def ask_about(
    task: str,
    folder: Path,
    source: str | os.PathLike[str] | IO[bytes],
    filename: str | None,
    limits: Limits,
    on_progress: OnProgress | None,
    question: JsonObject,
) -> JsonObject:
    """Have a path or an open file read, under the name that it has or is given; see ``ask``."""
    with opened(source, filename, limits) as file:
        path = file.path_in(folder)
    about = {"path": str(path), "filename": file.filename, "limits": asdict(limits)}
    modules = [reader_of(file.suffix)] if file.suffix in FORMATS else []
    answer: JsonObject = ask(
        task, question | about, folder, file.name, file.size, limits, on_progress, modules
    )
    return answer


def _answer(folder: Path, what: str) -> Any:
    path = folder / confined_program.ANSWER
    if not path.exists() or path.stat().st_size > _LONGEST_ANSWER:
        raise unreadable(what, "no answer", "the process that read it left none")
    answer = json.loads(path.read_bytes())
    if "error" in answer:
        name, text = answer["error"]
        raise getattr(errors, name)(text)
    if "failed" in answer:
        raise unreadable(what, *answer["failed"])
    return answer["answer"]


def _memory(size: int, limits: Limits) -> int:
    """Bytes that reading a file of that size may take, over those of a process that reads none."""
    share = min(1.0, (size + _SMALLEST_BYTES) / _FULL_MEMORY_BYTES)
    return _OWN_BYTES + int(share * _TIMES_THE_LIMIT * limits.memory)


def _seconds(size: int, limits: Limits) -> int:
    """Seconds of a processor that reading a file of that size may take."""
    share = min(1.0, (size + _SMALLEST_BYTES) / _FULL_SECONDS_BYTES)
    return math.ceil(min(limits.seconds, max(_LEAST_SECONDS, limits.seconds * share)))


@dataclass(frozen=True)
class _Caps:
    """What a process may take: bytes of memory, seconds of a processor."""

    memory: int
    seconds: int


def _wait_for(
    modules: Sequence[str],
    folder: Path,
    what: str,
    caps: _Caps,
    limits: Limits,
    on_progress: OnProgress | None,
) -> None:
    """Have the question in a folder answered, or say in an error why it was not."""
    allowed = {"memory": caps.memory, "written": caps.memory + limits.memory, "seconds": caps.seconds}
    longest = _TIMES_AS_LONG * caps.seconds
    deadline = time.monotonic() + longest
    channel = _program.begin({"folder": str(folder), "modules": modules, "caps": allowed})
    with channel:  # its end ends the process
        held, share = b"", 0.0
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                raise _late(what, longest)
            channel.settimeout(min(left, _HEARTBEAT))
            try:
                piece = channel.recv(4096)
            except TimeoutError:
                piece = None
            if piece == b"":
                raise unreadable(what, "no answer", "the process that reads files ended")
            *lines, held = (held + (piece or b"")).split(b"\n")
            for line in lines:
                word, *end = line.split()
                if end:
                    logger.debug("%s was read in %s s and %s KiB.", what, float(end[1]), int(end[2]))
                    return _check_end(int(end[0]), what, caps)
                share = max(share, float(word))
            if on_progress:
                on_progress(min(share, 1.0))


def _check_end(status: int, what: str, caps: _Caps) -> None:
    if status == 0:
        return
    if sys.platform != "win32":
        import signal

        if status in (-signal.SIGXCPU, -signal.SIGKILL):
            raise _late(what, caps.seconds)
    raise _too_much(what, caps.memory)


def _late(what: str, seconds: int) -> ReadError:
    return ReadError(
        f"{what} could not be read within {messages.plural(seconds, 'second')}. Keep less of it, save "
        "vectors as .npy or .safetensors, or give limits=Limits(seconds=...)."
    )


def _too_much(what: str, memory: int) -> ReadError:
    return ReadError(
        f"{what} could not be read within {messages.size(memory)} of memory: it is damaged, or unpacks to "
        "far more than its size. Save it again, or vectors as .npy or .safetensors; if it is sound, give "
        "limits=Limits(memory=...)."
    )


_turns = threading.BoundedSemaphore(_MOST_AT_ONCE)


@contextmanager
def _turn(on_progress: OnProgress | None) -> Iterator[None]:
    """So many files are read at once, and no more; the rest wait."""
    while not _turns.acquire(timeout=_HEARTBEAT):
        if on_progress:
            on_progress(0.0)
    try:
        yield
    finally:
        _turns.release()


class _Program:
    """The process that waits for files; started when the first one is read, and again if it is gone."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None

    def begin(self, message: JsonObject) -> socket.socket:
        """Have a process begun; gives the socket on which it is heard, and which ends it when closed."""
        line = json.dumps(message).encode()
        with self._lock:
            for _ in range(2):
                if self._control is None:
                    self._start()
                assert self._control is not None
                ours, theirs = socket.socketpair()
                try:
                    socket.send_fds(self._control, [line], [theirs.fileno()])
                    if self._control.recv(1):
                        return ours
                except OSError:
                    pass
                finally:
                    theirs.close()
                ours.close()
                self._end()
        raise ReadError(
            "The process that reads files cannot be started. Try again; if this goes on, restart relviz."
        )

    def _start(self) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", confined_program.__file__],
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=os.environ | _ENVIRONMENT,
            )
        self._control = ours

    def start(self) -> None:
        """Have it ready."""
        with self._lock:
            if self._control is None:
                self._start()

    def stop(self) -> None:
        """End it, and what it began."""
        with self._lock:
            self._end()

    def _end(self) -> None:
        if self._control is not None:
            self._control.close()
        if self._process is not None:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(5)
        self._control = self._process = None

    def forget(self) -> None:
        """In a process that was forked off: the one that waits is its parent's."""
        if self._control is not None:
            self._control.close()
        if self._process is not None:
            self._process.returncode = 0
        self._lock = threading.Lock()
        self._control = self._process = None


_program = _Program()
atexit.register(_program.stop)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_program.forget)


def stop() -> None:
    """End the process that reads files; the next file starts another."""
    _program.stop()


def start() -> None:
    """Have the process that reads files ready before the first one."""
    if hasattr(os, "fork"):
        _program.start()
