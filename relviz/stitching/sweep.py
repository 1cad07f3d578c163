"""One translator over δ × ω, numbers of anchors and seeds: how near, how useful, how well conditioned."""

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import cosine_similarity

from relviz.compute.arrays import ArrayLike, seeds_of
from relviz.compute.parallel import SMALL, spread
from relviz.errors import ParameterError
from relviz.names import HeadName, renamed
from relviz.pair import Pair, both_sides
from relviz.stitching.accuracy import most_frequent
from relviz.stitching.heads import Estimator, check_head, train_head
from relviz.stitching.labels import Labels, check_labels, unlabeled
from relviz.stitching.matrix import check_spaces
from relviz.stitching.sampling import Draw, draw
from relviz.translation import Options, anchor_pairs, fit_translator
from relviz.translation.methods import TranslationMethod, check_method

FIGURES: dict[str, str] = {
    "similarity": "mean cosine of translated test rows to the true ones, after centering on the anchors",
    "accuracy": "of the target's head on translated test rows",
    "condition_number": "of what is inverted, the largest of all subspaces",
    "anchors_kept": "mean over subspaces",
    "mean_condition_number": "of what is inverted, mean over subspaces",
}
"""Figures of a sweep, and what each one says."""


Values: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Sweep:
    """``figures`` holds a ``(counts, seeds, deltas, omegas)`` float64 array for each of ``FIGURES``.

    Parts that a stopped sweep did not reach are NaN. In each draw ``rows`` test, neither anchors nor in any
    training; ``chance`` is the share of the most frequent class among them, None without classes.
    """

    method: str
    counts: tuple[int, ...]
    seeds: tuple[int, ...]
    deltas: tuple[float, ...]
    omegas: tuple[int, ...]
    figures: dict[str, Values]
    rows: int
    chance: float | None

    def __repr__(self) -> str:
        similarity = self.figures["similarity"]
        best = f"{np.nanmax(similarity):.3f}" if np.isfinite(similarity).any() else "none"
        return (
            f"Sweep({self.method}, {len(self.deltas)} deltas × {len(self.omegas)} omegas, anchors "
            f"{', '.join(map(str, self.counts))}, {len(self.seeds)} seeds; best similarity {best})"
        )

    def mean(self, figure: str) -> Values:
        """``(counts, deltas, omegas)``, over the seeds that were reached; NaN where none was."""
        values = self.figures[figure]
        reached = np.isfinite(values)
        total = np.where(reached, values, 0).sum(1)
        return np.where(reached.any(1), total / np.maximum(reached.sum(1), 1), np.nan)


@dataclass(frozen=True)
class SweepStep:
    """``index`` of ``of`` parts are done; the last had ``anchors`` anchors drawn with ``seed``."""

    index: int
    of: int
    anchors: int
    seed: int


@renamed(seeds="seed, with n_draws")
def sweep(
    x: ArrayLike | Pair,
    y: ArrayLike | None = None,
    labels: Sequence[object] | None = None,
    deltas: Sequence[float] = (0.5, 0.6, 0.7, 0.8, 0.9),
    omegas: Sequence[int] = (1, 2, 4, 8, 16),
    counts: Sequence[int] = (300,),
    seed: int = 0,
    *,
    n_draws: int = 5,
    method: TranslationMethod = "irp",
    head: HeadName | Estimator = "logistic",
    test: float = 0.2,
    options: Options | None = None,
    on_step: Callable[[SweepStep], object] | None = None,
) -> Sweep:
    """Translate test rows of x into y for every δ and ω, number of anchors and seed.

    Source: figures 3 and 6 of arXiv 2406.15057. Each number of anchors and seed is one task of joblib, so
    ``with joblib.parallel_config(backend="dask"):`` around the call sends them to a cluster, with the
    same result.

    Parameters
    ----------
    x, y
        ``(n, dx)`` and ``(n, dy)``, parallel; or a ``Pair``.
    labels
        One for each row; None where there are none, and then no accuracy either.
    deltas, omegas, method, options
        Of ``relviz.translator``; what ``options`` says of δ, ω and the seed is replaced.
    counts
        Numbers of anchors, drawn from the rows that train.
    seed, n_draws
        Seeds ``seed`` to ``seed + n_draws - 1``, of split, anchors and starts.
    head, test
        As in ``relviz.stitch``.
    on_step
        Called after every task; truthy stops, and the sweep is what stands then; it may raise to stop.

    Raises
    ------
    ShapeError, ParameterError
        As ``relviz.stitch`` and ``relviz.translator``; ParameterError if there is nothing to sweep over.
    """
    left, right = both_sides(x, y)
    rows = check_spaces({"x": left, "y": right})
    n = len(rows["x"])
    known = check_labels(labels, dict.fromkeys(rows, n)) if labels is not None else unlabeled(rows, n)
    check_method(method)
    check_head(head)
    seeds = seeds_of(seed, n_draws)
    for name, values in {"deltas": deltas, "omegas": omegas, "counts": counts}.items():
        if np.ndim(values) != 1:
            raise ParameterError(f"{name} must be a list, [{values}] for one; it is {values!r}.")
        if not len(values):
            raise ParameterError(f"There are no {name}; give at least one.")
    base = options or Options()
    grid = [[replace(base, delta=delta, omega=omega) for omega in omegas] for delta in deltas]
    places = [(at, of) for at in range(len(counts)) for of in range(len(seeds))]
    draws = [draw(known, int(counts[at]), test, None, int(seeds[of])) for at, of in places]
    shape = (len(counts), len(seeds), len(deltas), len(omegas))
    figures = {name: np.full(shape, np.nan) for name in FIGURES}
    tasks = [(rows["x"], rows["y"], known, one, grid, method, head) for one in draws]
    small = max(some.numel() for some in rows.values()) <= SMALL
    with spread(_part, tasks, small) as results:
        for index, (found, place) in enumerate(zip(results, places, strict=False)):
            for name, values in zip(FIGURES, found, strict=True):
                figures[name][place] = values
            one = draws[index]
            if on_step and on_step(SweepStep(index, len(places), len(one.anchors), one.seed)):
                break
    axes = tuple(map(int, counts)), tuple(map(int, seeds)), tuple(map(float, deltas)), tuple(map(int, omegas))
    truth = [known.rows["y"][one.test.numpy()] for one in draws]
    chance = None if labels is None else statistics.mean(map(most_frequent, truth))
    return Sweep(method, *axes, figures, len(truth[0]), chance)


def _part(
    x: Tensor,
    y: Tensor,
    labels: Labels,
    one: Draw,
    grid: list[list[Options]],
    method: TranslationMethod,
    kind: str | Estimator,
) -> Values:
    """Figures of one draw: ``(figures, deltas, omegas)``."""
    goal, truth = (labels.rows["y"][rows.numpy()] for rows in (one.train, one.test))
    head = train_head(y[one.train], goal, kind, one.seed) if len(labels.classes) > 1 else None
    pairs = anchor_pairs(x[one.anchors], y[one.anchors])
    apart = y[one.test] - pairs.target.mean
    found = np.empty((len(FIGURES), len(grid), len(grid[0])))
    for row, line in enumerate(grid):
        for column, options in enumerate(line):
            t = fit_translator(pairs, method, replace(options, seed=one.seed))
            made = t(x[one.test])
            cosine = _cosine(made - pairs.target.mean, apart)
            accuracy = float((head(made) == truth).mean()) if head else np.nan
            numbers = t.condition_number, t.anchors_kept, t.mean_condition_number
            found[:, row, column] = cosine, accuracy, *numbers
    return found


def _cosine(a: Tensor, b: Tensor) -> float:
    return float(cosine_similarity(a.double(), b.double()).mean())
