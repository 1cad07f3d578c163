"""Maps of a pair on a page: its panes in one linked map, with its classes, texts and pictures."""

from collections.abc import Sequence

import numpy as np

import relviz
from relviz.ui.linked_map import Colours, MapEvent, Pane, linked_map
from relviz.view import View
from relviz.view.coloured import plain_colours
from relviz.view.pictures import pictures_of


def show_map(
    view: View,
    pair: relviz.Pair,
    panes: Sequence[Pane],
    anchors: np.ndarray,
    key: str,
    colours: Colours | None = None,
    anchors_shown: bool = False,
    height: int = 860,
    discovered: np.ndarray | Sequence[int] = (),
    move_ms: int = 700,
) -> MapEvent:
    """Draw panes of a pair; without ``colours``, by class. Gives what is selected in them."""
    first = next((pane.points for pane in panes if pane.points is not None), None)
    return linked_map(
        panes,
        pair.ids,
        colours or plain_colours(pair, first),
        key,
        items=pair.items,
        labels=pair.labels,
        anchors=anchors,
        discovered=discovered,
        move_ms=move_ms,
        anchors_shown=anchors_shown,
        sprite=pictures_of(view.a, view.b),
        height=height,
    )
