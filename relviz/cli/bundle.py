"""one zip with all that a paper needs of some figures and tables

See ABOUT for what a person is told.
"""

import argparse
from pathlib import Path

from relviz.cli.figure import recipe_named
from relviz.cli.files import bar, say, take_data
from relviz.cli.looks import chosen_look, chosen_width, look_arguments, typed_width
from relviz.errors import ParameterError
from relviz.figures.bundle import bundle
from relviz.figures.make import make
from relviz.figures.recipe_data import with_data

ABOUT = """\
Figures at their exact width, tables that compile, every number as csv, the recipes, a methods paragraph from
what was run, BibTeX of the methods and data, and a small LaTeX document that includes all of it.

  python -m relviz bundle maps.json curve.json translation.json --style acl --width one -o paper.zip
  python -m relviz bundle rr-table-1 rr-anchors --style neurips -o paper.zip
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Of which recipes."""
    parser.add_argument("recipes", nargs="+", metavar="RECIPE", help="Recipe files, or bundled recipes.")
    parser.add_argument("--data", action="append", default=[], metavar="FILE", help="Data of the recipes.")
    parser.add_argument("-o", "--out", required=True, metavar="FILE", help="The zip.")
    parser.add_argument(
        "--width", type=typed_width, metavar="WIDTH", help="one, two, or a number with mm, cm, in or pt."
    )
    look_arguments(parser)


def run(args: argparse.Namespace) -> None:
    """Follow the recipes, and write the zip."""
    if Path(args.out).suffix != ".zip":
        raise ParameterError(f"A bundle is a .zip, not {Path(args.out).name[:60]!r}.")
    given = take_data(args.data)
    made = []
    for text in args.recipes:
        recipe, _ = with_data(recipe_named(text), given)
        look = chosen_look(args, recipe.look)
        recipe = recipe.with_changes(look=look, width=chosen_width(args, look, recipe.width))
        with bar(recipe.title or recipe.kind) as ticket:
            made.append(make(recipe, ticket))
    Path(args.out).write_bytes(bundle(made))
    say(
        args,
        {"files": [args.out], "figures": [one.recipe.kind for one in made]},
        f"{args.out}: {len(made)} of them.",
    )
