"""Headline numbers when anchors are counted as queries, and on held-out items: Markdown tables.

python -m tests.benchmarks.held_out [--parts retrieval translation bootstrap]

What stands under "anchors counted" is what relviz printed before queries were held out. Ten minutes or so on
two cores.
"""

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial

import torch

import relviz

ANCHORS = 300
DRAWS = 5
METHODS = ("irp", "irp_plus", "procrustes", "lstsq", "ridge", "affine")
TRANSLATED = (("glosses", "minilm", "e5"), ("emoji", "image_lite0", "image_lite1"))
BOOTSTRAPPED = (*TRANSLATED, ("emoji", "text_en_minilm", "text_es_e5"))
QUERIES = 2000
KNOWN = 15


def retrieval() -> Iterable[Sequence[str]]:
    """Every demo pair, paired as it is and at random: top-1 and MRR of A → B."""
    yield (
        "pair",
        "pairing",
        "top-1, anchors counted",
        "top-1, held out",
        "MRR, anchors counted",
        "MRR, held out",
    )
    for name in relviz.demo_names():
        demo = relviz.load_demo(name)
        for a, b in demo.pairs:
            pair = demo.pair(a, b)
            order = torch.randperm(len(pair), generator=torch.Generator().manual_seed(0))
            for words, y in (("true", pair.b.vectors), ("random", pair.b.vectors[order])):
                measure = partial(
                    relviz.anchor_retrieval,
                    pair.a.vectors,
                    y,
                    ANCHORS,
                    n_draws=DRAWS,
                    queries=_few(pair),
                )
                counted, held = (measure(include_anchors=one).x_to_y.mean for one in (True, False))
                cells = [f"{one[metric]:.3f}" for metric in ("top1", "mrr_at_k") for one in (counted, held)]
                yield f"{pair.a.name} → {pair.b.name}", words, *cells


def translation() -> Iterable[Sequence[str]]:
    """Every method on two pairs: centered cosine and top-1, mean over anchor seeds."""
    head = "cosine, anchors counted", "cosine, held out", "top-1, anchors counted", "top-1, held out"
    yield "pair", "method", *head
    for demo, a, b in TRANSLATED:
        pair = relviz.load_demo(demo).pair(a, b)
        x, y = pair.a.vectors, pair.b.vectors
        drawn = [relviz.select_anchors(relviz.prepare(x), ANCHORS, seed=seed) for seed in range(DRAWS)]
        for method in METHODS:
            fitted = [relviz.translator(x[rows], y[rows], method=method) for rows in drawn]
            scores = [
                [
                    relviz.translation_scores(t, x, y, [] if counted else rows, null=False)
                    for t, rows in zip(fitted, drawn, strict=True)
                ]
                for counted in (True, False)
            ]
            cells = [f"{_mean(one, metric):.3f}" for metric in ("cosine", "top1") for one in scores]
            yield f"{pair.a.name} → {pair.b.name}", method, *cells


def bootstrap() -> Iterable[Sequence[str]]:
    """Runs from 15 known pairs: MRR of the full ranking through each kind of anchors, A → B."""
    kinds: dict[str, tuple[str, str | None, int | None]] = {"true anchors": ("true", None, None)}
    kinds |= {"free points": ("found", "annealed", KNOWN), "nearest items": ("rows", "annealed", KNOWN)}
    yield "pair", *(f"{words}, {how}" for words in kinds for how in ("all rows in the fit", "held out"))
    for demo, a, b in BOOTSTRAPPED:
        pair = relviz.load_demo(demo).pair(a, b)
        counted, held = (
            relviz.bootstrap_table(
                pair.a.vectors, pair.b.vectors, ANCHORS, (KNOWN,), n_draws=1, include_anchors=one
            )
            for one in (True, False)
        )
        both = [
            (table.line(*kind).x_to_y.mean["mrr"]) for kind in kinds.values() for table in (counted, held)
        ]
        yield f"{pair.a.name} → {pair.b.name}", *(f"{value:.3f}" for value in both)


PARTS: dict[str, Callable[[], Iterable[Sequence[str]]]] = {
    "retrieval": retrieval,
    "translation": translation,
    "bootstrap": bootstrap,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a table for each part."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS))
    for part in parser.parse_args(arguments).parts:
        rows = iter(PARTS[part]())
        head = next(rows)
        print(f"\n| {' | '.join(head)} |\n|{'---|' * len(head)}")
        for row in rows:
            print(f"| {' | '.join(row)} |", flush=True)
    return 0


def _few(pair: relviz.Pair) -> int | None:
    return QUERIES if len(pair) > 2 * QUERIES else None


def _mean(scores: Sequence[relviz.TranslationScores], metric: str) -> float:
    return sum(one.figures[metric] for one in scores) / len(scores)


if __name__ == "__main__":
    sys.exit(main())
