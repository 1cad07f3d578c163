"""Panes and colors small enough to be drawn in no time."""

import numpy as np

from relviz.plotting.colors import Colors, by_class
from relviz.plotting.pane import Pane

ROWS = 60


def points(seed: int, rows: int = ROWS) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(rows, 2)) * [3, 1]


def panes(rows: int = ROWS) -> list[Pane]:
    titles = ("A · absolute", "B · absolute", "A · relative", "B · relative")
    return [Pane(title, points(at, rows), group=at // 2) for at, title in enumerate(titles)]


def colors(rows: int = ROWS) -> Colors:
    return by_class([("cat", "dog", "owl")[row % 3] for row in range(rows)])
