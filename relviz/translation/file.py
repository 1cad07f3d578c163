"""Translators on disk: tensors in a safetensors file, and JSON in its header."""

import json
from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, TypeAlias

from torch import Tensor

from relviz.errors import ReadError

Parameter: TypeAlias = str | int | float | bool | None
Packed: TypeAlias = tuple[dict[str, Tensor], Mapping[str, Any]]
"""Tensors of one translator by name, and what JSON can say about it."""

FORMAT = "relviz translators, 1"


def write(path: str | PathLike[str], parts: Sequence[Packed]) -> None:
    """Write the parts to one file, each tensor as ``{part}.{name}``."""
    from safetensors.torch import save_file

    tensors = {
        f"{at}.{name}": one.detach().cpu().contiguous().clone()
        for at, (some, _) in enumerate(parts)
        for name, one in some.items()
    }
    about = json.dumps([dict(one) for _, one in parts])
    save_file(tensors, path, metadata={"format": FORMAT, "parts": about})


def read(path: str | PathLike[str]) -> list[Packed]:
    """The parts of a file that ``write`` wrote.

    Raises
    ------
    ReadError
        If there is no such file, it is no safetensors file, or no translator is in it.
    """
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="pt") as opened:
            header = opened.metadata() or {}
            tensors = {name: opened.get_tensor(name) for name in opened.keys()}  # noqa: SIM118  # no mapping
    except (OSError, SafetensorError) as reason:
        raise ReadError(f"{path} cannot be read as a safetensors file ({reason}).") from None
    if header.get("format") != FORMAT:
        raise ReadError(
            f"{path} holds no translator that this relviz reads: its format is {header.get('format')!r}, not "
            f"{FORMAT!r}. Save one with translator.save(path)."
        )
    try:
        parts = json.loads(header["parts"])
    except (KeyError, ValueError):
        raise ReadError(f"{path} does not say what its tensors are.") from None
    if not isinstance(parts, list) or not parts:
        raise ReadError(f"{path} holds no translator.")
    return [
        (
            {name.removeprefix(f"{at}."): one for name, one in tensors.items() if name.startswith(f"{at}.")},
            about,
        )
        for at, about in enumerate(parts)
    ]
