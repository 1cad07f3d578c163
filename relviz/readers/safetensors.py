"""Tensors in .safetensors files, as https://github.com/huggingface/safetensors describes them.

Eight bytes give the length of a JSON header; the header gives each tensor's dtype, shape and place.
The header may also carry texts: relviz keeps ids, labels and items there as JSON lists, and a name.
"""

import json
import math
from typing import Any

import numpy as np

from relviz.compute.json_text import JsonError, JsonObject, read_json
from relviz.errors import ReadError
from relviz.readers import messages
from relviz.readers.choice import Holding
from relviz.readers.found import Holds, Part, array_part
from relviz.readers.limits import Limits
from relviz.readers.roles import ROLES
from relviz.readers.source import Source, Vectors, read_matrix

_LENGTH_BYTES = 8
_LONGEST_HEADER = 100_000_000
_LONGEST_NAME = 200
_DTYPES: dict[str, tuple[np.dtype[Any], Holds]] = {
    "F64": (np.dtype("<f8"), "floats"),
    "F32": (np.dtype("<f4"), "floats"),
    "F16": (np.dtype("<f2"), "floats"),
    "BF16": (np.dtype("<u2"), "floats"),
    "I64": (np.dtype("<i8"), "integers"),
    "I32": (np.dtype("<i4"), "integers"),
    "I16": (np.dtype("<i2"), "integers"),
    "I8": (np.dtype("i1"), "integers"),
    "U8": (np.dtype("u1"), "integers"),
}
_MOST_TENSORS = 20_000
_VALUES_A_TENSOR = 40


def survey(source: Source, limits: Limits) -> Holding:
    """What a .safetensors file holds."""
    header, data_start = read_header(source)
    metadata = header.pop("__metadata__", None)
    metadata = metadata if isinstance(metadata, dict) else {}
    lists, notes = _metadata_lists(metadata, limits)
    tensors = {name: place_of(name, entry, source, data_start) for name, entry in header.items()}
    parts = [Part(role, "text", (len(values),), "text", "holds text") for role, values in lists.items()]
    for name, (dtype, shape, _) in tensors.items():
        if name not in lists:
            parts.append(array_part(name, shape, dtype, _DTYPES[dtype][1] if dtype in _DTYPES else "other"))

    def vectors(names: tuple[str, ...]) -> tuple[Vectors, tuple[str, ...]]:
        (name,) = names
        dtype, (rows, columns), start = tensors[name]
        return _read(source, dtype, (rows, columns), start), ()

    def texts(name: str) -> list[str]:
        if name in lists:
            return lists[name]
        dtype, (rows,), start = tensors[name]
        kind = _DTYPES[dtype][0]
        limits.check_memory(rows * kind.itemsize, name)
        return list(map(str, np.frombuffer(source.read(start, rows * kind.itemsize), kind).tolist()))

    return Holding(
        "safetensors", tuple(parts), vectors, texts, name=_metadata_name(metadata), notes=tuple(notes)
    )


def read_header(source: Source) -> tuple[JsonObject, int]:
    """The header of a file and where its data begin; not built if there is too much of it."""
    if source.size < _LENGTH_BYTES + 2:
        raise ReadError(
            f"{source.name} is {messages.plural(source.size, 'byte')} long, too short for a header. "
            "Save it again."
        )
    length = int.from_bytes(source.read(0, _LENGTH_BYTES), "little")
    if length > min(source.size - _LENGTH_BYTES, _LONGEST_HEADER):
        raise ReadError(
            f"{source.name} declares a header of {messages.count(length)} bytes; the file has "
            f"{messages.count(source.size)} and a header at most {messages.count(_LONGEST_HEADER)}. It is "
            "cut off, or not safetensors; save it again."
        )
    raw = bytes(source.read(_LENGTH_BYTES, length))
    tensors = raw.count(b'"data_offsets"')
    if tensors > _MOST_TENSORS:
        raise ReadError(
            f"{source.name} holds {messages.count(tensors)} tensors; at most {messages.count(_MOST_TENSORS)} "
            "are looked through. Save the tensor of the vectors in a file of its own."
        )
    try:
        header = read_json(raw, _LONGEST_HEADER, most_values=_MOST_TENSORS * _VALUES_A_TENSOR)
    except JsonError as reason:
        raise ReadError(f"The header of {source.name} cannot be read: {reason}. Save it again.") from None
    if not isinstance(header, dict):
        raise ReadError(f"{source.name} has a header that is not a JSON object; save it again.")
    return header, _LENGTH_BYTES + length


def place_of(name: str, entry: Any, source: Source, data_start: int) -> tuple[str, tuple[int, ...], int]:
    """Dtype, shape and first byte of one tensor."""
    what = f"{source.name}, tensor {messages.quote(name)}"
    try:
        dtype, shape = str(entry["dtype"]), tuple(entry["shape"])
        begin, end = entry["data_offsets"]
        lengths_are_whole = all(type(value) is int and value >= 0 for value in (*shape, begin, end))
    except (TypeError, KeyError, ValueError):
        lengths_are_whole = False
    if not lengths_are_whole:
        raise ReadError(f"{what} lacks a dtype, a shape or a place in the header; save it again.")
    if data_start + end > source.size:
        raise ReadError(
            f"{what} ends at byte {messages.count(data_start + end)} and the file has "
            f"{messages.count(source.size)}: it is cut off. Copy or save it again."
        )
    if dtype in _DTYPES and end - begin != math.prod(shape) * _DTYPES[dtype][0].itemsize:
        raise ReadError(
            f"{what} declares {messages.shape(shape)} values of {dtype} in {messages.count(end - begin)} "
            "bytes, which does not fit. It is damaged; save it again."
        )
    return dtype, shape, data_start + begin


def _read(source: Source, dtype: str, shape: tuple[int, int], start: int) -> Vectors:
    kind = _DTYPES[dtype][0]

    def decode(raw: bytearray) -> np.ndarray:
        numbers = np.frombuffer(raw, kind)
        # The upper half of a float32.
        return (numbers.astype("<u4") << 16).view("<f4") if dtype == "BF16" else numbers

    matrix = source.new_matrix(*shape)
    source.file.seek(start)
    read_matrix(source.file, matrix, kind.itemsize, decode, source.name)
    return matrix


def _metadata_lists(metadata: JsonObject, limits: Limits) -> tuple[dict[str, list[str]], list[str]]:
    lists, notes = {}, []
    for role in ROLES:
        if role not in metadata:
            continue
        try:
            values = read_json(metadata[role], _LONGEST_HEADER, deepest=1, most_values=limits.rows + 1)
        except ValueError:
            values = None
        if isinstance(values, list):
            lists[role] = [value if isinstance(value, str) else json.dumps(value) for value in values]
        else:
            notes.append(f"metadata {role!r} is not a JSON list of texts: left out")
    return lists, notes


def _metadata_name(metadata: JsonObject) -> str:
    name = metadata.get("name")
    return name[:_LONGEST_NAME] if isinstance(name, str) else ""
