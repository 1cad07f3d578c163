"""heads of each encoder, applied to vectors of the others

See ABOUT for what a person is told.
"""

import argparse

from relviz.cli.choices import offer, taken
from relviz.cli.draw import drawn, view_of_spaces
from relviz.cli.files import aligned, assumed_pairing, out_arguments, say, space_arguments, space_record
from relviz.cli.looks import chosen_look, with_look
from relviz.figures.open_recipe import recipe_of
from relviz.state.view import View

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
    kind, title, cells_name = ("matrix", "Stitching", "cells")
    if args.translation:
        kind, title, cells_name = ("translation", "Translation", "methods")
    spaces, view = view_of_spaces(args, kind)
    view = view.with_changes(**taken(args, View, OFFERED))
    made = drawn(recipe_of(view, kind, **with_look(args, chosen_look(args))))
    made.save(*args.table, *args.out)
    columns = made.content.columns
    cells = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    record: dict[str, object] = {"spaces": [space_record(source) for source in spaces], cells_name: cells}
    record |= {"caption": made.caption, "files": [*args.table, *args.out]}
    pairing, lines = assumed_pairing(view.a, view.b)
    say(args, record | pairing, "\n".join([aligned(made.content.sheets[title]), *lines]))
