"""What is made ready while a person looks at the first page, so that it is not waited for later."""

import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial

from relviz.compute.workers import workers
from relviz.errors import Error
from relviz.readers import confined

SOON, LATER = 0.5, 20.0
"""Seconds left to the page that a process draws first, and to the pages that are looked at after it."""

_lock = threading.Lock()
_begun = False
_warmed: set[str] = set()


def warm_up() -> None:
    """Load what other pages need, and have UMAP compiled, in the background and once in a process.

    The threads ask nothing of Streamlit.
    """
    global _begun
    with _lock:
        if _begun:
            return
        _begun = True
    confined.start()
    for wait, work in ((SOON, _load_figures), (LATER, _compile)):
        timer = threading.Timer(wait, work)
        timer.name, timer.daemon = "warming", True
        timer.start()


def warm_encoders(names: Iterable[str]) -> None:
    """Have encoders loaded in the background, each once in a process: a probe is then answered at once."""
    for name in names:
        warm(name, partial(_load, name))


def warm(name: str, load: Callable[[], object]) -> None:
    """Have something loaded in the background, once in a process; the thread asks nothing of Streamlit."""
    with _lock:
        if name in _warmed:
            return
        _warmed.add(name)
    threading.Thread(target=_quietly, args=(load,), name=f"warming {name}", daemon=True).start()


def _quietly(load: Callable[[], object]) -> None:
    with suppress(Error):  # who asks for it next is told why
        load()


def _load(name: str) -> None:
    from relviz.encoders import load_encoder

    load_encoder(name)


def _load_figures() -> None:
    import relviz.figures.registry  # noqa: F401  (most pages offer figures, whose code takes most of a second)


def _compile() -> None:
    if workers() is not None:
        return  # they compile what they need
    from relviz.projection import warm_umap

    warm_umap()
