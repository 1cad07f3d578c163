"""Heads: classifiers trained on the vectors of one space, and never after."""

from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor, nn

from relviz.errors import ParameterError

HEADS: dict[str, str] = {
    "logistic": "logistic regression",
    "mlp": "two hidden layers, tanh and ReLU, as in the paper, without its normalisation over the test batch",
}
"""Names that ``stitch`` accepts for ``head``."""

Head = Callable[[Tensor], np.ndarray]
"""Class numbers ``(n,)`` of rows ``(n, d)``."""

STRENGTH = 0.01
"""Inverse penalty of logistic regression: few rows, many dimensions."""
NARROWEST, WIDEST = 64, 256
STEPS, BATCH, RATE, DECAY = 400, 128, 1e-3, 1e-2


def train_head(rows: Tensor, labels: np.ndarray, kind: str = "logistic", seed: int = 0) -> Head:
    """Train a head on rows ``(n, d)`` and class numbers ``(n,)``.

    Rows are standardised by the mean and spread of these rows, here and ever after: statistics of a test
    batch would hide a shift between spaces (IRP's own heads normalise over it; arXiv 2406.15057).
    The same rows, labels and seed give the same head.

    Raises
    ------
    ParameterError
        If there is no such head.
    """
    if kind not in HEADS:
        raise ParameterError(f"There is no head {kind!r}; use one of {', '.join(HEADS)}.")
    mean, spread = rows.mean(0), rows.std(0)
    spread = torch.where(spread > 1e-6 * spread.max(), spread, torch.inf)

    def standardised(some: Tensor) -> Tensor:
        return (some - mean) / spread

    fit = _logistic if kind == "logistic" else _mlp
    decide = fit(standardised(rows), labels, seed)
    return lambda some: decide(standardised(some))


def _logistic(rows: Tensor, labels: np.ndarray, seed: int) -> Head:  # noqa: ARG001
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=STRENGTH, max_iter=1000).fit(rows.double().numpy(), labels)
    return lambda some: model.predict(some.double().numpy())


def _mlp(rows: Tensor, labels: np.ndarray, seed: int) -> Head:
    random = torch.Generator().manual_seed(seed)
    d, classes = rows.shape[1], int(labels.max()) + 1
    model = network(d, classes, (nn.Tanh(), nn.ReLU()), random)
    train_network(model, rows, labels, random)

    def decide(some: Tensor) -> np.ndarray:
        with torch.no_grad():
            return model(some).argmax(1).numpy()

    return decide


def network(
    d: int, classes: int, activations: tuple[nn.Module, nn.Module], random: torch.Generator
) -> nn.Sequential:
    """Two hidden layers; the weights are drawn with ``random``, whatever torch's own state is."""
    width = min(max(d, NARROWEST), WIDEST)
    sizes = ((d, width), (width, width // 2), (width // 2, classes))
    with torch.random.fork_rng(devices=[]):
        layers = [nn.Linear(*size) for size in sizes]
    for layer in layers:
        bound = layer.in_features**-0.5
        for weights in (layer.weight, layer.bias):
            nn.init.uniform_(weights, -bound, bound, generator=random)
    return nn.Sequential(layers[0], activations[0], layers[1], activations[1], layers[2])


def train_network(model: nn.Module, rows: Tensor, labels: np.ndarray, random: torch.Generator) -> None:
    """Cross-entropy by AdamW in shuffled batches, as many steps for few rows as for many."""
    goal = torch.from_numpy(labels)
    descent = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=DECAY)
    steps = 0
    while steps < STEPS:
        for batch in torch.randperm(len(rows), generator=random).split(BATCH)[: STEPS - steps]:
            descent.zero_grad()
            nn.functional.cross_entropy(model(rows[batch]), goal[batch]).backward()
            descent.step()
            steps += 1
