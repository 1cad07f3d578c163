"""What is open: spaces and pairs that were read or made not long ago, as many as fit in some memory."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from relviz.space import Space

T = TypeVar("T")

OPENED_BYTES = 2 * 1024**3
"""What all that is open of one kind may take; the newest stays whatever it takes."""
_TEXT_BYTES = 80
"""Of an id, a label or an item, about."""


class Opened(Generic[T]):
    """Values by key; those not asked for longest go when together they are larger than ``cap_bytes``."""

    def __init__(self, size: Callable[[T], int], cap_bytes: int = OPENED_BYTES) -> None:
        self._size, self._cap = size, cap_bytes
        self._open: OrderedDict[Hashable, tuple[T, int]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """The value under a key, made unless it is open; a failure is not remembered."""
        with self._lock:
            if key in self._open:
                self._open.move_to_end(key)
                return self._open[key][0]
        made = make()
        with self._lock:
            self._open[key] = made, self._size(made)
            self._open.move_to_end(key)
            while len(self._open) > 1 and sum(size for _, size in self._open.values()) > self._cap:
                self._open.popitem(last=False)
        return made

    def hold(self, cap_bytes: int) -> None:
        """Take no more than that from now on."""
        self._cap = cap_bytes

    def cache_clear(self) -> None:
        """Forget all of them."""
        with self._lock:
            self._open.clear()


def space_bytes(space: Space) -> int:
    """Memory that a space takes, about."""
    texts = sum(len(one) for one in (space.ids, space.labels, space.items) if one is not None)
    return int(space.vectors.nbytes) + _TEXT_BYTES * texts
