"""Which data here is the data of a recipe: recognized by its content, whatever its file is called."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from relviz.compute.key import kind_of, text_digest, value_digest
from relviz.errors import Error, ParameterError
from relviz.figures.recipe import Data, Recipe
from relviz.figures.registry import KINDS
from relviz.state.image_sets import KIND as IMAGES
from relviz.state.image_sets import image_set
from relviz.state.sources import OWN, is_own, open_space
from relviz.state.view import Names


@dataclass(frozen=True)
class Given:
    """A file that was given for a recipe, and the spaces in it; of a ``workspace`` not all need serve."""

    name: str
    sources: tuple[str, ...]
    workspace: bool = False


def is_data(source: str, then: Data) -> bool:
    """Whether a source that opens here has the content that a recipe noted."""
    if kind_of(source) == IMAGES or not source:
        return image_set(source).digest == then.digest
    space = open_space(source)
    if then.digest == space.content_digest:
        return True
    # Older recipes have the name of the space in the digest.
    texts = [text_digest(part) for part in (space.ids, space.labels, space.items)]
    return then.digest == value_digest([space.digest, *texts, then.name])


def located(recipe: Recipe, given: Sequence[str] = ()) -> Recipe:
    """The recipe with its own spaces by the names that they have here; those that are not here stay."""
    here = {}
    for source, then in recipe.data.items():
        if not is_own(source):
            continue
        found = [one for one in (source, f"{OWN}-{then.digest}", *given) if _holds(one, then)]
        if found:
            here[source] = found[0]
    return _renamed(recipe, here)


def with_data(recipe: Recipe, given: Sequence[Given]) -> tuple[Recipe, list[str]]:
    """The recipe made from files that were given, and what has to be said of it.

    They are the files that it was made from, recognized by their content; or, where it was made from demos,
    A and B in place of these.

    Raises
    ------
    ParameterError
        If a file would not be used.
    """
    if not given:
        return located(recipe), []
    sources = [source for one in given for source in one.sources]
    if not any(map(is_own, recipe.data)):
        return _in_place_of_demos(recipe, given, sources)
    for one in given:
        then = [data for source, data in recipe.data.items() if is_own(source)]
        used = [any(_holds(source, data) for data in then) for source in one.sources]
        if not (any(used) if one.workspace else all(used)):
            named = ", ".join(f"{data.name[:60]!r} ({data.rows} × {data.dimension})" for data in then)
            raise ParameterError(
                f"{one.name[:80]} is not the data of the recipe: its content differs from {named}. Give the "
                "same file under any name, or make another recipe."
            )
    return located(recipe, sources), []


def _in_place_of_demos(
    recipe: Recipe, given: Sequence[Given], sources: Sequence[str]
) -> tuple[Recipe, list[str]]:
    kind, view = KINDS[recipe.kind], recipe.view
    words = f"The recipe “{(recipe.title or kind.words)[:80]}”"
    if kind.sources:
        raise ParameterError(f"{words} is made from images, not from A and B: it does not take --data.")
    if len(sources) < 2 or (len(sources) > 2 and not kind.shelf and not any(one.workspace for one in given)):
        raise ParameterError(
            f"{words} compares two spaces of demos, but --data names {len(sources)}. Give two files to "
            "replace A and B, or none."
        )
    if view.method == "hand" or view.ao.seeding == "hand":
        raise ParameterError(
            f"{words} uses rows of its demo that were chosen by hand, which do not apply to other data. "
            "Make the figure of your files in the app instead."
        )
    a, b, *more = sources
    changed = view.with_changes(a=a, b=b, shelf=Names(more if kind.shelf else ()), picks=(), run="", item=-1)
    note = f"A and B are {open_space(a).name} and {open_space(b).name}, instead of {view.a} and {view.b}."
    anew = replace(recipe, view=changed, data={}, versions={}, numbers="", title="", about="", paper=None)
    return anew, [note]


def _holds(source: str, then: Data) -> bool:
    try:
        return is_own(source) and is_data(source, then)
    except Error:
        return False


def _renamed(recipe: Recipe, here: Mapping[str, str]) -> Recipe:
    if all(old == new for old, new in here.items()):
        return recipe
    view = recipe.view
    names = {side: here.get(getattr(view, side), getattr(view, side)) for side in ("a", "b")}
    shelf = Names(dict.fromkeys(here.get(one, one) for one in view.shelf))
    data = {here.get(source, source): then for source, then in recipe.data.items()}
    return replace(recipe, view=view.with_changes(**names, shelf=shelf), data=data)
