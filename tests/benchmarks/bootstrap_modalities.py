"""Known pairs between text and images: what they tell by linear methods, and by anchor optimization.

python -m tests.benchmarks.bootstrap_modalities [--pairs …] [--known 15 100 1000] [--draws 3] [--search]

MRR over the full ranking of rows that no fit has seen, each searched among all rows, mean over the draws.
Every method is given the known pairs; anchor optimization the unpaired rows of the fit as well. With
``--search`` each draw is also a whole run of ``relviz.bootstrap``, which takes a minute or more: its
verdict, and the anchors that its search came to before they were given up for those of the known pairs.
"""

import argparse
from collections.abc import Callable

import torch
from torch import Tensor

import relviz
from relviz.bootstrapping.evaluation import Draw, Pairing
from relviz.bootstrapping.known_alone import hub_corrected, known_alone
from relviz.bootstrapping.procrustes import align
from relviz.compute.blocks import ranks_in_blocks
from relviz.names import BootstrapMethod
from relviz.relative_projection import unit_rows
from relviz.translation.methods import TranslationMethod

PAIRS = {
    "emoji-name-image": ("text_en_minilm", "image_lite0"),
    "emoji-nombre-image": ("text_es_e5", "image_lite1"),
    "emoji-names-en-es": ("text_en_minilm", "text_es_e5"),
}
"""Pairs of the emoji demo; the last is of one modality."""
ANCHORS = 300
STRENGTHS = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0)
FOLDS = 5
MOST_DIRECTIONS = 256

Rows = tuple[Tensor, Tensor]
METHOD: BootstrapMethod = "annealed"


def relative_to_known(drawn: Draw, known: Tensor) -> Rows:
    return drawn.x @ drawn.x[known].T, drawn.y @ drawn.y[known].T


def procrustes(drawn: Draw, known: Tensor) -> Rows:
    rotation = align(drawn.x[known].T @ drawn.y[known], len(known))
    return rotation.sides(drawn.x, drawn.y)


def translated(method: TranslationMethod) -> Callable[[Draw, Tensor], Rows]:
    def rows(drawn: Draw, known: Tensor) -> Rows:
        made = relviz.translator(drawn.x[known], drawn.y[known], method=method)
        return made(drawn.x) - made.center, drawn.y - made.center

    return rows


def cca(drawn: Draw, known: Tensor) -> Rows:
    """Regularized CCA of the known pairs alone, its strength that of the best MRR of pairs left out."""
    fold = torch.arange(len(known)) % FOLDS
    scores = {}
    for strength in STRENGTHS:
        ranks = []
        for number in range(FOLDS):
            out = known[fold == number]
            u, v = _canonical(drawn, known[fold != number], strength)
            ranks.append((1 / ranks_in_blocks(unit_rows(u[out]), unit_rows(v), out)).mean())
        scores[strength] = sum(ranks)
    return _canonical(drawn, known, max(scores, key=scores.__getitem__))


def _canonical(drawn: Draw, known: Tensor, strength: float) -> Rows:
    whitened = []
    for rows in (drawn.x, drawn.y):
        _, values, axes = torch.linalg.svd(rows[known], full_matrices=False)
        variances, axes = values[:MOST_DIRECTIONS] ** 2 / len(known), axes[:MOST_DIRECTIONS]
        penalty = strength * variances.sum() / rows.shape[1]
        whitened.append(rows @ axes.T * (variances + penalty).rsqrt())
    x, y = whitened
    u, values, vt = torch.linalg.svd(x[known].T @ y[known], full_matrices=False)
    return x @ u * values, y @ vt.T * values


LINEAR: dict[str, Callable[[Draw, Tensor], Rows]] = {
    "relative": relative_to_known,
    "Procrustes": procrustes,
    "ridge": translated("ridge"),
    "CCA": cca,
    "IRP+": translated("irp_plus"),
}


def linear(drawn: Draw, count: int) -> dict[str, float]:
    """MRR of every linear method, fitted to so many known pairs."""
    return {name: cosine_mrr(drawn, *method(drawn, drawn.rows[:count])) for name, method in LINEAR.items()}


def alone(drawn: Draw, count: int) -> dict[str, float]:
    """MRR by what a rejected run gives: its anchors, and the coordinates that these stand for."""
    known, fit = drawn.rows[:count], drawn.split.fit
    x, y = drawn.x[fit], drawn.y[fit]
    found = known_alone(x, y, 2 * (drawn.split.in_fit(known),))
    u, v = found.alignment.sides(drawn.x, drawn.y)
    points = found.anchors(drawn.x[drawn.rows], x)
    return {
        "anchors": cosine_mrr(drawn, drawn.x @ drawn.x[drawn.rows].T, drawn.y @ points.T),
        "coordinates": mrr(drawn, u, v),
        "hubs corrected": mrr(drawn, *found.coordinates(drawn.x, drawn.y)),
    }


def others(drawn: Draw, count: int) -> dict[str, float]:
    """MRR of the rotation with hubs corrected, and of the rotation of all true pairs of the fit."""
    known, fit = drawn.rows[:count], drawn.split.fit
    u, v = (unit_rows(side) for side in procrustes(drawn, known))
    return {
        "Procrustes, hubs corrected": mrr(drawn, *hub_corrected(u, v, u[fit])),
        "Procrustes, all true pairs": cosine_mrr(drawn, *procrustes(drawn, fit)),
    }


def searched(drawn: Draw, count: int) -> dict[str, float]:
    """MRR by the anchors of a run, and by those that its search had come to; whether it was believed."""
    last: list[relviz.bootstrapping.Step] = []
    found = drawn.solve(count, METHOD, on_step=lambda step: last.append(step) or None)
    return {
        "search": cosine_mrr(drawn, drawn.x @ drawn.x[drawn.rows].T, drawn.y @ last[-1].anchors.T),
        "run": cosine_mrr(drawn, drawn.x @ drawn.x[drawn.rows].T, drawn.y @ found.anchors.T),
        "converged": float(found.converged),
    }


def cosine_mrr(drawn: Draw, u: Tensor, v: Tensor) -> float:
    """The same by cosine."""
    return mrr(drawn, unit_rows(u), unit_rows(v))


def mrr(drawn: Draw, u: Tensor, v: Tensor) -> float:
    """MRR over the full ranking, by inner product, of the rows that no fit has seen."""
    queries = drawn.split.queries
    return float((1 / ranks_in_blocks(u[queries], v, queries)).mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--pairs", nargs="+", choices=PAIRS, default=list(PAIRS))
    parser.add_argument("--known", type=int, nargs="+", default=[15, 30, 100, 300, 1000])
    parser.add_argument("--draws", type=int, default=3)
    parser.add_argument("--search", action="store_true")
    chosen = parser.parse_args()
    headed = False
    for name in chosen.pairs:
        pair = relviz.load_demo("emoji").pair(*PAIRS[name])
        pairing = Pairing(pair.a.vectors, pair.b.vectors, held_out=0.2)
        for count in chosen.known:
            drawn = [pairing.draw(max(ANCHORS, count), seed) for seed in range(chosen.draws)]
            measures = [linear, others, alone] + [searched] * chosen.search
            each = [{k: v for one in measures for k, v in one(draw, count).items()} for draw in drawn]
            if not headed:
                print("| pair | known pairs | " + " | ".join(each[0]) + " |")
                print("|---" * (len(each[0]) + 2) + "|")
                headed = True
            cells = (f"{sum(one[key] for one in each) / len(each):.3f}" for key in each[0])
            print(f"| {name} | {count} | " + " | ".join(cells) + " |", flush=True)
    print(f"\n{ANCHORS} anchors, or as many as known pairs; draws 0-{chosen.draws - 1}.")


if __name__ == "__main__":
    main()
