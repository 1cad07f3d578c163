"""Results that could not be written: held in memory, so that what was computed can still be shown."""

import threading
from collections import OrderedDict
from collections.abc import Iterable

from relviz.compute.entry import Result

HELD_BYTES = 1024**3
"""What they may take together; the newest stays whatever it takes."""


class Held:
    """Results by key, at most ``cap_bytes`` of them; those not asked for longest go first."""

    def __init__(self, cap_bytes: int = HELD_BYTES) -> None:
        self._cap = cap_bytes
        self._results: OrderedDict[str, Result] = OrderedDict()
        self._lock = threading.Lock()

    def __contains__(self, key: str) -> bool:
        with self._lock:
            return key in self._results

    def __bool__(self) -> bool:
        with self._lock:
            return bool(self._results)

    def add(self, key: str, result: Result) -> None:
        """Hold a result; others go where they are too much together."""
        with self._lock:
            self._results.pop(key, None)
            self._results[key] = result
            while len(self._results) > 1 and sum(map(_bytes, self._results.values())) > self._cap:
                self._results.popitem(last=False)

    def get(self, key: str) -> Result | None:
        """A result as a read of the store gives it: arrays of its own."""
        with self._lock:
            found = self._results.get(key)
            if found is None:
                return None
            self._results.move_to_end(key)
        return Result({name: x.copy() for name, x in found.arrays.items()}, found.meta)

    def drop(self, key: str) -> None:
        """Hold it no longer."""
        with self._lock:
            self._results.pop(key, None)

    def items(self) -> Iterable[tuple[str, Result]]:
        """What is held, the oldest first."""
        with self._lock:
            return list(self._results.items())


def _bytes(result: Result) -> int:
    return sum(x.nbytes for x in result.arrays.values())
