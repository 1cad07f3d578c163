"""Items of one space translated into the other through the anchors, beside every other method."""

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import torch
from torch import Tensor

from relviz.compute.jobs import Ticket
from relviz.compute.key import array_digest, result_key
from relviz.compute.task import Made, Task
from relviz.errors import Error
from relviz.measure import TranslationScores, translation_scores
from relviz.measure.counterparts import counterpart_ranks
from relviz.pair import Pair
from relviz.projection import pca
from relviz.relative_projection import unit_rows
from relviz.results.comparison import comparison_of
from relviz.results.heads import NOT_SAID, Said, heads_of, heads_of_if_any, heads_task, said_of
from relviz.results.run import record_of_pair
from relviz.space import Space
from relviz.state.sources import open_pair
from relviz.state.view import View
from relviz.translation import (
    METHODS,
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


def sides_of(view: View, pair: Pair) -> tuple[Space, Space]:
    """Source and target."""
    return (pair.b, pair.a) if view.back else (pair.a, pair.b)


def translation_of(view: View) -> Translation:
    """All items of the source through the translator of the view.

    Anchors that optimization found serve as the rows of B nearest to them, which translators make more of
    than of the points themselves.

    Raises
    ------
    relviz.Error
        If the view has no anchors, or they do not suffice for the method.
    """
    options = Options(view.delta, view.omega, decided_by=view.decided_by)
    if view.translate != "irp":
        options = Options()  # the others have no use for them, and one result serves all
    return _translated(_anchored(view), view.translate, options)


def ranks_of(view: View, rows: np.ndarray) -> np.ndarray:
    """Rank of the true counterpart of each of these items among all, as ``Translation.scores``; ``(r,)``."""
    goal = _prepared(_anchored(view)).goal
    made, chosen = translation_of(view), torch.from_numpy(rows)
    moved = unit_rows(made.made[chosen] - made.translator.center)
    ranks: np.ndarray = counterpart_ranks(moved, goal, chosen).numpy()
    return ranks


def target_map(view: View) -> tuple[np.ndarray, float]:
    """The target space on its first two principal components ``(n, 2)``, and their share of its variance."""
    axes, share = _axes(View(a=view.a, b=view.b, back=view.back))
    return axes.places, share


def _target(view: View) -> Tensor:
    return sides_of(view, open_pair(view.a, view.b))[1].vectors


def _anchored(view: View) -> View:
    """The view with nothing but what decides the anchors and the direction."""
    names = ("a", "b", "method", "count", "seed", "picks", "center", "quantum", "run", "used", "back")
    return View(**{name: getattr(view, name) for name in names})


def anchor_rows(view: View, pair: Pair) -> tuple[Tensor, Tensor]:
    """Rows of A that are anchors, and the rows of B that stand for them: ``(k,)`` each.

    Raises
    ------
    relviz.Error
        If the view has none.
    """
    comparison = comparison_of(view, pair)
    rows, goal = comparison.anchors, comparison.rows_in_b
    used = view.used or len(rows)
    return rows[:used], goal[:used]


@dataclass(frozen=True, eq=False)
class _Prepared:
    """What all methods and sliders share: anchors, and the rows of both sides, prepared."""

    pairs: AnchorPairs
    source: Framed
    anchors: Tensor
    goal: Tensor
    """Unit rows of the target, after centering on the anchors."""
    sides: tuple[Tensor, Tensor]


@lru_cache(maxsize=4)
def _prepared(view: View) -> _Prepared:
    pair = open_pair(view.a, view.b)
    rows, goal = anchor_rows(view, pair)
    in_a, in_b = pair.a.vectors[rows], pair.b.vectors[goal]
    pairs = anchor_pairs(in_b, in_a) if view.back else anchor_pairs(in_a, in_b)
    source, target = (side.vectors for side in sides_of(view, pair))
    moved, seen = target - pairs.target.mean, _seen(view, pair, torch.cat([rows, goal]).unique())
    return _Prepared(pairs, pairs.framed(source), seen, unit_rows(moved), (source, target))


def _seen(view: View, pair: Pair, anchors: Tensor) -> Tensor:
    """Rows that took part in a fit: anchors, and with those of a run all rows that it did not hold out."""
    held = record_of_pair(view.run, pair).held_out if view.method == "run" else anchors[:0]
    if not len(held):
        return anchors
    seen = torch.ones(len(pair), dtype=torch.bool)
    seen[held] = False
    seen[anchors] = True
    return seen.nonzero()[:, 0]


@lru_cache(maxsize=12)
def _translated(view: View, method: str, options: Options) -> Translation:
    shared = _prepared(view)
    fitted = fit_translator(shared.pairs, method, options)
    made = fitted.carry(shared.source)
    moved = made - shared.pairs.target.mean
    return Translation(
        translator=fitted,
        made=made,
        landed=_landed(made, _axes(View(a=view.a, b=view.b, back=view.back))[0]),
        cosines=_cosines(moved, shared.goal).numpy(),
        anchors=shared.anchors,
        sides=shared.sides,
    )


def _cosines(rows: Tensor, unit: Tensor) -> Tensor:
    """Row by row, with rows of length one; torch's own divides every number first, which takes longer."""
    lengths = torch.linalg.vector_norm(rows, dim=1).clamp_min(torch.finfo(torch.float32).tiny)
    return torch.linalg.vecdot(rows, unit) / lengths


def _landed(made: Tensor, axes: pca.PCAMap) -> np.ndarray:
    """In float32, which is enough to be looked at and quick enough for a slider."""
    mean, components = (torch.from_numpy(part).float() for part in (axes.mean, axes.components))
    return ((made - mean) @ components).numpy()


@lru_cache(maxsize=4)
def _axes(view: View) -> tuple[pca.PCAMap, float]:
    vectors = _target(view)
    axes = pca.fit(vectors, 2)
    return axes, float(sum(pca.explained(vectors, axes.places)))


TITLES = {
    "irp": "IRP",
    "irp_plus": "IRP+",
    "procrustes": "Procrustes",
    "lstsq": "Least squares",
    "ridge": "Ridge",
    "affine": "Affine",
    "absolute": "No translation (baseline)",
}


def said_by_heads(view: View, pair: Pair, made: Translation) -> Said | None:
    """What the heads find among the test rows; None until they are trained."""
    heads = heads_of(view, pair)
    if heads is None:
        return None
    source, target = sides_of(view, pair)
    return said_of(heads, source.vectors, made.made, target.vectors, made.anchors)


def baselines_task(view: View, pair: Pair) -> Task:
    """The task that translates by every method but irp, whose δ and ω the page has sliders for.

    Its result says the scores of each method on held-out items, and of the head where there are classes; or
    the reason, where a method cannot be used.

    Raises
    ------
    relviz.Error
        If the view has no anchors.
    """
    others = [method for method in METHODS if method != "irp"]
    rows, goal = anchor_rows(view, pair)
    digests = [pair.digest, array_digest(rows), array_digest(goal)]
    try:
        trained = heads_task(view, pair)
        digests.append(trained.key)
    except Error:
        trained = None

    def compute(ticket: Ticket) -> Made:
        if trained is not None:
            trained.run(ticket.part(0.0, 0.0, trained.title))
        found: dict[str, Any] = {}
        for place, method in enumerate(others):
            ticket.report(place / len(others), TITLES[method])
            ticket.rest()
            found[method] = figures_of(view.with_changes(translate=method), pair)
        return {}, {"found": found}

    return Task(result_key("baselines", digests, {"back": view.back}, 0), "Every other method", compute)


def figures_of(view: View, pair: Pair) -> dict[str, Any]:
    """The scores of the view's translation, and of the head if it is trained; or why it cannot be used."""
    try:
        made = translation_of(view)
        found = made.scores.record()
    except Error as reason:
        return {"reason": str(reason)}
    said = said_by_heads(view, pair, made) if heads_of_if_any(view, pair) else None
    return found | (NOT_SAID if said is None else said.record())
