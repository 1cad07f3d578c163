"""heads of each encoder on vectors of the others

See ABOUT for what a person is told.
"""

import argparse

from relviz.cli.choices import offer, taken
from relviz.cli.files import (
    aligned,
    assumed_pairing,
    bar,
    out_arguments,
    said_of,
    say,
    source_of,
    sources,
    space_arguments,
)
from relviz.cli.looks import look_asked, with_look
from relviz.errors import ParameterError
from relviz.figures.make import make
from relviz.figures.open_recipe import recipe_of
from relviz.state.shelf import shelf_with
from relviz.state.view import Names, View

ABOUT = """\
Stitching: heads trained on one encoder's vectors, applied to another's, translated by every method. The
files need labels. Mean ± sd over 5 samples of split and anchors. Test rows are neither anchors nor training
rows. With --translation: accuracy of each translation on the non-anchor items of B. Labels are not needed.

  python -m relviz stitch glosses
  python -m relviz stitch a.npz b.npz c.npz --labels genre -o matrix.pdf --table matrix.tex
  python -m relviz stitch emoji --counterparts bootstrap --json
  python -m relviz stitch a.npz b.npz --translation --table translation.tex
"""

OFFERED = {"count": "--anchors", "head": "--head", "counterparts": "--counterparts", "seed": "--seed"}
"""Choices of a view that are options, and their flags."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """What is stitched, and how."""
    space_arguments(parser, many=True)
    offer(parser, View, OFFERED)
    parser.add_argument(
        "--translation", action="store_true", help="Compare translations of A into B, instead of heads."
    )
    parser.add_argument(
        "--table",
        action="append",
        default=[],
        metavar="FILE",
        help="Write the table: .tex, .md, .html, .csv.",
    )
    out_arguments(parser, "the matrices: .pdf, .svg, .png, .tex, .md, .csv, .npz, .txt")


def run(args: argparse.Namespace) -> None:
    """Stitch, say, and write."""
    a, b = sources(args)
    more = [source_of(text, args) for text in args.more]
    if args.translation and more:
        raise ParameterError(f"--translation takes two spaces, A and B; {2 + len(more)} are given.")
    shelf = shelf_with(Names(), a, b, *more) if more else Names()
    view = View(a=a, b=b, shelf=shelf, wide=bool(more)).with_changes(**taken(args, View, OFFERED))
    kind, title, cells_name = ("matrix", "Stitching", "cells")
    if args.translation:
        kind, title, cells_name = ("translation", "Translation", "methods")
    with bar(title) as ticket:
        made = make(recipe_of(view, kind, **with_look(args, look_asked(args))), ticket)
    made.save(*args.table, *args.out)
    columns = made.content.columns
    cells = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    record: dict[str, object] = {"spaces": [said_of(source) for source in (a, b, *more)], cells_name: cells}
    record |= {"caption": made.caption, "files": [*args.table, *args.out]}
    pairing, lines = assumed_pairing(a, b)
    say(args, record | pairing, "\n".join([aligned(made.content.sheets[title]), *lines]))
