"""What the known pairs tell by themselves, where a search beyond them has not been believed.

Regularized canonical correlation analysis (Hotelling 1936; Vinod 1976) with the covariances of all rows, as
in semi-supervised CCA (Kimura et al. 2013): the pairs are needed for the cross-covariance only.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import torch
from torch import Tensor

from relviz.bootstrapping.decompositions import svd
from relviz.bootstrapping.principal_axes import MOST_DIMENSIONS, principal
from relviz.bootstrapping.procrustes import Alignment
from relviz.compute.blocks import ranks_in_blocks, top_k
from relviz.relative_projection import unit_rows
from relviz.wording import count

FEWEST_ALONE = 9
"""Known pairs from which enough can be left out to tell anything."""
_MOST_DIMENSIONS = 0.9
"""Share of the directions of a space that are effective at most: a few always are noise."""
_FOLDS = 10
_ONE_AT_A_TIME = 30
"""Up to so many known pairs are left out one by one, more of them in tenths."""
_CANDIDATES = 3000
"""Rows of y that a pair left out is searched among, at most."""
_REFERENCE, _REFERENCE_LEFT_OUT = 2000, 500
"""Rows of x that tell hubs, at most; fewer while pairs are left out."""
_HUB_NEIGHBORS = 3
_RIDGE, _PROJECTIONS = 1e-3, 10
_TINY = 1e-12

_FLAT, _BISECTIONS = 1e-6, 40

Sides = tuple[Tensor, Tensor]
Setting = tuple[tuple[float, float], ...]
"""What stands side by side. Of each, effective dimensions of either space for each known pair, 0 for no
whitening; and the power of a correlation by which its canonical direction is weighted."""
USUAL: Setting = ((0.05, 0.0), (0.1, 0.5), (0.2, 0.5))
"""Between text and images one or another is best, as pairs are few or many; together they are near it."""
OTHERS: tuple[Setting, ...] = tuple((one,) for one in product((0.05, 0.1, 0.2, 0.4), (0.0, 0.5)))
_CLEARLY = 2.0
"""Standard errors by which another setting has to be better than the usual one."""
FEW = 50
PROCRUSTES: Setting = ((0.0, 0.0),)
"""Fewer known pairs give the rotation, without a correction for hubs: in 24 draws of 15 and of 30 pairs
between text and images nothing did clearly better."""


@dataclass(frozen=True, eq=False)
class KnownAlone:
    """Shared coordinates fitted to known pairs.

    Attributes
    ----------
    alignment
        Of both spaces as they were given: ``alignment.sides(x, y)``.
    ranks
        ``(s,)`` where the counterpart of each known row stands among ``candidates`` rows of y, by a fit that
        it was left out of, hubs corrected.
    candidates
        How many rows of y.
    reference
        ``(q, r)``, rows of x in the shared coordinates, of length one, which tell hubs; none where pairs are
        too few.
    """

    alignment: Alignment
    ranks: Tensor
    candidates: int
    reference: Tensor

    @property
    def first(self) -> float:
        """Share of the known pairs that are retrieved first when they are left out."""
        return float((self.ranks < 1.5).double().mean())

    def coordinates(self, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
        """Rows of both spaces where the inner product of two is how likely they are counterparts.

        The cosine in the shared coordinates, corrected for hubs: see ``hub_corrected``.

        Parameters
        ----------
        x, y
            ``(n, dx)`` and ``(m, dy)``, in the frames of ``relviz.prepare`` of the rows of the fit.

        Returns
        -------
        u, v
            ``(n, r + 1)`` and ``(m, r + 1)``.
        """
        return hub_corrected(*self.alignment.sides(x, y), self.reference)

    def anchors(self, points: Tensor, x: Tensor) -> Tensor:
        """Unit rows of y relative to which retrieval is that of the alignment, as nearly as it can be.

        They invert the relative projection: the regression of the translated rows on the relative
        representation of x, with a ridge, made of length one and corrected for that a few times.

        Parameters
        ----------
        points
            ``(k, dx)``, anchors of x.
        x
            ``(n, dx)``, rows to fit to.

        Returns
        -------
        anchors
            ``(k, dy)``.
        """
        seen = x.T @ x
        projected = points @ seen
        gram = projected @ points.T
        gram.diagonal().add_((_RIDGE * gram.trace() / len(gram)).clamp_min(_TINY))
        decoder = torch.linalg.solve(gram, projected)
        goal = self.alignment.left @ self.alignment.right.T
        found = unit_rows(decoder @ goal)
        weighted = seen @ goal
        for _ in range(_PROJECTIONS):
            made = points.T @ found
            scale = (made * weighted).sum() / (goal * weighted).sum().clamp_min(_TINY)
            found = unit_rows(found + decoder @ (scale * goal - made))
        return found

    def on_cpu(self) -> "KnownAlone":
        """The same, its tensors on the CPU."""
        alignment = Alignment(self.alignment.left.cpu(), self.alignment.right.cpu())
        return KnownAlone(alignment, self.ranks.cpu(), self.candidates, self.reference.cpu())

    def __str__(self) -> str:
        known, rows = count(len(self.ranks)), count(self.candidates)
        return (
            f"Only the known pairs are used: of {known}, left out of the fit in turn, {self.first:.0%} are "
            f"retrieved first among {rows} rows (chance {1 / self.candidates:.2%}), and half among the first "
            f"{count(round(float(self.ranks.median())))}."
        )


def known_alone(x: Tensor, y: Tensor, known: tuple[Tensor, Tensor]) -> KnownAlone:
    """Shared coordinates of two spaces, from known pairs and the covariances of all rows.

    Each space is whitened as far as its variances v exceed λ: by ``(v + λ)^(−1/2)``, where λ makes the
    effective dimension ``Σ v/(v + λ)`` a share of the number of pairs. The singular vectors of the
    cross-covariance of the known pairs, weighted by a power of the singular values, are the coordinates;
    power 0 and λ = ∞ is the Procrustes rotation. Those of several shares and powers stand side by side, each
    of the same mean length (``USUAL``), unless another share and power retrieve pairs that are left out
    clearly better, by mean log rank. Fewer than ``FEW`` pairs give the Procrustes rotation.

    Parameters
    ----------
    x, y
        ``(n, dx)`` and ``(m, dy)``, centered, rows of length one (or zero).
    known
        ``(s,)`` rows of x and of y, at least ``FEWEST_ALONE``.
    """
    (kx, ky), few = known, len(known[0]) < FEW
    most = max(x.shape[1], y.shape[1]) if few else MOST_DIMENSIONS
    (rows_x, axes_x), (rows_y, axes_y) = principal(x, most), principal(y, most)
    variances = rows_x.square().mean(0), rows_y.square().mean(0)
    pairs = rows_x[kx], rows_y[ky]
    generator = torch.Generator().manual_seed(0)
    candidates = _with_others(ky, len(y), _CANDIDATES, generator)
    reference = rows_x[_with_others(kx[:0], len(x), 0 if few else _REFERENCE, generator)]
    searched = reference[:_REFERENCE_LEFT_OUT], rows_y[candidates]
    ranks = _left_out(pairs, variances, (PROCRUSTES,) if few else (USUAL, *OTHERS), searched, generator)
    best = _chosen(ranks)
    found = _fit(pairs, variances, best)
    whole = Alignment(axes_x @ found.left, axes_y @ found.right)
    return KnownAlone(whole, ranks[best], len(candidates), unit_rows(reference @ found.left))


def hub_corrected(u: Tensor, v: Tensor, reference: Tensor) -> tuple[Tensor, Tensor]:
    """Rows whose inner products are ``2 u·v − h(v)``, h the mean similarity of v to the nearest reference.

    Cross-domain similarity local scaling (Conneau et al. 2018) without the term of the query, which does not
    change its ranking: a row of y that is near to everything is the counterpart of little.

    Parameters
    ----------
    u, v, reference
        ``(n, r)``, ``(m, r)`` and ``(q, r)`` unit rows; ``reference`` are rows of the space of u.

    Returns
    -------
    u, v
        ``(n, r + 1)`` and ``(m, r + 1)``; as they were if there is no reference.
    """
    if not len(reference):
        return u, v
    hub = top_k(v, reference, min(_HUB_NEIGHBORS, len(reference)))[0].mean(1, keepdim=True)
    return torch.cat([2 * u, -u.new_ones(len(u), 1)], 1), torch.cat([v, hub], 1)


def _left_out(
    pairs: Sides,
    variances: Sides,
    settings: Sequence[Setting],
    searched: Sides,
    generator: torch.Generator,
) -> dict[Setting, Tensor]:
    """The ranks ``(s,)`` of known pairs among candidates, the first s of which are their own rows.

    ``searched`` are rows of x that tell hubs, and the candidates.
    """
    (reference, candidates), s = searched, len(pairs[0])
    folds = s if s <= _ONE_AT_A_TIME else _FOLDS
    fold = (torch.randperm(s, generator=generator) % folds).to(pairs[0].device)
    ranks = {setting: torch.empty(s, device=pairs[0].device) for setting in settings}
    for number in range(folds):
        out, left = (fold == number).nonzero()[:, 0], fold != number
        for setting in settings:
            alignment = _fit((pairs[0][left], pairs[1][left]), variances, setting)
            u, v = alignment.sides(pairs[0][out], candidates)
            u, v = hub_corrected(u, v, unit_rows(reference @ alignment.left))
            ranks[setting][out] = ranks_in_blocks(u, v, out)
    return ranks


def _chosen(ranks: dict[Setting, Tensor]) -> Setting:
    """The first setting, or the best of the others if it is clearly better."""
    first = next(iter(ranks))
    best = min(ranks, key=lambda setting: float(ranks[setting].log().mean()))
    nearer = ranks[first].log() - ranks[best].log()
    return best if float(nearer.mean()) > _CLEARLY * float(nearer.std()) / len(nearer) ** 0.5 else first


def _fit(pairs: Sides, variances: Sides, setting: Setting) -> Alignment:
    """The alignments of a setting side by side, on the principal axes whose variances these are."""
    s = len(pairs[0])
    rank = min(s, *map(len, variances))
    sides: tuple[list[Tensor], list[Tensor]] = ([], [])
    for share, power in setting:
        gains = [_gain(one, share * s) for one in variances]
        directions, values = _cross(pairs[0] * gains[0], pairs[1] * gains[1])
        weights = (values[:rank] / values[0].clamp_min(_TINY)) ** power
        for side, gain, axes, variance in zip(sides, gains, directions, variances, strict=True):
            one = gain[:, None] * axes[:, :rank] * weights
            length = (variance @ one.square().sum(1)).sqrt()
            side.append(one / length.clamp_min(_TINY))
    return Alignment(torch.cat(sides[0], 1), torch.cat(sides[1], 1))


def _cross(x: Tensor, y: Tensor) -> tuple[Sides, Tensor]:
    """Singular vectors and values of ``x.T @ y``, for few rows by way of these."""
    if len(x) >= min(x.shape[1], y.shape[1]):
        u, values, vt = svd(x.T @ y)
        return (u, vt.T), values
    (qx, rx), (qy, ry) = torch.linalg.qr(x.T), torch.linalg.qr(y.T)
    u, values, vt = svd(rx @ ry.T)
    return (qx @ u, qy @ vt.T), values


def _gain(variances: Tensor, dimensions: float) -> Tensor:
    """What each principal axis is multiplied by."""
    if not dimensions:
        return torch.ones_like(variances)
    return (variances + _shrinkage(variances, dimensions)).rsqrt()


def _shrinkage(variances: Tensor, dimensions: float) -> Tensor:
    """λ for which ``Σ v/(v + λ)`` is so many effective dimensions, by bisection of its logarithm."""
    most = _MOST_DIMENSIONS * float((variances > variances[0] * _FLAT).sum())
    wanted = min(dimensions, most)
    low, high = variances[0] * _FLAT, variances.sum() / wanted
    for _ in range(_BISECTIONS):
        middle = (low * high).sqrt()
        if float((variances / (variances + middle)).sum()) > wanted:
            low = middle
        else:
            high = middle
    return middle


def _with_others(first: Tensor, n: int, most: int, generator: torch.Generator) -> Tensor:
    """These rows of n, then others at random, up to so many in all."""
    shuffled = torch.randperm(n, generator=generator).to(first.device)
    others = shuffled[~torch.isin(shuffled, first)]
    return torch.cat([first, others[: max(0, most - len(first))]])
