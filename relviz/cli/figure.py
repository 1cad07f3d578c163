"""a figure or table, made from its recipe

See ABOUT for what a person is told.
"""

import argparse
import sys
from pathlib import Path

from relviz.cli.files import aligned, bar, say, take_data
from relviz.cli.looks import chosen_look, chosen_width, look_arguments, typed_width
from relviz.errors import ParameterError
from relviz.figures.gallery import shipped_recipe, shipped_recipes
from relviz.figures.make import make
from relviz.figures.papers import paper_comparison, shown_places
from relviz.figures.recipe import LARGEST, Recipe, read_recipe
from relviz.figures.recipe_data import with_data
from relviz.figures.registry import KINDS

ABOUT = """\
Make a figure from its recipe, without a browser. A recipe is a small JSON file that the app and the other
commands save with a figure. The recipes of the papers' figures and tables come with relviz and are called by
name.

  python -m relviz figure --list
  python -m relviz figure rr-table-1
  python -m relviz figure recipe.json -o fig.pdf -o fig.html -o fig.txt
  python -m relviz figure recipe.json --data a.npz --data b.npz -o fig.svg --width one

The file ending decides what is written: the figure (.pdf .svg .png), a map that a browser opens without a
server (.html), its table (.tex .md), its numbers (.csv .npz), its caption (.txt), or its recipe with the
current versions and data (.json). Changes since the recipe was written are reported on stderr.
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which recipe, and where to."""
    parser.add_argument("recipe", nargs="?", help="Recipe file, or the name of a bundled recipe.")
    parser.add_argument(
        "-o", "--out", action="append", default=[], metavar="FILE", help="Output file; may be repeated."
    )
    parser.add_argument(
        "--width", type=typed_width, metavar="WIDTH", help="one, two, or a number with mm, cm, in or pt."
    )
    look_arguments(parser)
    parser.add_argument(
        "--data",
        action="append",
        default=[],
        metavar="FILE",
        help="The file or workspace that the recipe was made from; or two files that replace a demo's A "
        "and B.",
    )
    parser.add_argument("--list", action="store_true", help="List the bundled recipes.")


def run(args: argparse.Namespace) -> None:
    """Follow a recipe."""
    if args.list or args.recipe is None:
        _list(args)
        return
    recipe, notes = with_data(recipe_named(args.recipe), take_data(args.data))
    look = chosen_look(args, recipe.look)
    recipe = recipe.with_changes(look=look, width=chosen_width(args, look, recipe.width))
    with bar(recipe.title or KINDS[recipe.kind].words) as ticket:
        made = make(recipe, ticket)
    made.save(*args.out)
    changes = [*notes, *made.changes]
    for change in changes:
        print(f"relviz: {change}", file=sys.stderr)
    record: dict[str, object] = {
        "kind": recipe.kind,
        "title": recipe.title,
        "caption": made.caption,
        "changes": changes,
    }
    parts = [] if args.out else [f"{name}\n\n{aligned(sheet)}" for name, sheet in made.content.sheets.items()]
    parts = parts or [made.caption]
    if recipe.paper is not None:
        paper, figures = recipe.paper, paper_comparison(recipe, made.content.columns)
        lines = figures.dicts() if figures else []
        words = {name: getattr(paper, name) for name in ("place", "title", "says", "differs")}
        record["paper"] = {**words, "comparison": lines}
        parts += [f"{paper.place}: {paper.says}"] if paper.says else []
        parts += [f"Here: {paper.differs}"] if paper.differs else []
        parts += [aligned(figures)] if figures else []
    say(args, record | {"files": args.out}, "\n\n".join(parts))


def _list(args: argparse.Namespace) -> None:
    found = shipped_recipes()
    record: dict[str, object] = {
        name: {"title": one.title, "kind": one.kind, "paper": one.paper.place if one.paper else ""}
        for name, one in found.items()
    }
    wide = max(map(len, found), default=0)
    recipes = "\n".join(f"{name.ljust(wide)}  {one.title}" for name, one in found.items())
    say(args, record, f"{recipes}\n\n{aligned(shown_places(found))}")


def recipe_named(text: str) -> Recipe:
    """A recipe of a file, or a bundled one by its name."""
    path = Path(text)
    if not path.exists():
        if path.suffix == ".json":
            raise ParameterError(f"There is no recipe {path.name[:80]!r}.")
        return shipped_recipe(text)
    with path.open("rb") as file:
        return read_recipe(file.read(LARGEST + 1))
