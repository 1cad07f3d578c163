"""What was opened stays in memory, up to so many bytes; what was not asked for longest goes first."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import update_wrapper
from typing import Generic, TypeVar

T = TypeVar("T")


class Opened(Generic[T]):
    """A function whose results are kept, by its arguments, at most ``most_bytes`` of them and one.

    Parameters
    ----------
    nbytes
        Bytes that a result takes.

    Examples
    --------
    >>> words = Opened(len, 6, lambda text: text * 2)
    >>> words("ab"), words("ab"), words("c"), words.bytes
    ('abab', 'abab', 'cc', 6)
    >>> words("d"), words.bytes
    ('dd', 4)
    """

    def __init__(self, nbytes: Callable[[T], int], most_bytes: int, function: Callable[..., T]) -> None:
        self._nbytes, self._most, self._function = nbytes, most_bytes, function
        self._kept: OrderedDict[tuple[Hashable, ...], T] = OrderedDict()
        self._lock = threading.Lock()
        update_wrapper(self, function)

    def __call__(self, *arguments: Hashable) -> T:
        """The result for some arguments, made if it is not kept."""
        with self._lock:
            if arguments in self._kept:
                self._kept.move_to_end(arguments)
                return self._kept[arguments]
        made = self._function(*arguments)
        with self._lock:
            self._kept[arguments] = made
            self._kept.move_to_end(arguments)
            while len(self._kept) > 1 and self._taken() > self._most:
                self._kept.popitem(last=False)
        return made

    @property
    def bytes(self) -> int:
        """What is kept takes so much."""
        with self._lock:
            return self._taken()

    def cache_clear(self) -> None:
        """Keep nothing of what was opened."""
        with self._lock:
            self._kept.clear()

    def _taken(self) -> int:
        return sum(map(self._nbytes, self._kept.values()))
