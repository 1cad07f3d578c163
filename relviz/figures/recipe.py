"""A recipe: everything that a figure was made from, and the versions that made it."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from math import isfinite
from platform import python_version
from typing import Any

import torch

from relviz.compute.json_text import JsonError, read_json
from relviz.compute.version import RELEASE, code_version, installed
from relviz.errors import ParameterError, ReadError
from relviz.figures.kind import Options
from relviz.figures.look import Look, look_of
from relviz.figures.registry import KINDS
from relviz.papers import quote
from relviz.plotting.style import NARROWEST, WIDEST, WIDTHS
from relviz.state.url import written
from relviz.state.view import View

Record = Mapping[str, Any]
"""An object of a recipe's file, as JSON has it; what is not of its kind is found where it is read."""
LONGEST = 500
MOST_DIGITS = 6


@dataclass(frozen=True)
class PaperNumber:
    """A number that a paper prints, and which of ours stands beside it.

    Attributes
    ----------
    words
        What it is.
    quote
        Where it is printed: a place, and there the row and the column (see ``relviz.papers``).
    column, where
        Ours: the number of this column in the row where all columns of ``where`` have these values, as
        the csv writes them.
    digits, scale
        Ours is multiplied by ``scale``, the paper's unit, and rounded.
    """

    words: str
    quote: tuple[str, str, str]
    column: str
    where: Mapping[str, str] = field(default_factory=dict)
    digits: int = 2
    scale: float = 1.0

    @property
    def printed(self) -> str:
        """The paper's number as it prints it."""
        return quote(*self.quote)


@dataclass(frozen=True)
class Paper:
    """What a shipped figure stands beside.

    ``place`` is where, such as "RR table 1", ``title`` what stands there, ``says`` what it says in words,
    ``differs`` what differs here, and ``comparison`` its numbers.
    """

    place: str
    title: str
    says: str = ""
    differs: str = ""
    comparison: tuple[PaperNumber, ...] = ()


def paper_of(record: Record) -> Paper:
    """What a recipe's file says of a paper; ParameterError, KeyError or TypeError if it is damaged."""
    texts = {name: text_of(one) for name, one in record.items() if name != "comparison"}
    return Paper(**texts, comparison=tuple(map(_paper_number, record.get("comparison", ()))))


def _paper_number(record: Record) -> PaperNumber:
    where = {text_of(name): text_of(value) for name, value in record.get("where", {}).items()}
    place, row, cell = map(text_of, record["quote"])
    quote(place, row, cell)
    digits, scale = record.get("digits", 2), float(record.get("scale", 1.0))
    if digits not in range(MOST_DIGITS + 1):
        raise ParameterError(f"digits is {str(digits)[:20]}; use 0 to {MOST_DIGITS}.")
    if not isfinite(scale):
        raise ParameterError("a scale is not a number.")
    return PaperNumber(
        text_of(record["words"]), (place, row, cell), text_of(record["column"]), where, digits, scale
    )


def text_of(value: object) -> str:
    """A text of a recipe's file; ParameterError if it is none, or too long."""
    if not isinstance(value, str) or len(value) > LONGEST:
        raise ParameterError(f"{str(value)[:40]!r} should be a text of at most {LONGEST} characters.")
    return value


FORMAT = "relviz recipe"
NUMBER = 1
FIELDS = (
    *("format", "kind", "title", "about", "paper", "width_mm", "look", "options", "view", "data"),
    *("versions", "numbers"),
)
LARGEST = 200_000
"""Bytes of a recipe's file."""


@dataclass(frozen=True)
class Data:
    """A space that a figure is made of: the digest of its content, and by what a person knows it.

    ``sha256`` is that of the file it was read from, if it was, as any program computes it.
    """

    digest: str
    name: str
    rows: int
    dimension: int
    sha256: str = ""

    def as_json(self) -> dict[str, object]:
        """As a recipe's file has it."""
        return {name: value for name, value in asdict(self).items() if value != ""}


@dataclass(frozen=True)
class Recipe:
    """What figure of what view.

    Attributes
    ----------
    kind, options
        One of ``KINDS``, and what is asked of it beyond the view.
    view
        Every choice, seeds included.
    width
        In mm.
    look
        Choices that change no number: names, panels, sizes, legend, the form of tables.
    data
        The spaces by their sources.
    versions
        Of what made it, as far as they are noted.
    numbers
        Digest of what was drawn; empty where it is not noted.
    title, about, paper
        For a person: what it is called, what it shows, what it stands beside.
    """

    kind: str
    view: View
    options: Options = field(default_factory=dict)
    width: float = WIDTHS["two"]
    look: Look = field(default_factory=Look)
    data: Mapping[str, Data] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    numbers: str = ""
    title: str = ""
    about: str = ""
    paper: Paper | None = None

    def with_changes(self, **changes: Any) -> "Recipe":
        """The same recipe with something changed."""
        return replace(self, **changes)

    def to_json(self, in_full: bool = True) -> str:
        """As its file has it: all choices, so that other defaults do not change the figure.

        Not ``in_full`` it has the choices that differ from their defaults: the same text after a new choice
        is declared.
        """
        record: dict[str, object] = {"format": f"{FORMAT} {NUMBER}", "kind": self.kind, "title": self.title}
        if self.about:
            record["about"] = self.about
        if self.paper is not None:
            record["paper"] = asdict(self.paper)
        record |= {"width_mm": self.width}
        record |= {"look": look} if (look := self.look.as_json()) else {}
        record |= {"options": dict(self.options)}
        in_file = params_in_full(self.view, KINDS[self.kind].page, self.view.method == "run")
        record["view"] = in_file if in_full else self.view.to_params()
        record |= {"data": {source: one.as_json() for source, one in self.data.items()}}
        record |= {"versions": dict(self.versions), "numbers": self.numbers}
        return json.dumps(record, indent=1, ensure_ascii=False) + "\n"


def params_in_full(view: View, page: str, run: bool = False) -> dict[str, str]:
    """The choices of a view as URL parameters, the defaults too; of other pages only what was chosen."""
    of_run = written(view.ao, in_full=page == "bootstrap" or run)
    of_decoding = written(view.de, in_full=page == "decode")
    return written(view, in_full=True) | of_run | of_decoding | written(view.se)


def read_recipe(content: bytes | str) -> Recipe:
    """The recipe that a file holds.

    Other files are read in a process of their own. A recipe is not: its bytes and depth are limited before
    any of it is read, and the worst that fits takes 6 MB and a fraction of a second.

    Raises
    ------
    ReadError
        If it is no recipe, is damaged, or was written by a newer relviz.
    """
    if len(content) > LARGEST:
        raise _damaged(f"It has {len(content)} bytes; the limit is {LARGEST}.")
    try:
        record = read_json(content, LARGEST)
        found = str(record["format"])
    except JsonError as reason:
        raise _damaged(f"Its text is damaged: {reason}.") from None
    except (KeyError, TypeError):
        raise _damaged("It is not JSON with a format name.") from None
    _check_format(found)
    try:
        return _recipe(record)
    except ParameterError as reason:
        raise _damaged(str(reason)) from None
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as reason:
        if isinstance(reason, ReadError):
            raise
        raise _damaged(f"Its content does not fit ({type(reason).__name__}: {str(reason)[:200]}).") from None


def _recipe(record: Record) -> Recipe:
    unknown = [name for name in record if name not in FIELDS]
    if unknown:
        raise ParameterError(f"There is no field {unknown[0][:40]!r}; a recipe has {', '.join(FIELDS)}.")
    kind, width = record["kind"], record.get("width_mm", WIDTHS["two"])
    if kind not in KINDS:
        raise ParameterError(f"There is no kind of figure {str(kind)[:40]!r}, only {', '.join(KINDS)}.")
    if isinstance(width, bool) or not isinstance(width, int | float) or not NARROWEST <= width <= WIDEST:
        raise ParameterError(
            f"A width of {str(width)[:20]} mm does not fit a page ({NARROWEST:g} to {WIDEST:g})."
        )
    options = KINDS[kind].chosen(record.get("options", {}))
    paper = record.get("paper")
    return Recipe(
        kind=kind,
        view=_view(record["view"]),
        options=options,
        width=float(width),
        look=look_of(record.get("look", {})),
        data={text_of(source): _data(one) for source, one in record.get("data", {}).items()},
        versions={text_of(name): text_of(one) for name, one in record.get("versions", {}).items()},
        numbers=text_of(record.get("numbers", "")),
        title=text_of(record.get("title", "")),
        about=text_of(record.get("about", "")),
        paper=None if paper is None else paper_of(paper),
    )


def _view(params: Record) -> View:
    """The view of a recipe; what a link may leave out, a recipe must not."""
    texts = {text_of(name): _long(text) for name, text in params.items()}
    known = params_in_full(View(), "decode", run=True)
    unknown = [name for name in texts if name not in known]
    if unknown:
        raise ParameterError(
            f"It asks for {unknown[0][:40]} = {texts[unknown[0]][:40]!r}, which this version of relviz does "
            "not know; a newer one may have written it."
        )
    view, notices = View.from_params(texts)
    if notices:
        raise ParameterError(f"It {notices[0].asks}.")
    return view


def _data(record: Record) -> Data:
    rows, dimension = int(record["rows"]), int(record["dimension"])
    name, sha256 = text_of(record.get("name", "")), text_of(record.get("sha256", ""))
    return Data(text_of(record["digest"]), name, rows, dimension, sha256)


def _long(value: object) -> str:
    if not isinstance(value, str):
        raise ParameterError(f"{str(value)[:40]!r} should be a text.")
    return value


def _check_format(found: str) -> None:
    name, _, number = found.rpartition(" ")
    if name != FORMAT or not number.isdecimal() or len(number) > 9:
        raise _damaged(f"Its format is {found[:60]!r}.")
    if int(number) != NUMBER:
        raise ReadError(
            f"The recipe is of format {int(number)}; this relviz reads format {NUMBER}. Use the relviz that "
            "wrote it."
        )


def _damaged(why: str) -> ReadError:
    """The error for a recipe that a sentence says something is wrong with."""
    return ReadError(f"This recipe cannot be read. {why[:400]} Use a complete recipe written by relviz.")


PACKAGES = ("torch", "numpy", "scikit-learn", "umap-learn", "openTSNE", "matplotlib")


def versions_here() -> dict[str, str]:
    """Versions by name; ``code`` is the digest of the sources that make results."""
    found = {"relviz": RELEASE, "code": code_version()}
    found |= {"python": python_version(), "threads": str(torch.get_num_threads())}
    return found | {package: installed(package) for package in PACKAGES}


def versions_changed(then: Mapping[str, str]) -> list[str]:
    """A sentence on all that is another one than it was; what was not noted is not compared."""
    here = versions_here()
    others = [
        f"{name} {here[name]} (recipe: {then[name]})"
        for name in ("relviz", "python", "threads", *PACKAGES)
        if name in then and then[name] != here[name]
    ]
    changes = [f"What differs here: {', '.join(others)}."] if others else []
    if "code" in then and then["code"] != here["code"] and here["relviz"] == then.get("relviz"):
        changes.append("The code that computes results has changed since.")
    return changes
