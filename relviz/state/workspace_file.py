"""A workspace's file in the process that reads it: checked, and what it holds left in a folder.

It is safetensors: arrays, and a header whose metadata are a format, a view and what is said of the spaces.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from relviz.compute.json_text import JsonObject, read_json
from relviz.compute.texts import unpacked
from relviz.errors import Error, ReadError
from relviz.readers.limits import Limits
from relviz.readers.reading import leave_texts
from relviz.readers.safetensors import place_of, read_header
from relviz.readers.source import BLOCK_BYTES, Report, Source, opened, read_exactly

FORMAT = "relviz workspace 1"
TEXTS = ("ids", "labels", "items")
LARGEST_CELL = 64
_LONGEST_HEADER = 10_000_000
_MOST_VALUES = 500_000
_LONGEST_NAME = 200
_TYPES: dict[str, np.dtype[Any]] = {"F32": np.dtype("<f4"), "U8": np.dtype("u1"), "I64": np.dtype("<i8")}

Place = tuple[str, tuple[int, ...], int]
"""Type, shape and first byte of an array."""


def leave_workspace(folder: Path, report: Report, path: str, limits: Mapping[str, int]) -> JsonObject:
    """Leave the spaces of a workspace in the folder; gives its view and what it says of each space.

    Of the space number k, ``k.vectors.npy`` has the vectors, ``k.thumbnails.npy`` small pictures if it has
    any, and ``left_texts`` gives ``k.ids``, ``k.labels`` and ``k.items``.
    """
    allowed = Limits(**limits)
    with opened(path, "The workspace", allowed, folder, report) as file:
        try:
            return _leave(file, folder, allowed)
        except Error as reason:
            whole = isinstance(reason, ReadError) and str(reason).startswith(_UNCHANGED)
            raise reason if whole else damaged(str(reason)) from None
        except (ValueError, KeyError, TypeError, AttributeError, IndexError) as reason:
            raise damaged(f"Its content does not fit ({str(reason)[:200]}).") from None


_UNCHANGED = ("This workspace", "The workspace has the format")


def damaged(why: str) -> ReadError:
    """The error for a workspace that a sentence says something is wrong with."""
    return ReadError(
        f"This workspace cannot be opened. {why[:300]} Use a complete file made by “Save workspace”."
    )


def _leave(file: Source, folder: Path, limits: Limits) -> JsonObject:
    header, begin = read_header(file)
    metadata = header.pop("__metadata__")
    if metadata["format"] != FORMAT:
        raise ReadError(
            f"The workspace has the format {str(metadata['format'])[:60]!r}; this relviz opens {FORMAT!r}. "
            "Use the relviz that saved it, or a newer one."
        )
    places = {name: place_of(name, entry, file, begin) for name, entry in header.items()}
    if any(kind not in _TYPES for kind, _, _ in places.values()):
        raise damaged("It holds arrays of other types than relviz writes.")
    taken = sum(_nbytes(place) for place in places.values())
    if taken > file.size:
        raise damaged(f"Its arrays take {taken:,} bytes together and the file has {file.size:,}.")
    view, spaces = (
        read_json(metadata[part], _LONGEST_HEADER, most_values=_MOST_VALUES) for part in ("view", "spaces")
    )
    params = {str(name): str(text) for name, text in view.items()}
    left = [
        _leave_space(file, folder, number, str(source), about, places, limits)
        for number, (source, about) in enumerate(spaces.items())
    ]
    return {"view": params, "spaces": left}


def _leave_space(
    file: Source,
    folder: Path,
    number: int,
    source: str,
    about: JsonObject,
    places: Mapping[str, Place],
    limits: Limits,
) -> JsonObject:
    own = {name.partition("/")[2]: place for name, place in places.items() if name.startswith(f"{source}/")}
    kind, shape, _ = own["vectors"]
    if kind != "F32" or len(shape) != 2:
        raise damaged(f"Vectors are {kind} of {len(shape)} dimensions.")
    limits.check_matrix(*shape, "A space of the workspace")
    thumbnails = own.get("thumbnails")
    if thumbnails is not None:
        _check_thumbnails(thumbnails, shape[0])
        _copy(file, thumbnails, folder / f"{number}.thumbnails.npy")
    _copy(file, own["vectors"], folder / f"{number}.vectors.npy")
    for what in TEXTS:
        parts = {name: own[name] for name in (f"{what}.bytes", f"{what}.ends") if name in own}
        limits.check_memory(sum(map(_nbytes, parts.values())), f"The {what} of a space of the workspace")
        texts = unpacked(what, {name: _array(file, place) for name, place in parts.items()})
        if texts is not None:
            leave_texts(folder, f"{number}.{what}", texts)
    origin = about["origin"]
    if not isinstance(origin, Mapping):
        raise damaged("It does not say where a space came from.")
    return {"source": source, "name": str(about["name"])[:_LONGEST_NAME], "origin": origin}


def _nbytes(place: Place) -> int:
    kind, shape, _ = place
    length = _TYPES[kind].itemsize
    for side in shape:
        length *= side
    return length


def _check_thumbnails(place: Place, n: int) -> None:
    kind, shape, _ = place
    cell = shape[1] if len(shape) == 4 else 0
    if kind != "U8" or shape != (n, cell, cell, 3) or not 0 < cell <= LARGEST_CELL:
        raise damaged(f"Its small images are {shape} of {kind}.")


def _array(file: Source, place: Place) -> np.ndarray:
    kind, shape, begin = place
    array: np.ndarray = np.frombuffer(file.read(begin, _nbytes(place)), _TYPES[kind])
    return array.reshape(shape)


def _copy(file: Source, place: Place, path: Path) -> None:
    """Write an array to a file of its own, without all of it in memory."""
    kind, shape, begin = place
    left = _nbytes(place)
    file.file.seek(begin)
    with path.open("xb") as into:
        header = {"descr": _TYPES[kind].str, "fortran_order": False, "shape": shape}
        np.lib.format.write_array_header_1_0(into, header)
        while left:
            some = min(left, BLOCK_BYTES)
            into.write(read_exactly(file.file, some, file.name))
            left -= some
