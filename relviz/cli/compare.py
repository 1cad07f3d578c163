"""how alike two encoders are, before and after anchors

See ABOUT for what a person is told.
"""

import argparse
from dataclasses import replace

from relviz.cli.choices import offer, taken
from relviz.cli.files import (
    aligned,
    assumed_pairing,
    bar,
    out_arguments,
    say,
    sources,
    space_arguments,
    space_record,
    write_figure,
)
from relviz.cli.looks import chosen_look, with_look
from relviz.figures.make import make
from relviz.figures.open_recipe import recipe_of
from relviz.state.sources import open_pair
from relviz.state.view import GIVEN, View

ABOUT = """\
Jaccard, MRR@k, cosine and top-1 of two encoders of the same items, in both directions, relative to
anchors and in the original spaces. Queries are the non-anchor items; candidates are all items.
Rows are matched by ids if both files have them, otherwise by position.

  python -m relviz compare emoji
  python -m relviz compare a.npz b.npz --anchors 500 --runs 10
  python -m relviz compare a.npz b.npz -o maps.pdf -o maps.json --table table.tex
  python -m relviz compare a.csv b.csv --ids word --json | jq .measures
"""

OFFERED = {
    "count": "--anchors",
    "method": "--method",
    "seed": "--seed",
    "runs": "--runs",
    "k": "-k",
    "queries": "--queries",
    "similarity": "--similarity",
    "projection": "--projection",
    "center": "--no-center",
    "spaces": "--spaces",
    "color": "--color",
    "clusters": "--clusters",
}
"""Choices of a view that are options, and their flags."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """What is compared, through which anchors."""
    space_arguments(parser)
    offer(parser, View, OFFERED, without=GIVEN)
    parser.set_defaults(spaces="both")
    parser.add_argument(
        "--table",
        action="append",
        default=[],
        metavar="FILE",
        help="Write the table: .tex, .md, .html, .csv, or its recipe .json.",
    )
    what = "the maps: .pdf, .svg, .png, .html for a browser, their numbers .csv or .npz, their caption .txt"
    out_arguments(parser, what)


def run(args: argparse.Namespace) -> None:
    """Measure, say, and write."""
    a, b = sources(args)
    view = View(a=a, b=b).with_changes(**taken(args, View, OFFERED))
    look = chosen_look(args)
    of_table = replace(look, panes="", turned=False, titles={}, hidden=(), zoom={})  # a table has no panels
    with bar("Measuring") as ticket:
        made = make(recipe_of(view, "measures", **with_look(args, of_table)), ticket)
    made.save(*args.table)
    write_figure(recipe_of(view, "maps", {"rows": view.spaces}, **with_look(args, look)), args.out)
    sheet = made.content.sheets["Metrics"]
    columns = made.content.columns
    measures = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    pairing, lines = assumed_pairing(a, b)
    record = {
        "a": space_record(a),
        "b": space_record(b),
        "rows": len(open_pair(a, b)),
        "measures": measures,
        **pairing,
    }
    record |= {"caption": made.caption, "files": [*args.table, *args.out]}
    say(args, record, "\n".join([aligned(sheet), *lines]))
