"""Stitching accuracy on glosses and emoji, as Markdown tables (some minutes; with --found, far longer).

python -m tests.benchmarks.stitch [--found] [--head mlp] [--runs 5]
"""

import argparse
import time

import torch

import relviz
from relviz.stitching import METHODS

SUBJECTS = {
    "glosses": ("minilm", "wordllama", "e5"),
    "emoji": ("image_lite0", "image_lite1", "text_en_minilm", "text_es_e5"),
}
SHOWN = ("native", *(method for method in METHODS if method != "native"))
FOUND = ("relative", "irp_plus", "procrustes", "ridge")
FOUND_PAIRS = (
    ("glosses", "minilm", "e5"),
    ("glosses", "minilm", "wordllama"),
    ("emoji", "image_lite0", "image_lite1"),
    ("emoji", "text_en_minilm", "text_es_e5"),
)
ANCHORS = 300


def subject(demo: str, names: tuple[str, ...]) -> tuple[dict[str, torch.Tensor], tuple[str, ...]]:
    """Rows of the spaces by name, and their labels."""
    whole = relviz.load_demo(demo)
    labels = whole.spaces[names[0]].labels
    assert labels is not None
    return {name: whole.spaces[name].vectors for name in names}, tuple(labels)


def figure(table: relviz.StitchTable, encoder: str, head: str, method: str) -> str:
    """Accuracy, mean ± sd, or a dash where there is no such cell."""
    try:
        cell = table.cell(encoder, head, method)
    except KeyError:
        return "–"
    return f"{cell.mean['accuracy']:.3f} ± {(cell.sd or {'accuracy': 0.0})['accuracy']:.3f}"


def main() -> None:
    """Print a line for each encoder and head; with --found, true anchors beside bootstrapped ones."""
    parser = argparse.ArgumentParser()
    parser.add_argument(
        "--found", action="store_true", help="bootstrapped anchors, 15 known, beside true ones"
    )
    parser.add_argument("--head", default="logistic")
    parser.add_argument("--runs", type=int, default=5)
    told = parser.parse_args()
    began = time.perf_counter()
    if told.found:
        found_anchors(told.head, told.runs)
    else:
        matrices(told.head, told.runs)
    print(
        f"\nAccuracy over test rows that are neither anchors nor training rows. {told.head.capitalize()} "
        f"head, {ANCHORS} anchors, draws 0-{told.runs - 1}, mean ± sd; {time.perf_counter() - began:.0f} s."
    )


def matrices(head: str, runs: int) -> None:
    """The stitching matrix of each demo, and what it must show."""
    print("| demo | encoder → head | " + " | ".join(SHOWN) + " |")
    print("|---|---|" + "---|" * len(SHOWN))
    behind, tested = [], []
    for demo, names in SUBJECTS.items():
        spaces, labels = subject(demo, names)
        table = relviz.stitch(spaces, labels, ANCHORS, n_draws=runs, head=head)
        one = table.cells[0]
        tested.append(f"{demo} {one.rows} test rows a draw, the most frequent class {one.chance:.3f} of them")
        for encoder in names:
            for other in names:
                cells = [figure(table, encoder, other, method) for method in SHOWN]
                print(f"| {demo} | {encoder} → {other} | " + " | ".join(cells) + " |", flush=True)
                if encoder != other:
                    plus, ridge = (
                        table.cell(encoder, other, method).mean["accuracy"]
                        for method in ("irp_plus", "ridge")
                    )
                    behind.append(plus - ridge)
    mean = sum(behind) / len(behind)
    print(f"\n{'; '.join(tested)}.")
    print(
        f"\nirp_plus - ridge over {len(behind)} cells: {min(behind):+.3f} at least, {mean:+.3f} in the mean."
    )


def found_anchors(head: str, runs: int) -> None:
    """True anchors beside those that anchor optimization finds from 15 known ones."""
    print("| encoder → head | anchors | " + " | ".join(FOUND) + " |")
    print("|---|---|" + "---|" * len(FOUND))
    for demo, a, b in FOUND_PAIRS:
        spaces, labels = subject(demo, (a, b))
        for counterparts in ("true", "bootstrap"):
            table = relviz.stitch(
                spaces, labels, ANCHORS, FOUND, n_draws=runs, head=head, counterparts=counterparts
            )
            for encoder, other in ((a, b), (b, a)):
                cells = [figure(table, encoder, other, method) for method in FOUND]
                print(
                    f"| {demo} {encoder} → {other} | {counterparts} | " + " | ".join(cells) + " |", flush=True
                )


if __name__ == "__main__":
    main()
