"""From a view to a recipe, and from a recipe to a figure."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from relviz.compute.task import OnReport, Task
from relviz.errors import Error, ParameterError, ReadError
from relviz.figures.style import WIDTHS, check_width
from relviz.view.bootstrapping import bootstrap_task
from relviz.view.choices import View
from relviz.view.figure.kinds import KINDS
from relviz.view.figure.made import Made
from relviz.view.figure.recipe import Data, Recipe
from relviz.view.figure.versions import versions_changed, versions_here
from relviz.view.found import run_of
from relviz.view.shelf import sources_of
from relviz.view.sources import is_own, open_pair, open_space


def recipe_of(
    kind: str,
    view: View,
    options: Mapping[str, Any] | None = None,
    width: float = WIDTHS["two"],
    title: str = "",
) -> Recipe:
    """The recipe of what a view shows, before anything is computed.

    A run whose anchors the view uses is written into it with its choices, to be made again elsewhere.

    Raises
    ------
    relviz.Error
        If there is no such kind or option, or the data cannot be opened.
    """
    if kind not in KINDS:
        raise ParameterError(f"There is no kind of figure {kind[:40]!r}; there are {', '.join(KINDS)}.")
    if view.method == "run":
        view = view.with_changes(ao=run_of(view, open_pair(view.a, view.b)), run="")
    chosen = KINDS[kind].chosen(options or {})
    data = {source: _data(source) for source in _sources(kind, view)}
    return Recipe(kind, view, chosen, check_width(width), data, versions_here(), title=title)


def view_of(recipe: Recipe) -> View:
    """The view that a recipe shows, for the app: a run that it uses under the name it has here."""
    view = recipe.view
    if view.method != "run" or view.run:
        return view
    return view.with_changes(run=bootstrap_task(view, view.ao, open_pair(view.a, view.b)).key)


def tasks_of(recipe: Recipe) -> list[Task]:
    """What has to be computed; where all of it is kept, ``make`` answers at once.

    Raises
    ------
    relviz.Error
        If its data is not here.
    """
    _check_data(recipe)
    return KINDS[recipe.kind].tasks(view_of(recipe), recipe.options)


def make(recipe: Recipe, on_report: OnReport | None = None) -> Made:
    """Follow a recipe; what is not kept is computed here and now.

    Parameters
    ----------
    on_report
        Told the fraction that is done, and what is being done.

    Raises
    ------
    relviz.Error
        If the recipe cannot be followed, or names data that is not here.
    """
    changes = _check_data(recipe)
    view, kind = view_of(recipe), KINDS[recipe.kind]
    if view.method == "run":
        bootstrap_task(view, view.ao, open_pair(view.a, view.b)).run(on_report)
    tasks = kind.tasks(view, recipe.options)
    results = [task.run(_part(on_report, at, tasks)) for at, task in enumerate(tasks)]
    content = kind.content(view, recipe.options, results)
    numbers = content.digest()
    changes += versions_changed(recipe.versions)
    if recipe.numbers and recipe.numbers != numbers:
        changes.append("The numbers are not the same to the last digit as when the recipe was written.")
    elif recipe.numbers and changes:
        changes.append("The numbers are the same all the same.")
    data = {source: _data(source) for source in recipe.data or _sources(recipe.kind, view)}
    now = replace(recipe, data=data, versions=versions_here(), numbers=numbers)
    return Made(now, content, tuple(changes))


def _part(on_report: OnReport | None, at: int, tasks: list[Task]) -> OnReport | None:
    if on_report is None:
        return None
    return lambda fraction, message: on_report(
        (at + (fraction or 0)) / len(tasks), message or tasks[at].title
    )


def _sources(kind: str, view: View) -> list[str]:
    """The spaces that a figure is made of; of a shelf, those that can be opened."""
    if not KINDS[kind].shelf:
        return list(dict.fromkeys((view.a, view.b)))
    return [source for source in sources_of(view) if source in (view.a, view.b) or _opens(source)]


def _opens(source: str) -> bool:
    try:
        open_space(source)
    except Error:
        return False
    return True


def _data(source: str) -> Data:
    space = open_space(source)
    return Data(space.content_digest, space.name, len(space), space.dimension)


def _check_data(recipe: Recipe) -> list[str]:
    """What is not as it was; ReadError where something is not here."""
    changed = []
    for source in recipe.data or dict.fromkeys((recipe.view.a, recipe.view.b)):
        then = recipe.data.get(source)
        try:
            here = _data(source)
        except Error as reason:
            if not is_own(source) or then is None:
                raise ReadError(f"The recipe names data that is not here: {reason}") from None
            raise ReadError(
                f"The recipe names data that is not here: {then.name[:80]!r}, {then.rows} rows of "
                f"{then.dimension} dimensions. Load the same file first: in the app, or with --data FILE on "
                "the command line."
            ) from None
        if then is not None and then.digest != here.digest:
            was = f"{then.rows} × {then.dimension}, is {here.rows} × {here.dimension}"
            changed.append(f"{source} is not the data that the recipe was written for: it was {was}.")
    return changed
