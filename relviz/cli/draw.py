"""any figure or table of the app, from your own files

See ABOUT for what a person is told.
"""

import argparse
import json
from collections.abc import Mapping
from types import MappingProxyType

from relviz.cli.files import (
    aligned,
    assumed_pairing,
    bar,
    out_arguments,
    say,
    source_of,
    sources,
    space_arguments,
    space_record,
)
from relviz.cli.looks import chosen_look, with_look
from relviz.errors import ParameterError
from relviz.figures.kind import Options
from relviz.figures.make import PrintFigure, make
from relviz.figures.open_recipe import recipe_of
from relviz.figures.recipe import Recipe
from relviz.figures.registry import KINDS
from relviz.state.choice import Choices, Value
from relviz.state.shelf import shelf_with
from relviz.state.view import Names, Run, View

ABOUT = """\
Any figure or table that the app shows, of two files or of two spaces of demos. --set gives an option of the
kind, or a choice of its page, by the name that it has in a recipe.

  python -m relviz draw --list
  python -m relviz draw anchor_curve a.npz b.npz -o curve.pdf
  python -m relviz draw maps a.npz b.npz --set color=agreement --style acl --width one -o maps.pdf
  python -m relviz draw translation a.npz b.npz --set count=500 --transposed -o translation.tex
  python -m relviz draw landing a.npz b.npz --set translate=procrustes -o landing.pdf
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which kind, of what."""
    parser.add_argument("kind", nargs="?", metavar="KIND", help="Kind of figure or table; --list names them.")
    space_arguments(parser, many=True, optional=True)
    parser.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="An option or a choice. Repeatable."
    )
    parser.add_argument("--list", action="store_true", help="List the kinds.")
    out_arguments(parser, "the figure or table: .pdf, .svg, .png, .tex, .md, .html, .csv, .npz, .txt")


def run(args: argparse.Namespace) -> None:
    """Make it, and write it."""
    if args.list or args.kind is None or args.a is None:
        kinds = {name: kind.words for name, kind in KINDS.items() if not kind.sources}
        wide = max(map(len, kinds))
        say(args, kinds, "\n".join(f"{name.ljust(wide)}  {words}" for name, words in kinds.items()))
        return
    kind = args.kind
    if kind not in KINDS or KINDS[kind].sources:
        known = ", ".join(name for name, one in KINDS.items() if not one.sources)
        raise ParameterError(f"There is no kind {kind[:40]!r}; use one of {known}.")
    of_view, of_run, options = _set(kind, args.set)
    draw(args, kind, of_view, of_run, options)


def draw(
    args: argparse.Namespace,
    kind: str,
    of_view: Mapping[str, Value],
    of_run: Mapping[str, Value] = MappingProxyType({}),
    options: Options = MappingProxyType({}),
) -> None:
    """A kind of figure from the files of a command, written and said."""
    spaces, view = view_of_spaces(args, kind)
    view = view.with_changes(**of_view, ao=view.ao.with_changes(**of_run))
    made = drawn(recipe_of(view, kind, options, **with_look(args, chosen_look(args))))
    made.save(*args.out)
    pairing, lines = assumed_pairing(view.a, view.b) if KINDS[kind].paired else ({}, [])
    record = {"kind": kind, "spaces": [space_record(one) for one in spaces], "caption": made.caption}
    say(args, record | {"files": args.out} | pairing, "\n".join([_printed(made), *lines]))


def view_of_spaces(args: argparse.Namespace, kind: str) -> tuple[list[str], View]:
    """The spaces of a command, A and B first, and a view of them.

    Raises
    ------
    ParameterError
        If there are more than two and the kind shows two.
    """
    a, b = sources(args)
    more = [source_of(text, args) for text in getattr(args, "more", [])]
    if more and not KINDS[kind].shelf:
        raise ParameterError(f"The kind {kind} takes two spaces, A and B; {2 + len(more)} are given.")
    shelf = shelf_with(Names(), a, b, *more) if more else Names()
    return [a, b, *more], View(a=a, b=b, shelf=shelf, wide=bool(more))


def drawn(recipe: Recipe) -> PrintFigure:
    """A recipe's figure, with a progress bar while it is computed."""
    with bar(KINDS[recipe.kind].words) as ticket:
        return make(recipe, ticket)


def _printed(made: PrintFigure) -> str:
    sheets = [aligned(sheet) for sheet, _ in made.tables.values()]
    return "\n\n".join(sheets) or made.caption


def _set(kind: str, settings: list[str]) -> tuple[dict[str, Value], dict[str, Value], dict[str, object]]:
    """Choices of a view, choices of its run, and options of a kind, as they were typed."""
    options: dict[str, object] = {}
    of_view: dict[str, Value] = {}
    of_run: dict[str, Value] = {}
    of_page = Run if KINDS[kind].page == "bootstrap" else View
    for text in settings:
        name, sign, value = text.partition("=")
        if not sign:
            raise ParameterError(f"--set {text[:40]!r} has no equals sign; write NAME=VALUE.")
        if name in KINDS[kind].options:
            options[name] = _option(value, KINDS[kind].options[name])
        elif name in of_page.declared() and of_page is Run:
            of_run[name] = _read(Run, name, value)
        elif name in View.declared() and name not in ("a", "b"):
            of_view[name] = _read(View, name, value)
        else:
            known = ", ".join([*KINDS[kind].options, *of_page.declared()])
            raise ParameterError(f"There is nothing called {name[:40]!r} to set; there are {known}.")
    return of_view, of_run, options


def _read(of: type[Choices], name: str, text: str) -> Value:
    try:
        return of.choice(name).read(text)
    except ValueError as reason:
        raise ParameterError(f"{name} {text[:40]} {reason}.") from None


def _option(text: str, usual: object) -> object:
    """What a text stands for, where the usual value is of a kind: lists with commas or as JSON."""
    if isinstance(usual, str):
        return text
    if isinstance(usual, bool) and text in ("yes", "no"):
        return text == "yes"
    try:
        return json.loads(text)
    except ValueError:
        return [_number(one) for one in text.split(",")] if isinstance(usual, list | tuple) else text


def _number(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return text
