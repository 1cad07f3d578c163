"""Maps of a pair side by side: projections, seeds and fits, with what each keeps of the original space."""

from dataclasses import replace

import numpy as np
import torch
from torch import Tensor

from relviz.compute.job import Ticket
from relviz.compute.task import task
from relviz.measure import held_out, nearest_others, retrieval
from relviz.results.comparison import Comparison, comparison_of
from relviz.results.maps import maps
from relviz.results.stories.retrieval import PAIRS, compared
from relviz.results.stories.story_picture import StoryPicture
from relviz.state.sources import open_pair
from relviz.state.view import MapChoices

NEIGHBORS = 10
ROW = "relative"
SETS: dict[str, dict[str, tuple[str, str, int]]] = {
    "projections": {
        "pca": ("pca", "auto", 0),
        "tsne": ("tsne", "auto", 0),
        "umap": ("umap", "auto", 0),
    },
    "seeds": {"first": ("umap", "auto", 0), "second": ("umap", "auto", 1)},
    "fits": {"jointly": ("umap", "auto", 0), "separately": ("umap", "independent", 0)},
    "anchors": {"2": ("pca", "auto", 0), "20": ("pca", "auto", 0), "300": ("pca", "auto", 0)},
}
"""Maps that are shown together, by the value of the control: projection, fit and seed. A value that is a
number counts the anchors."""


@task("story-maps", "Maps of {pair}: {show}")
def maps_picture(ticket: Ticket, *, pair: str, show: str) -> StoryPicture:
    """Both relative spaces of a pair in several maps, and the nearest of each item in the original ones."""
    comparison = compared(pair)
    layouts = SETS[show]
    points, facts = [], _facts_of(comparison)
    lists = [nearest_others(side, torch.arange(len(side)), NEIGHBORS) for side in comparison.frames]
    for at, (name, layout) in enumerate(layouts.items()):
        part = ticket.part(at / len(layouts), (at + 1) / len(layouts), name)
        through = _through(pair, int(name)) if name.isdecimal() else comparison
        made = maps(through, _choices(pair, *layout), ROW).run(part)
        both = np.stack(made.points)
        facts[f"found_{name}"] = _top1(through)
        facts[f"kept_{name}"] = _neighbors_preserved(both[0], lists[0])
        facts[f"apart_{name}"] = apart(both)
        facts[f"far_{name}"] = _order_of_distances(comparison, both[0])
        points.append(both)
    if len(points) == 2:
        facts["moved"] = apart(np.stack([points[0][0], points[1][0]]))
    labels = comparison.pair.labels or ()
    classes = sorted(set(labels))
    return StoryPicture(
        facts,
        {
            "items": list(comparison.pair.a.items or comparison.pair.ids),
            "classes": classes,
            "layouts": list(layouts),
        },
        {
            "points": np.stack(points).astype(np.float32),
            "classes": np.array([classes.index(label) for label in labels], np.int32),
            "neighbors": np.stack([one.numpy() for one in lists]).astype(np.int16),
        },
    )


def _through(pair: str, count: int) -> Comparison:
    """A demo pair relative to so many anchors."""
    view = replace(PAIRS[pair], count=count)
    return comparison_of(view, open_pair(view.a, view.b))


def _choices(pair: str, projection: str, fit: str, seed: int) -> MapChoices:
    return replace(PAIRS[pair].map_choices, projection=projection, fit_relative=fit, seed=seed)


def _facts_of(comparison: Comparison) -> dict[str, float]:
    n = len(comparison.pair)
    return {
        "items": float(n),
        "k": float(NEIGHBORS),
        "dimensions": float(comparison.pair.a.dimension),
        "anchors": float(len(comparison.anchors)),
        "found": _top1(comparison),
        "kept_chance": NEIGHBORS / (n - 1),
    }


def _top1(comparison: Comparison) -> float:
    """Share of the items that are not anchors whose counterpart is found first."""
    x, y = comparison.relative
    return retrieval(x, y, queries=held_out(len(x), comparison.anchors)).top1


def _neighbors_preserved(points: np.ndarray, original: Tensor) -> float:
    """Share of the k nearest in the original space that are among the k nearest on a map."""
    places = torch.from_numpy(points).double()
    distances = torch.cdist(places, places)
    distances.fill_diagonal_(float("inf"))
    nearest = distances.topk(NEIGHBORS, largest=False).indices
    return float((nearest[:, :, None] == original[:, None]).sum() / original.numel())


def apart(both: np.ndarray) -> float:
    """Median distance of the two places of an item, over that of two items drawn at random."""
    rng = np.random.default_rng(0)
    one, other = both
    own = np.median(np.linalg.norm(one - other, axis=1))
    drawn = np.median(np.linalg.norm(one - one[rng.permutation(len(one))], axis=1))
    return float(own / drawn)


def _order_of_distances(comparison: Comparison, points: np.ndarray) -> float:
    """Spearman correlation of the distances of random items on a map and in the original space."""
    rng = np.random.default_rng(0)
    one, other = rng.integers(0, len(points), (2, 5000))
    space = comparison.frames[0].numpy()
    far = [np.linalg.norm(rows[one] - rows[other], axis=1) for rows in (space, points)]
    ranks = [np.argsort(np.argsort(values)) for values in far]
    return float(np.corrcoef(ranks[0], ranks[1])[0, 1])
