"""Sensitivity to scale: vector norms, rescaled inputs of heads, rescaled layers of a transformer."""

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from relviz.compute.arrays import ArrayLike, seeds_of
from relviz.encoders.batches import BATCH, checked_texts, text_batches
from relviz.encoders.encoder import OnProgress
from relviz.errors import ParameterError
from relviz.names import HeadName, renamed
from relviz.relative_projection import centered, finite_matrix, unit_rows
from relviz.stitching.accuracy import most_frequent
from relviz.stitching.heads import Estimator, network, train_head, train_network
from relviz.stitching.labels import check_labels, split_rows
from relviz.wording import count


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
    accuracy: NDArray[np.float64]
    rows: int
    chance: float


@dataclass(frozen=True)
class Lengths:
    """Of the rows of one encoder: ``density`` over ``edges``, their mean, sd and skew."""

    mean: float
    sd: float
    skew: float
    edges: tuple[float, ...]
    density: tuple[float, ...]


@renamed(seeds="seed, with n_draws")
def rescale_injection(
    rows: ArrayLike,
    labels: Sequence[object],
    alphas: Sequence[float] = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0),
    activations: Sequence[str] | str = tuple(ACTIVATIONS),
    seed: int = 0,
    test: float = 0.2,
    on_step: Callable[[int, int], object] | None = None,
    n_draws: int = 5,
    norms_alone: bool = False,
) -> Rescaled:
    """Accuracy of heads trained on rows of one length, on test rows of another.

    Heads have two hidden layers with the same activation. Rows ``(n, d)`` are centered on the training mean
    and given the length √d, on which the heads are trained; test rows have α√d. With ``norms_alone``, as in
    the paper, heads are trained on unscaled rows, and of test rows only the norm is changed:
    α times the mean norm of the training rows. ``on_step`` is told after every head which of how many it
    was; truthy stops, and what is not known yet is NaN.

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
    seeds = seeds_of(seed, n_draws)
    activations = (activations,) if isinstance(activations, str) else tuple(activations)
    unknown = [name for name in activations if name not in ACTIVATIONS]
    if unknown or not activations:
        raise ParameterError(f"Give some of {', '.join(ACTIVATIONS)}; there is no {', '.join(unknown)}.")
    _check_alphas(alphas)
    axes = activations, tuple(seeds), tuple(map(float, alphas))
    accuracy, chance = np.full((len(activations), len(seeds), len(alphas)), np.nan), []
    for place, seed in enumerate(seeds):
        train, tested = map(torch.from_numpy, split_rows(goal, known.classes, test, seed))
        truth = goal[tested.numpy()]
        chance.append(most_frequent(truth))
        given, scaled = _rows_for_heads(x, train, norms_alone)
        for line, name in enumerate(activations):
            random = torch.Generator().manual_seed(seed)
            kind = ACTIVATIONS[name]
            model = network(x.shape[1], len(known.classes), (kind(), kind()), random)
            train_network(model, given[train], goal[train.numpy()], random)
            with torch.no_grad():
                for column, alpha in enumerate(alphas):
                    predicted = model(alpha * scaled[tested]).argmax(1).numpy()
                    accuracy[line, place, column] = (predicted == truth).mean()
            done = place * len(activations) + line
            if on_step is not None and on_step(done, len(seeds) * len(activations)):
                return Rescaled(*axes, accuracy, len(truth), statistics.mean(chance))
    return Rescaled(*axes, accuracy, len(truth), statistics.mean(chance))


def _rows_for_heads(x: Tensor, train: Tensor, norms_alone: bool) -> tuple[Tensor, Tensor]:
    """The rows that train, and the rows that test before α; both ``(n, d)``."""
    if norms_alone:
        return x, unit_rows(x) * torch.linalg.vector_norm(x[train], dim=1).mean()
    made = unit_rows(x - x[train].double().mean(0).float()) * x.shape[1] ** 0.5
    return made, made


def _check_alphas(alphas: Sequence[float]) -> None:
    if np.ndim(alphas) != 1:
        raise ParameterError(f"alphas must be a list, [{alphas}] for one; it is {alphas!r}.")
    if not len(alphas) or not all(0 < alpha < np.inf for alpha in alphas):
        raise ParameterError(f"alphas are factors above 0, at least one; they are {list(alphas)}.")


def lengths(spaces: Mapping[str, ArrayLike], bins: int = 40, center: bool = True) -> dict[str, Lengths]:
    """How long the rows of each space are, minus their mean; uncentered if not ``center``.

    Source: the Gaussian lengths of arXiv 2406.15057, section 4.2, which are of uncentered rows.
    """
    found = {}
    for name, rows in spaces.items():
        given = finite_matrix(rows, name)
        values = torch.linalg.vector_norm((centered(given) if center else given).double(), dim=1).numpy()
        sd = float(values.std())
        skew = float((((values - values.mean()) / sd) ** 3).mean()) if sd > 0 else 0.0
        density, edges = np.histogram(values, bins=bins, density=sd > 0)
        found[name] = Lengths(
            float(values.mean()), sd, skew, tuple(edges.tolist()), tuple(map(float, density.tolist()))
        )
    return found


MOST_BYTES = 4 * 2**30
"""Hidden states of the test rows, of one layer, take no more."""


class Layered(Protocol):
    """A transformer that can be run a layer at a time; ``relviz.encoders.SentenceLayers`` is one.

    Layers are counted from 1; what a context is, is its own affair.
    """

    @property
    def depth(self) -> int:
        """How many layers there are."""

    def embed(self, texts: Sequence[str]) -> tuple[Tensor, Any]:
        """The hidden state ``(b, tokens, width)`` before the first layer, and the batch's context."""

    def layer(self, number: int, state: Tensor, context: Any) -> Tensor:
        """The hidden state after a layer."""

    def pool(self, state: Tensor, context: Any) -> Tensor:
        """``(b, d)`` vectors of the last hidden state."""


@dataclass(frozen=True, eq=False)
class LayerScale:
    """``accuracy`` ``(layers, alphas)``, NaN where the work was stopped; ``unscaled`` with no α at all.

    ``rows`` test; ``chance`` is the share of the most frequent class among them.
    """

    layers: tuple[int, ...]
    alphas: tuple[float, ...]
    accuracy: NDArray[np.float64]
    unscaled: float
    rows: int
    chance: float


@dataclass(frozen=True)
class LayerStep:
    """``index`` of ``of`` accuracies are known; this is that of ``layer`` and ``alpha``."""

    index: int
    of: int
    layer: int
    alpha: float
    accuracy: float


@dataclass
class _Batch:
    """Rows of the test, their hidden state after the layer reached, and the context of it."""

    rows: list[int]
    state: Tensor
    context: Any

    def scaled(self, alpha: float, to_unit: bool) -> Tensor:
        """The hidden state times α, of unit norm before that if ``to_unit``; a state of zero stays."""
        if not to_unit:
            return alpha * self.state
        norms: Tensor = torch.linalg.vector_norm(self.state, dim=-1, keepdim=True)
        factors: Tensor = alpha / norms.clamp_min(torch.finfo(self.state.dtype).tiny)
        return self.state * factors


def layer_rescale(
    transformer: Layered,
    texts: Sequence[str],
    labels: Sequence[object],
    alphas: Sequence[float] = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0),
    layers: Sequence[int] | None = None,
    seed: int = 0,
    test: float = 0.2,
    head: HeadName | Estimator = "logistic",
    on_step: Callable[[LayerStep], object] | None = None,
    on_progress: OnProgress | None = None,
    to_unit: bool = False,
) -> LayerScale:
    """Accuracy of a head when the hidden states after a layer are multiplied by α.

    The head is trained on the vectors of the training rows, nothing multiplied. Hidden states of the test
    rows after layer l are multiplied by α, and the layers behind it run on them; they are computed once for
    each layer. With ``to_unit``, as in the paper, every token's hidden state has unit norm first.

    Source: arXiv 2406.15057, section 3.4, figure 2, and section 4.2.

    Parameters
    ----------
    transformer
        ``relviz.encoders.SentenceLayers(model)``, or anything else that is ``Layered``.
    texts, labels
        One label a text.
    layers
        0 is the output of the embeddings, ``transformer.depth`` the last hidden state; all unless given.
    seed, test
        Of the split, as ``relviz.stitch`` makes it.
    head
        One of ``HEADS``.
    on_step
        Called after every layer and α; truthy stops, and what is not known yet is NaN. It may raise to stop.
    on_progress
        Called before that, with the fraction of the training rows encoded; it may raise to stop.

    Raises
    ------
    ShapeError
        If there are not as many labels as texts.
    ParameterError
        If an α is not above 0 or too large for float32, there is no such layer or head, a class has too few
        rows, or hidden states would take more than ``MOST_BYTES``.
    """
    given = checked_texts(texts)
    known = check_labels(labels, {"texts": len(given)})
    goal = known.rows["texts"]
    wanted = _layers(layers, transformer.depth)
    _check_alphas(alphas)
    train, tested = split_rows(goal, known.classes, test, seed)
    vectors = _vectors(transformer, [given[row] for row in train], on_progress)
    decide = train_head(vectors, goal[train], head, seed)
    batches = _begin(transformer, [given[row] for row in tested])

    def accuracy(layer: int, alpha: float, to_unit: bool) -> float:
        predicted = np.empty(len(tested), dtype=np.int64)
        for one in batches:
            found = _rest(transformer, layer, one.scaled(alpha, to_unit), one.context)
            if not found.isfinite().all():
                raise ParameterError(
                    f"Hidden states times {alpha:g} are more than float32 can hold; take smaller alphas."
                )
            predicted[one.rows] = decide(found)
        return float((predicted == goal[tested]).mean())

    tests = len(tested), most_frequent(goal[tested])
    table = np.full((len(wanted), len(alphas)), np.nan)
    unscaled, reached = accuracy(0, 1.0, False), 0
    for line, layer in enumerate(wanted):
        _reach(transformer, batches, reached, layer)
        reached = layer
        for column, alpha in enumerate(alphas):
            table[line, column] = accuracy(layer, alpha, to_unit)
            index = line * len(alphas) + column + 1
            step = LayerStep(index, table.size, layer, float(alpha), float(table[line, column]))
            if on_step and on_step(step):
                return LayerScale(wanted, tuple(map(float, alphas)), table, unscaled, *tests)
    return LayerScale(wanted, tuple(map(float, alphas)), table, unscaled, *tests)


def _layers(layers: Sequence[int] | None, depth: int) -> tuple[int, ...]:
    wanted = sorted(set(range(depth + 1) if layers is None else map(int, layers)))
    if not wanted or wanted[0] < 0 or wanted[-1] > depth:
        raise ParameterError(
            f"layers are numbers from 0, the embeddings, to {depth}, the last layer; they are {wanted}."
        )
    return tuple(wanted)


@torch.no_grad()
def _rest(transformer: Layered, layer: int, state: Tensor, context: Any) -> Tensor:
    """``(b, d)`` vectors from the hidden state after a layer."""
    for number in range(layer + 1, transformer.depth + 1):
        state = transformer.layer(number, state, context)
    return transformer.pool(state, context).to("cpu", torch.float32)


@torch.no_grad()
def _vectors(transformer: Layered, texts: list[str], on_progress: OnProgress | None) -> Tensor:
    parts, order = [], list[int]()
    for rows in text_batches(texts, BATCH):
        parts.append(_rest(transformer, 0, *transformer.embed([texts[row] for row in rows])))
        order += rows
        if on_progress:
            on_progress(len(order) / len(texts))
    return torch.cat(parts)[torch.tensor(order).argsort()]


@torch.no_grad()
def _begin(transformer: Layered, texts: list[str]) -> list[_Batch]:
    batches, taken = [], 0
    for rows in text_batches(texts, BATCH):
        batches.append(_Batch(rows, *transformer.embed([texts[row] for row in rows])))
        taken += batches[-1].state.nbytes
        if taken > MOST_BYTES:
            raise ParameterError(
                f"Hidden states of the {count(len(texts))} texts that test take more than "
                f"{count(MOST_BYTES)} bytes; take fewer or shorter ones."
            )
    return batches


@torch.no_grad()
def _reach(transformer: Layered, batches: list[_Batch], reached: int, layer: int) -> None:
    for one in batches:
        for number in range(reached + 1, layer + 1):
            one.state = transformer.layer(number, one.state, one.context)
