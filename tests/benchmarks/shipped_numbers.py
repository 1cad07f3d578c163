"""Numbers of the shipped figures and tables beside what the documented library call gives on held-out rows.

    python -m tests.benchmarks.shipped_numbers
    python -m tests.benchmarks.shipped_numbers --recipe rr-table-8 --recipe rr-images

Makes every recipe (what is kept is not computed again) and calls the library with the arguments that the
recipe says: a line for each, with the largest difference, of numbers above 1 as a share. An hour on one core,
most of which are trainings of digits.
"""

import argparse
import re

from relviz.figures.gallery import shipped_recipe, shipped_recipes
from relviz.figures.make import make
from relviz.figures.open_recipe import view_of
from tests.benchmarks.library_calls import CHECKS
from tests.benchmarks.library_calls.compared import Check

NAMED = re.compile(r"``(relviz[\w.]+)``")


def called(check: Check) -> str:
    """The calls that a check names in its docstring."""
    return ", ".join(f"`{name}`" for name in NAMED.findall(check.__doc__ or ""))


def main() -> None:
    """Make, call, and compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--recipe", action="append", default=[])
    asked = parser.parse_args()
    print("| recipe | library call | numbers | largest difference |\n|---|---|---:|---:|", flush=True)
    for name in asked.recipe or shipped_recipes():
        recipe = shipped_recipe(name)
        check = CHECKS[recipe.kind]
        found = list(check(view_of(recipe), recipe.options, make(recipe).content))
        most = max(abs(ours - theirs) / max(1.0, abs(theirs)) for _, ours, theirs in found)
        print(f"| `{name}` | {called(check)} | {len(found)} | {most:.0e} |", flush=True)


if __name__ == "__main__":
    main()
