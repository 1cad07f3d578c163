"""A map of a pair for a browser: its panes, its texts and pictures, and what is said of the data."""

from collections.abc import Mapping, Sequence

import numpy as np

from relviz.figures.kind import Linked
from relviz.figures.pictures import pictures_of
from relviz.pair import Pair
from relviz.plotting.colors import Colors
from relviz.plotting.linked_map.scene import Scene
from relviz.plotting.pane import Pane
from relviz.state.sources import demo_of


def linked(
    pair: Pair,
    sources: tuple[str, str],
    views: Mapping[str, Sequence[Pane]],
    colors: Colors,
    labeled: Sequence[int] = (),
    stars: tuple[np.ndarray, np.ndarray] = (np.empty(0, np.int64), np.empty(0, np.int64)),
    stars_shown: bool = False,
    opens: str = "",
) -> Linked:
    """The map of a pair; ``stars`` are rows drawn as anchors, and as discovered ones; ``opens`` is a view."""
    scene = Scene(
        views=views,
        opens=opens,
        colors=colors,
        ids=pair.ids,
        items=pair.items,
        labels=pair.labels,
        anchors=stars[0],
        discovered=stars[1],
        labeled=labeled,
        anchors_shown=stars_shown,
        sprite=pictures_of(*sources),
    )
    return Linked(scene, f"{pair.a.name} and {pair.b.name}", credits_of(sources))


def credits_of(sources: tuple[str, str]) -> str:
    """Where the data of two spaces are from, and under which license; of own files nothing is known."""
    demos = {demo.name: demo for demo in map(demo_of, sources) if demo is not None}
    credits = [f"Data: {demo.source}. License of the data: {demo.license}." for demo in demos.values()]
    if any(demo_of(source) is None for source in sources):
        credits.append("Data: the author's own.")
    return " ".join([*credits, "Map: relviz, MIT license."])
