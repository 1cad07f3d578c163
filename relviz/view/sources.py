"""Where the two spaces of a view come from: a demo that comes with relviz, or a file that was uploaded.

A demo's space is written ``demo.key``; an uploaded one ``space-<digest>``, under which it is kept in
the store, so that a link to it works for as long as the store keeps it.
"""

from functools import lru_cache

import torch

from relviz.compute.store import default_store
from relviz.demos import Demo, load_demo
from relviz.errors import ParameterError
from relviz.pair import Pair
from relviz.space import Space

UPLOADED = "space-"


@lru_cache(maxsize=16)
def open_space(source: str) -> Space:
    """The space that a source names.

    Raises
    ------
    ParameterError
        If there is no such demo, or the upload is no longer kept.
    """
    if source.startswith(UPLOADED):
        return _uploaded(source)
    demo, _, key = source.partition(".")
    spaces = load_demo(demo).spaces
    if key not in spaces:
        raise ParameterError(f"The demo {demo!r} has no space {key!r}; it has {', '.join(spaces)}.")
    return spaces[key]


def demo_of(source: str) -> Demo | None:
    """The demo that a source is a space of; None for an upload."""
    return None if source.startswith(UPLOADED) else load_demo(source.partition(".")[0])


@lru_cache(maxsize=8)
def open_pair(a: str, b: str) -> Pair:
    """The two spaces that two sources name, row against row."""
    return Pair(open_space(a), open_space(b))


def keep_space(space: Space) -> str:
    """Keep an uploaded space in the store; gives the source that names it from now on."""
    source = UPLOADED + space.content_digest
    texts = {what: getattr(space, what) for what in ("ids", "labels", "items")}
    meta = {what: list(text) for what, text in texts.items() if text is not None}
    default_store().put(source, {"vectors": space.vectors.numpy()}, {"name": space.name, **meta})
    return source


def _uploaded(source: str) -> Space:
    kept = default_store().get(source)
    if kept is None:
        raise ParameterError(
            "The uploaded file that this link names is no longer kept here. Upload it again."
        )
    texts = {what: kept.meta[what] for what in ("ids", "labels", "items") if what in kept.meta}
    return Space(torch.from_numpy(kept.arrays["vectors"]), name=str(kept.meta["name"]), **texts)
