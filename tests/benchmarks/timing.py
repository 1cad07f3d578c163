"""Time and memory of one call in a fresh process, so that rivals do not warm each other up."""

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Cost:
    """Seconds of the call, megabytes it needed at its peak beyond what was held before, its result."""

    seconds: float
    megabytes: float
    result: list[float]


def peak_megabytes() -> float:
    """Most memory this process has held. Linux's own ru_maxrss can be inherited from the parent."""
    status = Path("/proc/self/status")
    if status.exists():
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def measure(call: Callable[[], list[float]]) -> Cost:
    """Cost of a call in this process."""
    before, start = peak_megabytes(), time.perf_counter()
    result = call()
    return Cost(time.perf_counter() - start, peak_megabytes() - before, result)


def in_fresh_process(module: str, *arguments: object) -> Cost:
    """Run ``python -m module arguments``, which prints a ``Cost`` by ``report``."""
    command = [sys.executable, "-m", module, *map(str, arguments)]
    printed = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    return Cost(**json.loads(printed))


def report(cost: Cost) -> None:
    """Print a cost for the process that waits for it."""
    print(json.dumps(vars(cost)))
