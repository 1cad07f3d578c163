"""A scene of a linked map for tests: rows in two views, with texts and red pictures."""

import io

import numpy as np
from PIL import Image

from relviz.plotting.colors import by_label
from relviz.plotting.linked_map.scene import PictureSheet, Scene
from relviz.plotting.pane import Pane

CELL = 8


def scene(n: int, pictures: bool = True) -> Scene:
    """Two views of two panes each; row ``i`` is called ``item i``."""
    rng = np.random.default_rng(0)
    panes = [
        Pane(f"{side} · {row}", rng.normal(size=(n, 2)).astype(np.float32), group=row == "relative")
        for row in ("absolute", "relative")
        for side in "AB"
    ]
    return Scene(
        views={"Original": panes[:2], "Relative": panes[2:], "2 × 2": panes},
        colors=by_label([("odd", "even")[row % 2] for row in range(n)]),
        ids=[f"id {row}" for row in range(n)],
        items=[f"item {row}" for row in range(n)],
        anchors=range(10),
        sprite=sheet(n) if pictures else None,
        opens="Relative",
    )


def sheet(n: int) -> PictureSheet:
    """Red pictures of all rows."""
    columns = int(np.ceil(np.sqrt(n)))
    file = io.BytesIO()
    Image.new("RGB", (CELL * columns, CELL * columns), "#ff0000").save(file, "PNG")
    return PictureSheet(file.getvalue(), CELL, columns)
