"""heads of each encoder on vectors of the others

See ABOUT for what a person is told.
"""

import argparse

from relviz.command.files import (
    aligned,
    checked,
    out_arguments,
    said_of,
    say,
    source_of,
    sources,
    space_arguments,
    write_made,
)
from relviz.command.progress import bar
from relviz.view.choices import CHOICES, Names, View
from relviz.view.figure.make import make
from relviz.view.figure.opening import recipe_of

ABOUT = """\
Stitching: heads trained on one encoder's vectors, applied to another's, carried over by every method. The
files need labels. Mean ± sd over 5 draws of split and anchors.

  python -m relviz stitch glosses
  python -m relviz stitch a.npz b.npz c.npz --labels genre -o matrix.pdf --table matrix.tex
  python -m relviz stitch emoji --partners bootstrap --json
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """What is stitched, and how."""
    usual = View()
    space_arguments(parser, many=True)
    parser.add_argument(
        "--anchors", type=int, default=usual.count, metavar="N", help="how many (%(default)s)"
    )
    parser.add_argument("--head", choices=CHOICES["head"], default=usual.head, help="(%(default)s)")
    parser.add_argument(
        "--partners",
        choices=CHOICES["partners"],
        default=usual.partners,
        help="how the anchors of the head's space are known (%(default)s)",
    )
    parser.add_argument(
        "--seed", type=int, default=usual.seed, metavar="N", help="of the first draw (%(default)s)"
    )
    parser.add_argument(
        "--table", action="append", default=[], metavar="FILE", help="write the table: .tex, .md, .csv"
    )
    out_arguments(parser, "the matrices: .pdf, .svg, .png, .tex, .md, .csv, .npz, .txt")


def run(asked: argparse.Namespace) -> None:
    """Stitch, say, and write."""
    a, b = sources(asked)
    more = [source_of(text, asked) for text in asked.more]
    view = checked(
        a=a,
        b=b,
        shelf=Names(dict.fromkeys((a, b, *more))) if more else Names(),
        wide=bool(more),
        count=asked.anchors,
        head=asked.head,
        partners=asked.partners,
        seed=asked.seed,
    )
    with bar("Stitching") as ticket:
        made = make(recipe_of(view, "matrix", width=asked.width), ticket)
    write_made(made, [*asked.table, *asked.out])
    columns = made.content.columns
    cells = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    said = {"spaces": [said_of(source) for source in (a, b, *more)], "cells": cells, "caption": made.caption}
    say(asked, said | {"files": [*asked.table, *asked.out]}, aligned(made.content.sheets["Stitching"]))
