"""Every translator on every demo pair, as a Markdown table (about ten minutes on two cores, each direction).

python -m tests.benchmarks.translate [--back | --time | --completion | --rivals] [--seeds 5]
    [--anchors 300 1000] [--queries N]

With --seeds 1 --queries 500 a line has the numbers of the Stitch page for the same anchors.
"""

import argparse
import statistics
import time
from collections.abc import Iterator
from dataclasses import replace

import torch

import relviz
from relviz.translation import AnchorPairs, Options, anchor_pairs, fit_translator

PAIRS = (
    ("emoji", "image_lite0", "image_lite1"),
    ("emoji", "text_en_minilm", "text_es_e5"),
    ("emoji", "text_en_minilm", "text_en_wordllama"),
    ("emoji", "text_en_minilm", "image_lite0"),
    ("glosses", "minilm", "e5"),
    ("glosses", "minilm", "wordllama"),
    ("glosses", "wordllama", "e5"),
    ("words", "glove50", "wink100"),
)
LINES: dict[str, tuple[str, Options]] = {
    "irp, nothing pruned": ("irp", Options(delta=0.0, omega=1)),
    "irp, δ 0.8, ω 1": ("irp", Options(omega=1)),
    "irp, δ 0.8, ω 8": ("irp", Options()),
    "irp_plus": ("irp_plus", Options()),
    "procrustes": ("procrustes", Options()),
    "lstsq": ("lstsq", Options()),
    "ridge": ("ridge", Options()),
    "affine": ("affine", Options()),
    "absolute": ("absolute", Options()),
}
FIGURES = ("centered cosine", "cosine", "MRR", "top-1", "condition number", "anchors kept")
ROWS = 4_000
"""Rows used of the larger demos."""


def run(
    x: torch.Tensor, y: torch.Tensor, anchors: int, seed: int, queries: int | None
) -> Iterator[tuple[str, tuple[float, ...]]]:
    """Figures of every method, of queries that are not anchors among all rows."""
    drawn = relviz.select_anchors(x, anchors, seed=seed)
    pairs = anchor_pairs(x[drawn], y[drawn])
    for line, (method, options) in LINES.items():
        if method == "absolute" and x.shape[1] != y.shape[1]:
            continue
        told = Options(options.delta, options.omega, seed=seed)
        translator = fit_translator(pairs, method, told)
        found = relviz.translation_scores(translator, x, y, drawn, queries, null=False)
        yield line, (*found.figures.values(), translator.condition_number, translator.anchors_kept)


def written(values: list[float], figure: str) -> str:
    """Mean ± sd, to as many places as the figure bears."""
    mean, sd = statistics.mean(values), statistics.stdev(values) if len(values) > 1 else 0.0
    if figure == "condition number":
        return f"{statistics.median(values):.3g}"
    return f"{mean:.0f}" if figure == "anchors kept" else f"{mean:.3f} ± {sd:.3f}"


def completed(seeds: int, anchors: list[int]) -> None:
    """Print irp without and with completion, in both directions of every pair."""
    print("| pair | anchors | δ | kept | centered cosine | MRR | condition number |")
    print("|---|---|---|---|---|---|---|")
    for demo, *names in PAIRS:
        for first, second in (names, names[::-1]):
            pair = relviz.load_demo(demo).pair(first, second)
            x, y = pair.a.vectors[:ROWS], pair.b.vectors[:ROWS]
            for k in anchors:
                for delta in (0.8, 0.6):
                    runs = [
                        [_completed(x, y, k, delta, seed, completion) for seed in range(seeds)]
                        for completion in (False, True)
                    ]
                    off, on = ([statistics.mean(one) for one in zip(*run, strict=True)] for run in runs)
                    cells = [f"{off[at]:.3f} → {on[at]:.3f}" for at in (1, 2)]
                    cells.append(f"{off[3]:.3g} → {on[3]:.3g}")
                    head = f"| {demo} {first} → {second} | {k} | {delta} | {on[0]:.0f} | "
                    print(head + " | ".join(cells) + " |", flush=True)


RIVALS = {
    "ridge": ("ridge", Options()),
    "Procrustes": ("procrustes", Options()),
    "pruned least squares": ("irp", Options()),
    "the same, δ 0.6": ("irp", Options(delta=0.6)),
}
"""What irp_plus is held against. Completed, irp is least squares on the anchors that pruning keeps."""
MARGIN = 0.002
"""A mean cosine that is lower by less is as near."""


def rivals(seeds: int, anchors: list[int], queries: int | None) -> None:
    """Print irp_plus beside its best rival, in both directions of every pair, and where it is behind."""
    print("| pair | anchors | irp_plus | " + " | ".join(RIVALS) + " | irp_plus − best |")
    print("|---|---|---|" + "---|" * len(RIVALS) + "---|")
    behind, all_of_them = [], 0
    for demo, *names in PAIRS:
        for first, second in (names, names[::-1]):
            pair = relviz.load_demo(demo).pair(first, second)
            x, y = pair.a.vectors[:ROWS], pair.b.vectors[:ROWS]
            for k in anchors:
                runs = []
                for seed in range(seeds):
                    drawn = relviz.select_anchors(x, k, seed=seed)
                    pairs = anchor_pairs(x[drawn], y[drawn])
                    runs.append(
                        [
                            relviz.translation_scores(
                                fit_translator(pairs, method, replace(told, seed=seed)),
                                x,
                                y,
                                drawn,
                                queries,
                                null=False,
                            ).cosine
                            for method, told in (("irp_plus", Options()), *RIVALS.values())
                        ]
                    )
                means = [statistics.mean(one) for one in zip(*runs, strict=True)]
                ahead = means[0] - max(means[1:])
                cells = [*(f"{one:.3f}" for one in means), f"{ahead:+.4f}"]
                print(f"| {demo} {first} → {second} | {k} | " + " | ".join(cells) + " |", flush=True)
                all_of_them += 1
                if ahead < -MARGIN:
                    behind.append(f"{demo} {first} → {second}, {k} anchors")
    where = ": " + "; ".join(behind) if behind else ""
    print(
        f"\nCosine after centering on the anchors, mean of seeds 0-{seeds - 1}; pruned least squares with δ "
        f"0.8 and ω 8. irp_plus is behind by more than {MARGIN} in {len(behind)} of {all_of_them} "
        f"lines{where}."
    )


def _completed(
    x: torch.Tensor, y: torch.Tensor, k: int, delta: float, seed: int, completion: bool
) -> tuple[float, ...]:
    drawn = relviz.select_anchors(x, k, seed=seed)
    told = Options(delta, completion=completion, seed=seed)
    t = fit_translator(anchor_pairs(x[drawn], y[drawn]), "irp", told)
    found = relviz.translation_scores(t, x, y, drawn, null=False)
    return t.anchors_kept, found.cosine, found.mrr, t.condition_number


def timings() -> None:
    """What a slider costs, another δ on prepared anchors: the best of three, milliseconds of one core."""
    torch.set_num_threads(1)
    deltas = (0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.2, 0.0)
    print("| anchors × dimensions | " + " | ".join(f"δ {delta}" for delta in deltas) + " | irp_plus, once |")
    print("|---|" + "---|" * (len(deltas) + 1))
    for demo, a, b, anchors in (
        ("glosses", "minilm", "e5", 1000),
        ("emoji", "image_lite0", "image_lite1", 300),
    ):
        pair = relviz.load_demo(demo).pair(a, b)
        drawn = torch.randperm(len(pair), generator=torch.Generator().manual_seed(0))[:anchors]
        pairs = anchor_pairs(pair.a.vectors[drawn], pair.b.vectors[drawn])
        fit_translator(pairs, "irp", Options(delta=0.0))

        def best(method: str, delta: float, times: int, pairs: AnchorPairs = pairs) -> str:
            spent = []
            for _ in range(times):
                began = time.process_time()
                fit_translator(pairs, method, Options(delta=delta))
                spent.append(time.process_time() - began)
            return f"{1000 * min(spent):.0f}"

        cells = [*(best("irp", delta, 3) for delta in deltas), best("irp_plus", 0.8, 1)]
        print(f"| {anchors} × {pair.a.dimension} | " + " | ".join(cells) + " |", flush=True)
    print("\nMilliseconds of one core, ω 8.")


def main() -> None:
    """Print a line for each pair, number of anchors and method; then irp_plus held against ridge."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--back", action="store_true", help="translate from the second space to the first")
    parser.add_argument("--time", action="store_true", help="what another δ costs, in place of the table")
    parser.add_argument("--completion", action="store_true", help="irp without and with completion")
    parser.add_argument("--rivals", action="store_true", help="irp_plus beside its best rival, both ways")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--anchors", type=int, nargs="+", default=[300, 1000])
    parser.add_argument("--queries", type=int, help="at most, drawn at random; all that are not anchors")
    told = parser.parse_args()
    if told.time:
        timings()
        return
    if told.completion:
        completed(told.seeds, told.anchors)
        return
    if told.rivals:
        rivals(told.seeds, told.anchors, told.queries)
        return
    began = time.perf_counter()
    print("| pair | anchors | queries | method | " + " | ".join(FIGURES) + " |")
    print("|---|---|---|---|" + "---|" * len(FIGURES))
    behind = []
    for demo, a, b in PAIRS:
        first, second = (b, a) if told.back else (a, b)
        pair = relviz.load_demo(demo).pair(first, second)
        x, y = pair.a.vectors[:ROWS], pair.b.vectors[:ROWS]
        for anchors in told.anchors:
            figures: dict[str, list[tuple[float, ...]]] = {}
            asked = min(len(x) - anchors, told.queries or len(x))
            for seed in range(told.seeds):
                for line, found in run(x, y, anchors, seed, told.queries):
                    figures.setdefault(line, []).append(found)
            for line, runs in figures.items():
                cells = [
                    written(list(v), name) for v, name in zip(zip(*runs, strict=True), FIGURES, strict=True)
                ]
                print(
                    f"| {demo} {first} → {second} | {anchors} | {asked} | {line} | "
                    + " | ".join(cells)
                    + " |",
                    flush=True,
                )
            plus, ridge = (
                [statistics.mean(run[at] for run in figures[line]) for at in (0, 2)]
                for line in ("irp_plus", "ridge")
            )
            behind.append((plus[0] - ridge[0], plus[1] - ridge[1]))
    cosine, rank = zip(*behind, strict=True)
    print(
        f"\nSeeds 0-{told.seeds - 1} of the anchors. Queries are not anchors; candidates are all rows, "
        "anchors included (of words, the first 4,000). Condition number: the median.\n"
        f"irp_plus - ridge, over {len(behind)} lines: centered cosine {min(cosine):+.4f} at least, "
        f"{statistics.mean(cosine):+.4f} in the mean; MRR {min(rank):+.3f} and {statistics.mean(rank):+.3f}. "
        f"{time.perf_counter() - began:.0f} s."
    )


if __name__ == "__main__":
    main()
