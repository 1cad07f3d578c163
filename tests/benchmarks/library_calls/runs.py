"""Anchor optimization by the library: fitted to some rows, measured on those held out."""

import torch
from torch import Tensor

import relviz
from relviz.bootstrapping.split import Split
from relviz.figures.kind import Content, Options
from relviz.results import retrieval_table
from relviz.results.bootstrap import SHUFFLE_SEED, most_anchors, rows_of, split_of
from relviz.state import View
from relviz.state.solver_options import chosen_options
from relviz.state.sources import open_pair
from tests.benchmarks.library_calls.compared import MEASURED, Compared, arrays, differences, records


def _run(view: View, pair: relviz.Pair) -> tuple[Split, Tensor, Tensor, Tensor, relviz.Bootstrap]:
    """Rows of a run, its anchors, known pairs, the rows of B as they are given, and ``relviz.bootstrap``."""
    run, a, b = view.ao, pair.a.vectors, pair.b.vectors
    anchors, seeds = rows_of(run, a, pair.labels if run.seeding == "per_class" else None)
    split = split_of(run, len(pair), anchors)
    order = torch.randperm(len(split.fit), generator=torch.Generator().manual_seed(SHUFFLE_SEED))
    known = split.in_fit(seeds), order.argsort()[split.in_fit(seeds)]
    given = split.fit[order]
    found = relviz.bootstrap(
        a[split.fit],
        b[given],
        split.in_fit(anchors),
        known,
        run.method,  # type: ignore[arg-type]
        run.seed,
        options=chosen_options(run.method, run.options),
    )
    return split, anchors, seeds, given, found


def run(view: View, _: Options, content: Content) -> Compared:
    """The last step by ``relviz.bootstrap``, and its MRR on held-out rows by ``relviz.retrieval``."""
    pair = open_pair(view.a, view.b)
    split, anchors, seeds, given, found = _run(view, pair)
    fit = split.fit
    x, y = (relviz.Frame().fit(one[fit]).transform(one) for one in (pair.a.vectors, pair.b.vectors))
    relative = relviz.relative(x, x[anchors]), relviz.relative(y, found.anchors)
    scores = relviz.retrieval(*relative, queries=split.queries)
    yield "MRR", float(content.arrays["mrr"][-1]), scores.figures["mrr"]
    free = ~torch.isin(fit, seeds)
    right = (given[found.matches] == fit)[free].double().mean()
    yield "accuracy", float(content.arrays["accuracy"][-1]), float(right)


def found_anchors(view: View, _: Options, content: Content) -> Compared:
    """The rows nearest to the anchors that ``relviz.bootstrap`` found."""
    _split, anchors, _seeds, given, found = _run(view, open_pair(view.a, view.b))
    yield from arrays("anchors of A", content.columns["row_a"], anchors)
    yield from arrays("rows of B", content.columns["row_b"], given[found.indices])


def run_maps(view: View, _: Options, content: Content) -> Compared:
    """Maps by ``relviz.relative`` and ``relviz.project``, discovered anchors by ``relviz.bootstrap``."""
    pair = open_pair(view.a, view.b)
    split, anchors, seeds, given, found = _run(view, pair)
    x, y = relviz.prepare(pair.a.vectors), relviz.prepare(pair.b.vectors)
    fitted, whole = (relviz.Frame().fit(pair.b.vectors[rows]) for rows in (split.fit, slice(None)))
    points = fitted.moved_to(whole, found.anchors, pair.b.vectors[given[found.indices]])
    kinds = {"true": (anchors, y[anchors]), "seeds": (seeds, y[seeds]), "found": (anchors, points)}
    for kind, (rows, those) in kinds.items():
        if f"{kind}_a" in content.arrays:
            made = relviz.project([relviz.relative(x, x[rows]), relviz.relative(y, those)], "pca", "first")
            for side, plane in zip("ab", made, strict=True):
                yield from arrays(f"{kind} {side}", content.arrays[f"{kind}_{side}"], plane)


def bootstrap_table(view: View, options: Options, content: Content) -> Compared:
    """Every line by ``relviz.bootstrap_table``, held-out rows and as the papers count."""
    pair = open_pair(view.a, view.b)
    most = None if len(pair) <= retrieval_table.EVERY_ROW_UP_TO else retrieval_table.MOST_QUERIES
    for counted in {one != "held-out items" for one in content.columns["counted"]}:
        table = relviz.bootstrap_table(
            pair,
            None,
            min(options["anchors"], most_anchors(len(pair))),
            options["seeds"],
            options["methods"],
            k=min(retrieval_table.NEIGHBORS, len(pair)),
            queries=most,
            include_anchors=counted,
            n_draws=options["draws"],
        )
        lines = [one for one in records(content.columns) if (one["counted"] != "held-out items") is counted]
        by = ("anchors", "method", "seeds", "direction", "metric")
        yield from differences(lines, table.records(), by, MEASURED)
