"""Decoders of hostile files, each in a process of its own, which may fail without harm."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from relviz.errors import ReadError
from relviz.readers import confined_program, messages
from relviz.readers.limits import Limits
from relviz.readers.source import unreadable

Told = dict[str, Any]
"""A question or an answer, as JSON has it."""
Ask = Callable[..., Told]
"""Puts a question to a decoder: ``ask`` names its method, the rest are the arguments."""

_OWN_BYTES = 256 * 2**20
_TIMES_THE_LIMIT = 2
_LONGEST_ANSWER = 64 * 2**20
_ENVIRONMENT = {"ARROW_DEFAULT_MEMORY_POOL": "system", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
"""Against pools and threads that reserve memory they do not use."""


@contextmanager
def confined(decoder: Path, path: Path, folder: str, what: str, limits: Limits) -> Iterator[Ask]:
    """Open a file by a decoder in a process that ends with the context, or when its time is over.

    Nothing goes through a shell or a pickle. The memory that the decoder may take, over what it has
    before the file is open, is enough for a batch of rows and the pages it comes from, and, where few
    batches make up the file, for twice the vectors or texts.

    Parameters
    ----------
    decoder
        A Python file with a class ``Decoder(path)``, whose methods are the questions. An exception of
        its own, with ``facts``, becomes the answer ``{"refused": facts}``.
    folder
        A private folder, where the decoder works and what it leaves is found.
    what
        What is read, for messages.

    Raises
    ------
    ReadError
        On opening or from a question: if the decoder raises, ends, or is late.
    """
    command = [sys.executable, "-P", confined_program.__file__, str(decoder)]
    memory = _OWN_BYTES + _TIMES_THE_LIMIT * limits.memory
    late = threading.Event()
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=folder,
        env=os.environ | _ENVIRONMENT,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        questions, answers = process.stdin, process.stdout

        def stop() -> None:
            late.set()
            process.kill()

        def ask(**question: Any) -> Told:
            answer = _answer(questions, answers, question)
            if late.is_set():
                raise ReadError(
                    f"{what} could not be unpacked within {messages.plural(limits.seconds, 'second')}. Keep "
                    "fewer rows, save it as .npy or .safetensors, or give limits=Limits(seconds=...)."
                )
            if answer is None:
                raise ReadError(
                    f"{what} could not be unpacked within {messages.size(memory)} of memory: it is damaged, "
                    "or unpacks to far more than its size. Save it again, or as .npy or .safetensors; "
                    "if it is sound, give limits=Limits(memory=...)."
                )
            if "failed" in answer:
                raise unreadable(what, *answer["failed"])
            return answer

        clock = threading.Timer(limits.seconds, stop)
        clock.daemon = True
        clock.start()
        try:
            ask(path=str(path.absolute()), memory=memory, seconds=limits.seconds)
            yield ask
        finally:
            clock.cancel()
            process.kill()
            with suppress(OSError):  # a question that was never taken is still to be flushed
                questions.close()


def _answer(questions: IO[bytes], answers: IO[bytes], question: Told) -> Told | None:
    """The answer to a question; None if there is none, for want of memory or of a process."""
    try:
        questions.write(json.dumps(question).encode() + b"\n")
        questions.flush()
    except OSError:
        return None
    line = answers.readline(_LONGEST_ANSWER)
    return json.loads(line) if line.endswith(b"\n") else None
