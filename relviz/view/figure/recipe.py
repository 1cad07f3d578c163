"""A recipe: everything that a figure was made of but the data, as a small JSON that anyone can follow."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from relviz.compute.json_text import JsonError, read_json
from relviz.errors import ParameterError, ReadError
from relviz.figures.style import NARROWEST, WIDEST, WIDTHS
from relviz.view.choices import View
from relviz.view.decoding_choices import DECODING_PREFIX, Decoding
from relviz.view.figure.kinds import KINDS
from relviz.view.figure.paper import Paper, paper_of, text_of
from relviz.view.params import encode
from relviz.view.run import RUN_PREFIX, Run

FORMAT = "relviz recipe"
NUMBER = 1
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

    def said(self) -> dict[str, Any]:
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
    options: Mapping[str, Any] = field(default_factory=dict)
    width: float = WIDTHS["two"]
    data: Mapping[str, Data] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    numbers: str = ""
    title: str = ""
    about: str = ""
    paper: Paper | None = None

    def with_changes(self, **changes: Any) -> "Recipe":
        """The same recipe with something changed."""
        return replace(self, **changes)

    def to_json(self) -> str:
        """As its file has it: all choices, so that other defaults do not change the figure."""
        said: dict[str, Any] = {"format": f"{FORMAT} {NUMBER}", "kind": self.kind, "title": self.title}
        if self.about:
            said["about"] = self.about
        if self.paper is not None:
            said["paper"] = asdict(self.paper)
        said |= {"width_mm": self.width, "options": dict(self.options)}
        said["view"] = params_in_full(self.view, KINDS[self.kind].page, self.view.method == "run")
        said |= {"data": {source: one.said() for source, one in self.data.items()}}
        said |= {"versions": dict(self.versions), "numbers": self.numbers}
        return json.dumps(said, indent=1, ensure_ascii=False) + "\n"


def params_in_full(view: View, page: str, run: bool = False) -> dict[str, str]:
    """The choices of a view as URL parameters, the defaults too; of other pages only what was chosen."""
    found = {name: encode(getattr(view, name)) for name in _fields(view) if name not in ("ao", "de")}
    if page == "bootstrap" or run:
        found |= {RUN_PREFIX + name: encode(getattr(view.ao, name)) for name in _fields(view.ao)}
    if page == "decode":
        found |= {DECODING_PREFIX + name: encode(getattr(view.de, name)) for name in _fields(view.de)}
    return found | view.to_params()


def read_recipe(content: bytes | str) -> Recipe:
    """The recipe that a file holds.

    Raises
    ------
    ReadError
        If it is no recipe, is damaged, or was written by a newer relviz.
    """
    if len(content) > LARGEST:
        raise _damaged(f"it has {len(content)} bytes, and {LARGEST} are the most")
    try:
        said = read_json(content, LARGEST)
        found = str(said["format"])
    except JsonError as reason:
        raise _damaged(str(reason)) from None
    except (KeyError, TypeError):
        raise _damaged("it is not JSON that names its format") from None
    _check_format(found)
    try:
        return _recipe(said)
    except ParameterError as reason:
        raise _damaged(str(reason)) from None
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as reason:
        if isinstance(reason, ReadError):
            raise
        raise _damaged(f"{type(reason).__name__}: {reason}") from None


def _recipe(said: Mapping[str, Any]) -> Recipe:
    kind, width = said["kind"], said.get("width_mm", WIDTHS["two"])
    if kind not in KINDS:
        raise ParameterError(f"there is no kind of figure {str(kind)[:40]!r}, only {', '.join(KINDS)}")
    if isinstance(width, bool) or not isinstance(width, int | float) or not NARROWEST <= width <= WIDEST:
        raise ParameterError(f"a width of {str(width)[:20]} mm fits no page ({NARROWEST:g} to {WIDEST:g})")
    options = KINDS[kind].chosen(said.get("options", {}))
    paper = said.get("paper")
    return Recipe(
        kind=kind,
        view=_view(said["view"]),
        options=options,
        width=float(width),
        data={text_of(source): _data(one) for source, one in said.get("data", {}).items()},
        versions={text_of(name): text_of(one) for name, one in said.get("versions", {}).items()},
        numbers=text_of(said.get("numbers", "")),
        title=text_of(said.get("title", "")),
        about=text_of(said.get("about", "")),
        paper=None if paper is None else paper_of(paper),
    )


def _view(params: Mapping[str, Any]) -> View:
    """The view of a recipe; what a link may leave out, a recipe must not."""
    texts = {text_of(name): _long(text) for name, text in params.items()}
    known = params_in_full(View(), "decode", run=True)
    unknown = [name for name in texts if name not in known]
    if unknown:
        raise ParameterError(
            f"it asks for {unknown[0][:40]} = {texts[unknown[0]][:40]!r}, which this relviz does not know; "
            "a newer one may have written it"
        )
    view, notices = View.from_params(texts)
    if notices:
        raise ParameterError(notices[0].partition("; showing")[0].replace("The link asks", "it asks"))
    return view


def _data(said: Mapping[str, Any]) -> Data:
    rows, dimension = int(said["rows"]), int(said["dimension"])
    name, sha256 = text_of(said.get("name", "")), text_of(said.get("sha256", ""))
    return Data(text_of(said["digest"]), name, rows, dimension, sha256)


def _long(value: Any) -> str:
    if not isinstance(value, str):
        raise ParameterError(f"{str(value)[:40]!r} stands where a text should")
    return value


def _check_format(found: str) -> None:
    name, _, number = found.rpartition(" ")
    if name != FORMAT or not number.isdecimal() or len(number) > 9:
        raise _damaged(f"its format is {found[:60]!r}")
    if int(number) > NUMBER:
        raise ReadError(
            f"The recipe is of format {int(number)}; this relviz follows format {NUMBER} and older. Use a "
            "newer relviz."
        )


def _fields(value: View | Run | Decoding) -> list[str]:
    return list(value.__dataclass_fields__)


def _damaged(why: str) -> ReadError:
    said = why[:300].removesuffix(".")
    return ReadError(f"This is no recipe that can be followed: {said}. Give one that relviz wrote, whole.")
