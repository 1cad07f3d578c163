"""The panes of the comparison: the maps of both rows, or what stands in their place."""

from typing import Any

import relviz
from relviz.compute.store import Result
from relviz.compute.task import Task
from relviz.ui.linked_map import MOST_DRAWN, Pane
from relviz.ui.wording import FITS, PROJECTIONS, SIMILARITIES
from relviz.view import View
from relviz.view.results import QUICK, fit_of, map_task
from relviz.wording import count

PARAMETERS = {"perplexity": "perplexity", "n_neighbors": "neighbours", "min_dist": "least distance"}
"""Parameters that a caption names, in its words."""


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
    fit = fit_of(shown, pair, row)
    group = None if fit == "independent" else ("absolute", "relative").index(row)
    panes = [
        Pane(
            title=_title(view, row, name),
            points=result.arrays[side],
            caption=_caption(shown, pair, fit, result, place, waiting),
            group=group,
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


def _caption(view: View, pair: relviz.Pair, fit: str, result: Result, place: int, waiting: str) -> str:
    n = len(pair)
    how = f"{count(min(n, MOST_DRAWN))} of {count(n)} rows · {PROJECTIONS[view.projection]} · {FITS[fit]}"
    said = [f"in place of the {PROJECTIONS[waiting]}"] if waiting else []
    explained = result.meta.get("explained")
    if explained:
        said.append(f"{sum(explained[place]):.0%} of variance")
    trust = result.meta["trust"][place]
    if trust is not None:
        said.append(f"trustworthiness {trust:.2f}")
    residual = result.meta.get("residual")
    if residual and place:
        said.append(f"residual {residual[place - 1]:.3f}")
    parameters = result.meta["parameters"]
    said += [
        f"{words} {_one(parameters[name], place)}" for name, words in PARAMETERS.items() if name in parameters
    ]
    if view.projection in ("tsne", "umap"):
        said.append(f"seed {view.map_seed}")
    return f"{how}\n{' · '.join(said)}" if said else how


def _one(value: Any, place: int) -> Any:
    return value[place] if isinstance(value, list | tuple) else value
