"""What each departure from the papers changes, as the Markdown tables of docs/what-is-ours.md.

python -m tests.benchmarks.deviations [--parts relative irp bootstrap] [--draws 5]

Ten minutes or so on one core. Queries are held-out items, candidates all items.
"""

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from statistics import mean

import torch

import relviz
from relviz.sheet import Sheet, markdown
from relviz.translation import LITERAL

ANCHORS = 300
KNOWN = 15
PAIRS = (
    ("glosses", "minilm", "e5"),
    ("emoji", "image_lite0", "image_lite1"),
    ("emoji", "text_en_minilm", "text_es_e5"),
)
IRP: dict[str, Mapping[str, object]] = {
    "as in the paper": {**LITERAL},
    "pruned by the source": LITERAL | {"decided_by": "source"},
    "pruned by both": LITERAL | {"decided_by": "both"},
    "rows of the mean anchor length": LITERAL | {"length": "mean"},
    "rows of their own length": LITERAL | {"length": "own"},
    "completed in each subspace": LITERAL | {"completion": True},
    "relviz's irp: all three": {"length": "own", "completion": True, "decided_by": "both"},
}


def pairs(draws: int) -> Iterator[tuple[relviz.Pair, list[tuple[torch.Tensor, torch.Tensor]]]]:
    """Every pair, with the anchors of each draw and the rows that are none."""
    for demo, a, b in PAIRS:
        pair = relviz.load_demo(demo).pair(a, b)
        rows = torch.arange(len(pair))
        drawn = [relviz.select_anchors(pair.a.vectors, ANCHORS, seed=draw) for draw in range(draws)]
        yield pair, [(anchors, rows[~torch.isin(rows, anchors)]) for anchors in drawn]


def relative(draws: int) -> Iterable[Sequence[str]]:
    """MRR through anchors of rows as they are, and of rows minus their mean."""
    yield "pair", "MRR, uncentered", "MRR, centered"
    for pair, drawn in pairs(draws):
        x, y = pair.a.vectors, pair.b.vectors
        cells = []
        for one, other in ((x, y), (relviz.prepare(x), relviz.prepare(y))):
            found = [
                relviz.retrieval(
                    relviz.relative(one, one[anchors]), relviz.relative(other, other[anchors]), queries=rest
                ).mrr
                for anchors, rest in drawn
            ]
            cells.append(f"{mean(found):.3f}")
        yield _name(pair), *cells


def irp(draws: int) -> Iterable[Sequence[str]]:
    """One reading after the other: cosine to the true vector and MRR, δ 0.8, ω 8."""
    yield "pair", "reading", "cosine", "cosine, centered", "MRR", "condition number"
    for pair, drawn in pairs(draws):
        x, y = pair.a.vectors, pair.b.vectors
        for words, options in (*IRP.items(), ("relviz's irp_plus", None)):
            made = []
            for anchors, rest in drawn:
                method = {"method": "irp_plus"} if options is None else {"method": "irp", **options}
                fitted = relviz.translator(x[anchors], y[anchors], **method)
                found = relviz.translation_scores(fitted, x, y, anchors, queries=rest, null=False)
                made.append((found.cosine_uncentered, found.cosine, found.mrr, fitted.condition_number))
            plain, centered, mrr, number = (mean(column) for column in zip(*made, strict=True))
            yield _name(pair), words, f"{plain:.3f}", f"{centered:.3f}", f"{mrr:.3f}", f"{number:.3g}"


def bootstrap(draws: int) -> Iterable[Sequence[str]]:
    """Adam as the paper writes it and the annealed method: right matches from 15 known pairs."""
    yield "pair", "method", "right matches, each draw", "anchors that share a nearest row"
    for pair, drawn in pairs(draws):
        x, y = pair.a.vectors, pair.b.vectors
        for method in ("adam", "annealed"):
            right, shared = [], []
            for draw, (anchors, _) in enumerate(drawn):
                order = torch.randperm(len(y), generator=torch.Generator().manual_seed(draw))
                known = anchors[:KNOWN], order.argsort()[anchors[:KNOWN]]
                found = relviz.bootstrap(x, y[order], anchors, known, method, seed=draw)
                right.append(float((order[found.matches] == torch.arange(len(x))).double().mean()))
                nearest = (found.anchors @ relviz.prepare(y[order]).T).argmax(1)
                shared.append(len(anchors) - len(nearest.unique()))
            each = " ".join(f"{one:.3f}" for one in right)
            yield _name(pair), method, each, f"{mean(shared):.0f} of {ANCHORS}"


def _name(pair: relviz.Pair) -> str:
    return f"{pair.a.name} → {pair.b.name}"


PARTS: dict[str, Callable[[int], Iterable[Sequence[str]]]] = {
    "relative": relative,
    "irp": irp,
    "bootstrap": bootstrap,
}
WORDS = {"relative": 1, "irp": 2, "bootstrap": 2}
"""Columns of each table that hold words."""


def main(arguments: Sequence[str]) -> None:
    """Print the tables that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--draws", type=int, default=5)
    chosen = parser.parse_args(arguments)
    for part in chosen.parts:
        head, *rows = PARTS[part](chosen.draws)
        print(
            markdown(Sheet(tuple(head), tuple(map(tuple, rows)), words=WORDS[part])).strip(),
            end="\n\n",
            flush=True,
        )


if __name__ == "__main__":
    main(sys.argv[1:])
