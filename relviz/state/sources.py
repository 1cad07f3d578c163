"""Where the two spaces of a view come from: a demo, own files or encoders; from allowed folders only."""

import os
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from relviz.compute.key import array_digest, is_key, value_digest
from relviz.compute.store import default_store
from relviz.compute.texts import packed, unpacked
from relviz.compute.typed import pack, unpack
from relviz.demos import Demo, load_demo
from relviz.encoders import encoder_of
from relviz.errors import ParameterError, ReadError
from relviz.pair import Pair
from relviz.space import Space
from relviz.state.opened import Opened, space_bytes
from relviz.state.owners import Claim, Origin, claim, claim_of, forget_claims
from relviz.state.stored import check_room

OWN = "space"
"""Kind under which the store keeps spaces that are no demo's."""
TEXTS = ("ids", "labels", "items")
Pixels = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class KeptSpace:
    """A space as the store keeps it: ``texts`` are its ids, labels and items as ``packed`` makes them.

    ``name`` and ``origin`` serve where no visitor's claim says them.
    """

    vectors: np.ndarray
    texts: dict[str, np.ndarray]
    thumbnails: Pixels | None = None
    name: str = ""
    origin: Origin | None = None

    def space(self, name: str) -> Space:
        """The space itself, under the name it has where that is empty."""
        texts = {what: unpacked(what, self.texts) for what in TEXTS}
        return Space(torch.from_numpy(self.vectors), name=name or self.name, **texts)


def is_own(source: str) -> bool:
    """Whether a source names a space of the store, and no demo's."""
    return source.startswith(f"{OWN}-")


def open_space(source: str) -> Space:
    """The space that a source names.

    Raises
    ------
    ParameterError
        If there is no such demo; if the space is no longer kept, or was brought by another visitor.
    """
    if is_own(source):
        name = _name(source)
        return _SPACES.get((default_store().root, source, name), lambda: _stored(source).space(name))
    demo, _, key = source.partition(".")
    spaces = load_demo(demo).spaces
    if key not in spaces:
        raise ParameterError(f"The demo {demo!r} has no space {key!r}; it has {', '.join(spaces)}.")
    return spaces[key]


def origin_of(source: str) -> Origin:
    """Where the space came from; ParameterError as ``open_space``."""
    if is_own(source):
        claimed = _checked(source).origin
        return _stored_origin(default_store().root, source) if claimed is None else claimed
    demo, _, key = source.partition(".")
    return Origin(f"demo {load_demo(demo).title}", encoder_of(demo, key) or "")


def thumbnails_of(source: str) -> Pixels | None:
    """Small pictures ``(n, cell, cell, 3)`` of a space's items, if it was made of pictures here."""
    if not is_own(source):
        return None
    _checked(source)
    return _THUMBNAILS.get((default_store().root, source), lambda: _stored(source).thumbnails)


def demo_of(source: str) -> Demo | None:
    """The demo that a source is a space of; None for one's own."""
    return None if is_own(source) else load_demo(source.partition(".")[0])


def open_pair(a: str, b: str) -> Pair:
    """The two spaces that two sources name, row against row."""
    x, y = open_space(a), open_space(b)
    return _PAIRS.get((x, y), lambda: Pair(x, y))


def keep_space(space: Space, origin: Origin | None = None, thumbnails: Pixels | None = None) -> str:
    """Keep a space in the store; gives the source that names it from now on.

    Its name is made of its content alone: a file that is called otherwise is the same space. Who keeps it can
    open it, under the name that they gave it last; another visitor cannot, unless they bring it too.

    Raises
    ------
    QuotaError
        If who keeps it would keep more than they may.
    """
    content = space.content_digest
    if thumbnails is not None:
        content = value_digest([content, array_digest(thumbnails)])
    source = f"{OWN}-{content}"
    kept = KeptSpace(space.vectors.numpy(), packed_texts(space), thumbnails)
    parts = (kept.vectors, *kept.texts.values(), *(() if thumbnails is None else (thumbnails,)))
    check_room(source, sum(part.nbytes for part in parts), space.name or "The space")
    default_store().cached(source, lambda: pack(kept))
    claim(source, space.name, origin or Origin())
    return source


def packed_texts(space: Space) -> dict[str, np.ndarray]:
    """Those of its ids, labels and items that a space has, as arrays."""
    arrays: dict[str, np.ndarray] = {}
    for what, texts in zip(TEXTS, (space.ids, space.labels, space.items), strict=True):
        arrays |= {} if texts is None else packed(what, texts)
    return arrays


def hold_opened(cap_bytes: int) -> None:
    """Let what is open take so many bytes: spaces, pairs and thumbnails each."""
    for opened in (_SPACES, _PAIRS, _THUMBNAILS):
        opened.hold(cap_bytes)


def forget_opened() -> None:
    """Read again from the store whatever is opened next."""
    for opened in (_SPACES, _stored_origin, _THUMBNAILS, _PAIRS):
        opened.cache_clear()
    forget_claims()


def _name(source: str) -> str:
    return _checked(source).name


def _checked(source: str) -> Claim:
    """The claim of who asks on a space; ParameterError where they have none."""
    found = claim_of(source) if is_key(source) else None
    if found is None:
        raise _absent()
    return found


_SPACES = Opened(space_bytes)
_PAIRS: Opened[Pair] = Opened(lambda pair: space_bytes(pair.a) + space_bytes(pair.b))
_THUMBNAILS: Opened[Pixels | None] = Opened(lambda cells: 0 if cells is None else cells.nbytes)


@lru_cache(maxsize=24)
def _stored_origin(_: Path, source: str) -> Origin:
    return _stored(source).origin or Origin()


def _stored(source: str) -> KeptSpace:
    kept = default_store().get(source)
    if kept is None:
        raise _absent()
    return unpack(KeptSpace, kept)


def _absent() -> ParameterError:
    return ParameterError(
        "The space of this link was not loaded in this browser, or is no longer stored. Load or encode it "
        "again."
    )


VARIABLE = "RELVIZ_FOLDERS"


def allowed_folders() -> tuple[Path, ...]:
    """Those that the environment variable names, joined as in PATH; else the home of who runs relviz."""
    named = os.environ.get(VARIABLE)
    folders = [Path.home()] if named is None else [Path(one) for one in named.split(os.pathsep) if one]
    return tuple(folder.resolve() for folder in folders)


def allowed_path(text: str) -> Path:
    """A path that was typed, its links followed.

    Raises
    ------
    ReadError
        If it is not there, or not inside an allowed folder; which of the two is said only inside.
    """
    try:
        path = Path(text).expanduser().resolve()
    except (OSError, RuntimeError, ValueError):
        raise ReadError(f"{text[:200]!r} is not a path on this machine.") from None
    if not any(path.is_relative_to(folder) for folder in allowed_folders()):
        raise ReadError(
            f"{text[:200]!r} is outside the folders that relviz may read. To allow others, start it with "
            f"{VARIABLE}=/data:/models streamlit run app.py"
        )
    if not path.exists():
        raise ReadError(f"There is nothing at {text[:200]!r} on the machine that runs relviz.")
    return path
