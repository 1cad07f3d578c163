"""The shipped figures as they were when relviz was packed: to be looked at before anything is computed."""

import io
import json
from collections.abc import Collection
from dataclasses import asdict, dataclass
from functools import cache, lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import numpy as np
from PIL import Image

from relviz.figures.gallery import Card, Drawn, drawn
from relviz.figures.papers import as_sheet

FOLDER = "packed"
INDEX = "packed.json"
WIDEST = 1100
"""Pixels of a picture."""
QUALITY = 82


def packed(card: Card) -> Drawn | None:
    """A card's figure without its files; None if it was not packed, or of another recipe."""
    entry = _entries().get(card.name)
    return None if entry is None or entry.recipe != card.digest else _packed(card.name)


def pack(cards: list[Card], kept: Collection[str] = ()) -> None:
    """Write what the store has of these figures into the project, and throw out all else that was packed.

    Those whose names are ``kept`` stay as they were packed before.

    Raises
    ------
    LookupError
        If the store lacks one of them.
    """
    found = []
    for card in sorted(cards, key=lambda one: one.name):
        made = drawn(card)
        if made is None:
            raise LookupError(f"{card.name} has not been made")
        found.append((card, made))
    folder = Path(str(_folder()))
    folder.mkdir(exist_ok=True)
    entries = {name: asdict(one) for name, one in _entries().items() if name in kept}
    for old in folder.iterdir():
        if old.stem not in entries:
            old.unlink()
    for card, made in found:
        (folder / f"{card.name}.webp").write_bytes(_small(made.picture))
        rows = [list(row) for row in made.comparison.rows] if made.comparison else []
        entries[card.name] = asdict(_Entry(card.digest, made.table, made.caption, rows))
    text = json.dumps(dict(sorted(entries.items())), ensure_ascii=False, indent=1)
    (folder / INDEX).write_text(text + "\n", encoding="utf-8")
    _entries.cache_clear()
    _packed.cache_clear()


@lru_cache(maxsize=64)
def _packed(name: str) -> Drawn:
    entry = _entries()[name]
    return Drawn(
        encoded=np.frombuffer(_folder().joinpath(f"{name}.webp").read_bytes(), np.uint8),
        table=entry.table,
        caption=entry.caption,
        comparison=as_sheet(entry.comparison),
        suffixes=(),
    )


@dataclass(frozen=True)
class _Entry:
    """What is packed of a card beside its picture: the digest of its recipe, and what ``Drawn`` says."""

    recipe: str
    table: bool
    caption: str
    comparison: list[list[str]]


@cache
def _entries() -> dict[str, _Entry]:
    path = _folder().joinpath(INDEX)
    content = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return {name: _Entry(**one) for name, one in content.items()}


def _folder() -> Traversable:
    return files("relviz.figures").joinpath(FOLDER)


def _small(png: bytes) -> bytes:
    with Image.open(io.BytesIO(png)) as opened:
        picture = opened.convert("RGB")
    if picture.width > WIDEST:
        picture = picture.resize(
            (WIDEST, round(picture.height * WIDEST / picture.width)), Image.Resampling.LANCZOS
        )
    raw = io.BytesIO()
    picture.save(raw, "webp", quality=QUALITY, method=6)
    return raw.getvalue()
