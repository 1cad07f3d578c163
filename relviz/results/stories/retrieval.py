"""What two real encoders find of each other: curves over the number of anchors, examples, and lists."""

import numpy as np
import torch
from torch import Tensor

from relviz.anchors import select_anchors
from relviz.compute.job import Ticket
from relviz.compute.task import task
from relviz.conditioning import anchor_report
from relviz.measure import held_out
from relviz.relative_projection import prepare, relative, unit_rows
from relviz.results.comparison import Comparison, comparison_of
from relviz.results.metrics import Curve, curve, metrics
from relviz.results.stories.dictionary import same_class, shuffled
from relviz.results.stories.story_picture import StoryPicture
from relviz.state.sources import open_pair
from relviz.state.view import View

PAIRS = {
    "emoji": View(),
    "glosses": View(a="glosses.minilm", b="glosses.e5"),
    "words": View(a="words.glove50", b="words.wink100", runs=1, queries=500),
}
"""Demo pairs at their defaults; with 20,000 words one anchor sample and fewer queries do."""
METRICS = ("top1", "mrr", "jaccard")
LINES = ("Relative to the anchors", "In the original spaces", "Relative, pairing shuffled")
THROUGH = (0, 2, 20, 300)
"""Numbers of anchors that examples are shown through; 0 for the original spaces."""
EXAMPLES, LISTED, SEED = 40, 10, 0


def compared(pair: str) -> Comparison:
    """A demo pair at its defaults."""
    view = PAIRS[pair]
    return comparison_of(view, open_pair(view.a, view.b))


@task("story-curve", "Retrieval over the number of anchors")
def curve_picture(ticket: Ticket, *, pair: str) -> StoryPicture:
    """Each metric over the number of anchors, with its controls; the facts are those of A to B."""
    comparison, choices = compared(pair), PAIRS[pair].metric_choices
    made = curve(comparison, choices).run(ticket.part(0.0, 0.7, "curve"))
    whole = metrics(comparison, choices).run(ticket.part(0.7, 1.0, "metrics"))
    facts = {
        "items": float(len(comparison.pair)),
        "dimensions": float(comparison.pair.a.dimension),
        "anchors": float(comparison.count),
        "queries": float(whole.queries),
        "k": float(whole.k),
        "chance": 1 / len(comparison.pair),
    }
    arrays = {"x": np.array(made.counts, np.float32)}
    for metric in METRICS:
        lines = _lines(made, metric)
        arrays[metric] = lines
        for at, count in enumerate(made.counts):
            facts[f"{metric}_{count}"] = float(lines[0, at])
            facts[f"{metric}_{count}_shuffled"] = float(lines[2, at])
        own = whole.find(metric, "absolute")
        if own is not None:
            facts[f"{metric}_absolute"] = own.mean
    x = comparison.frames[0]
    for count in made.counts:
        drawn = select_anchors(comparison.pair.a.vectors, count, "uniform", comparison.choices.seed)
        facts[f"rank_{count}"] = float(anchor_report(x, drawn).rank)
    return StoryPicture(
        facts,
        {"lines": list(LINES), "x": ["Number of anchors"], "titles": ["Top-1", "MRR", "Jaccard"]},
        arrays,
    )


@task("story-examples", "What each item finds")
def examples_picture(ticket: Ticket, *, pair: str) -> StoryPicture:
    """Items drawn at random, and the nearest of each in B: in the original spaces, and through anchors."""
    comparison = compared(pair)
    x, y = (prepare(side) for side in comparison.sides)
    queries = shuffled(held_out(len(x), comparison.anchors, EXAMPLES, SEED))
    every = held_out(len(x), comparison.anchors)
    found: list[Tensor] = []
    facts = {
        "items": float(len(x)),
        "queries": float(len(every)),
        "dimensions_a": float(x.shape[1]),
        "dimensions_b": float(y.shape[1]),
    }
    for count in THROUGH:
        ticket.check()
        sides = _through(x, y, comparison.anchors[:count])
        nearest = _nearest(*sides, every, 1)[:, 0]
        facts[f"found_{count}"] = float((nearest == every).float().mean())
        facts[f"cousins_{count}"] = same_class(comparison.pair, every, nearest)
        found.append(_nearest(*sides, queries, 1)[:, 0])
    used = torch.cat([queries, *found]).unique()
    texts = comparison.pair.a.items or comparison.pair.ids
    return StoryPicture(
        facts,
        {"items": [texts[row] for row in used.tolist()]},
        {
            "queries": _places(used, queries),
            "found": np.stack([_places(used, rows) for rows in found]),
            "through": np.array(THROUGH, np.int32),
        },
    )


@task("story-lists", "The nearest of each item")
def lists_picture(ticket: Ticket, *, pair: str) -> StoryPicture:
    """Items drawn at random: the nearest in B to the item of A and to its counterpart, through anchors."""
    ticket.check()
    comparison = compared(pair)
    x, y = comparison.relative
    queries = shuffled(held_out(len(x), comparison.anchors, EXAMPLES, SEED))
    asked, goal = unit_rows(x[queries]), unit_rows(y)
    cosines = asked @ goal.T
    own = cosines.gather(1, queries[:, None])
    ranks = 1 + (cosines > own).sum(1)
    found = _nearest(x, y, queries, LISTED)
    expected = _nearest(y, y, queries, LISTED)
    overlap = (found[:, :, None] == expected[:, None]).sum((1, 2))
    used = torch.cat([queries, found.flatten(), expected.flatten()]).unique()
    texts = comparison.pair.a.items or comparison.pair.ids
    whole = metrics(comparison, PAIRS[pair].metric_choices).run(ticket.part(0.2, 1.0, "metrics"))
    facts = {"items": float(len(x)), "examples": float(len(queries)), "k": float(LISTED)}
    for metric in METRICS:
        one = whole.find(metric)
        assert one is not None
        facts[metric] = one.mean
    facts["chance"] = 1 / len(x)
    facts["half"] = 1 / 2  # the reciprocal of rank 2
    facts["shared"] = float(LISTED // 2)
    facts["jaccard_shared"] = facts["shared"] / (2 * LISTED - facts["shared"])
    return StoryPicture(
        facts,
        {"items": [texts[row] for row in used.tolist()]},
        {
            "queries": _places(used, queries),
            "found": _places(used, found.flatten()).reshape(found.shape),
            "expected": _places(used, expected.flatten()).reshape(expected.shape),
            "ranks": ranks.numpy().astype(np.int32),
            "overlap": overlap.numpy().astype(np.int32),
        },
    )


def _lines(made: Curve, metric: str) -> np.ndarray:
    """Relative, absolute and shuffled means from A to B, ``(3, counts)``; NaN where not measured."""
    lines = np.full((3, len(made.counts)), np.nan, np.float32)
    for at, table in enumerate(made.tables):
        for one in table:
            if one.metric == metric and one.direction == "x→y":
                if one.representation == "relative":
                    lines[0, at], lines[2, at] = one.mean, one.null
                else:
                    lines[1, at] = one.mean
    return lines


def _through(x: Tensor, y: Tensor, anchors: Tensor) -> tuple[Tensor, Tensor]:
    """Both sides relative to anchors; as they are without any."""
    return (relative(x, x[anchors]), relative(y, y[anchors])) if len(anchors) else (x, y)


def _nearest(x: Tensor, y: Tensor, rows: Tensor, k: int) -> Tensor:
    """The k rows of ``y`` nearest by cosine to some rows of ``x``, ``(rows, k)``."""
    return (unit_rows(x[rows]) @ unit_rows(y).T).topk(k, dim=1).indices


def _places(used: Tensor, rows: Tensor) -> np.ndarray:
    """Where rows stand among those that are used."""
    return torch.searchsorted(used, rows).numpy().astype(np.int32)
