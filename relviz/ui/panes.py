"""The panes of the comparison: the maps of both rows, or what stands in their place."""

import relviz
from relviz.compute.store import Result
from relviz.compute.task import Task
from relviz.ui.maps import Pane, shown_rows
from relviz.ui.wording import FITS, PROJECTIONS, SIMILARITIES
from relviz.view import View
from relviz.view.results import QUICK, fit_of, map_task
from relviz.wording import count


def row_panes(view: View, pair: relviz.Pair, row: str) -> tuple[list[Pane], Task | None]:
    """Both panes of a row, and the task still to be run for them if their projection is a slow one.

    Until a slow projection is there, PCA stands in for it, and its caption says so.
    """
    task: Task | None = None
    shown = view
    try:
        task = map_task(view, pair, row)
        result = task.run() if view.projection in QUICK else task.kept()
        waiting = result is None
        if waiting:
            shown = view.with_changes(projection="pca")
            result = map_task(shown, pair, row).run()
    except relviz.Error as reason:
        return _missing(view, pair, row, str(reason)), None
    assert result is not None
    fit = fit_of(shown, pair, row)
    linked = fit != "independent"
    panes = [
        Pane(
            title=_title(view, row, name),
            points=result.arrays[side],
            caption=_caption(shown, pair, fit, result, place, waiting),
            linked=linked,
        )
        for place, (side, name) in enumerate((("a", pair.a.name), ("b", pair.b.name)))
    ]
    return panes, task if waiting else None


def _missing(view: View, pair: relviz.Pair, row: str, message: str) -> list[Pane]:
    return [Pane(_title(view, row, side.name), None, "", message=message) for side in (pair.a, pair.b)]


def _title(view: View, row: str, name: str) -> str:
    if row == "absolute":
        return f"{name} · absolute"
    return f"{name} · relative ({SIMILARITIES[view.similarity].lower()})"


def _caption(view: View, pair: relviz.Pair, fit: str, result: Result, place: int, waiting: bool) -> str:
    n = len(pair)
    parts = [
        f"{count(len(shown_rows(n)))} of {count(n)} rows",
        f"{PROJECTIONS[view.projection]}, {FITS[fit]}",
    ]
    explained = result.meta.get("explained")
    if explained:
        parts.append(f"{sum(explained[place]):.0%} of variance")
    residual = result.meta.get("residual")
    if residual and place:
        parts.append(f"residual {residual[place - 1]:.3f}")
    if view.projection in ("tsne", "umap"):
        parts += [f"{name} {value}" for name, value in result.meta["parameters"].items()]
        parts.append(f"seed {view.map_seed}")
    if waiting:
        parts.append("in place of the map that is not run yet")
    return " · ".join(parts)
