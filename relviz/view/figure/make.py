"""From a recipe to a figure."""

from dataclasses import replace

from relviz.compute.jobs import Ticket
from relviz.compute.task import OnReport, Task
from relviz.view.bootstrapping import bootstrap_task
from relviz.view.figure.kinds import KINDS
from relviz.view.figure.made import Made
from relviz.view.figure.opening import data_changed, data_of, view_of
from relviz.view.figure.recipe import Recipe
from relviz.view.figure.versions import versions_changed, versions_here
from relviz.view.sources import open_pair


def tasks_of(recipe: Recipe) -> list[Task]:
    """What has to be computed; where all of it is kept, ``make`` answers at once.

    Raises
    ------
    relviz.Error
        If its data is not here.
    """
    data_changed(recipe)
    return KINDS[recipe.kind].tasks(view_of(recipe), recipe.options)


def make(recipe: Recipe, on_report: OnReport | None = None, within: Ticket | None = None) -> Made:
    """Follow a recipe; what is not kept is computed here and now.

    Parameters
    ----------
    on_report
        Told the fraction that is done, and what is being done.
    within
        The ticket of the work that this is part of, if any: who cancels that cancels this.

    Raises
    ------
    relviz.Error
        If the recipe cannot be followed, or names data that is not here.
    """
    changes = data_changed(recipe)
    view, kind = view_of(recipe), KINDS[recipe.kind]
    if view.method == "run":
        bootstrap_task(view, view.ao, open_pair(view.a, view.b)).run(on_report, within)
    tasks = kind.tasks(view, recipe.options)
    results = [task.run(_part(on_report, at, tasks), within) for at, task in enumerate(tasks)]
    content = kind.content(view, recipe.options, results)
    numbers = content.digest()
    changes += versions_changed(recipe.versions)
    if recipe.numbers and recipe.numbers != numbers:
        changes.append("The numbers are not the same to the last digit as when the recipe was written.")
    elif recipe.numbers and changes:
        changes.append("The numbers are the same all the same.")
    data = data_of(recipe.kind, view)
    now = replace(recipe, data=data, versions=versions_here(), numbers=numbers)
    return Made(now, content, tuple(changes))


def _part(on_report: OnReport | None, at: int, tasks: list[Task]) -> OnReport | None:
    if on_report is None:
        return None
    return lambda fraction, message: on_report(
        (at + (fraction or 0)) / len(tasks), message or tasks[at].title
    )
