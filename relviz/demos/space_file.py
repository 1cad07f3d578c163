"""A space as one safetensors file: float16 vectors, with names of rows as JSON lists in the metadata."""

import json
import os
from collections.abc import Mapping
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file

from relviz.compute.json_text import read_json
from relviz.errors import ReadError
from relviz.space import Space

MAX_BYTES = 30_000_000
"""No file that comes with the project is larger."""

_LISTS = ("ids", "labels", "items")


def write_space(path: Path, space: Space) -> None:
    """Write a space; vectors are rounded to float16, everything else is kept as it is."""
    lists = {what: getattr(space, what) for what in _LISTS}
    metadata = {what: json.dumps(values, ensure_ascii=False) for what, values in lists.items() if values}
    path.parent.mkdir(parents=True, exist_ok=True)
    save_file({"vectors": space.vectors.to(torch.float16)}, path, metadata={"name": space.name, **metadata})


def read_space(path: Path) -> Space:
    """Read what ``write_space`` wrote, checking the header before any vector is read.

    Raises
    ------
    ReadError
        If the file is missing, larger than ``MAX_BYTES``, damaged, or holds something else.
    """
    try:
        size = os.path.getsize(path)
        if size > MAX_BYTES:
            raise ReadError(f"{path.name} has {size} bytes; at most {MAX_BYTES} are expected.")
        with safe_open(path, framework="pt") as file:
            names, metadata = list(file.keys()), file.metadata() or {}
            if names != ["vectors"]:
                raise ReadError(f"{path.name} holds the tensors {names}; exactly 'vectors' is expected.")
            header = file.get_slice("vectors")
            shape, dtype = header.get_shape(), header.get_dtype()
            if len(shape) != 2 or dtype != "F16":
                raise ReadError(
                    f"The vectors of {path.name} are {dtype} {shape}; (rows, columns) F16 is expected."
                )
            lists = {what: _names(path, metadata, what, shape[0]) for what in _LISTS}
            vectors = file.get_tensor("vectors")
    except (OSError, SafetensorError) as reason:
        raise ReadError(
            f"{path.name} cannot be read ({reason}). Restore it from the repository, "
            "or rebuild it with python -m relviz.demos.build."
        ) from None
    return Space(vectors, **lists, name=metadata.get("name", ""))


def _names(path: Path, metadata: Mapping[str, str], what: str, rows: int) -> list[str] | None:
    if what not in metadata:
        return None
    try:
        values = read_json(metadata[what], MAX_BYTES)
    except ValueError:
        values = None
    if not isinstance(values, list) or len(values) != rows or not all(isinstance(v, str) for v in values):
        raise ReadError(f"The {what} of {path.name} are not a list of {rows} texts, one for each row.")
    return values
