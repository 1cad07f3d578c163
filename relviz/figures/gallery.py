"""The shipped figures as cards: which there are, those that come packed, and the task that makes one."""

import io
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

import numpy as np
from PIL import Image, ImageChops

from relviz.compute.jobs import Ticket
from relviz.compute.key import text_digest
from relviz.compute.store import default_store
from relviz.compute.task import Task, task
from relviz.compute.typed import unpack
from relviz.compute.version import code_version
from relviz.errors import ParameterError
from relviz.figures.make import make
from relviz.figures.papers import as_sheet, paper_comparison
from relviz.figures.recipe import Recipe, read_recipe
from relviz.papers import PAPERS
from relviz.plotting.style import rendered
from relviz.sheet import Sheet


@cache
def shipped_recipes() -> dict[str, Recipe]:
    """All of them by name, in the order of the papers."""
    folder = files("relviz.figures").joinpath("recipes")
    found = {
        path.name.removesuffix(".json"): read_recipe(path.read_bytes())
        for path in folder.iterdir()
        if path.name.endswith(".json")
    }
    return {name: found[name] for name in sorted(found)}


def shipped_recipe(name: str) -> Recipe:
    """One of them; ParameterError if there is none of that name."""
    found = shipped_recipes()
    if name not in found:
        raise ParameterError(
            f"There is no bundled recipe {name[:60]!r}; the bundled recipes are {', '.join(found)}."
        )
    return found[name]


GROUPS = PAPERS | {"": "Beyond the papers"}
"""What the cards stand under."""
PLACES = ("figure", "table", "section", "appendix")
SHOWN_DPI = 170
"""Of the picture on a card."""
AROUND = 12
"""Pixels of white that are left around it."""
DRAWING = 0.97
"""Share of the work that is done when the figure is to be drawn."""
WITHOUT = ("npz", "html")
"""Files that are not kept with a card: the csv has the same numbers, a map for a browser is large."""


@dataclass(frozen=True)
class Card:
    """A shipped figure by its name."""

    name: str
    recipe: Recipe

    @property
    def paper(self) -> str:
        """One of ``GROUPS``."""
        place = self.recipe.paper.place if self.recipe.paper else ""
        return place.partition(" ")[0]

    @cached_property
    def digest(self) -> str:
        """Of the recipe, whatever choices are declared later."""
        return text_digest([self.recipe.to_json(in_full=False)])

    @cached_property
    def task(self) -> "Task[DrawnFiles]":
        """Makes the figure with all its files; no data is opened before it runs."""
        return _make_card(_Printed(self.recipe))

    def without_ours(self) -> Sheet | None:
        """What the paper says, ours still open."""
        return paper_comparison(self.recipe, {})


@dataclass(frozen=True, eq=False)
class Drawn:
    """A card's figure: a picture of it, its caption, the paper's figures beside ours, and what it can be.

    ``encoded`` are the bytes of the picture's file. ``table`` says that it is one, of small letters that need
    room. Without ``suffixes`` there are no files.
    """

    encoded: np.ndarray
    table: bool
    caption: str
    comparison: Sheet | None
    suffixes: tuple[str, ...]

    @property
    def picture(self) -> bytes:
        """The picture as a file."""
        return self.encoded.tobytes()


@dataclass(frozen=True, eq=False)
class DrawnFiles:
    """A card's figure with its files, the bytes of each by its suffix."""

    drawn: Drawn
    files: dict[str, np.ndarray]


@cache
def cards() -> dict[str, list[Card]]:
    """All of them by their papers, in the order in which these have them."""
    found: dict[str, list[Card]] = {paper: [] for paper in GROUPS}
    for name, recipe in shipped_recipes().items():
        card = Card(name, recipe)
        found[card.paper].append(card)
    return {paper: sorted(some, key=_place) for paper, some in found.items()}


@dataclass(frozen=True, eq=False)
class _Printed:
    """A recipe, and what draws it here."""

    recipe: Recipe

    @property
    def digest(self) -> str:
        return text_digest([self.recipe.to_json(), _drawing()])


@task("figure", "{printed.recipe.title}")
def _make_card(ticket: Ticket, printed: _Printed) -> DrawnFiles:
    ticket.report(0.0, "opening the data")
    made = make(printed.recipe, ticket.part(0.0, DRAWING))
    ticket.report(DRAWING, "drawing")
    suffixes = sorted((suffix for suffix in made.suffixes() if suffix not in WITHOUT), key=_order)
    sheet = paper_comparison(printed.recipe, made.content.columns)
    shown = Drawn(
        encoded=_as_array(_cropped(rendered(made.figure, "png", made.caption, SHOWN_DPI))),
        table=made.content.parts is None,
        caption=made.caption,
        comparison=sheet and as_sheet(sheet.rows),
        suffixes=tuple(suffixes),
    )
    return DrawnFiles(shown, {suffix: _as_array(made.file(suffix)) for suffix in suffixes})


def _as_array(raw: bytes) -> np.ndarray:
    return np.frombuffer(raw, np.uint8)


def drawn(card: Card) -> Drawn | None:
    """The figure of a card, if the store has it whole."""
    key = card.task.key
    if not default_store().has(key):
        return None
    try:
        return _drawn(key)
    except LookupError:
        return None


def file_of(card: Card, suffix: str) -> bytes:
    """A file of a figure that was made; empty where the store lost it meanwhile."""
    kept = card.task.stored()
    return b"" if kept is None else kept.files[suffix].tobytes()


def _place(card: Card) -> tuple[int, str, str]:
    """Figures first, then tables, then what belongs to a section."""
    words = card.recipe.paper.place.split() if card.recipe.paper else []
    kind = words[1].removesuffix("s") if len(words) > 1 else ""
    rank = PLACES.index(kind) if kind in PLACES else len(PLACES)
    return rank, " ".join(words[2:]), card.name


@lru_cache(maxsize=64)
def _drawn(key: str) -> Drawn:
    """What is kept under a key, but for its files; LookupError if it was damaged."""
    kept = default_store().get(key)
    if kept is None:
        raise LookupError(key)
    return unpack(DrawnFiles, kept).drawn


def _cropped(png: bytes) -> bytes:
    """A picture without the white around what is drawn."""
    with Image.open(io.BytesIO(png)) as opened:
        whole = opened.convert("RGB")
    left, top, right, bottom = ImageChops.invert(whole).getbbox() or (0, 0, *whole.size)
    raw = io.BytesIO()
    box = max(0, left - AROUND), max(0, top - AROUND), right + AROUND, bottom + AROUND
    whole.crop((*box[:2], min(box[2], whole.width), min(box[3], whole.height))).save(raw, "png")
    return raw.getvalue()


def _order(suffix: str) -> int:
    return ("pdf", "svg", "png", "tex", "md", "csv", "txt", "json").index(suffix)


@cache
def _drawing() -> str:
    """What draws, which is not part of what makes results."""
    return text_digest(_sources())


def _sources() -> Iterator[str]:
    package = Path(__file__).resolve().parents[1]
    yield from (code_version(package / "figures"), code_version(package / "plotting"))
    yield from ((package / name).read_text("utf-8") for name in ("latex.py", "sheet.py", "wording.py"))
    yield version("matplotlib")
