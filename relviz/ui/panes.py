"""The panes of the comparison: the maps of both rows, or what stands in their place."""

import relviz
from relviz.compute.task import Task
from relviz.figures.pane import Pane
from relviz.view import View
from relviz.view.panes import panes_of, title_of
from relviz.view.results import QUICK, map_task


def row_panes(
    view: View, pair: relviz.Pair, row: str, at_once: bool = True
) -> tuple[list[Pane], Task | None]:
    """Both panes of a row, and the task still to be run for them if their projection is a slow one.

    Until a slow projection is there, PCA stands in for it, and its caption says so. Unless maps that are
    quick to make are made ``at_once``, a message stands in for them too.
    """
    waiting, shown = "", view
    try:
        task = map_task(view, pair, row)
        result = task.run() if at_once and view.projection in QUICK else task.kept()
        if result is None:
            waiting, shown = view.projection, view.with_changes(projection="pca")
            stand_in = map_task(shown, pair, row)
            result = stand_in.run() if at_once else stand_in.kept()
            if result is None:
                return _missing(view, pair, row, "This map is being computed."), stand_in
    except relviz.Error as reason:
        return _missing(view, pair, row, str(reason)), None
    return panes_of(shown, pair, row, result, waiting), task if waiting else None


def _missing(view: View, pair: relviz.Pair, row: str, message: str) -> list[Pane]:
    return [Pane(title_of(view, row, side.name), None, "", message=message) for side in (pair.a, pair.b)]
