"""Items of one space translated into the other through the anchors, beside every other method."""

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import torch
from torch import Tensor

from relviz.compute.job import Ticket
from relviz.compute.key import array_digest, value_digest
from relviz.compute.task import Task, task
from relviz.errors import Error
from relviz.measure import TranslationScores, translation_scores
from relviz.measure.counterparts import counterpart_ranks
from relviz.names import DECIDERS, LENGTHS, known_name
from relviz.pair import Pair
from relviz.projection import pca
from relviz.relative_projection import unit_rows
from relviz.results.comparison import Comparison
from relviz.results.heads import (
    NO_ACCURACY,
    HeadAccuracy,
    Heads,
    TrainedHeads,
    directed,
    head_accuracy,
    heads_task,
    labels_of,
)
from relviz.results.run import record_of_pair
from relviz.space import Space
from relviz.state.option_labels import TRANSLATIONS
from relviz.state.view import TranslationChoices
from relviz.translation import (
    METHODS,
    TRANSLATORS,
    AnchorPairs,
    Framed,
    Options,
    Translator,
    anchor_pairs,
    fit_translator,
)

QUERIES, FEWEST_QUERIES, RANKED = 500, 100, 6_000_000
"""Held-out items that are translated and looked for, drawn with ``QUERY_SEED`` where there are more; fewer
where they would have more ranks than these, for a slider to answer at once."""
QUERY_SEED = 0


@dataclass(frozen=True, eq=False)
class Translation:
    """One translator, and what it makes of all items.

    Attributes
    ----------
    translator
        As it was fitted.
    made
        ``(n, d)`` the items in the target space.
    landed
        ``(n, 2)`` these on the first two principal components of the target space.
    cosines
        ``(n,)`` of made and true vectors, both after centering on the anchors of the target; of anchors too.
    anchors
        ``(u,)`` rows that took part in a fit: anchors on either side, and what their run was fitted to.
    sides
        ``(n, dx)`` and ``(n, dy)``, the source and the target.
    """

    translator: Translator
    made: Tensor = field(repr=False)
    landed: np.ndarray = field(repr=False)
    cosines: np.ndarray = field(repr=False)
    anchors: Tensor = field(repr=False)
    sides: tuple[Tensor, Tensor] = field(repr=False)

    @cached_property
    def scores(self) -> TranslationScores:
        """How near it comes to held-out items; every page, table and figure has its numbers from here.

        Raises
        ------
        ParameterError
            If no item is left that took no part in the fit.
        """
        asked = queries_of(len(self.made))
        return translation_scores(self.translator, *self.sides, self.anchors, asked, QUERY_SEED)


def queries_of(n: int) -> int:
    """How many held-out items of ``n`` are translated and looked for at most.

    >>> queries_of(1500), queries_of(20_000)
    (500, 300)
    """
    return min(QUERIES, max(FEWEST_QUERIES, RANKED // n))


@dataclass(frozen=True)
class ParallelAnchors:
    """Rows of a pair that stand for each other, and the direction of translation; equal if the digests are.

    Attributes
    ----------
    in_a, in_b
        ``(k,)`` rows of A that are anchors, and the rows of B that stand for them.
    held_out
        ``(h,)`` rows that took no part in the run that the anchors are of; empty without one.
    """

    digest: str
    pair: Pair = field(compare=False, repr=False)
    back: bool = field(compare=False)
    in_a: Tensor = field(compare=False, repr=False)
    in_b: Tensor = field(compare=False, repr=False)
    held_out: Tensor = field(compare=False, repr=False)

    @property
    def fitted(self) -> Tensor:
        """Rows that took part in a fit: anchors, and with those of a run all that it did not hold out."""
        anchors: Tensor = torch.cat([self.in_a, self.in_b]).unique()
        if not len(self.held_out):
            return anchors
        seen = torch.ones(len(self.pair), dtype=torch.bool)
        seen[self.held_out] = False
        seen[anchors] = True
        return seen.nonzero()[:, 0]


@dataclass(frozen=True, eq=False)
class TranslationProblem:
    """A source, a target, and the anchors through which items are translated. A page makes one from its view.

    Anchors that optimization found serve as the rows of B nearest to them, which translators make more of
    than of the points themselves.

    Attributes
    ----------
    comparison
        The pair and its anchors.
    choices
        The method, the direction, and how many of the anchors serve.
    """

    comparison: Comparison
    choices: TranslationChoices

    @property
    def sources(self) -> tuple[str, str]:
        """What names the source and the target in a link."""
        a, b = self.comparison.sources
        return (b, a) if self.choices.back else (a, b)

    @property
    def pair(self) -> Pair:
        """The two spaces, matched."""
        return self.comparison.pair

    @property
    def source(self) -> Space:
        """The space whose items are translated."""
        return self.pair.b if self.choices.back else self.pair.a

    @property
    def target(self) -> Space:
        """The space that they are translated into."""
        return self.pair.a if self.choices.back else self.pair.b

    @cached_property
    def anchors(self) -> ParallelAnchors:
        """The anchors that serve.

        Raises
        ------
        relviz.Error
            If there are none.
        """
        comparison, pair = self.comparison, self.pair
        in_a, in_b = comparison.anchors, comparison.rows_in_b
        used = self.choices.used or len(in_a)
        in_a, in_b = in_a[:used], in_b[:used]
        run = comparison.choices.run if comparison.choices.method == "run" else ""
        held_out = record_of_pair(run, pair).held_out if run else in_a[:0]
        parts = [pair.digest, array_digest(in_a), array_digest(in_b), run, self.choices.back]
        return ParallelAnchors(value_digest(parts), pair, self.choices.back, in_a, in_b, held_out)

    @property
    def options(self) -> Options:
        """Of irp; the others have no use for them."""
        chosen = self.choices
        return Options(
            chosen.delta,
            chosen.omega,
            chosen.completion,
            decided_by=known_name(chosen.decided_by, DECIDERS),
            length=known_name(chosen.length, LENGTHS),
        )

    @property
    def reading(self) -> str:
        """How irp is read where that is not relviz's own way, to stand behind δ and ω; else empty.

        Which space prunes is left to who says it.
        """
        remarks = [] if self.choices.completion else ["not completed"]
        norms = {"mean": "rows of the mean anchor norm", "raw": "rows not renormalized"}
        if self.choices.length in norms:
            remarks.append(norms[self.choices.length])
        return "".join(f", {one}" for one in remarks)

    @cached_property
    def translation(self) -> Translation:
        """All items of the source through the chosen translator.

        Raises
        ------
        relviz.Error
            If there are no anchors, or they do not suffice for the method.
        """
        return self.by(self.choices.method)

    def by(self, method: str) -> Translation:
        """All items of the source through a translator, irp with the chosen δ and ω; errors as ever."""
        options = self.options if method == "irp" else Options()  # so that one result serves all δ and ω
        return _translated(self.anchors, method, options)

    def ranks(self, rows: np.ndarray) -> np.ndarray:
        """Rank of the true counterpart of each of these items among all, as in its scores; ``(r,)``."""
        goal = _prepared(self.anchors).goal
        made, chosen = self.translation, torch.from_numpy(rows)
        moved = unit_rows(made.made[chosen] - made.translator.center)
        ranks: np.ndarray = counterpart_ranks(moved, goal, chosen).numpy()
        return ranks

    @property
    def source_map(self) -> tuple[np.ndarray, float]:
        """The source on its first two principal components ``(n, 2)``, and their share of its variance."""
        axes, share = _axes(self.source)
        return axes.places, share

    @property
    def target_map(self) -> tuple[np.ndarray, float]:
        """The target on its first two principal components ``(n, 2)``, and their share of its variance."""
        axes, share = _axes(self.target)
        return axes.places, share

    def accuracy(self, heads: Heads | None) -> HeadAccuracy | None:
        """What the heads find among the translated test rows; None without heads."""
        return None if heads is None else _accuracy(self.translation, heads)


@dataclass(frozen=True, eq=False)
class _Prepared:
    """What all methods and sliders share: anchors, and the rows of both sides, prepared."""

    pairs: AnchorPairs
    source: Framed
    anchors: Tensor
    goal: Tensor
    """Unit rows of the target, after centering on the anchors."""
    sides: tuple[Space, Space]


@lru_cache(maxsize=4)
def _prepared(anchors: ParallelAnchors) -> _Prepared:
    pair = anchors.pair
    in_a, in_b = pair.a.vectors[anchors.in_a], pair.b.vectors[anchors.in_b]
    pairs = anchor_pairs(in_b, in_a) if anchors.back else anchor_pairs(in_a, in_b)
    source, target = (pair.b, pair.a) if anchors.back else (pair.a, pair.b)
    goal = unit_rows(target.vectors - pairs.target.mean)
    return _Prepared(pairs, pairs.framed(source.vectors), anchors.fitted, goal, (source, target))


@lru_cache(maxsize=12)
def _translated(anchors: ParallelAnchors, method: str, options: Options) -> Translation:
    shared = _prepared(anchors)
    fitted = fit_translator(shared.pairs, known_name(method, TRANSLATORS), options)
    made = fitted.translate(shared.source)
    moved = made - shared.pairs.target.mean
    source, target = shared.sides
    return Translation(
        translator=fitted,
        made=made,
        landed=_landed(made, _axes(target)[0]),
        cosines=_cosines(moved, shared.goal).numpy(),
        anchors=shared.anchors,
        sides=(source.vectors, target.vectors),
    )


def _cosines(rows: Tensor, unit: Tensor) -> Tensor:
    """Row by row, with rows of length one; torch's own divides every number first, which takes longer."""
    lengths: Tensor = torch.linalg.vector_norm(rows, dim=1).clamp_min(torch.finfo(torch.float32).tiny)
    products: Tensor = torch.linalg.vecdot(rows, unit)
    return products / lengths


def _landed(made: Tensor, axes: pca.PCAMap) -> np.ndarray:
    """In float32, which is enough to be looked at and quick enough for a slider."""
    mean, components = (torch.from_numpy(part).float() for part in (axes.mean, axes.components))
    return ((made - mean) @ components).numpy()


@lru_cache(maxsize=4)
def _axes(target: Space) -> tuple[pca.PCAMap, float]:
    axes = pca.fit(target.vectors, 2)
    return axes, float(sum(pca.explained(target.vectors, axes.places)))


def _accuracy(made: Translation, heads: Heads) -> HeadAccuracy:
    source, target = made.sides
    return head_accuracy(heads, source, made.made, target, made.anchors)


@dataclass(frozen=True, eq=False)
class MethodScores:
    """How near one method comes to held-out items; a ``reason`` in place of scores where it cannot be used.

    ``accuracy`` is that of the target's head; None without heads.
    """

    method: str
    scores: TranslationScores | None
    accuracy: HeadAccuracy | None
    reason: str = ""

    def record(self) -> dict[str, Any]:
        """One flat record: everything that is known."""
        if self.scores is None:
            return {"method": self.method, "reason": self.reason}
        found = NO_ACCURACY if self.accuracy is None else self.accuracy.record()
        return {"method": self.method, **self.scores.record(), **found}


@dataclass(frozen=True, eq=False)
class Baselines:
    """Every method but irp, in their order."""

    methods: tuple[MethodScores, ...]


@task("baselines", "Other methods")
def _baselines(ticket: Ticket, anchors: ParallelAnchors, trained: Task[TrainedHeads] | None) -> Baselines:
    heads = None
    if trained is not None:
        made = trained.run(ticket.part(0.0, 0.0, trained.title))
        heads = directed(made, labels_of(anchors.pair), anchors.back)
    others = [method for method in METHODS if method != "irp"]
    found = []
    for place, method in enumerate(others):
        ticket.report(place / len(others), TRANSLATIONS[method])
        ticket.rest()
        found.append(_scored(anchors, method, Options(), heads))
    return Baselines(tuple(found))


def baselines_task(problem: TranslationProblem, head: str) -> Task[Baselines]:
    """The task that translates by every method but irp, whose δ and ω the page has sliders for.

    Methods have their accuracy too, where the items have classes for a ``head`` of that kind.

    Raises
    ------
    relviz.Error
        If there are no anchors.
    """
    anchors = problem.anchors
    try:
        trained = heads_task(problem.pair, head)
    except Error:
        trained = None
    return _baselines(anchors, trained)


def irp_scores(problem: TranslationProblem, heads: Heads | None) -> MethodScores:
    """What irp with the chosen δ and ω comes to, beside the baselines."""
    return _scored(problem.anchors, "irp", problem.options, heads)


def _scored(anchors: ParallelAnchors, method: str, options: Options, heads: Heads | None) -> MethodScores:
    try:
        made = _translated(anchors, method, options)
        scores = made.scores
    except Error as reason:
        return MethodScores(method, None, None, str(reason))
    return MethodScores(method, scores, None if heads is None else _accuracy(made, heads))
