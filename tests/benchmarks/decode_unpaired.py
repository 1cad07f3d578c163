"""Two autoencoders of the digits matched without a known pair, and their decoders swapped, as a table.

``python -m tests.benchmarks.decode_unpaired [--draws 2] [--unlike]``

*trained on*: both on all training images (the bundled models), or each on a half of its own. *matched by*:
3,000 images that both encode, in another order, or 3,000 others each. Errors are those of 2,000 images that
no model and no match has seen. Five minutes on one core.

With --unlike, the bundled autoencoders are matched by sets of images that differ in their digits, or are few.
"""

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from relviz.autoencoders import (
    RATES,
    Autoencoder,
    Options,
    bundled_autoencoder,
    demo_digits,
    match_latents,
    train,
)
from relviz.autoencoders.model import mean_squared_error
from relviz.compute.parallel import one_thread
from relviz.translation import translator

LATENT = {"ae": 64, "vae": 32}
MATCHED = 3000
HEAD = (
    *("kind", "trained on", "matched by", "own decoder", "other's decoder", "translated, no known pair"),
    *("times", "translated by 3,000 true pairs", "accepted", "CPU s"),
)


@dataclass(frozen=True, eq=False)
class Given:
    """Two models, the images that either encodes to be matched, and what the table calls them."""

    trained_on: str
    matched_by: str
    models: tuple[Autoencoder, Autoencoder]
    images: tuple[Tensor, Tensor]


def given(kind: str, draw: int) -> Iterator[Given]:
    """What is matched of a kind, in a draw of images."""
    images = demo_digits().train
    generator = torch.Generator().manual_seed(draw)
    one, other = torch.randperm(len(images), generator=generator).tensor_split(2)
    bundled = [bundled_autoencoder(kind, "absolute", LATENT[kind], seed) for seed in (0, 1)]
    both = bundled[0], bundled[1]
    same = one[:MATCHED], one[:MATCHED][torch.randperm(MATCHED, generator=generator)]
    apart = one[:MATCHED], other[:MATCHED]
    yield Given("the same images", "the same images", both, (images[same[0]], images[same[1]]))
    yield Given("the same images", "different images", both, (images[apart[0]], images[apart[1]]))
    options = [
        Options(kind, "absolute", LATENT[kind], anchors=LATENT[kind], rate=RATES[kind], seed=seed)
        for seed in (2 * draw, 2 * draw + 1)
    ]
    halves = train(images[one], options[0]), train(images[other], options[1])
    yield Given("different images", "different images", halves, (images[apart[0]], images[apart[1]]))


def line(kind: str, one: Given) -> list[str]:
    """A row of the table: errors × 100."""
    test, (first, second) = demo_digits().test, one.models
    latents = first.encode(test)
    true = translator(first.encode(one.images[0]), second.encode(one.images[0]), "procrustes")
    own, swapped, known = (
        100 * mean_squared_error(made, test)
        for made in (second.reconstruct(test), second.decode(latents), second.decode(true(latents)))
    )
    found, accepted, seconds = matched(first, second, *one.images)
    cells = [kind, one.trained_on, one.matched_by, f"{own:.2f}", f"{swapped:.2f}", f"{found:.2f}"]
    return [*cells, f"{found / own:.1f}", f"{known:.2f}", accepted, seconds]


def matched(
    first: Autoencoder, second: Autoencoder, images: Tensor, others: Tensor
) -> tuple[float, str, str]:
    """The error × 100 of what is translated from the first to the second, the verdict, and CPU seconds."""
    test = demo_digits().test
    began = time.process_time()
    match = match_latents(first, second, images, others)
    seconds = time.process_time() - began
    made = second.decode(match.there(first.encode(test)))
    accepted = "yes" if match.found.converged else "no"
    return 100 * mean_squared_error(made, test), accepted, f"{seconds:.0f}"


UNLIKE_HEAD = ("the first model encodes", "the other", "accepted", "translated, no known pair", "CPU s")


def unlike() -> Iterator[tuple[str, str, Tensor, Tensor]]:
    """Sets of images that are less and less alike, in words and rows of the training images."""
    digits = torch.tensor([int(label) for label in demo_digits().train_labels])
    one, other = torch.randperm(len(digits), generator=torch.Generator().manual_seed(0)).tensor_split(2)

    def without(rows: Tensor, *left_out: int) -> Tensor:
        return rows[~torch.isin(digits[rows], torch.tensor(left_out))]

    ones = other[digits[other] == 1]
    for many in (MATCHED, 1000, 500):
        yield f"{many:,} digits", f"{many:,} digits", one[:many], other[:many]
    yield "3,000 digits", "without 9", one[:MATCHED], without(other, 9)[:MATCHED]
    yield "3,000 digits", "without 8 and 9", one[:MATCHED], without(other, 8, 9)[:MATCHED]
    few = torch.cat([without(other, 1), ones[: len(ones) // 4]])
    yield "3,000 digits", "with a quarter of the 1s", one[:MATCHED], few[-MATCHED:]
    yield "odd digits", "even digits", without(one, 0, 2, 4, 6, 8), without(other, 1, 3, 5, 7, 9)
    yield "digits below 5", "digits from 5 on", without(one, 5, 6, 7, 8, 9), without(other, 0, 1, 2, 3, 4)


def lines(draws: int) -> Iterator[list[str]]:
    """Rows of the table of all that is ``given``."""
    for kind in LATENT:
        for draw in range(draws):
            for one in given(kind, draw):
                yield line(kind, one)


def unlike_lines() -> Iterator[list[str]]:
    """Rows of the table of sets of images that are not alike."""
    images = demo_digits().train
    first, second = (bundled_autoencoder("ae", "absolute", LATENT["ae"], seed) for seed in (0, 1))
    for own, others, rows, beside in unlike():
        error, accepted, seconds = matched(first, second, images[rows], images[beside])
        yield [own, others, accepted, f"{error:.2f}", seconds]


def main() -> None:
    """Match, swap and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--draws", type=int, default=2)
    parser.add_argument("--unlike", action="store_true")
    asked = parser.parse_args()
    head, rows = (UNLIKE_HEAD, unlike_lines()) if asked.unlike else (HEAD, lines(asked.draws))
    print("| " + " | ".join(head) + " |\n" + "|---" * len(head) + "|")
    with one_thread():
        for row in rows:
            print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
