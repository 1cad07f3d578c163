"""The shape of an item: its sorted similarities to all others, which no turn of the space changes."""

import numpy as np
import torch

from relviz.bootstrapping.principal_axes import LEADING, principal
from relviz.bootstrapping.signatures import QUANTILES, signatures
from relviz.bootstrapping.start import Starts
from relviz.compute.job import Ticket
from relviz.compute.task import task
from relviz.relative_projection import prepare
from relviz.results.bootstrap import bootstrap_task
from relviz.results.stories.retrieval import PAIRS
from relviz.results.stories.runs import RUNS
from relviz.results.stories.story_picture import StoryPicture
from relviz.state.sources import open_pair

ITEMS, STARTS, SEED = 20, 8, 0
"""Items to choose from, and starts over which shares are averaged."""


@task("story-shape", "What shapes tell of {pair}")
def shape_picture(ticket: Ticket, *, pair: str) -> StoryPicture:
    """Curves of some items in A, of their counterparts in B, and of the items of B whose shape is most alike.

    The facts: the share of items that find their counterpart by shape alone, the median rank, and the share
    of right matches of the run without known pairs.
    """
    view = PAIRS[pair]
    both = open_pair(view.a, view.b)
    n = len(both)
    run = bootstrap_task(RUNS["none"], both).run(ticket.part(0.0, 0.9, "none"))
    x, y = (principal(prepare(side.vectors))[0] for side in (both.a, both.b))
    generator, none = torch.Generator().manual_seed(SEED), torch.empty(0, dtype=torch.int64)
    starts = Starts(x, y, (none, none), generator, ticket.check)
    ranks, alike = [], torch.zeros(n, dtype=torch.int64)
    for _ in range(STARTS):
        u, v = starts.draw()
        close = u @ v.T
        ranks.append((close > close.diagonal()[:, None]).sum(1) + 1)
        alike = close.argmax(1)
    every = torch.stack(ranks).double()
    chosen = torch.randperm(n, generator=generator)[:ITEMS]
    ranked = np.unique((np.square(np.linspace(0, 1, QUANTILES)) * (n - 1)).astype(int), return_index=True)
    at, columns = (part[1:] for part in ranked)  # an item is its own nearest
    curves = [_standardized(signatures(side, LEADING, n, ticket.check).profiles[0]) for side in (x, y)]
    curves = [curve[:, torch.from_numpy(columns)] for curve in curves]
    return StoryPicture(
        facts={
            "items": float(n),
            "chance": 1 / n,
            "by_shape": float((every == 1).double().mean()),
            "rank": float(round(every.median().item())),
            "right_none": float(run.replay.curve("accuracy")[-1]),
        },
        texts={
            "items": [both.items[row] for row in chosen.tolist()],
            "alike": [both.items[row] for row in alike[chosen].tolist()],
        },
        arrays={
            "at": at.astype(np.float32),
            "in_a": curves[0][chosen].numpy(),
            "in_b": curves[1][chosen].numpy(),
            "most_alike": curves[1][alike[chosen]].numpy(),
            "ranks": ranks[-1][chosen].to(torch.int32).numpy(),
        },
    )


def _standardized(profiles: torch.Tensor) -> torch.Tensor:
    """Cosines in standard deviations of all cosines of the space, so that two spaces have one scale."""
    return (profiles - profiles.mean()) / profiles.std()
