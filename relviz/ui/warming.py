"""What is made ready while a person looks at the first page, so that it is not waited for later."""

import threading
from collections.abc import Iterable
from contextlib import suppress

from relviz.errors import Error

WAIT = 3.0
"""Seconds left to the page that a process draws first."""

_lock = threading.Lock()
_begun = False
_warmed: set[str] = set()


def warm_up() -> None:
    """Have UMAP compiled in the background, once in a process; the thread asks nothing of Streamlit."""
    global _begun
    with _lock:
        if _begun:
            return
        _begun = True
    timer = threading.Timer(WAIT, _compile)
    timer.name, timer.daemon = "warming", True
    timer.start()


def warm_encoders(names: Iterable[str]) -> None:
    """Have encoders loaded in the background, each once in a process: a probe is then answered at once."""
    with _lock:
        cold = [name for name in names if name not in _warmed]
        _warmed.update(cold)
    for name in cold:
        threading.Thread(target=_load, args=(name,), name=f"warming {name}", daemon=True).start()


def _load(name: str) -> None:
    from relviz.encoders import load_encoder

    with suppress(Error):  # who asks it next is told why
        load_encoder(name)


def _compile() -> None:
    from relviz.projection import warm_umap

    warm_umap()
