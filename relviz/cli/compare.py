"""how alike two encoders are, before and after anchors

See ABOUT for what a person is told.
"""

import argparse

from relviz.cli.files import (
    aligned,
    assumed_pairing,
    bar,
    checked,
    out_arguments,
    said_of,
    say,
    sources,
    space_arguments,
    write_figure,
    write_made,
)
from relviz.figures.make import make
from relviz.figures.open_recipe import recipe_of
from relviz.state.sources import open_pair
from relviz.state.view import CHOICES, GIVEN, View

ABOUT = """\
Jaccard, MRR@k, cosine and top-1 of two encoders of the same items, in both directions, relative to
anchors and in the original spaces. Queries are the non-anchor items; candidates are all items.
Rows are matched by ids if both files have them, otherwise by position.

  python -m relviz compare emoji
  python -m relviz compare a.npz b.npz --anchors 500 --runs 10
  python -m relviz compare a.npz b.npz -o maps.pdf -o maps.json --table table.tex
  python -m relviz compare a.csv b.csv --ids word --json | jq .measures
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """What is compared, through which anchors."""
    usual = View()
    space_arguments(parser)
    drawn = [name for name in CHOICES["method"] if name not in GIVEN]
    parser.add_argument(
        "--anchors", type=int, default=usual.count, metavar="N", help="number of anchors (%(default)s)"
    )
    parser.add_argument(
        "--method", choices=drawn, default=usual.method, help="selection method (%(default)s)"
    )
    parser.add_argument(
        "--seed", type=int, default=usual.seed, metavar="N", help="first sampling seed (%(default)s)"
    )
    parser.add_argument(
        "--runs", type=int, default=usual.runs, metavar="N", help="number of anchor samples (%(default)s)"
    )
    parser.add_argument(
        "-k", type=int, default=usual.k, metavar="N", help="neighbors in a list (%(default)s)"
    )
    parser.add_argument(
        "--queries",
        type=int,
        default=usual.queries,
        metavar="N",
        help="maximum number of queries, 0 for all non-anchor items (%(default)s)",
    )
    parser.add_argument(
        "--similarity", choices=CHOICES["similarity"], default=usual.similarity, help="(%(default)s)"
    )
    parser.add_argument(
        "--projection",
        choices=CHOICES["projection"],
        default=usual.projection,
        help="projection of the maps (%(default)s)",
    )
    parser.add_argument("--no-center", action="store_true", help="do not center the spaces")
    parser.add_argument(
        "--table",
        action="append",
        default=[],
        metavar="FILE",
        help="write the table: .tex, .md, .csv, or its recipe .json",
    )
    out_arguments(parser, "the maps: .pdf, .svg, .png, their numbers .csv or .npz, their caption .txt")


def run(asked: argparse.Namespace) -> None:
    """Measure, say, and write."""
    a, b = sources(asked)
    view = checked(
        a=a,
        b=b,
        count=asked.anchors,
        method=asked.method,
        seed=asked.seed,
        runs=asked.runs,
        k=asked.k,
        queries=asked.queries,
        similarity=asked.similarity,
        projection=asked.projection,
        center=not asked.no_center,
    )
    with bar("Measuring") as ticket:
        made = make(recipe_of(view, "measures"), ticket)
    write_made(made, asked.table)
    write_figure(recipe_of(view, "maps", width=asked.width), asked.out)
    sheet = made.content.sheets["Metrics"]
    columns = made.content.columns
    measures = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    told, lines = assumed_pairing(a, b)
    said = {"a": said_of(a), "b": said_of(b), "rows": len(open_pair(a, b)), "measures": measures, **told}
    said |= {"caption": made.caption, "files": [*asked.table, *asked.out]}
    say(asked, said, "\n".join([aligned(sheet), *lines]))
