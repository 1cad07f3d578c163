"""How near translated items come to their true vectors, measured on items that no fit has seen."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, cast

import numpy as np
import torch
from torch import Tensor

from relviz.compute.arrays import ArrayLike, as_indices, as_seed, check_same_dimension, check_same_rows
from relviz.errors import ParameterError
from relviz.measure.counterparts import ranked
from relviz.measure.queries import held_out, query_rows
from relviz.measure.shuffled import moments_of_products
from relviz.pair import Pair, both_sides
from relviz.relative_projection import finite_matrix, unit_rows
from relviz.wording import plural

SCORES: dict[str, str] = {
    "cosine": "mean cosine similarity to the target, after centering on the anchors",
    "cosine_uncentered": "mean cosine similarity to the target, vectors not centered",
    "mrr": "mean of 1/rank of the true counterpart among all candidates",
    "top1": "share of queries whose true counterpart is alone at rank 1",
}
"""Figures of ``TranslationScores``, and what each one says."""


class Translating(Protocol):
    """What is measured: a ``relviz.Translator``, or anything else that knows where its translations lie."""

    @property
    def center(self) -> Tensor:
        """``(dy,)`` the anchor mean of the target, where translated rows lie."""

    def __call__(self, x: ArrayLike, /) -> Tensor:
        """Rows ``(n, dx)`` to ``(n, dy)``."""


@dataclass(frozen=True)
class Shuffled:
    """The figures of the same translations when the counterparts of the queries are shuffled.

    Each is the mean over all shuffles, and ``sd`` its standard deviation over them: scores within a few of
    it found nothing.
    """

    cosine: float
    cosine_uncentered: float
    mrr: float
    top1: float
    sd: Mapping[str, float]

    @property
    def figures(self) -> dict[str, float]:
        """The means by name, in the order of ``SCORES``."""
        return {name: getattr(self, name) for name in SCORES}


@dataclass(frozen=True, eq=False)
class TranslationScores:
    """Scores of translated queries, as listed in ``SCORES``.

    Attributes
    ----------
    candidates
        Number of rows of the target ranked for each query, anchors included.
    rows
        ``(q,)`` int64, the queries.
    cosines, ranks
        ``(q,)`` of each query: centered cosine, and the rank of its true counterpart. Rows that score
        alike share the mean of their ranks.
    chance
        Exact value of each score for a counterpart drawn uniformly from the n candidates: 1/n for top-1,
        H_n/n for MRR.
    null
        Scores of the same translations with the counterparts of the queries shuffled; None if not
        requested, or with a single query.
    """

    cosine: float
    cosine_uncentered: float
    mrr: float
    top1: float
    candidates: int
    rows: Tensor = field(repr=False)
    cosines: Tensor = field(repr=False)
    ranks: Tensor = field(repr=False)
    chance: Mapping[str, float] = field(repr=False)
    null: Shuffled | None = field(repr=False)

    @property
    def queries(self) -> int:
        """How many items were translated and looked for."""
        return len(self.rows)

    @property
    def figures(self) -> dict[str, float]:
        """The scores by name, in the order of ``SCORES``."""
        return {name: getattr(self, name) for name in SCORES}

    def record(self) -> dict[str, Any]:
        """One flat record: figures, counts, ``chance_``, and ``null_`` and ``null_sd_`` where known."""
        said: dict[str, Any] = {**self.figures, "queries": self.queries, "candidates": self.candidates}
        said |= {f"chance_{name}": value for name, value in self.chance.items()}
        if self.null is not None:
            said |= {f"null_{name}": value for name, value in self.null.figures.items()}
            said |= {f"null_sd_{name}": value for name, value in self.null.sd.items()}
        return said


@torch.no_grad()
def translation_scores(
    translator: Translating,
    x: ArrayLike | Pair,
    y: ArrayLike | None = None,
    anchors: ArrayLike | None = None,
    queries: ArrayLike | None = None,
    seed: int = 0,
    null: bool = True,
) -> TranslationScores:
    """Score a translator: how well held-out rows of ``x``, once translated, retrieve their counterparts in
    ``y``.

    A translator has seen its anchors and may reproduce them exactly, however poor it is elsewhere. So
    anchors are candidates, but never queries.

    Parameters
    ----------
    translator
        As ``relviz.translator`` gives it.
    x, y
        ``(n, dx)`` and ``(n, dy)``, row i of one the counterpart of row i of the other; or a ``Pair``.
    anchors
        ``(k,)`` rows that the translator was fitted on; for anchors from a bootstrapped run, also the rows
        of ``y`` that correspond to them. Required; empty if ``x`` and ``y`` contain none of them.
    queries
        Number of other rows to translate, sampled at random, or their row numbers; by default all.
    seed
        Of the draw.
    null
        Whether to compute the exact scores for shuffled counterparts; this takes one sort.

    Raises
    ------
    ShapeError
        If the numbers of rows or the dimensions do not fit, or a row number lies outside.
    ParameterError
        If no row is left, given queries are anchors, or a number is NaN or infinite.

    Examples
    --------
    >>> import relviz
    >>> x = torch.randn(50, 4, generator=torch.Generator().manual_seed(0))
    >>> scores = translation_scores(relviz.translator(x[:9], 2 * x[:9], "lstsq"), x, 2 * x, range(9))
    >>> scores.queries, scores.top1, scores.chance["top1"]
    (41, 1.0, 0.02)
    """
    if anchors is None:
        raise ParameterError("Give the anchors that the translator was fitted on, or [] if none is among x.")
    left, right = both_sides(x, y)
    source, target = finite_matrix(left).detach().cpu(), finite_matrix(right, "y").detach().cpu()
    check_same_rows(source, target)
    rows = _queries(len(source), anchors, queries, seed)
    made, center = translator(source[rows]), translator.center
    check_same_dimension(made, target, "translated rows and y")
    moved, goal = unit_rows(made - center), unit_rows(target - center)
    made, plain = unit_rows(made), unit_rows(target[rows])
    shuffle = null and len(rows) > 1
    ranks, moments = ranked(moved, goal, rows, shuffle)
    cosines = torch.linalg.vecdot(moved, goal[rows])
    if shuffle:
        moments["cosine_uncentered"] = moments_of_products(made, plain)
    return TranslationScores(
        cosine=float(cosines.double().mean()),
        cosine_uncentered=float(torch.linalg.vecdot(made, plain).double().mean()),
        mrr=float((1 / ranks).mean()),
        top1=float((ranks == 1).double().mean()),
        candidates=len(target),
        rows=rows,
        cosines=cosines,
        ranks=ranks,
        chance=_chance(moved, goal, made, unit_rows(target)),
        null=Shuffled(
            **{name: mean for name, (mean, _) in moments.items()},
            sd={name: moments[name][1] for name in SCORES},
        )
        if shuffle
        else None,
    )


def _queries(n: int, anchors: ArrayLike, queries: ArrayLike | None, seed: int) -> Tensor:
    if queries is None or np.ndim(queries) == 0:
        return held_out(n, anchors, cast(int | None, queries), as_seed(seed))
    rows = torch.from_numpy(query_rows(queries, n, np.random.default_rng(seed)))
    fitted = rows[torch.isin(rows, as_indices(anchors, n, "anchors"))]
    if len(fitted):
        raise ParameterError(
            f"{plural(len(fitted), 'row')} of the queries took part in the fit, such as row "
            f"{int(fitted[0])}. Exclude anchors from the queries."
        )
    return rows


def _chance(moved: Tensor, goal: Tensor, made: Tensor, plain: Tensor) -> dict[str, float]:
    def cosine(left: Tensor, right: Tensor) -> float:
        return float(left.mean(0, dtype=torch.float64) @ right.mean(0, dtype=torch.float64))

    return {
        "cosine": cosine(moved, goal),
        "cosine_uncentered": cosine(made, plain),
        "mrr": math.fsum(1 / rank for rank in range(1, len(goal) + 1)) / len(goal),
        "top1": 1 / len(goal),
    }
