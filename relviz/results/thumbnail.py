"""A small map of one space: its rows, or some of them, on the first two principal components."""

from dataclasses import dataclass

import numpy as np
import torch

from relviz.compute.job import Ticket
from relviz.compute.task import Task, task
from relviz.projection import project
from relviz.space import Space

MOST = 1500
"""Rows that are seen on so little room."""


@dataclass(frozen=True, eq=False)
class Thumbnail:
    """Rows of a space ``(r,)``, at most ``MOST`` drawn at random, and their places ``(r, 2)``."""

    rows: np.ndarray
    points: np.ndarray


@task("thumbnail", "Drawing a thumbnail")
def _thumbnail(ticket: Ticket, space: Space) -> Thumbnail:
    ticket.check()
    order = torch.randperm(len(space), generator=torch.Generator().manual_seed(0))
    rows = order[:MOST].sort().values
    (points,) = project([space.vectors[rows]])
    return Thumbnail(rows.numpy(), points)


def thumbnail(space: Space) -> Task[Thumbnail]:
    """The task that draws a space small."""
    return _thumbnail(space)
