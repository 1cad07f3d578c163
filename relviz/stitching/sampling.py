"""One draw of a stitching experiment: who trains, who tests, which training rows are anchors."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from relviz.bootstrapping import Pulse, bootstrap
from relviz.compute.arrays import ArrayLike, as_indices, as_whole
from relviz.errors import ParameterError
from relviz.relative_projection import unit_rows
from relviz.stitching.labels import Labels, check_split, split_rows
from relviz.translation import AnchorPairs, anchor_pairs

COUNTERPARTS: dict[str, str] = {
    "true": "the same rows are the anchors of both spaces",
    "bootstrap": "only the first anchors are known in both; the others are found by anchor optimization",
}
"""How the anchors of the head's space are known."""


@dataclass(frozen=True, eq=False)
class Draw:
    """Row numbers ``(m,)`` int64: ``train``, ``test``, and ``anchors`` among those that train."""

    seed: int
    train: Tensor
    test: Tensor
    anchors: Tensor

    def pairs(
        self, x: Tensor, y: Tensor, counterparts: str, known: int, pulse: Pulse | None = None
    ) -> tuple[AnchorPairs, Tensor]:
        """Anchors of x beside those of y, true or bootstrapped from the first ``known`` of them.

        And the same anchors of y ``(k, dy)`` in the frame of ``unit``. Bootstrapped anchors are points made
        for relative vectors, smoother than any row; a translator fitted on them shrinks twice, so it gets
        the rows nearest to them instead.
        """
        if counterparts == "true":
            return anchor_pairs(x[self.anchors], y[self.anchors]), self.unit(y)[self.anchors]
        rows, goal = x[self.train], y[self.train]
        local = torch.searchsorted(self.train, self.anchors)
        order = torch.from_numpy(np.random.default_rng([7, self.seed]).permutation(len(goal)))
        seeds = local[:known]
        known_pairs = seeds, order.argsort()[seeds]
        found = bootstrap(rows, goal[order], local, known_pairs, seed=self.seed, on_pulse=pulse)
        return anchor_pairs(x[self.anchors], goal[order[found.indices]]), found.anchors

    def unit(self, x: Tensor) -> Tensor:
        """All rows minus the training mean, of length one: the frame of relative representations."""
        return unit_rows(x - self.mean(x))

    def mean(self, x: Tensor) -> Tensor:
        """``(d,)`` mean of the training rows."""
        return x[self.train].double().mean(0).float()


def draw(
    labels: Labels,
    anchors: int | ArrayLike,
    test: float,
    split: tuple[ArrayLike, ArrayLike] | None,
    seed: int,
) -> Draw:
    """Split the rows and choose anchors among those that train.

    ``anchors`` is how many, or which rows; ``split``, where given, (train, test) rows.
    """
    first = next(iter(labels.rows.values()))
    given = None if np.ndim(anchors) == 0 else as_indices(anchors, len(first), "anchors").numpy()
    if split is not None:
        train, tested = check_split(split, labels)
    else:
        train, tested = split_rows(first, labels.classes, test, seed, given)
        check_split((train, tested), labels)
    if given is None:
        many = as_whole(anchors, "anchors", 1, len(train), "training rows")
        given = np.random.default_rng([20230415, seed]).permutation(train)[:many]
    elif not np.isin(given, train).all():
        outside = given[~np.isin(given, train)]
        raise ParameterError(
            f"Anchors must be training rows, because test rows must be unknown; {len(outside)} are not, "
            f"such as row {outside[0]}."
        )
    return Draw(seed, *(torch.from_numpy(np.asarray(rows)) for rows in (train, tested, given)))
