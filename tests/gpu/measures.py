"""Relative spaces, anchors, retrieval, CKA, and what maps are drawn from."""

from collections.abc import Iterator
from functools import partial

import torch

import relviz
from relviz.measure.agreement import agreement
from relviz.projection.neighbor_graph import Reference
from relviz.projection.quality import trustworthiness
from relviz.relative_projection import SIMILARITIES
from tests.gpu.case import Case, Tolerance, Work, figures
from tests.gpu.made import gaussian, seen_again

SUMS = Tolerance(1e-5, 0, "float32 sums in another order")
ANGLES = Tolerance(
    1e-3, 0, "near 0 an angle has half the cosine's digits: one of 1e-6 in that is 1.4e-3 in the angle"
)
RANKS = Tolerance(
    2e-3, 0, "a rank moves where two candidates tie to float32 rounding; each query counts 1/n, all are means"
)
GRAMS = Tolerance(
    1e-4, 0, "float32 products of blocks; the debiased figure takes large numbers off each other"
)
NEIGHBORS = Tolerance(1e-5, 2e-3, "distances are measured anew for each pair; a place moves where two tie")
GREEDY = Tolerance(1e-5, 0.05, "each anchor is the farthest from those before: one tie changes what follows")
SPECTRUM = Tolerance(
    1e-4, 2e-3, "singular values of float32 rows; a row between two anchors may change sides"
)
ALONE = Tolerance(1e-6, 0, "computed in float64 on the CPU whatever the device")


def relative(small: bool) -> Iterator[Case]:
    """Every similarity, with the anchors' mean taken off."""
    n, d, k = (1000, 64, 100) if small else (20_000, 384, 300)

    def prepare(similarity: str) -> Work:
        x = gaussian(n, d)
        return lambda: {"r": relviz.relative(x, x[:k], similarity, center="anchors")}

    for name in SIMILARITIES:
        tolerance = ANGLES if name == "angular" else SUMS
        yield Case(name, f"{n:,} × {k}, d {d}", tolerance, partial(prepare, name))


def anchors(small: bool) -> Iterator[Case]:
    """Anchors chosen by distance, and the report on a set of them."""
    n, d, k = (1000, 64, 50) if small else (20_000, 384, 300)
    size = f"{n:,} × {k}, d {d}"

    def fps() -> Work:
        x = gaussian(n, d)
        return lambda: {"rows": relviz.select_anchors(x, k, "fps")}

    def report() -> Work:
        x = gaussian(n, d)

        def call() -> dict[str, torch.Tensor]:
            found = relviz.anchor_report(x, torch.arange(k))
            kept = ("condition_number", "effective_rank", "largest_cosine")
            return {"coverage": found.coverage, **figures({name: getattr(found, name) for name in kept})}

        return call

    yield Case("select_anchors, fps", size, GREEDY, fps)
    yield Case("anchor_report", size, SPECTRUM, report)


def retrieval(small: bool) -> Iterator[Case]:
    """Retrieval with its null, through anchors, and the agreement of neighbors."""
    n, d, other = (600, 48, 32) if small else (10_000, 384, 256)

    def plain() -> Work:
        x = gaussian(n, d)
        y = seen_again(x, d)

        def call() -> dict[str, torch.Tensor]:
            found = relviz.retrieval(x, y, null=1)
            assert found.null is not None
            return figures(found.figures | {f"{name} null": one for name, one in found.null.figures.items()})

        return call

    def through_anchors() -> Work:
        x = gaussian(n, d)
        y = seen_again(x, other)

        def call() -> dict[str, torch.Tensor]:
            found = relviz.anchor_retrieval(x, y, 100, n_draws=2)
            return figures(
                found.x_to_y.mean | {f"{name} back": one for name, one in found.y_to_x.mean.items()}
            )

        return call

    def neighbors() -> Work:
        x = gaussian(n, d)
        y = seen_again(x, other)
        return lambda: figures({"jaccard": agreement(x, y).mean})

    yield Case("retrieval, with its null", f"{n:,}, d {d}", RANKS, plain)
    yield Case("anchor_retrieval, 2 seeds, both ways", f"{n:,}, 100 anchors", RANKS, through_anchors)
    yield Case("agreement of neighbors", f"{n:,}, d {d} and {other}", RANKS, neighbors)


def cka(small: bool) -> Iterator[Case]:
    """CKA, plain and debiased."""
    n, d = (1000, 64) if small else (20_000, 384)

    def prepare(debiased: bool) -> Work:
        x = gaussian(n, d)
        y = seen_again(x, d)
        return lambda: figures({"cka": relviz.cka(x, y, debiased)})

    for debiased in (False, True):
        name = "debiased" if debiased else "plain"
        yield Case(name, f"{n:,}, d {d}", GRAMS, partial(prepare, debiased))


def projections(small: bool) -> Iterator[Case]:
    """The neighbors that t-SNE and UMAP draw, the trust in a map, and PCA."""
    n, d = (1000, 64) if small else (10_000, 384)

    def neighbors() -> Work:
        x = gaussian(n, d)

        def call() -> dict[str, torch.Tensor]:
            found = Reference(x).among(15)
            return {
                "indices": torch.from_numpy(found.indices),
                "distances": torch.from_numpy(found.distances),
            }

        return call

    def trust() -> Work:
        x = gaussian(n, d)
        return lambda: figures({"trust": trustworthiness(x, x[:, :2])})

    def pca() -> Work:
        x = gaussian(n, d)
        return lambda: {"places": torch.from_numpy(relviz.project([x])[0])}

    yield Case("neighbors of t-SNE and UMAP", f"{n:,}, d {d}", NEIGHBORS, neighbors)
    yield Case("trustworthiness", f"{n:,}, d {d}", RANKS, trust)
    yield Case("PCA", f"{n:,}, d {d}", ALONE, pca)
