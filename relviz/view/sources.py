"""Where the two spaces of a view come from: a demo that comes with relviz, or one's own files and encoders.

A demo's space is written ``demo.key``; one's own ``space-<digest>``, under which it is kept in the store, so
that a link to it works for as long as the store keeps it.
"""

from functools import lru_cache

import numpy as np
import torch
from numpy.typing import NDArray

from relviz.compute.entry import Result
from relviz.compute.store import default_store
from relviz.compute.task import Made
from relviz.compute.texts import packed, unpacked
from relviz.demos import Demo, load_demo
from relviz.encoders import encoder_of
from relviz.errors import ParameterError
from relviz.pair import Pair
from relviz.space import Space
from relviz.view.origin import Origin

OWN = "space"
"""Kind under which the store keeps spaces that are no demo's."""
TEXTS = ("ids", "labels", "items")
Pixels = NDArray[np.uint8]


def is_own(source: str) -> bool:
    """Whether a source names a space of the store, and no demo's."""
    return source.startswith(f"{OWN}-")


@lru_cache(maxsize=24)
def open_space(source: str) -> Space:
    """The space that a source names.

    Raises
    ------
    ParameterError
        If there is no such demo, or the space is no longer kept.
    """
    if is_own(source):
        kept = _kept(source)
        texts = {what: unpacked(what, kept.arrays) for what in TEXTS}
        return Space(torch.from_numpy(kept.arrays["vectors"]), name=str(kept.meta["name"]), **texts)
    demo, _, key = source.partition(".")
    spaces = load_demo(demo).spaces
    if key not in spaces:
        raise ParameterError(f"The demo {demo!r} has no space {key!r}; it has {', '.join(spaces)}.")
    return spaces[key]


@lru_cache(maxsize=24)
def origin_of(source: str) -> Origin:
    """Where the space came from; ParameterError as ``open_space``."""
    if is_own(source):
        return Origin.from_meta(_kept(source).meta.get("origin", {}))
    demo, _, key = source.partition(".")
    return Origin(f"demo {load_demo(demo).title}", encoder_of(demo, key) or "")


@lru_cache(maxsize=8)
def thumbnails_of(source: str) -> Pixels | None:
    """Small pictures ``(n, cell, cell, 3)`` of a space's items, if it was made of pictures here."""
    return _kept(source).arrays.get("thumbnails") if is_own(source) else None


def demo_of(source: str) -> Demo | None:
    """The demo that a source is a space of; None for one's own."""
    return None if is_own(source) else load_demo(source.partition(".")[0])


@lru_cache(maxsize=8)
def open_pair(a: str, b: str) -> Pair:
    """The two spaces that two sources name, row against row."""
    return Pair(open_space(a), open_space(b))


def keep_space(space: Space, origin: Origin | None = None, thumbnails: Pixels | None = None) -> str:
    """Keep a space in the store; gives the source that names it from now on.

    Its name is made of its content: the same space is kept once, with the origin that it first came with.
    """
    source = f"{OWN}-{space.content_digest}"
    default_store().cached(source, lambda: as_kept(space, origin or Origin(), thumbnails))
    return source


def as_kept(space: Space, origin: Origin, thumbnails: Pixels | None = None) -> Made:
    """A space as the store keeps it."""
    arrays: dict[str, np.ndarray] = {"vectors": space.vectors.numpy()}
    for what in TEXTS:
        texts = getattr(space, what)
        arrays |= {} if texts is None else packed(what, texts)
    if thumbnails is not None:
        arrays["thumbnails"] = thumbnails
    return arrays, {"name": space.name, "origin": origin.to_meta()}


def _kept(source: str) -> Result:
    kept = default_store().get(source)
    if kept is None:
        raise ParameterError(
            "The space that this link names is no longer kept here. Load or encode it again."
        )
    return kept
