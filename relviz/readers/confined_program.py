"""The program that confined starts: caps what it may take, loads a decoder, and answers questions.

It and the decoder are loaded by their paths, and with ``-P``: they must not import relviz, and torch
with it, nor find the csv.py beside them in place of the standard library's.
"""

import importlib.util
import json
import os
import shutil
import sys
from typing import Any

_LONGEST_REASON = 1000


def main(decoder: str) -> None:
    """Open what the first line names, answer every further line, and leave nothing behind.

    A line is the arguments as JSON, and ``ask``, which names a method of the decoder; so is an answer.
    """
    sys.modules["pandas"] = None  # type: ignore[assignment]  # Arrow would import it, to no use here
    folder = os.getcwd()
    opened: Any = None
    try:
        for line in sys.stdin.buffer:
            question = json.loads(line)
            answer: dict[str, object] | None = {}
            try:
                if opened is None:
                    opened = _open(decoder, **question)
                else:
                    answer = getattr(opened, question.pop("ask"))(**question)
            except MemoryError:
                answer = None
            except Exception as reason:  # decoders, on hostile bytes, raise anything
                answer = _why_not(reason)
            sys.stdout.buffer.write(json.dumps(answer).encode() + b"\n")
            sys.stdout.buffer.flush()
    finally:
        os.chdir(os.path.dirname(folder))
        shutil.rmtree(folder, ignore_errors=True)


def _why_not(reason: Exception) -> dict[str, object]:
    facts = getattr(reason, "facts", None)
    if facts is not None:
        return {"refused": facts}
    return {"failed": [type(reason).__name__, str(reason)[:_LONGEST_REASON]]}


def _open(decoder: str, path: str, memory: int, seconds: int) -> Any:
    spec = importlib.util.spec_from_file_location("decoder", decoder)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    _cap(memory, seconds)
    return module.Decoder(path)


def _cap(memory: int, seconds: int) -> None:
    """Take no more than so many bytes over those of now, and twice so much of a processor's time.

    Memory is capped on Linux alone: macOS does not hold a process to it, Windows knows no such limit.
    """
    try:
        import resource
    except ImportError:
        return
    # Twice, for the process that asks has a clock, and counts first as long as it lives.
    limits = {resource.RLIMIT_CORE: 0, resource.RLIMIT_CPU: 2 * seconds}
    if sys.platform == "linux":
        with open("/proc/self/statm") as file:
            pages = [int(count) for count in file.read().split()]
        size = resource.getpagesize()
        limits |= {
            resource.RLIMIT_AS: pages[0] * size + memory,
            resource.RLIMIT_DATA: pages[5] * size + memory,
        }
    for limit, value in limits.items():
        hard = resource.getrlimit(limit)[1]
        if hard != resource.RLIM_INFINITY:
            value = min(value, hard)
        resource.setrlimit(limit, (value, value))


if __name__ == "__main__":
    main(sys.argv[1])
