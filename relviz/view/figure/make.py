"""From a recipe to a figure."""

from dataclasses import replace

from relviz.compute.task import Task
from relviz.compute.ticket import Ticket, here_and_now
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


def make(recipe: Recipe, ticket: Ticket | None = None) -> Made:
    """Follow a recipe; what is not kept is computed here and now.

    Parameters
    ----------
    ticket
        It is reported there what is done, and who cancels the work that holds it cancels this.

    Raises
    ------
    relviz.Error
        If the recipe cannot be followed, or names data that is not here.
    """
    ticket = ticket or here_and_now()
    changes = data_changed(recipe)
    view, kind = view_of(recipe), KINDS[recipe.kind]
    if view.method == "run":
        bootstrap_task(view, view.ao, open_pair(view.a, view.b)).run(ticket)
    tasks = kind.tasks(view, recipe.options)
    many = len(tasks)
    results = [task.run(ticket.part(at / many, (at + 1) / many, task.title)) for at, task in enumerate(tasks)]
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
