"""Anchors as a dictionary: candidates to choose anchors from, and what can be found through the chosen."""

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from relviz.anchors import select_anchors
from relviz.compute.job import Ticket
from relviz.compute.task import task
from relviz.demos import load_demo
from relviz.measure import held_out, retrieval
from relviz.pair import Pair
from relviz.relative_projection import prepare, relative, unit_rows
from relviz.results.stories.story_picture import StoryPicture

DIVERSE, QUERIES, SEED = 36, 500, 0
FEW = 12
COUNTS = (1, 2, 3, 5, 10, 12, 20, 24, 36)
"""Numbers of different anchors that facts are known of."""


class Dictionary:
    """The demo pair of emoji, candidates that may be anchors, and queries that are none of them.

    Attributes
    ----------
    pair
        Two image encoders of the emoji.
    candidates
        ``(c,)`` rows: different things first, equally many of each class, then all clock faces.
    queries
        ``(q,)`` rows that are searched for, drawn at random among all others.
    """

    def __init__(self) -> None:
        self.pair: Pair = load_demo("emoji").pair()
        items, labels = self.pair.a.items, self.pair.labels
        assert items is not None
        diverse = select_anchors(self.pair.a.vectors, DIVERSE, "per_class", SEED, labels)
        clocks = [row for row, item in enumerate(items) if item.endswith(" o’clock")]
        self.candidates = torch.cat([diverse, torch.tensor(clocks)])
        self.queries = shuffled(held_out(len(self.pair), self.candidates, QUERIES, SEED))
        self.sides = prepare(self.pair.a.vectors), prepare(self.pair.b.vectors)

    def top1(self, chosen: Sequence[int]) -> float:
        """Share of the queries found first through chosen candidates, one or more times each."""
        rows = self.candidates[list(chosen)]
        x, y = (relative(side, side[rows]) for side in self.sides)
        return retrieval(x, y, queries=self.queries).top1

    def cousins(self, chosen: Sequence[int]) -> float:
        """Share of the wrong answers through chosen candidates that are of the query's class."""
        rows = self.candidates[list(chosen)]
        x, y = (unit_rows(relative(side, side[rows])) for side in self.sides)
        nearest = (x[self.queries] @ y.T).argmax(dim=1)
        return same_class(self.pair, self.queries, nearest)

    def cosines(self) -> tuple[Tensor, Tensor]:
        """Cosines to all candidates: of the queries in A ``(q, c)``, and of all items in B ``(n, c)``."""
        x, y = (relative(side, side[self.candidates]) for side in self.sides)
        return x[self.queries], y

    def nearness(self, chosen: Sequence[int]) -> float:
        """Mean cosine of two of the chosen candidates in A."""
        rows = self.sides[0][self.candidates[list(chosen)]]
        every = rows @ rows.T
        return float((every.sum() - every.trace()) / (len(rows) * (len(rows) - 1)))


def shuffled(rows: Tensor) -> Tensor:
    """Rows in a random order, always the same one."""
    return rows[torch.randperm(len(rows), generator=torch.Generator().manual_seed(SEED))]


def same_class(pair: Pair, queries: Tensor, found: Tensor) -> float:
    """Share of the wrong answers whose class is that of their query."""
    labels = pair.labels
    assert labels is not None
    wrong = [(a, b) for a, b in zip(queries.tolist(), found.tolist(), strict=True) if a != b]
    return sum(bool(labels[a] == labels[b]) for a, b in wrong) / max(1, len(wrong))


@task("story-dictionary", "What can be found through chosen anchors")
def dictionary_picture(ticket: Ticket) -> StoryPicture:
    """Candidates, queries and cosines, from which the browser counts what is found through any choice."""
    ticket.check()
    made = Dictionary()
    x, y = made.cosines()
    few = range(FEW)
    clocks = range(DIVERSE, len(made.candidates))
    facts = {f"found_{count}": made.top1(range(count)) for count in COUNTS}
    facts |= {
        "items": float(len(made.pair)),
        "queries": float(len(made.queries)),
        "few": float(FEW),
        "twice": 2.0 * FEW,
        "clocks": float(len(clocks)),
        "found_few": made.top1(few),
        "chance": 1 / len(made.pair),
        "cousins_36": made.cousins(range(DIVERSE)),
        "found_clocks": made.top1(clocks),
        "found_twice": made.top1([*few, *few]),
        "cosine_few": made.nearness(few),
        "cosine_clocks": made.nearness(clocks),
        "absolute": retrieval(*made.sides, queries=made.queries).top1,
    }
    items = made.pair.a.items
    assert items is not None
    return StoryPicture(
        facts,
        {"items": [item.partition(" ")[2] for item in items]},
        {
            "candidates": made.candidates.numpy().astype(np.int32),
            "queries": made.queries.numpy().astype(np.int32),
            "in_a": x.numpy(),
            "in_b": y.numpy(),
        },
        "emoji.image_lite0",
    )
