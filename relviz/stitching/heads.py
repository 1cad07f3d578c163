"""Heads: classifiers trained on the vectors of one space, and never after."""

from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, Protocol, overload

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from relviz.compute.arrays import ArrayLike
from relviz.compute.parallel import SMALL, one_thread
from relviz.errors import ParameterError
from relviz.stitching.labels import Classes

HEADS: dict[str, str] = {
    "logistic": "logistic regression",
    "mlp": "two hidden layers, tanh and ReLU",
}
"""Names that ``stitch`` accepts for ``head``."""


class Estimator(Protocol):
    """A classifier of one's own, as scikit-learn has them."""

    def fit(self, rows: NDArray[np.float64], labels: NDArray[np.int64], /) -> object:
        """Learn class numbers ``(n,)`` from rows ``(n, d)``, float64."""

    def predict(self, rows: NDArray[np.float64], /) -> ArrayLike:
        """Class numbers ``(m,)`` of rows ``(m, d)``."""


STRENGTH = 0.01
"""Inverse penalty of logistic regression: few rows, many dimensions."""
NARROWEST, WIDEST = 64, 256
STEPS, BATCH, RATE, DECAY = 400, 128, 1e-3, 1e-2
_BETWEEN = (Tensor.tanh, Tensor.relu)
"""Activations between the layers of a head that has several."""


@dataclass(frozen=True, eq=False)
class Head:
    """A trained classifier: ``head(rows)`` gives the class numbers ``(n,)`` of rows ``(n, d)``.

    Attributes
    ----------
    mean, spread
        ``(d,)`` of the rows that trained it, by which all rows are standardized.
    layers
        Weights ``(out, in)`` and biases ``(out,)``: one of logistic regression, or three.
    """

    mean: Tensor
    spread: Tensor
    layers: tuple[tuple[Tensor, Tensor], ...] = field(repr=False)

    def __call__(self, rows: Tensor) -> Classes:
        return self._scores(rows).argmax(1).numpy()

    def probabilities(self, rows: Tensor) -> NDArray[np.float64]:
        """``(n, classes)`` float64: how probable the head holds each class; 0 for one it never saw."""
        return self._scores(rows).double().softmax(1).numpy()

    def _scores(self, rows: Tensor) -> Tensor:
        values = ((rows - self.mean) / self.spread).to(self.layers[0][0].dtype)
        for at, (weight, bias) in enumerate(self.layers):
            values = values @ weight.T + bias
            if at + 1 < len(self.layers):
                values = _BETWEEN[at](values)
        return values


@dataclass(frozen=True, eq=False)
class OwnHead:
    """A trained classifier of one's own: ``head(rows)`` gives the class numbers ``(n,)`` of rows ``(n, d)``.

    ``mean`` and ``spread`` ``(d,)`` are those of ``Head``.
    """

    mean: Tensor
    spread: Tensor
    estimator: Estimator

    def __call__(self, rows: Tensor) -> Classes:
        found = self.estimator.predict(_standardized(rows, self.mean, self.spread))
        return np.asarray(found).astype(np.int64)


@overload
def train_head(rows: Tensor, labels: Classes, kind: str = ..., seed: int = ...) -> Head: ...


@overload
def train_head(rows: Tensor, labels: Classes, kind: Estimator, seed: int = ...) -> OwnHead: ...


@overload
def train_head(rows: Tensor, labels: Classes, kind: str | Estimator, seed: int = ...) -> Head | OwnHead: ...


def train_head(
    rows: Tensor, labels: Classes, kind: str | Estimator = "logistic", seed: int = 0
) -> Head | OwnHead:
    """Train a head on rows ``(n, d)`` and class numbers ``(n,)``.

    Rows are standardized by the mean and spread of these rows, here and ever after: statistics of a test
    batch would hide a shift between spaces (IRP's own heads normalize over it; arXiv 2406.15057).
    The same rows, labels and seed give the same head. Few rows are fitted by one thread. An estimator is
    copied first, so the one given is never fitted, and gets the seed as its ``random_state`` where it has
    none.

    Raises
    ------
    ParameterError
        If there is no such head.
    """
    check_head(kind)
    mean, spread = rows.mean(0), rows.std(0)
    spread = torch.where(spread > 1e-6 * spread.max(), spread, torch.inf)
    if not isinstance(kind, str):
        own = _copied(kind, seed)
        with one_thread(rows.numel() <= SMALL):
            own.fit(_standardized(rows, mean, spread), labels)
        return OwnHead(mean, spread, own)
    fit = _logistic if kind == "logistic" else _mlp
    with one_thread(rows.numel() <= SMALL):
        return Head(mean, spread, fit((rows - mean) / spread, labels, seed))


def check_head(kind: object) -> None:
    """ParameterError unless it is one of ``HEADS``, or has ``fit`` and ``predict``."""
    own = hasattr(kind, "fit") and hasattr(kind, "predict") and not isinstance(kind, type)
    if not own and kind not in list(HEADS):
        raise ParameterError(
            f"There is no head {kind!r}; use one of {', '.join(HEADS)}, or an estimator with fit and predict."
        )


def head_name(kind: str | Estimator) -> str:
    """What a head is called: its name, or that of its class."""
    return kind if isinstance(kind, str) else type(kind).__name__


def _copied(kind: Estimator, seed: int) -> Any:
    if not hasattr(kind, "get_params"):
        return deepcopy(kind)
    from sklearn.base import clone

    own = clone(kind)
    if own.get_params().get("random_state", 0) is None:
        own.set_params(random_state=seed)
    return own


def _standardized(rows: Tensor, mean: Tensor, spread: Tensor) -> NDArray[np.float64]:
    return ((rows - mean) / spread).double().numpy()


def _logistic(rows: Tensor, labels: Classes, seed: int) -> tuple[tuple[Tensor, Tensor], ...]:  # noqa: ARG001
    from sklearn.linear_model import LogisticRegression

    with one_thread(rows.numel() <= SMALL):  # again: what was imported just now brings threads of its own
        model = LogisticRegression(C=STRENGTH, max_iter=1000).fit(rows.double().numpy(), labels)
    known, slopes, offsets = model.classes_, model.coef_, model.intercept_
    if len(known) == 2:  # one line stands for both: of the first class minus the second
        slopes, offsets = np.vstack([0 * slopes, slopes]), np.append(0.0, offsets)
    weight = np.zeros((int(known[-1]) + 1, rows.shape[1]))
    bias = np.full(len(weight), -np.inf)
    weight[known], bias[known] = slopes, offsets
    return ((torch.from_numpy(weight), torch.from_numpy(bias)),)


def _mlp(rows: Tensor, labels: Classes, seed: int) -> tuple[tuple[Tensor, Tensor], ...]:
    random = torch.Generator().manual_seed(seed)
    d, classes = rows.shape[1], int(labels.max()) + 1
    model = network(d, classes, (nn.Tanh(), nn.ReLU()), random)
    train_network(model, rows, labels, random)
    linear = (layer for layer in model if isinstance(layer, nn.Linear))
    return tuple((layer.weight.detach(), layer.bias.detach()) for layer in linear)


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


def train_network(model: nn.Module, rows: Tensor, labels: Classes, random: torch.Generator) -> None:
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
