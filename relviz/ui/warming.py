"""What is made ready while a person looks at the first page, so that it is not waited for later."""

import threading

WAIT = 3.0
"""Seconds left to the page that a process draws first."""

_lock = threading.Lock()
_begun = False


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


def _compile() -> None:
    from relviz.project import warm_umap

    warm_umap()
