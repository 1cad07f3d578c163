"""Items of one space carried into the other through the view's anchors, and how near they come."""

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
import torch
from torch import Tensor

from relviz.compute.blocks import partner_ranks
from relviz.pair import Pair
from relviz.project import pca
from relviz.relative import unit_rows
from relviz.space import Space
from relviz.translate import AnchorPairs, Framed, Options, Translator, anchor_pairs, fit_translator
from relviz.view.choices import View
from relviz.view.found import rows_in_b
from relviz.view.results import anchors_of
from relviz.view.sources import open_pair

QUERIES, FEWEST_QUERIES, COMPARED = 500, 100, 600_000_000
"""Items whose partner is looked for among all, drawn at random where there are more; fewer where more
numbers than these would be multiplied, for a slider to answer at once."""


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
        ``(n,)`` of made and true vectors, both minus the anchor mean of the target.
    plain
        Mean cosine of made and true vectors as they are.
    asked, ranks
        ``(q,)`` some of the items, and where the true one stands among all by its cosine to the made one;
        ties count by half.
    anchors
        ``(u,)`` rows that are anchors on either side.
    """

    translator: Translator
    made: Tensor = field(repr=False)
    landed: np.ndarray = field(repr=False)
    cosines: np.ndarray = field(repr=False)
    plain: float
    asked: np.ndarray = field(repr=False)
    ranks: np.ndarray = field(repr=False)
    anchors: Tensor = field(repr=False)

    @property
    def figures(self) -> dict[str, float]:
        """How near it comes: mean cosine, MRR, and the share of items whose true place is nearest."""
        return {
            "cosine": float(self.cosines.mean()),
            "mrr": float((1 / self.ranks).mean()),
            "top1": float((self.ranks <= 1).mean()),
        }


def sides_of(view: View, pair: Pair) -> tuple[Space, Space]:
    """Source and target."""
    return (pair.b, pair.a) if view.back else (pair.a, pair.b)


def translation_of(view: View) -> Translation:
    """All items of the source through the translator of the view.

    Anchors that optimisation found serve as the rows of B nearest to them, which translators make more of
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
    """Where the true one of each of these items stands among all, as ``Translation.ranks`` says; ``(r,)``."""
    goal = _prepared(_anchored(view)).goal
    made = translation_of(view)
    moved = made.made - made.translator.pairs.target.mean
    chosen = torch.from_numpy(rows)
    return partner_ranks(unit_rows(moved[chosen]), goal, chosen).cpu().numpy()


def target_map(view: View) -> tuple[np.ndarray, float]:
    """The target space on its first two principal components ``(n, 2)``, and their share of its variance."""
    axes, share = _axes(View(a=view.a, b=view.b, back=view.back))
    return axes.places, share


def _target(view: View) -> Tensor:
    return sides_of(view, open_pair(view.a, view.b))[1].vectors


def _anchored(view: View) -> View:
    """The view with nothing but what decides the anchors and the direction."""
    names = ("a", "b", "method", "count", "seed", "picks", "centre", "quantum", "run", "used", "back")
    return View(**{name: getattr(view, name) for name in names})


def anchor_rows(view: View, pair: Pair) -> tuple[Tensor, Tensor]:
    """Rows of A that are anchors, and the rows of B that stand for them: ``(k,)`` each.

    Raises
    ------
    relviz.Error
        If the view has none.
    """
    rows = anchors_of(view, pair)
    goal = rows_in_b(view, pair, rows)
    used = view.used or len(rows)
    return rows[:used], goal[:used]


@dataclass(frozen=True, eq=False)
class _Prepared:
    """What all methods and sliders share: anchors, and the rows of both sides, prepared."""

    pairs: AnchorPairs
    source: Framed
    anchors: Tensor
    goal: Tensor
    """Minus the anchor mean."""
    plain: Tensor
    """As they are."""


@lru_cache(maxsize=4)
def _prepared(view: View) -> _Prepared:
    pair = open_pair(view.a, view.b)
    rows, goal = anchor_rows(view, pair)
    in_a, in_b = pair.a.vectors[rows], pair.b.vectors[goal]
    pairs = anchor_pairs(in_b, in_a) if view.back else anchor_pairs(in_a, in_b)
    source, target = (side.vectors for side in sides_of(view, pair))
    moved = target - pairs.target.mean
    framed = pairs.framed(source)
    return _Prepared(pairs, framed, torch.cat([rows, goal]).unique(), unit_rows(moved), unit_rows(target))


@lru_cache(maxsize=12)
def _translated(view: View, method: str, options: Options) -> Translation:
    shared = _prepared(view)
    fitted = fit_translator(shared.pairs, method, options)
    made = fitted.carry(shared.source)
    moved = made - shared.pairs.target.mean
    queries = min(QUERIES, max(FEWEST_QUERIES, COMPARED // made.numel()))
    asked = torch.randperm(len(made), generator=torch.Generator().manual_seed(0))[:queries]
    return Translation(
        translator=fitted,
        made=made,
        landed=_landed(made, _axes(View(a=view.a, b=view.b, back=view.back))[0]),
        cosines=_cosines(moved, shared.goal).numpy(),
        plain=float(_cosines(made, shared.plain).mean()),
        asked=asked.numpy(),
        ranks=partner_ranks(unit_rows(moved[asked]), shared.goal, asked).cpu().numpy(),
        anchors=shared.anchors,
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
