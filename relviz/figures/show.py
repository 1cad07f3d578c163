"""The linked map of a pair, or of a projection, in a notebook."""

from collections.abc import Sequence
from typing import Literal, get_args

import numpy as np

from relviz.compute.arrays import ArrayLike
from relviz.errors import ParameterError, ShapeError
from relviz.figures.figure import figure
from relviz.pair import Pair
from relviz.plotting.colors import by_label, by_place
from relviz.plotting.linked_map.scene import Scene
from relviz.plotting.linked_map.widget import LinkedMap, widget_of
from relviz.plotting.pane import Pane
from relviz.projection import Projection
from relviz.wording import count

MapKind = Literal["maps", "anchors", "landing", "run", "run_maps"]
HEIGHT = 560


def show(
    what: Pair | Projection,
    kind: MapKind = "maps",
    *,
    anchors: int | ArrayLike | None = None,
    labels: Sequence[str] | None = None,
    items: Sequence[str] | None = None,
    height: int = HEIGHT,
    **choices: object,
) -> LinkedMap:
    """Show a linked map in a notebook: JupyterLab, VS Code, marimo. Needs ``pip install 'relviz[notebook]'``.

    Parameters
    ----------
    what
        A pair; or maps that ``relviz.project`` made of parallel rows, which are orbited where ``dim=3``.
    kind
        Of a pair: ``"maps"`` of the original and the relative spaces, its ``"anchors"``, ``"landing"``: where
        the items of A are after translation into B, ``"run"``: anchor optimization step by step, or
        ``"run_maps"``: maps through the anchors that it discovered.
    anchors, **choices
        Of a pair, as in ``relviz.figure``.
    labels, items
        Of a projection, the classes and the texts of the rows.
    height
        In pixels, at most.

    Returns
    -------
    LinkedMap
        The widget. ``selected`` has the rows that are selected on it; set it to select others.

    Raises
    ------
    relviz.Error
        If anywidget is not installed, the kind is no map, or a choice is unknown.
    """
    if isinstance(what, Projection):
        return widget_of(_scene_of(what, labels, items), height)
    if labels is not None or items is not None:
        raise ParameterError("A pair has labels and items of its own; give them to relviz.Space.")
    made = figure(what, kind, anchors=anchors, width="two", look=None, axes=None, **choices)
    if made.content.linked is None:
        raise ParameterError(f"{kind[:40]!r} is not a map; give {', '.join(get_args(MapKind))}.")
    return widget_of(made.content.linked().scene, height)


def _scene_of(maps: Projection, labels: Sequence[str] | None, items: Sequence[str] | None) -> Scene:
    rows = {len(points) for points in maps}
    if len(rows) != 1:
        raise ShapeError(f"The maps need the same rows; they have {', '.join(map(count, sorted(rows)))}.")
    (n,) = rows
    for name, given in (("labels", labels), ("items", items)):
        if given is not None and len(given) != n:
            raise ShapeError(f"There are {count(n)} rows and {count(len(given))} {name}.")
    shared = maps.fit != "independent"
    panes = [
        Pane(
            f"Space {place}",
            np.asarray(points),
            ((f"{count(n)} rows", maps.method, f"fit {maps.fit}"),),
            group=0 if shared else None,
            alone=None if shared else 0,
        )
        for place, points in enumerate(maps, start=1)
    ]
    colors = by_place(np.asarray(maps[0])[:, :2]) if labels is None else by_label(list(labels))
    names = [str(row) for row in range(n)]
    return Scene({"Maps": panes}, colors, names, names if items is None else list(items), labels)
