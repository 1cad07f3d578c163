"""How much a trained head minds the length of its vectors, and how long the vectors of an encoder are."""

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from relviz.errors import ParameterError
from relviz.relative import centred, finite_matrix, unit_rows
from relviz.stitch.heads import network, train_network
from relviz.stitch.interval import most_frequent
from relviz.stitch.labels import check_labels, split_rows


class Cosine(nn.Module):
    """cos(x) as an activation: periodic, so not indifferent to scale."""

    def forward(self, x: Tensor) -> Tensor:
        return x.cos()


ACTIVATIONS: dict[str, type[nn.Module]] = {"relu": nn.ReLU, "tanh": nn.Tanh, "cosine": Cosine}
"""Activations of the heads that ``rescale_injection`` trains."""


@dataclass(frozen=True, eq=False)
class Rescaled:
    """``accuracy`` ``(activations, seeds, alphas)`` on test rows whose length is multiplied by alpha.

    ``rows`` test for each seed; ``chance`` is the share of the most frequent class among them.
    """

    activations: tuple[str, ...]
    seeds: tuple[int, ...]
    alphas: tuple[float, ...]
    accuracy: np.ndarray
    rows: int
    chance: float


@dataclass(frozen=True)
class Lengths:
    """Of the rows of one encoder minus their mean: ``density`` over ``edges``, their mean, sd and skew."""

    mean: float
    sd: float
    skew: float
    edges: tuple[float, ...]
    density: tuple[float, ...]


def rescale_injection(
    rows: Any,
    labels: Sequence[Any],
    alphas: Sequence[float] = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0),
    activations: Sequence[str] = tuple(ACTIVATIONS),
    seeds: Sequence[int] = range(5),
    test: float = 0.2,
    on_step: Callable[[int, int], object] | None = None,
) -> Rescaled:
    """Accuracy of heads trained on rows of one length, on test rows of another.

    Heads have two hidden layers with the same activation. Rows ``(n, d)`` are centred on the training mean
    and given the length √d, on which the heads are trained; test rows have α√d. ``on_step`` is told after
    every head which of how many it was; it may raise to stop.

    Source: arXiv 2406.15057, section 4.2.

    Raises
    ------
    ShapeError
        If there are not as many labels as rows.
    ParameterError
        If an activation is unknown, an α is not above 0, or a class has too few rows.
    """
    x = finite_matrix(rows).cpu()
    known = check_labels(labels, {"rows": len(x)})
    goal = known.rows["rows"]
    unknown = [name for name in activations if name not in ACTIVATIONS]
    if unknown or not activations:
        raise ParameterError(f"Give some of {', '.join(ACTIVATIONS)}; there is no {', '.join(unknown)}.")
    if not len(alphas) or min(alphas) <= 0:
        raise ParameterError(f"alphas are factors above 0, at least one; they are {list(alphas)}.")
    accuracy, chance = np.empty((len(activations), len(seeds), len(alphas))), []
    for place, seed in enumerate(seeds):
        train, tested = map(torch.from_numpy, split_rows(goal, known.classes, test, seed))
        truth = goal[tested.numpy()]
        chance.append(most_frequent(truth))
        unit = unit_rows(x - x[train].double().mean(0).float()) * x.shape[1] ** 0.5
        for line, name in enumerate(activations):
            random = torch.Generator().manual_seed(seed)
            kind = ACTIVATIONS[name]
            model = network(x.shape[1], len(known.classes), (kind(), kind()), random)
            train_network(model, unit[train], goal[train.numpy()], random)
            with torch.no_grad():
                for column, alpha in enumerate(alphas):
                    said = model(alpha * unit[tested]).argmax(1).numpy()
                    accuracy[line, place, column] = (said == truth).mean()
            if on_step is not None:
                on_step(place * len(activations) + line, len(seeds) * len(activations))
    told = tuple(activations), tuple(seeds), tuple(map(float, alphas))
    return Rescaled(*told, accuracy, len(truth), statistics.mean(chance))


def lengths(spaces: Mapping[str, Any], bins: int = 40) -> dict[str, Lengths]:
    """How long the rows of each space are, minus their mean.

    Source: the Gaussian lengths of arXiv 2406.15057, section 4.2.
    """
    found = {}
    for name, rows in spaces.items():
        values = torch.linalg.vector_norm(centred(finite_matrix(rows, name)).double(), dim=1).numpy()
        sd = float(values.std())
        skew = float((((values - values.mean()) / sd) ** 3).mean()) if sd > 0 else 0.0
        density, edges = np.histogram(values, bins=bins, density=sd > 0)
        found[name] = Lengths(
            float(values.mean()), sd, skew, tuple(edges.tolist()), tuple(map(float, density.tolist()))
        )
    return found
