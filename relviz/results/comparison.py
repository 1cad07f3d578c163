"""A comparison: the anchors of a view, its relative spaces, and the tasks of its maps and metrics."""

from typing import Any

import numpy as np
import torch
from torch import Tensor

from relviz.anchors import select_anchors
from relviz.clusters import clusters
from relviz.compute.jobs import Ticket
from relviz.compute.key import array_digest, text_digest
from relviz.compute.store import default_store, result_key
from relviz.compute.task import Made, Task
from relviz.errors import ParameterError
from relviz.measure import agreement, anchor_curve, anchor_retrieval, cka
from relviz.pair import Pair
from relviz.projection import project
from relviz.projection.quality import trustworthiness
from relviz.quantize import quantize
from relviz.relative_projection import prepare, relative
from relviz.results.run import anchors_from_run, held_of, partners_of
from relviz.state.view import View


def frames_of(view: View, pair: Pair) -> tuple[Tensor, Tensor]:
    """Both sides as the relative projection takes them: quantized and centered where the view says so.

    Anchors that a run found lie in the centered frame, so with them both sides always are.
    """
    x, y = quantized_sides(view, pair)
    return (prepare(x), prepare(y)) if centered(view) else (x, y)


def centered(view: View) -> bool:
    """Whether both spaces are centered and scaled first."""
    return view.center or view.method == "run"


def quantized_sides(view: View, pair: Pair) -> list[Tensor]:
    """Both sides, each quantized where the view says so."""
    return [_quantized(side.vectors, side.digest, view.quantum) for side in (pair.a, pair.b)]


def _quantized(vectors: Tensor, digest: str, quantum: float) -> Tensor:
    if not quantum:
        return vectors
    key = result_key("quantized", [digest], {"threshold": quantum})
    made = default_store().cached(key, lambda: ({"vectors": quantize(vectors, quantum).numpy()}, {}))
    return torch.from_numpy(made.arrays["vectors"])


CURVE_COUNTS = (2, 5, 10, 20, 50, 100, 200, 300, 500, 1000)
TRUST_NEIGHBORS = 10
TRUST_QUERIES, TRUST_COMPARED = 1000, 20_000_000
"""Rows that trustworthiness asks about, fewer where it compares each with very many."""
PROJECTIONS = {"pca": "PCA", "tsne": "t-SNE", "umap": "UMAP", "first": "First two dimensions"}
QUICK = ("pca", "first")
"""Projections fast enough to wait for; they have no seed."""
GIVEN = ("hand", "run")
"""Ways of choosing anchors that draw none: they are given, by a person or by a run."""
BY_PLACE = ("fps", "kmeans")
"""Ways of choosing anchors that look at where the rows lie."""
FEWEST_QUERIES = 10
"""Rows that are left as queries, however many anchors are drawn; of fewer than 20 rows, half of them."""


def drawn_count(view: View, rows: int) -> int:
    """How many of so many rows are drawn as anchors: those asked for, as long as queries are left."""
    return max(1, min(view.count, rows - min(FEWEST_QUERIES, rows // 2)))


def anchors_of(view: View, pair: Pair) -> Tensor:
    """Row numbers of the view's anchors in the pair, ``(k,)`` int64.

    Raises
    ------
    ParameterError
        If the method needs classes that are not there, or too few were chosen by hand.
    """
    if view.method == "hand":
        picks = [row for row in view.picks if row < len(pair)]
        if len(picks) < 2:
            raise ParameterError(
                f"{len(picks)} anchors are chosen by hand; choose at least 2 on the Anchors page, "
                "or another method."
            )
        return torch.tensor(picks)
    if view.method == "run":
        return anchors_from_run(view, pair).rows
    count = drawn_count(view, len(pair))
    depends = {"method": view.method, "count": count}
    if view.method in BY_PLACE:
        depends |= {"center": view.center, "quantum": view.quantum}
    key = result_key("anchors", [pair.a.digest, _labels(view, pair)], depends, view.seed)

    def compute() -> Made:
        rows = frames_of(view, pair)[0]  # as the measures draw them
        return {"anchors": select_anchors(rows, count, view.method, view.seed, pair.labels).numpy()}, {}

    return torch.from_numpy(default_store().cached(key, compute).arrays["anchors"])


def relative_of(view: View, pair: Pair) -> tuple[Tensor, Tensor]:
    """Both sides of the pair relative to the view's anchors, each ``(n, k)``."""
    anchors = anchors_of(view, pair)
    x, y = frames_of(view, pair)
    partners = partners_of(view, pair)
    in_b = y[anchors] if partners is None else partners
    return relative(x, x[anchors], view.similarity), relative(y, in_b, view.similarity)


def fit_of(view: View, pair: Pair, row: str) -> str:
    """How the two maps of a row are fitted; ``"auto"`` gives both rows the same treatment.

    Linear maps draw B through the axes of A, which shows whether the two spaces share them; t-SNE and
    UMAP lay out both together. Neither can be done with absolute spaces of different dimensions:
    those are mapped each alone.
    """
    fit = view.fit_absolute if row == "absolute" else view.fit_relative
    if fit != "auto":
        return fit
    if row == "absolute" and pair.a.dimension != pair.b.dimension:
        return "independent"
    return "first" if view.projection in QUICK else "joint"


def map_task(view: View, pair: Pair, row: str) -> Task:
    """The task that maps both sides into the plane; ``row`` is ``"absolute"`` or ``"relative"``.

    Its result holds arrays ``a`` and ``b`` ``(n, 2)``, and says what was explained or left over.
    """
    fit = fit_of(view, pair, row)
    options = _map_options(view)
    inputs, depends = [pair.digest], {"projection": view.projection, "fit": fit, "row": row, **options}
    if row == "relative":
        inputs += [array_digest(anchors_of(view, pair)), _partners_digest(view, pair)]
        depends |= {"similarity": view.similarity, "center": centered(view), "quantum": view.quantum}

    def compute(ticket: Ticket) -> Made:
        ticket.report(None, "preparing")
        sides = (pair.a.vectors, pair.b.vectors) if row == "absolute" else relative_of(view, pair)

        def on_step(fraction: float | None, _: np.ndarray | None) -> None:
            ticket.report(fraction)

        maps = project(sides, view.projection, fit, seed=view.map_seed, on_step=on_step, **options)
        trust = [_trust(side, points) for side, points in zip(sides, maps, strict=True)]
        meta = {
            "trust": trust,
            "explained": maps.explained,
            "residual": maps.residual,
            "parameters": maps.parameters,
        }
        return {"a": maps[0], "b": maps[1]}, meta

    key = result_key("maps", inputs, depends, None if view.projection in QUICK else view.map_seed)
    return Task(key, f"{PROJECTIONS[view.projection]} of the {row} spaces", compute)


def measure_task(view: View, pair: Pair, include_anchors: bool = False) -> Task:
    """The task that measures retrieval both ways, over several draws of anchors.

    Queries are items that are no anchors; with ``include_anchors`` all items are, as the papers count.
    Anchors that a run found are measured with the items held out of it, as far as there are any. Its result
    says ``records`` (as ``RetrievalTable.records``) and under what conditions.
    """
    given = view.method in GIVEN
    options = _retrieval_options(view, pair, 1 if given else view.runs) | {"include_anchors": include_anchors}
    anchors: Any = anchors_of(view, pair) if given else drawn_count(view, len(pair))
    partners = partners_of(view, pair)
    held = None if include_anchors else held_of(view, pair)
    if held is not None:
        options["queries"] = held.tolist()

    def compute(ticket: Ticket) -> Made:
        x, y = quantized_sides(view, pair)
        table = anchor_retrieval(
            x, y, anchors, labels=pair.labels, partners=partners, on_progress=ticket.report, **options
        )
        one = table.x_to_y.runs[0]
        said = {"anchors": table.anchors, "method": table.method, "cka": cka(x, y)}
        said |= {"include_anchors": include_anchors}
        sizes = {"k": one.k, "rows": one.rows, "queries": one.queries}
        return {}, {"records": table.records(), **said, **sizes}

    chosen = anchors if isinstance(anchors, int) else [anchors.tolist(), _partners_digest(view, pair)]
    return Task(_retrieval_key("retrieval", view, pair, options, chosen), "Measuring", compute)


def curve_task(view: View, pair: Pair) -> Task:
    """The task that measures retrieval for growing numbers of anchors, the view's own among them.

    Its result says ``counts``, ``seeds``, and ``tables``: the records for each count, which at the view's
    own are those of ``measure_task``.
    """
    options = _retrieval_options(view, pair, view.runs)
    own = drawn_count(view, len(pair))
    most = drawn_count(view.with_changes(count=max(CURVE_COUNTS)), len(pair))
    counts = sorted({own, *(count for count in CURVE_COUNTS if count <= most)})

    def compute(ticket: Ticket) -> Made:
        x, y = quantized_sides(view, pair)
        tables = anchor_curve(x, y, counts, labels=pair.labels, on_progress=ticket.report, **options)
        said = {"counts": counts, "seeds": options["seeds"]}
        return {}, {"tables": [table.records() for table in tables], **said}

    return Task(_retrieval_key("curve", view, pair, options, counts), "Drawing the curve", compute)


def _retrieval_options(view: View, pair: Pair, runs: int) -> dict[str, Any]:
    return {
        "method": "uniform" if view.method in GIVEN else view.method,
        "similarity": view.similarity,
        "k": min(view.k, len(pair) - 1),
        "center": centered(view),
        "seeds": list(range(view.seed, view.seed + runs)),
        "queries": view.queries if 0 < view.queries < len(pair) else None,
    }


def _retrieval_key(kind: str, view: View, pair: Pair, options: dict[str, Any], anchors: Any) -> str:
    depends = {**options, "anchors": anchors, "quantum": view.quantum}
    return result_key(kind, [pair.digest, _labels(view, pair)], depends, view.seed)


def _map_options(view: View) -> dict[str, Any]:
    if view.projection == "tsne":
        return {"perplexity": view.perplexity}
    return {"n_neighbors": view.neighbors} if view.projection == "umap" else {}


def _trust(side: Tensor, points: np.ndarray) -> float | None:
    k = min(TRUST_NEIGHBORS, (len(side) - 1) // 2)
    queries = min(TRUST_QUERIES, max(TRUST_QUERIES // 10, TRUST_COMPARED // len(side)))
    return trustworthiness(side, points, k, queries) if k else None


def _partners_digest(view: View, pair: Pair) -> str:
    partners = partners_of(view, pair)
    return "" if partners is None else array_digest(partners)


def _labels(view: View, pair: Pair) -> str:
    return text_digest(pair.labels) if view.method == "per_class" else ""


CLUSTER_SEED = 0


def agreement_task(view: View, pair: Pair) -> Task:
    """The task that compares the neighborhoods of every item in the two original spaces.

    Its result holds ``jaccard`` ``(n,)`` and says ``k`` and ``chance``.
    """
    k = min(view.k, len(pair) - 1)

    def compute(ticket: Ticket) -> Made:
        found = agreement(pair.a.vectors, pair.b.vectors, k, on_block=ticket.report)
        return {"jaccard": found.jaccard}, {"k": found.k, "chance": found.chance}

    key = result_key("agreement", [pair.digest], {"k": k}, 0)
    return Task(key, "Comparing neighborhoods", compute)


def cluster_task(view: View, pair: Pair, side: str) -> Task:
    """The task that finds clusters among the absolute vectors of side ``"a"`` or ``"b"``.

    Its result holds ``members`` ``(n,)``, the largest cluster first, and says ``k`` and ``seed``.
    """
    space = {"a": pair.a, "b": pair.b}[side]
    k = min(view.clusters, len(pair))

    def compute(ticket: Ticket) -> Made:
        ticket.report(None, "k-means")
        return {"members": clusters(space.vectors, k, CLUSTER_SEED).numpy()}, {"k": k, "seed": CLUSTER_SEED}

    key = result_key("clusters", [space.digest], {"k": k}, CLUSTER_SEED)
    return Task(key, f"Finding clusters in {side.upper()}", compute)


def similarities(view: View, pair: Pair, side: str, row: int) -> np.ndarray:
    """Cosine of every item of side ``"a"`` or ``"b"`` to one of them, ``(n,)``; centered if the view is."""
    space = frames_of(view, pair)[("a", "b").index(side)]
    return relative(space, space[row : row + 1]).flatten().numpy()
