"""retrieval over the number of anchors

See ABOUT for what a person is told.
"""

import argparse

from relviz.cli.choices import offer, taken
from relviz.cli.draw import draw
from relviz.cli.files import out_arguments, space_arguments
from relviz.state.view import GIVEN, View

ABOUT = """\
Top-1 and MRR@k over the number of anchors, both ways, with chance. Queries are the non-anchor items.

  python -m relviz curve a.npz b.npz -o curve.pdf -o curve.csv
  python -m relviz curve glosses --style neurips --width one -o curve.pdf
"""

OFFERED = {"method": "--method", "seed": "--seed", "runs": "--runs", "k": "-k", "queries": "--queries"}
"""Choices of a view that are options, and their flags."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Of what, and over which metrics."""
    space_arguments(parser)
    offer(parser, View, OFFERED, without=GIVEN)
    parser.add_argument("--metrics", default="top1,mrr_at_k", metavar="NAMES", help="Separated by commas.")
    out_arguments(parser, "the curve: .pdf, .svg, .png, its numbers .csv or .npz, its caption .txt")


def run(args: argparse.Namespace) -> None:
    """Measure, and write."""
    draw(args, "anchor_curve", taken(args, View, OFFERED), options={"metrics": args.metrics.split(",")})
