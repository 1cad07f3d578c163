"""A linked map as a widget of a notebook, by anywidget: JupyterLab, VS Code, marimo.

The JavaScript is that of the app. What is selected with the mouse can be read in Python, and set there.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, Protocol

import numpy as np

from relviz.compute.arrays import ArrayLike, as_indices
from relviz.errors import Error
from relviz.plotting.linked_map.encoding import MapEvent, decode, selection_message
from relviz.plotting.linked_map.page import ASSETS, module
from relviz.plotting.linked_map.scene import Scene


class LinkedMap(Protocol):
    """A linked map in a notebook.

    Attributes
    ----------
    selected
        Rows that are selected, ``(m,)`` int64 in order; set it to select others.
    clicked
        The row that was clicked last, None after a lasso, a box or a search.
    """

    selected: Any
    clicked: int | None


def widget_of(scene: Scene, height: int) -> LinkedMap:
    """The widget of a scene, no higher than so many pixels; Error where anywidget is not installed."""
    made: LinkedMap = _kind()(scene, height)
    return made


@cache
def _kind() -> Any:
    try:
        import anywidget
        import traitlets
    except ImportError:
        raise Error("Maps in a notebook need anywidget: pip install 'relviz[notebook]'") from None

    class LinkedMapWidget(anywidget.AnyWidget):  # type: ignore[misc, unused-ignore]
        _esm = module()
        _css = (ASSETS / "widget.css").read_text("utf-8")
        message = traitlets.Bytes().tag(sync=True)
        texts = traitlets.Bytes().tag(sync=True)
        sprite = traitlets.Bytes().tag(sync=True)
        chosen = traitlets.Dict().tag(sync=True)
        marked = traitlets.Any({"number": 0}).tag(sync=True)

        def __init__(self, scene: Scene, height: int) -> None:
            self._scene = scene
            message, texts = scene.message("widget", height), scene.text_file[0]
            super().__init__(message=message, texts=texts, sprite=scene.pictures)

        @property
        def selected(self) -> np.ndarray:
            return self._event.selected

        @selected.setter
        def selected(self, rows: ArrayLike | Sequence[int]) -> None:
            wanted = np.unique(as_indices(rows, len(self._scene.ids), "rows").numpy())
            identity = self._scene.identity
            self.chosen = selection_message(len(self._scene.ids), identity, wanted)
            number = self.marked["number"] + 1
            self.marked = {"number": number, "identity": identity, "rows": wanted.tolist()}

        @property
        def clicked(self) -> int | None:
            return self._event.clicked

        @property
        def _event(self) -> MapEvent:
            return decode(self.chosen, len(self._scene.ids), self._scene.identity)

    return LinkedMapWidget
