"""Recipes that come with relviz: the papers' own figures and tables, on our data."""

from functools import cache
from importlib.resources import files

from relviz.errors import ParameterError
from relviz.view.figure.recipe import Recipe, read_recipe


@cache
def shipped_recipes() -> dict[str, Recipe]:
    """All of them by name, in the order of the papers."""
    folder = files("relviz.figures").joinpath("recipes")
    found = {
        path.name.removesuffix(".json"): read_recipe(path.read_bytes())
        for path in folder.iterdir()
        if path.name.endswith(".json")
    }
    return {name: found[name] for name in sorted(found)}


def shipped_recipe(name: str) -> Recipe:
    """One of them; ParameterError if there is none of that name."""
    found = shipped_recipes()
    if name not in found:
        raise ParameterError(f"No recipe {name[:60]!r} comes with relviz; there are {', '.join(found)}.")
    return found[name]
