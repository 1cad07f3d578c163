"""vectors of A translated into B by every method

See ABOUT for what a person is told.
"""

import argparse

from relviz.cli.choices import offer, taken
from relviz.cli.draw import draw
from relviz.cli.files import out_arguments, space_arguments
from relviz.state.view import GIVEN, View

ABOUT = """\
Translation of A into B by every method, as a table: cosine similarity to the target, MRR and top-1 of
held-out items, and the accuracy of the target's head where the files have labels. With --landing: the figure
of where the items land, by one method.

  python -m relviz translate a.npz b.npz --anchors 300 -o translation.tex -o translation.csv
  python -m relviz translate a.npz b.npz --short --transposed --style acl --width one -o translation.tex
  python -m relviz translate a.npz b.npz --landing --translate procrustes -o landing.pdf
"""

OFFERED = {
    "count": "--anchors",
    "method": "--method",
    "seed": "--seed",
    "translate": "--translate",
    "delta": "--delta",
    "omega": "--omega",
    "head": "--head",
    "back": "--back",
}
"""Choices of a view that are options, and their flags."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """What is translated, and how."""
    space_arguments(parser)
    offer(parser, View, OFFERED, without=GIVEN)
    parser.add_argument("--landing", action="store_true", help="The figure of where items land.")
    out_arguments(parser, "the table or figure: .tex, .md, .html, .csv, .pdf, .svg, .png")


def run(args: argparse.Namespace) -> None:
    """Translate, and write."""
    draw(args, "landing" if args.landing else "translation", taken(args, View, OFFERED))
