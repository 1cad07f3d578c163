"""What Home shows: the emoji of two image encoders, absolute and relative to more and more anchors."""

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from relviz.anchors import select_anchors
from relviz.compute.blocks import top_k
from relviz.compute.job import Ticket
from relviz.compute.task import Task, task
from relviz.measure import held_out, retrieval
from relviz.pair import Pair
from relviz.projection import project
from relviz.relative_projection import prepare, relative, unit_rows

COUNTS = (2, 5, 10, 20, 50, 100, 200, 300, 500, 1000, 1500)
"""Numbers of anchors; each number's anchors are among those of the next."""
FIRST = 300
"""The number of anchors that is shown at first, as on every other page."""
EXAMPLES = 16
SEED = 0
FULL = 65535
SPREAD = 0.6
"""Share of a place that is its rank along the axis; the rest is the coordinate itself."""
EDGE = 1.0
"""Percent of the coordinates beyond either edge of a pane, which stay on it."""

Places = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Home:
    """Views of the same ``n`` items: the original spaces first, then one for each number of anchors.

    Attributes
    ----------
    counts
        Anchors of each of ``v`` views, 0 first.
    places
        ``(v, 2, n, 2)`` uint16: where the items lie in A and in B, across and up, 0 to ``FULL``.
    nearest
        ``(v, n)`` uint16: what B finds for each item of A, by cosine.
    found
        Share of the queries that find themselves, for each view. Queries are the items that are not anchors.
    queries
        How many that are.
    anchors
        ``(a,)`` uint16: the rows that serve as anchors, in the order they join.
    examples
        Items that are not anchors in any view, drawn at random.
    """

    counts: tuple[int, ...]
    places: np.ndarray
    nearest: np.ndarray
    found: tuple[float, ...]
    queries: tuple[int, ...]
    anchors: np.ndarray
    examples: tuple[int, ...]


@task("home", "Preparing the first picture")
def _home(
    ticket: Ticket, pair: Pair, *, counts: tuple[int, ...], first: int, examples: int, seed: int
) -> Home:
    frames = prepare(pair.a.vectors), prepare(pair.b.vectors)
    drawn = select_anchors(frames[0], max(counts), "uniform", seed)
    views = (0, *counts)
    flat, nearest, found, queries = [], [], [], []
    for number, count in enumerate(views):
        ticket.report(number / len(views))
        anchors = drawn[:count]
        x, y = (relative(one, one[anchors]) for one in frames) if count else frames
        flat.append(project((x, y), "pca", "first" if count else "independent"))
        nearest.append(retrieved(x, y))
        asked = held_out(len(pair), anchors)
        found.append(retrieval(x, y, k=1, queries=asked).top1)
        queries.append(len(asked))
    model = flat[views.index(first)][0]
    places = np.stack(
        [
            _placed(*_turned(one[0], one[1], model, bool(count)))
            for one, count in zip(flat, views, strict=True)
        ]
    )
    never = held_out(len(pair), drawn, examples, seed)
    shuffled = np.random.default_rng(seed).permutation(never.numpy())
    return Home(
        views,
        np.round(places * FULL).astype(np.uint16),
        torch.stack(nearest).numpy().astype(np.uint16),
        tuple(found),
        tuple(queries),
        drawn.numpy().astype(np.uint16),
        tuple(int(row) for row in shuffled),
    )


def home(pair: Pair) -> Task[Home]:
    """The task that makes what Home shows of a pair with as many rows as the demo of emoji has."""
    return _home(pair, counts=COUNTS, first=FIRST, examples=EXAMPLES, seed=SEED)


def retrieved(x: Tensor, y: Tensor) -> Tensor:
    """The row of ``y`` that each row of ``x`` is most like by cosine, ``(n,)`` int64."""
    return top_k(unit_rows(x), unit_rows(y), 1)[1][:, 0].cpu()


def _turned(a: np.ndarray, b: np.ndarray, model: np.ndarray, joint: bool) -> tuple[Places, Places, bool]:
    """Both maps turned as one, so that A lies as it does in ``model``; B's own axes stay as they are."""
    left, _, right = np.linalg.svd((a - a.mean(0)).T @ (model - model.mean(0)))
    turn = left @ right
    return a @ turn, (b @ turn if joint else b), joint


def _placed(a: Places, b: Places, joint: bool) -> Places:
    """Places ``(2, n, 2)`` from 0 to 1; those of B by A's ruler where the two share their axes."""
    return np.stack([_ruled(a, a), _ruled(b, a if joint else b)])


def _ruled(points: Places, ruler: Places) -> Places:
    """Each coordinate between linear and its rank among the ruler's, which fills the pane."""
    made = np.empty(points.shape)
    for axis in range(2):
        known = np.sort(ruler[:, axis])
        low, high = np.percentile(known, (EDGE, 100 - EDGE))
        line = np.clip((points[:, axis] - low) / (high - low), 0, 1)
        rank = np.interp(points[:, axis], known, np.linspace(0, 1, len(known)))
        made[:, axis] = (1 - SPREAD) * line + SPREAD * rank
    return made
