"""Steps of training, shared by all that is trained end to end on images."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from relviz.compute.device import device
from relviz.stitch.decode.options import Options

EVERY = 10
"""Steps between two reports."""
WARM = 0.1
"""Share of the steps in which the learning rate rises."""


@dataclass(frozen=True)
class Descended:
    """``index`` of ``of`` steps are done; ``figure`` is the mean of the last ``EVERY``, at their end."""

    index: int
    of: int
    epoch: int
    figure: float | None


def descend(
    networks: nn.Module,
    losses: Callable[[Tensor], tuple[Tensor, Tensor]],
    n: int,
    told: Options,
    random: torch.Generator,
) -> Iterator[Descended]:
    """Adam over shuffled batches of ``n`` rows, the rate rising and falling (one cycle; arXiv 1708.07120).

    ``losses`` gives the loss of a batch of row numbers, and the figure to report of it.
    """
    batch = min(told.batch, n)
    per_epoch = n // batch
    of = told.epochs * per_epoch
    descent = torch.optim.Adam(networks.parameters(), lr=told.rate)
    schedule = torch.optim.lr_scheduler.LambdaLR(descent, lambda step: _rate(step / of))
    index, figures = 0, torch.zeros((), device=device())
    for epoch in range(told.epochs):
        # What is left of the rows after the last whole batch is left for another epoch.
        for rows in torch.randperm(n, generator=random)[: per_epoch * batch].split(batch):
            descent.zero_grad()
            loss, figure = losses(rows)
            loss.backward()
            descent.step()
            schedule.step()
            index, figures = index + 1, figures + figure.detach()
            told_now = index % EVERY == 0 or index == of
            steps = EVERY if index % EVERY == 0 else of % EVERY
            yield Descended(index, of, epoch, float(figures) / steps if told_now else None)
            if told_now:
                figures = torch.zeros((), device=device())


def _rate(done: float) -> float:
    """Share of the highest rate when so much is done: a line up, then half a cosine down."""
    if done < WARM:
        return max(done, 0.01 * WARM) / WARM
    rest = torch.tensor((done - WARM) / (1 - WARM))
    return float(0.5 * (1 + torch.cos(torch.pi * rest)))
