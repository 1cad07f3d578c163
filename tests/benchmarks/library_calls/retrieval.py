"""Retrieval, maps and similarities by the library."""

from collections.abc import Sequence
from itertools import combinations

import torch
from torch import Tensor

import relviz
from relviz.clusters import clusters
from relviz.figures.kind import Columns, Content, Options
from relviz.measure import agreement
from relviz.results.all_pairs import METHOD, QUERIES, RUNS
from relviz.results.comparison import comparison_of
from relviz.results.maps import fit_of
from relviz.results.stitching import anchor_count
from relviz.state import View
from relviz.state.shelf import shelf_of
from relviz.state.sources import open_pair, open_space
from tests.benchmarks.library_calls.compared import MEASURED, Compared, arrays, differences, records


def _asked(view: View, pair: relviz.Pair) -> dict[str, object]:
    return {
        "method": view.method,
        "seed": view.seed,
        "similarity": view.similarity,
        "k": view.k,
        "center": view.center,
        "n_draws": view.runs,
        "queries": view.queries if 0 < view.queries < len(pair) else None,
    }


def retrieval(view: View, options: Options, content: Content) -> Compared:
    """Held-out items, and where it is asked all items, by ``relviz.anchor_retrieval``."""
    pair = open_pair(view.a, view.b)
    lines: dict[tuple[str, bool], list[dict[str, object]]] = {}
    for line in records(content.columns):
        key = str(line.get("choice", view.method)), line["counted"] != "held-out items"
        lines.setdefault(key, []).append(line)
    for (choice, counted), some in lines.items():
        asked = _asked(view, pair) | {"method": choice}
        if choice.startswith("top"):
            asked |= {"method": "top", "top": int(choice[3:]), "skip": options["skip"]}
        table = relviz.anchor_retrieval(pair, None, view.count, include_anchors=counted, **asked)
        yield from differences(some, table.records(), ("representation", "direction", "metric"), MEASURED)


def _curves(columns: Columns, tables: Sequence[relviz.RetrievalTable]) -> Compared:
    for ending, side in (("_a_to_b", "x_to_y"), ("_b_to_a", "y_to_x")):
        for name in (one for one in columns if one.endswith(ending)):
            for value, table in zip(columns[name], tables, strict=True):
                yield name, float(value), getattr(table, side).mean[name.removesuffix(ending)]


def curve(view: View, _: Options, content: Content) -> Compared:
    """Every number of anchors by ``relviz.anchor_curve``; queries are no anchors of any of them."""
    pair, columns = open_pair(view.a, view.b), content.columns
    yield from _curves(
        columns, relviz.anchor_curve(pair, None, list(columns["anchors"]), **_asked(view, pair))
    )


def series(view: View, options: Options, content: Content) -> Compared:
    """Every value by ``relviz.quantize`` and ``relviz.anchor_retrieval``."""
    pair, over, tables = open_pair(view.a, view.b), options["over"], []
    for value in options["values"]:
        x, y, asked, count = pair.a.vectors, pair.b.vectors, _asked(view, pair), view.count
        if over == "quantum" and value:
            x, y = relviz.quantize(x, value), relviz.quantize(y, value)
        elif over == "k":
            asked["k"] = int(value)
        elif over == "count":
            count = int(value)
        tables.append(relviz.anchor_retrieval(x, y, count, **asked))
    yield from _curves(content.columns, tables)


def relative_of(view: View, pair: relviz.Pair) -> tuple[Tensor, tuple[Tensor, Tensor]]:
    """Rows of the anchors by ``relviz.select_anchors``, and both sides by ``relviz.relative``."""
    x, y = (relviz.prepare(one.vectors) if view.center else one.vectors for one in (pair.a, pair.b))
    picked = torch.tensor(view.picks)
    rows = (
        picked if view.method == "hand" else relviz.select_anchors(x, view.count, view.method, view.seed)  # type: ignore[arg-type]
    )
    return rows, (relviz.relative(x, x[rows], view.similarity), relviz.relative(y, y[rows], view.similarity))


def maps(view: View, _: Options, content: Content) -> Compared:
    """Maps of the original and of the relative spaces by ``relviz.project``."""
    pair = open_pair(view.a, view.b)
    sides = {"absolute": (pair.a.vectors, pair.b.vectors), "relative": relative_of(view, pair)[1]}
    extra = {"tsne": {"perplexity": view.perplexity}, "umap": {"n_neighbors": view.neighbors}}
    for row, spaces in sides.items():
        if f"{row}_a" in content.arrays:
            fit = fit_of(comparison_of(view, pair), view.map_choices, row)
            asked = extra.get(view.projection, {})
            made = relviz.project(spaces, view.projection, fit, seed=view.map_seed, **asked)  # type: ignore[arg-type]
            for side, points in zip("ab", made, strict=True):
                yield from arrays(f"{row} {side}", content.arrays[f"{row}_{side}"], points)


def vector(view: View, _: Options, content: Content) -> Compared:
    """The item's relative vectors by ``relviz.relative``."""
    pair = open_pair(view.a, view.b)
    item = list(pair.items).index(content.columns["item"][0])
    for side, space in zip(("in_a", "in_b"), relative_of(view, pair)[1], strict=True):
        yield from arrays(side, content.arrays[side], space[item])


def self_similarity(view: View, _: Options, content: Content) -> Compared:
    """Correlations by ``relviz.self_similarity_correlation``."""
    pair = open_pair(view.a, view.b)
    found = relviz.self_similarity_correlation(pair.a.vectors, pair.b.vectors, *relative_of(view, pair)[1])
    yield from arrays("Pearson", content.arrays["correlation"], found)


def pairs(view: View, _: Options, content: Content) -> Compared:
    """Every pair by ``relviz.cka``, ``relviz.anchor_retrieval`` and ``relviz.stitch``."""
    sources = {open_space(one.source).name: one.source for one in shelf_of(view.sources) if not one.problem}
    lines = {(str(one["from"]), str(one["to"])): one for one in records(content.columns)}
    for a, b in combinations(sources, 2):
        pair, seed = open_pair(sources[a], sources[b]), view.seed
        most = QUERIES if len(pair) > QUERIES else None
        table = relviz.anchor_retrieval(pair, None, view.count, seed=seed, n_draws=1, null=None, queries=most)
        heads = relviz.stitch(
            {a: pair.a.vectors, b: pair.b.vectors},
            pair.labels,
            anchor_count(view.count, len(pair)),
            ("native", METHOD),
            seed,
            n_draws=RUNS,
        )
        for way, side in (((a, b), table.x_to_y), ((b, a), table.y_to_x)):
            line, cell = lines[way], heads.cell(*way, METHOD)
            yield f"CKA {way}", float(line["cka"]), relviz.cka(pair)
            yield f"MRR@k {way}", float(line["mrr_at_k"]), side.mean["mrr_at_k"]
            yield f"accuracy {way}", float(line["accuracy"]), cell.mean["accuracy"]


def disagreement(view: View, _: Options, content: Content) -> Compared:
    """Every item by ``relviz.measure.agreement``, both clusterings by ``relviz.clusters``."""
    pair = open_pair(view.a, view.b)
    found = agreement(pair.a.vectors, pair.b.vectors, min(view.k, len(pair) - 1))
    yield from arrays("jaccard", content.arrays["jaccard"], found.jaccard)
    for name, space in (("clusters_a", pair.a), ("clusters_b", pair.b)):
        yield from arrays(name, content.arrays[name], clusters(space.vectors, view.clusters).numpy())
