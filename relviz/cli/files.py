"""What commands read and write: spaces, figures, tables, JSON, a progress bar, what they say of a pairing."""

import argparse
import hashlib
import json
import math
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

from tabulate import tabulate
from tqdm import tqdm

from relviz.cli.looks import look_arguments, typed_width
from relviz.cli.program import as_called
from relviz.compute.job import Ticket, here_and_now
from relviz.demos import demo_names, load_demo
from relviz.errors import Error, ParameterError
from relviz.figures.make import PrintFigure, make
from relviz.figures.recipe import Recipe
from relviz.figures.recipe_data import Given
from relviz.readers import load_space
from relviz.results.pairing import answer, is_assumed, pairing_task
from relviz.sheet import Sheet
from relviz.state.owners import Origin
from relviz.state.sources import is_own, keep_space, open_pair, open_space
from relviz.state.workspace import SUFFIX, open_workspace

LONGEST = 44
"""Characters of a title or a message beside the progress bar."""


@contextmanager
def bar(title: str) -> Iterator[Ticket | None]:
    """The ticket that a task reports to; the bar is gone when it ends."""
    if not sys.stderr.isatty():
        yield None
        return
    look = "{desc} |{bar}| {percentage:3.0f}%{postfix}"
    with tqdm(desc=title[:LONGEST], total=1.0, bar_format=look, leave=False, file=sys.stderr) as shown:

        def report(fraction: float | None, message: str) -> None:
            shown.set_postfix_str(message[:LONGEST], refresh=False)
            shown.update((fraction or shown.n) - shown.n)

        yield here_and_now(report)


def space_arguments(parser: argparse.ArgumentParser, many: bool = False, optional: bool = False) -> None:
    """A, B and which columns or arrays of the files hold what."""
    about = "A file, or demo.key. A demo alone is its own pair."
    parser.add_argument("a", metavar="A", nargs="?" if optional else None, help=about)
    parser.add_argument("b", metavar="B", nargs="?", help="The other file, or demo.key.")
    if many:
        parser.add_argument("more", metavar="C", nargs="*", help="More spaces with the same rows.")
    for role in ("vectors", "ids", "labels", "items"):
        what = "hold the vectors" if role == "vectors" else f"holds the {role}"
        help_text = f"The array or column of the files that {what}."
        parser.add_argument(f"--{role}", metavar="NAME", help=help_text)


def out_arguments(parser: argparse.ArgumentParser, what: str) -> None:
    """Where a figure goes."""
    parser.add_argument(
        *("-o", "--out"),
        action="append",
        default=[],
        metavar="FILE",
        help=f"Write {what}. The file ending decides the format; .json is the recipe that reproduces it.",
    )
    parser.add_argument(
        "--width",
        type=typed_width,
        metavar="WIDTH",
        help="one or two (of 85 and 175 mm, or of the style), or a number with mm, cm, in or pt.",
    )
    look_arguments(parser)


def sources(args: argparse.Namespace) -> tuple[str, str]:
    """A and B as the library names them, files kept in the store; of a demo alone its first pair."""
    if args.b is None:
        if args.a not in demo_names() or not load_demo(args.a).pairs:
            raise ParameterError(
                f"{args.a[:80]!r} is only one space. Give two files, two spaces of demos "
                "(emoji.image_lite0), or a demo that has pairs: "
                f"{', '.join(name for name in demo_names() if load_demo(name).pairs)}."
            )
        return tuple(f"{args.a}.{key}" for key in load_demo(args.a).pairs[0])  # type: ignore[return-value]
    return source_of(args.a, args), source_of(args.b, args)


def source_of(text: str, args: argparse.Namespace | None = None) -> str:
    """A space of a demo, or of a file, which is kept in the store.

    Raises
    ------
    relviz.Error
        If there is no such thing, or it cannot be read.
    """
    demo, _, key = text.partition(".")
    if demo in demo_names() and key in load_demo(demo).spaces and not Path(text).exists():
        return text
    if not Path(text).exists():
        raise ParameterError(
            f"There is no file {Path(text).name[:80]!r}, and no space of that name in the demos "
            f"{', '.join(demo_names())}."
        )
    roles = (
        {} if args is None else {name: getattr(args, name) for name in ("vectors", "ids", "labels", "items")}
    )
    with Path(text).open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    return keep_space(load_space(text, **roles), Origin(f"file {Path(text).name}", sha256=sha256))


def take_data(paths: list[str]) -> list[Given]:
    """Keep what files and workspaces hold, for a recipe to be made from."""
    return [_opened(path) for path in paths]


def _opened(path: str) -> Given:
    name = Path(path).name
    if not path.endswith(SUFFIX):
        return Given(name, (source_of(path),))
    with Path(path).open("rb") as file:
        view, _ = open_workspace(file)
    return Given(name, tuple(filter(is_own, view.sources)), workspace=True)


def write_figure(recipe: Recipe, paths: list[str]) -> PrintFigure | None:
    """Make a figure if it goes anywhere, and write its files."""
    if not paths:
        return None
    with bar("Figure") as ticket:
        made = make(recipe, ticket)
    made.save(*paths)
    return made


def space_record(source: str) -> dict[str, object]:
    """A space as JSON says it."""
    space = open_space(source)
    return {"source": source, "name": space.name, "rows": len(space), "dimension": space.dimension}


def say(args: argparse.Namespace, record: Mapping[str, object], text: str) -> None:
    """On stdout: JSON if it was asked for, else the text."""
    print(json.dumps(finite(record), ensure_ascii=False, indent=1, allow_nan=False) if args.json else text)


def finite(value: object) -> object:
    """A value with None for numbers that JSON does not have."""
    if isinstance(value, Mapping):
        return {str(name): finite(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [finite(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def aligned(sheet: Sheet) -> str:
    """A table for a terminal, its caption under it.

    >>> print(aligned(Sheet(("a", "b"), (("long", "1"),), "c")))
    a       b
    long    1
    <BLANKLINE>
    c
    """
    align = [*["left"] * sheet.words, *["right"] * (len(sheet.head) - sheet.words)]
    table = tabulate(sheet.rows, sheet.head, "plain", disable_numparse=True, colalign=align)
    lines = [line.rstrip() for line in table.splitlines()]
    return "\n".join([*lines, "", sheet.caption])


REMEDY = "To find other counterparts: python -m relviz bootstrap A B --unpaired"


def assumed_pairing(a: str, b: str) -> tuple[dict[str, object], list[str]]:
    """What JSON and what the terminal say of two sources that are paired by position; nothing if by ids."""
    pair = open_pair(a, b)
    if not is_assumed(pair):
        return {}, []
    sentence = "Rows are assumed to be paired by position."
    try:
        test = pairing_task(pair).run()
    except Error as reason:
        return {"pairing": {"verdict": "untested", "reason": str(reason)}}, [f"{sentence} {reason}"]
    lines = [f"{sentence} {answer(test)}"]
    return {"pairing": asdict(test)}, lines if test.verdict == "plausible" else [*lines, as_called(REMEDY)]
