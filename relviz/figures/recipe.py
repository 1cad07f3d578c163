"""A recipe: everything that a figure was made from, and the versions that made it."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from relviz.compute.json_text import JsonError, read_json
from relviz.compute.version import RELEASE, code_version
from relviz.errors import ParameterError, ReadError
from relviz.figures.registry import KINDS
from relviz.plotting.style import NARROWEST, WIDEST, WIDTHS
from relviz.state.url import encode
from relviz.state.view import DECODING_PREFIX, RUN_PREFIX, Decoding, Run, View

LONGEST = 500
MOST_DIGITS = 6


@dataclass(frozen=True)
class Beside:
    """A figure of a paper, and which of ours stands beside it.

    Ours is the number of a ``column`` in the row where all columns of ``where`` have these values, as the csv
    writes them.
    """

    words: str
    theirs: str
    column: str
    where: Mapping[str, str] = field(default_factory=dict)
    digits: int = 2


@dataclass(frozen=True)
class Paper:
    """What a shipped figure stands beside.

    ``place`` is where, such as "RR table 1", ``title`` what stands there, ``says`` what it says in words, and
    ``beside`` its figures.
    """

    place: str
    title: str
    says: str = ""
    beside: tuple[Beside, ...] = ()


def paper_of(said: Mapping[str, Any]) -> Paper:
    """What a recipe's file says of a paper; ParameterError, KeyError or TypeError if it is damaged."""
    texts = {name: text_of(one) for name, one in said.items() if name != "beside"}
    return Paper(**texts, beside=tuple(map(_beside, said.get("beside", ()))))


def _beside(said: Mapping[str, Any]) -> Beside:
    where = {text_of(name): text_of(value) for name, value in said.get("where", {}).items()}
    texts = {name: text_of(said[name]) for name in ("words", "theirs", "column")}
    digits = said.get("digits", 2)
    if digits not in range(MOST_DIGITS + 1):
        raise ParameterError(f"{str(digits)[:20]} digits are asked for, where 0 to {MOST_DIGITS} can be had")
    return Beside(**texts, where=where, digits=digits)


def text_of(value: Any) -> str:
    """A text of a recipe's file; ParameterError if it is none, or too long."""
    if not isinstance(value, str) or len(value) > LONGEST:
        raise ParameterError(f"{str(value)[:40]!r} stands where a text of at most {LONGEST} letters should")
    return value


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
            f"it asks for {unknown[0][:40]} = {texts[unknown[0]][:40]!r}, which this version of relviz does "
            "not know; a newer one may have written it"
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
    if int(number) != NUMBER:
        raise ReadError(
            f"The recipe is of format {int(number)}; this relviz reads format {NUMBER}. Use the relviz that "
            "wrote it."
        )


def _fields(value: View | Run | Decoding) -> list[str]:
    return list(value.__dataclass_fields__)


def _damaged(why: str) -> ReadError:
    said = why[:300].removesuffix(".")
    return ReadError(f"This recipe cannot be read: {said}. Use a complete one that relviz wrote.")


PACKAGES = ("torch", "numpy", "scikit-learn", "umap-learn", "openTSNE", "matplotlib")


def versions_here() -> dict[str, str]:
    """Versions by name; ``code`` is the digest of the sources that make results."""
    found = {"relviz": RELEASE, "code": code_version()}
    return found | {package: _installed(package) for package in PACKAGES}


def versions_changed(then: Mapping[str, str]) -> list[str]:
    """A sentence for each version that is another one than it was; what was not noted is not compared."""
    here = versions_here()
    said = [
        f"{name} was {then[name]} and is {here[name]}."
        for name in ("relviz", *PACKAGES)
        if name in then and then[name] != here[name]
    ]
    if "code" in then and then["code"] != here["code"] and here["relviz"] == then.get("relviz"):
        said.append("The code that computes results has changed since.")
    return said


def _installed(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "absent"
