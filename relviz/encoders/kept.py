"""Models that are loaded: each once in a process, the least recently used of them let go."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock

from relviz.encoders.model import Model

KEPT = 4
"""Models kept beside those that pip carries."""

_loaded: OrderedDict[Hashable, Model] = OrderedDict()
_carried: dict[Hashable, Model] = {}
_looking, _loading = Lock(), Lock()


def kept(key: Hashable) -> Model | None:
    """The model of a key, if it is loaded."""
    with _looking:
        if key in _loaded:
            _loaded.move_to_end(key)
        return _carried.get(key) or _loaded.get(key)


def kept_or_loaded(key: Hashable, load: Callable[[], Model], forever: bool = False) -> Model:
    """The model of a key, loaded if it is not; threads that ask meanwhile wait for it."""
    found = kept(key)
    if found is None:
        with _loading:
            found = kept(key)
            if found is None:
                found = load()
                with _looking:
                    (_carried if forever else _loaded)[key] = found
                    while len(_loaded) > KEPT:
                        _loaded.popitem(last=False)
    return found
