"""A workspace: everything that was loaded and chosen, in one file, to be opened elsewhere.

The file is safetensors, arrays and a header of JSON; nothing in it is ever run. Demos are named in it, one's
own spaces are included. Results are not: they are computed again from what is.
"""

import json
from collections.abc import Mapping
from typing import IO, TypedDict

import numpy as np
import torch
from safetensors import SafetensorError, deserialize
from safetensors.numpy import save

from relviz.compute.entry import unpacked
from relviz.compute.json_text import JsonError, read_json
from relviz.errors import Error, ReadError
from relviz.readers.limits import DEFAULT_LIMITS, Limits
from relviz.space import Space
from relviz.state.choice import Notice
from relviz.state.owners import Origin
from relviz.state.sources import (
    TEXTS,
    is_own,
    keep_space,
    open_space,
    origin_of,
    packed_texts,
    thumbnails_of,
)
from relviz.state.view import Names, View

SUFFIX = ".relviz"
FORMAT = "relviz workspace 1"
LARGEST_CELL = 64
_HEADER = 8
_LONGEST_HEADER = 10_000_000
_TYPES = {"F32": np.float32, "U8": np.uint8, "I64": np.int64}


def save_workspace(view: View) -> bytes:
    """The view and every space on its shelf that can be opened."""
    arrays: dict[str, np.ndarray] = {}
    spaces: dict[str, object] = {}
    for source in filter(is_own, view.sources):
        try:
            space = open_space(source)
            parts = {"vectors": space.vectors.numpy(), **packed_texts(space)}
            thumbnails = thumbnails_of(source)
            origin = origin_of(source).portable()
        except Error:
            continue  # what is no longer kept, or is another visitor's, cannot be saved
        spaces[source] = {"name": space.name, "origin": origin.to_meta()}
        parts |= {} if thumbnails is None else {"thumbnails": thumbnails}
        arrays |= {f"{source}/{name}": part for name, part in parts.items()}
    said = {"format": FORMAT, "view": json.dumps(view.to_params()), "spaces": json.dumps(spaces)}
    return save(arrays, said)


def open_workspace(file: IO[bytes] | bytes, limits: Limits = DEFAULT_LIMITS) -> tuple[View, list[Notice]]:
    """Keep the spaces of a workspace here, and give its view, and a notice of each choice left out of it.

    Raises
    ------
    ReadError
        If it is no workspace, is damaged, or larger than the limits.
    """
    raw = file if isinstance(file, bytes) else file.read(limits.file + 1)
    limits.check_file(len(raw), "The workspace")
    said = _header(raw)
    try:
        arrays = {name: _array(part) for name, part in deserialize(raw)}
        params, spaces = (read_json(said[part], _LONGEST_HEADER) for part in ("view", "spaces"))
        renamed = {str(old): _keep(str(old), about, arrays) for old, about in spaces.items()}
        params = {str(name): str(text) for name, text in params.items()}
    except Error:
        raise
    except (SafetensorError, ValueError, KeyError, TypeError, AttributeError, IndexError) as reason:
        raise _damaged(f"Its content does not fit ({str(reason)[:200]}).") from None
    view, notices = View.from_params(params)
    names = Names(dict.fromkeys(renamed.get(one, one) for one in view.shelf))
    return view.with_changes(a=_name(view.a, renamed), b=_name(view.b, renamed), shelf=names), notices


def _name(source: str, renamed: dict[str, str]) -> str:
    return renamed.get(source, source)


def _header(raw: bytes) -> dict[str, str]:
    length = int.from_bytes(raw[:_HEADER], "little")
    if not 2 <= length <= min(_LONGEST_HEADER, len(raw) - _HEADER):
        raise _damaged("Its header has an invalid length.")
    try:
        said: dict[str, str] = read_json(raw[_HEADER : _HEADER + length], _LONGEST_HEADER)["__metadata__"]
        kind = said["format"]
    except (ValueError, KeyError, TypeError) as reason:
        why = f": {reason}" if isinstance(reason, JsonError) else ""
        raise _damaged(f"Its header is not that of a workspace{why}.") from None
    if kind != FORMAT:
        raise ReadError(
            f"The workspace has the format {str(kind)[:60]!r}; this relviz opens {FORMAT!r}. Use the relviz "
            "that saved it, or a newer one."
        )
    return said


class _About(TypedDict):
    """What the header says of a space."""

    name: str
    origin: Mapping[str, object]


class _Part(TypedDict):
    """An array as safetensors gives it."""

    data: bytes
    dtype: str
    shape: list[int]


def _array(part: _Part) -> np.ndarray:
    return np.frombuffer(part["data"], _TYPES[part["dtype"]]).reshape(part["shape"])


def _keep(source: str, about: _About, arrays: dict[str, np.ndarray]) -> str:
    """One space of the file, under the name that its own content gives it."""
    own = {name.partition("/")[2]: array for name, array in arrays.items() if name.startswith(f"{source}/")}
    try:
        texts = {what: unpacked(what, own) for what in TEXTS}
    except Error as reason:
        raise _damaged(str(reason)) from None
    vectors = np.array(own["vectors"], np.float32)  # bytes of the file cannot be written to
    space = Space(torch.from_numpy(vectors), name=str(about["name"])[:200], **texts)
    if _is_here(source, space):
        return source
    return keep_space(space, Origin.from_meta(about["origin"]), _checked(own.get("thumbnails"), len(space)))


def _is_here(source: str, space: Space) -> bool:
    """Whether the very same is kept here under the name it had where it was saved."""
    try:
        return is_own(source) and open_space(source).content_digest == space.content_digest
    except Error:
        return False


def _checked(thumbnails: np.ndarray | None, n: int) -> np.ndarray | None:
    if thumbnails is None:
        return None
    cell = thumbnails.shape[1] if thumbnails.ndim == 4 else 0
    if thumbnails.dtype != np.uint8 or thumbnails.shape != (n, cell, cell, 3) or not 0 < cell <= LARGEST_CELL:
        raise _damaged(f"Its small images are {thumbnails.shape} of {thumbnails.dtype}.")
    return thumbnails


def _damaged(why: str) -> ReadError:
    """The error for a workspace that a sentence says something is wrong with."""
    return ReadError(
        f"This workspace cannot be opened. {why[:300]} Use a complete file made by “Save workspace”."
    )
