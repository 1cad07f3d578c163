"""Decoders swapped on the digits, and what relative codes cost a classifier, as Markdown tables.

python -m tests.benchmarks.decode [--seeds 5] [--only mse|accuracy|curves|seconds]

Without --only about ten minutes on one core. Fails unless, for autoencoders and variational ones, relative
codes let the error of swapped decoders grow 5 times at most, and absolute codes at least 10 times.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import replace

import torch

from relviz.autoencoders import (
    BUNDLED,
    RATES,
    Options,
    accuracy_table,
    bundled_autoencoder,
    demo_digits,
    labeled,
    mse_table,
    small_runs,
    swap,
    train,
    training_curves,
)

LATENT = {"ae": 64, "vae": 32}
METHODS = ("irp", "irp_plus", "procrustes", "ridge")
PATHS = {"own": "its own decoder", "stitched": "another's decoder"}
RELATIVE_AT_MOST, ABSOLUTE_AT_LEAST = 5, 10
ROWS, RUNS = 2000, 30


def mse(seeds: int) -> bool:
    """Errors of every path, and whether they are what they must be."""
    digits = demo_digits()
    print("| kind | codes | images through | mean squared error × 100 | times | parameters |")
    print("|---|---|---|---|---|---|")
    said = []
    for kind, latent in LATENT.items():
        told = Options(kind=kind, latent=latent, anchors=latent, rate=RATES[kind])
        table = mse_table(digits.train, digits.test, range(seeds), [kind], methods=METHODS, options=told)
        for row in table.records():
            path = PATHS.get(row["path"], f"{row['path']}, another's decoder")
            print(
                f"| {kind} | {row['codes']} | {path} | {100 * row['mse']:.2f} ± {100 * row['mse_sd']:.2f} "
                f"| {row['times']:.1f} | {row['parameters']} |",
                flush=True,
            )
        said.append((kind, table.times(kind, "relative"), table.times(kind, "absolute")))
    sizes = " and ".join(f"{latent} ({kind})" for kind, latent in LATENT.items())
    print(f"\n{len(digits.test)} unseen digits, seeds 0-{seeds - 1}, latents and anchors {sizes}.")
    good = True
    for kind, relative, absolute in said:
        right = relative <= RELATIVE_AT_MOST and absolute >= ABSOLUTE_AT_LEAST
        print(
            f"{kind}: relative × {relative:.1f}, absolute × {absolute:.1f}: {'holds' if right else 'FAILS'}."
        )
        good &= right
    return good


def accuracy(seeds: int) -> bool:
    """Accuracy of classifiers on either codes."""
    digits = demo_digits()
    data = labeled(digits.train, digits.train_labels, digits.test, digits.test_labels)
    print("\n| codes | accuracy | parameters |\n|---|---|---|")
    for row in accuracy_table(data, range(seeds)):
        print(f"| {row.codes} | {row.mean:.4f} ± {row.sd or 0.0:.4f} | {row.parameters} |")
    return True


def curves(_: int) -> bool:
    """Accuracy against similarity to a reference, in tenths of the similarity."""
    digits = demo_digits()
    told = digits.train[:ROWS], digits.train_labels[:ROWS], digits.test, digits.test_labels
    found = training_curves(labeled(*told), small_runs(RUNS))
    print("\n| similarity to the reference | points | mean accuracy | least | most |\n|---|---|---|---|---|")
    points = found.records()
    for tenth in range(10):
        inside = [p["accuracy"] for p in points if tenth / 10 <= p["similarity"] < tenth / 10 + 0.1]
        if inside:
            mean = sum(inside) / len(inside)
            cells = f"{len(inside)} | {mean:.3f} | {min(inside):.3f} | {max(inside):.3f}"
            print(f"| {tenth / 10:.1f} to {tenth / 10 + 0.1:.1f} | {cells} |")
    print(
        f"\n{RUNS} runs on {ROWS} digits, a point after each epoch; the reference has {found.reference:.3f}. "
        f"Spearman's correlation {found.correlation:.2f}."
    )
    return True


def seconds(_: int) -> bool:
    """How long one training takes, and one drawn digit through two models."""
    digits = demo_digits()
    print("\n| what | seconds |\n|---|---|")
    for told in (Options(), replace(Options(), kind="vae")):
        began, busy = time.perf_counter(), time.process_time()
        train(digits.train, told)
        took, spent = time.perf_counter() - began, time.process_time() - busy
        print(f"| training of one {told.kind}, {told.codes} codes | {took:.1f} ({spent:.1f} of CPU time) |")
    began = time.perf_counter()
    one, other = (bundled_autoencoder(seed=seed) for seed in range(2))
    print(f"| loading two bundled ones | {time.perf_counter() - began:.3f} |")
    began = time.perf_counter()
    swap(one, other, digits.test[:1])
    print(f"| one digit through two of them | {time.perf_counter() - began:.3f} |")
    print(f"\n{torch.get_num_threads()} thread(s); {len(BUNDLED)} are bundled.")
    return True


PARTS = {"mse": mse, "accuracy": accuracy, "curves": curves, "seconds": seconds}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print all parts or one; 1 if something that must hold does not."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--only", choices=PARTS)
    told = parser.parse_args(arguments)
    parts = [PARTS[told.only]] if told.only else PARTS.values()
    held = [part(told.seeds) for part in parts]
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
