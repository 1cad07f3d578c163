"""Several spaces matched at once beside each two alone, as a Markdown table.

python -m tests.benchmarks.bootstrap_several [--runs 3] [--seeds 15 0] [--shares 1 0.67] [--groups NAME ...]

Every space has a share of the items, drawn anew for each, in an order of its own. "alone" is the share of the
items in both of two spaces that the two alone match with their counterpart, "together" that all match.
Seeds are items that all spaces have.
"""

import argparse
import time
from itertools import combinations

import torch
from torch import Tensor

import relviz
from relviz.bootstrapping.several import BootstrapAll
from relviz.compute.parallel import one_thread
from tests.benchmarks.bootstrap_pairs import ANCHORS

GROUPS = {
    "emoji-names": ("emoji", ("text_en_minilm", "text_en_wordllama", "text_es_e5")),
    "glosses": ("glosses", ("minilm", "wordllama", "e5")),
    "emoji-names-and-images": (
        "emoji",
        ("text_en_minilm", "text_en_wordllama", "image_lite0", "image_lite1"),
    ),
}
"""No option of ``relviz.bootstrap_all`` was chosen on the last."""


def parts(name: str, share: float, draw: int) -> tuple[list[Tensor], list[Tensor]]:
    """Rows of each space, and which items they are."""
    demo, keys = GROUPS[name]
    spaces = relviz.load_demo(demo).spaces
    ids = spaces[keys[0]].ids
    rows, items = [], []
    for at, key in enumerate(keys):
        place = {one: row for row, one in enumerate(spaces[key].ids)}
        order = torch.randperm(len(ids), generator=torch.Generator().manual_seed(100 * draw + at))
        items.append(order[: int(share * len(ids))])
        rows.append(spaces[key].vectors[[place[ids[item]] for item in items[-1]]])
    return rows, items


def known_pairs(items: list[Tensor], many: int, draw: int) -> dict[tuple[int, int], tuple[Tensor, Tensor]]:
    """Rows of every two spaces of the same items that all have."""
    common = items[0][torch.stack([torch.isin(items[0], one) for one in items]).all(0)].sort().values
    chosen = common[torch.randperm(len(common), generator=torch.Generator().manual_seed(draw))[:many]]
    places = [(one[None] == chosen[:, None]).nonzero()[:, 1] for one in items]
    return {(i, j): (places[i], places[j]) for i, j in combinations(range(len(items)), 2)}


def right(items: list[Tensor], places: tuple[int, int], found: relviz.Bootstrap) -> float:
    i, j = places
    both = torch.isin(items[i], items[j])
    return float((items[j][found.matches] == items[i])[both].double().mean())


def run(name: str, seeds: int, share: float, draw: int) -> tuple[BootstrapAll, list[Tensor], float, float]:
    """What was found, the items of every space, seconds in all and of the runs of two spaces alone."""
    rows, items = parts(name, share, draw)
    told: list[tuple[float, float]] = []
    began = time.perf_counter()
    found = relviz.bootstrap_all(
        rows,
        known_pairs(items, seeds, draw) if seeds else None,
        ANCHORS,
        seed=draw,
        on_progress=lambda done: told.append((done, time.perf_counter() - began)),
    )
    return found, items, time.perf_counter() - began, max(second for done, second in told if done <= 0.7)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--seeds", type=int, nargs="+", default=[15, 0])
    parser.add_argument("--shares", type=float, nargs="+", default=[1.0])
    parser.add_argument("--groups", nargs="+", choices=GROUPS, default=["emoji-names", "glosses"])
    chosen = parser.parse_args()
    head = ("two of", "spaces", "items", "seeds", "alone", "together", "converged", "s, alone", "s")
    print("| " + " | ".join(head) + " |\n" + "|---" * len(head) + "|")
    for name in chosen.groups:
        for share in chosen.shares:
            for seeds in chosen.seeds:
                show(name, seeds, share, chosen.runs)
    print(f"\n{ANCHORS} anchors, draws 0-{chosen.runs - 1}, one thread.")


def show(name: str, seeds: int, share: float, many: int) -> None:
    """A line for every two spaces."""
    with one_thread():
        runs = [run(name, seeds, share, draw) for draw in range(many)]
    keys = GROUPS[name][1]
    seconds = [f"{sum(one[at] for one in runs) / many:.0f}" for at in (3, 2)]
    for places in runs[0][0].pairs:
        before, after = (
            " ".join(f"{right(items, places, of(found)[places]):.3f}" for found, items, *_ in runs)
            for of in (lambda found: found.alone, lambda found: found.pairs)
        )
        counts = [
            sum(of(found)[places].converged for found, *_ in runs)
            for of in (lambda found: found.alone, lambda found: found.pairs)
        ]
        said = f"{counts[0]} → {counts[1]} of {many}"
        two = " / ".join(keys[at] for at in places)
        line = (name, two, f"{share:.0%}", seeds, before, after, said, *seconds)
        print("| " + " | ".join(map(str, line)) + " |", flush=True)


if __name__ == "__main__":
    main()
