"""Reading a demo from the files that hold it."""

from functools import cache
from pathlib import Path
from types import MappingProxyType

import torch

from relviz.compute.json_text import read_json
from relviz.demos.catalog import entry
from relviz.demos.contact_sheet import read_gray
from relviz.demos.demo import Demo, Sprite
from relviz.demos.space_file import MAX_BYTES, read_space
from relviz.errors import ReadError
from relviz.space import Space

DATA = Path(__file__).parent / "data"


@cache
def load_demo(name: str) -> Demo:
    """Load a demo by name. It is read from disk once, then kept in memory.

    Every caller gets the same object, so do not modify its spaces.

    Raises
    ------
    ParameterError
        If there is no demo of that name; the message lists all demos.
    ReadError
        If a file of the demo is missing or damaged.

    Examples
    --------
    >>> from relviz.demos import load_demo
    >>> load_demo("emoji").pair().a
    Space('EfficientNet-Lite0 (images)', 1906 rows, dimension 1280)
    """
    return read_demo(name, DATA)


def read_demo(name: str, folder: Path) -> Demo:
    """The demo of that name from ``folder``, which holds one folder for each demo."""
    about = entry(name)
    home = folder / name
    sprite = Sprite(home / about.sheet[0], *about.sheet[1:]) if about.sheet else None
    if name == "digits" and sprite is not None:
        spaces = {"pixels": _digits(home / "rows.json", sprite, about.spaces["pixels"])}
    else:
        spaces = {key: read_space(home / f"{key}.safetensors") for key in about.spaces}
    return Demo(
        name=name,
        title=about.title,
        description=about.description,
        license=about.license,
        source=about.source,
        spaces=MappingProxyType(spaces),
        pairs=about.pairs,
        sprite=sprite,
    )


def _digits(rows: Path, sheet: Sprite, name: str) -> Space:
    """The pixels themselves are the space: as a picture they take a tenth of the room."""
    try:
        listed = read_json(rows.read_bytes(), MAX_BYTES)
        ids, labels = listed["ids"], listed["labels"]
    except (OSError, ValueError, KeyError, TypeError) as reason:
        raise ReadError(f"{rows.name}, the list of the digits, cannot be read ({reason!r}).") from None
    pixels = read_gray(sheet.path, len(ids), sheet.cell, sheet.columns)
    return Space(
        torch.from_numpy(pixels).flatten(1).to(torch.float32) / 255,
        ids=ids,
        labels=labels,
        items=[f"a handwritten {label}" for label in labels],
        name=name,
    )
