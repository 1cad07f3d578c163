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

from relviz.compute.key import text_digest
from relviz.figures.gallery import Card, Drawn, drawn
from relviz.figures.papers import as_sheet

FOLDER = "packed"
TOLD = "packed.json"
WIDEST = 1100
"""Pixels of a picture."""
QUALITY = 82


def packed(card: Card) -> Drawn | None:
    """A card's figure without its files; None if it was not packed, or of another recipe."""
    told = _told().get(card.name)
    return None if told is None or told.recipe != _digest(card) else _packed(card.name)


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
    told = {name: asdict(one) for name, one in _told().items() if name in kept}
    for old in folder.iterdir():
        if old.stem not in told:
            old.unlink()
    for card, made in found:
        (folder / f"{card.name}.webp").write_bytes(_small(made.picture))
        rows = [list(row) for row in made.beside.rows] if made.beside else []
        told[card.name] = asdict(_Told(_digest(card), made.table, made.caption, rows))
    text = json.dumps(dict(sorted(told.items())), ensure_ascii=False, indent=1)
    (folder / TOLD).write_text(text + "\n", encoding="utf-8")
    _told.cache_clear()
    _packed.cache_clear()


@lru_cache(maxsize=64)
def _packed(name: str) -> Drawn:
    told = _told()[name]
    return Drawn(
        encoded=np.frombuffer(_folder().joinpath(f"{name}.webp").read_bytes(), np.uint8),
        table=told.table,
        caption=told.caption,
        beside=as_sheet(told.beside),
        suffixes=(),
    )


@dataclass(frozen=True)
class _Told:
    """What is packed of a card beside its picture: the digest of its recipe, and what ``Drawn`` says."""

    recipe: str
    table: bool
    caption: str
    beside: list[list[str]]


@cache
def _told() -> dict[str, _Told]:
    path = _folder().joinpath(TOLD)
    said = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return {name: _Told(**one) for name, one in said.items()}


def _folder() -> Traversable:
    return files("relviz.figures").joinpath(FOLDER)


def _digest(card: Card) -> str:
    return text_digest([card.recipe.to_json(in_full=False)])


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
