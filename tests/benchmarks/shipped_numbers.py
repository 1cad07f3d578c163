"""Numbers of the shipped figures and tables beside what the documented library call gives on held-out rows.

    python -m tests.benchmarks.shipped_numbers
    python -m tests.benchmarks.shipped_numbers --recipe rr-table-8 --recipe rr-images

Makes every recipe of a kind in ``CHECKS`` (what is kept is not computed again) and calls the library with the
arguments that the recipe says: a line for each, with the largest difference. ``tests/figures`` compares the
other kinds with the library on a small pair; see ``docs/figures.md``.
"""

import argparse
from collections.abc import Callable, Iterator, Mapping

import numpy as np

import relviz
from relviz.figures.gallery import shipped_recipe, shipped_recipes
from relviz.figures.kind import Columns, Options
from relviz.figures.make import make
from relviz.figures.open_recipe import view_of
from relviz.results import stitching
from relviz.results.comparison import comparison_of
from relviz.results.maps import fit_of
from relviz.results.stitching import others_of
from relviz.state import View
from relviz.state.sources import open_pair

Compared = Iterator[tuple[str, float, float]]
"""What it is, the figure's number, the library's."""
DIRECTIONS = {"x→y": "x_to_y", "y→x": "y_to_x"}


def records(columns: Columns) -> list[dict[str, object]]:
    """The lines of a csv."""
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


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


def retrieval(view: View, options: Options, columns: Columns) -> Compared:
    """Held-out items, and where it is asked all items, by ``relviz.anchor_retrieval``."""
    pair = open_pair(view.a, view.b)
    tables: dict[tuple[object, ...], relviz.RetrievalTable] = {}
    for row in records(columns):
        if row["representation"] != "relative":
            continue
        asked, choice = _asked(view, pair), str(row.get("choice", view.method))
        if choice.startswith("top"):
            asked |= {"method": "top", "top": int(choice[3:]), "skip": options["skip"]}
        else:
            asked["method"] = choice
        counted = row["counted"] != "held-out items"
        key = choice, counted
        if key not in tables:
            tables[key] = relviz.anchor_retrieval(pair, None, view.count, include_anchors=counted, **asked)
        way = getattr(tables[key], DIRECTIONS[str(row["direction"])])
        yield f"{choice} {row['metric']} {row['direction']}", float(row["mean"]), way.mean[row["metric"]]


def curve(view: View, _: Options, columns: Columns) -> Compared:
    """Every number of anchors by ``relviz.anchor_curve``; queries are no anchors of any of them."""
    pair = open_pair(view.a, view.b)
    tables = relviz.anchor_curve(pair, None, list(columns["anchors"]), **_asked(view, pair))
    for ending, side in (("_a_to_b", "x_to_y"), ("_b_to_a", "y_to_x")):
        for name in (one for one in columns if one.endswith(ending)):
            for value, table in zip(columns[name], tables, strict=True):
                mean = getattr(table, side).mean[name.removesuffix(ending)]
                yield name, float(value), mean  # type: ignore[arg-type]


def heads(view: View, _: Options, columns: Columns) -> Compared:
    """The stitching matrix by ``relviz.stitch``: test rows are neither training rows nor anchors."""
    pair = open_pair(view.a, view.b)
    others = others_of(pair, view.a, view.b, view.sources) if view.wide else {}
    spaces = {pair.a.name: pair.a.vectors, pair.b.name: pair.b.vectors}
    spaces |= {name: space.vectors for name, space in others.items()}
    table = relviz.stitch(
        spaces,
        pair.labels,
        stitching.anchor_count(view.count, len(pair)),
        head=view.head,
        n_draws=stitching.RUNS,
        counterparts=view.counterparts,
    )
    for row in records(columns):
        cell = table.cell(row["encoder"], row["head"], row["method"])
        name = f"{row['method']} {row['encoder']} → {row['head']}"
        yield name, float(row["accuracy"]), cell.mean["accuracy"]


def pairs(view: View, _: Options, columns: Columns) -> Compared:
    """Every pair by ``relviz.cka`` and ``relviz.anchor_retrieval``."""
    pair = open_pair(view.a, view.b)
    table = relviz.anchor_retrieval(
        pair,
        None,
        view.count,
        seed=view.seed,
        n_draws=1,
        k=min(10, len(pair) - 1),
        null=None,
        queries=1000 if len(pair) > 1000 else None,
    )
    ways = {(pair.a.name, pair.b.name): table.x_to_y, (pair.b.name, pair.a.name): table.y_to_x}
    for row in records(columns):
        found = ways.get((row["from"], row["to"]))
        if found is not None:
            yield "CKA", float(row["cka"]), relviz.cka(pair)
            yield "MRR@k", float(row["mrr_at_k"]), found.mean["mrr_at_k"]


def maps(view: View, _: Options, columns: Columns) -> Compared:
    """The absolute maps by ``relviz.project``."""
    pair = open_pair(view.a, view.b)
    if view.projection != "pca" or "absolute_a_x" not in columns:
        return
    fit = fit_of(comparison_of(view, pair), view.map_choices, "absolute")
    made = relviz.project([pair.a.vectors, pair.b.vectors], "pca", fit=fit)
    for side, points in zip("ab", made, strict=True):
        for at, axis in enumerate("xy"):
            far = np.abs(np.asarray(columns[f"absolute_{side}_{axis}"]) - np.asarray(points)[:, at]).max()
            yield f"{side} {axis}", float(far), 0.0


CHECKS: Mapping[str, Callable[[View, Options, Columns], Compared]] = {
    "measures": retrieval,
    "choice": retrieval,
    "anchor_curve": curve,
    "matrix": heads,
    "pairs": pairs,
    "maps": maps,
}


def main() -> None:
    """Make, call, and compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--recipe", action="append", default=[])
    asked = parser.parse_args()
    print("| recipe | numbers | largest difference |\n|---|---:|---:|", flush=True)
    for name in asked.recipe or shipped_recipes():
        recipe = shipped_recipe(name)
        if recipe.kind not in CHECKS:
            continue
        columns = make(recipe).content.columns
        found = list(CHECKS[recipe.kind](view_of(recipe), recipe.options, columns))
        most = max((abs(ours - theirs) for _, ours, theirs in found), default=float("nan"))
        print(f"| `{name}` | {len(found)} | {most:.1e} |", flush=True)


if __name__ == "__main__":
    main()
