"""Where the paper's recipe of anchor optimization works: the Markdown table of docs/anchor-optimization.md.

python -m tests.benchmarks.adam [--sets first-2000 …] [--steps 100]
python -m tests.benchmarks.adam --starts [--sets first-2000 …]

Six minutes or so of one core, and seconds for what the runs start from. A draw has its own anchors, known
pairs, order of the rows of y, and start.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

import relviz
from relviz.bootstrapping import adam
from relviz.bootstrapping.adam import AdamOptions
from relviz.bootstrapping.correspondence import hard
from relviz.bootstrapping.inputs import Given, check_given
from relviz.bootstrapping.record import Record
from relviz.relative_projection import unit_rows
from relviz.sheet import Sheet, markdown

ANCHORS = 300
KNOWN = 15
WORDS = ("words", "glove50", "wink100")


@dataclass(frozen=True)
class Rows:
    """Rows of a demo pair: the first of them, or as many drawn at random; how many draws, and which ways."""

    title: str
    pair: tuple[str, str, str]
    first: int | None = None
    at_random: int | None = None
    draws: int = 3
    ways: tuple[str, ...] = ("y → x, centered", "x → y, centered", "y → x, as given", "x → y, as given")

    def take(self, draw: int) -> tuple[Tensor, Tensor]:
        """Both sides, row by row."""
        demo, a, b = self.pair
        pair = relviz.load_demo(demo).pair(a, b)
        x, y = pair.a.vectors, pair.b.vectors
        if self.at_random is not None:
            rows = torch.randperm(len(x), generator=torch.Generator().manual_seed(draw))[: self.at_random]
            return x[rows], y[rows]
        return x[: self.first], y[: self.first]


SETS = {
    "first-2000": Rows("words, the 2,000 most frequent", WORDS, first=2_000),
    "random-2000": Rows("words, 2,000 at random", WORDS, at_random=2_000),
    "glosses": Rows("glosses, MiniLM → E5", ("glosses", "minilm", "e5")),
    "images": Rows("emoji, two image encoders", ("emoji", "image_lite0", "image_lite1"), draws=2),
    "names": Rows("emoji, English → Spanish names", ("emoji", "text_en_minilm", "text_es_e5")),
    "first-4000": Rows("words, the 4,000 most frequent", WORDS, first=4_000, draws=1),
    "first-10000": Rows(
        "words, the 10,000 most frequent", WORDS, first=10_000, draws=1, ways=("y → x, centered",)
    ),
}
WAYS: dict[str, tuple[bool, bool]] = {
    "y → x, centered": (False, True),
    "x → y, centered": (True, True),
    "y → x, as given": (False, False),
    "x → y, as given": (True, False),
}
"""What takes a row of what (``AdamOptions.match_x_to_y``), and whether either space is centered first."""


def drawn(rows: Rows, draw: int, centered: bool = True) -> tuple[Tensor, Tensor, Given]:
    """Rows of x, the order in which the solver gets those of y, and what it is given."""
    x, y = rows.take(draw)
    anchors = relviz.select_anchors(x, ANCHORS, seed=draw)
    order = torch.randperm(len(y), generator=torch.Generator().manual_seed(draw))
    known = anchors[:KNOWN], order.argsort()[anchors[:KNOWN]]
    given = check_given(x, y[order], anchors, known)
    if not centered:
        given = replace(given, x=unit_rows(x).to(given.x.device), y=unit_rows(y[order]).to(given.y.device))
    return x, order, given


def run(rows: Rows, draw: int, x_to_y: bool, centered: bool, steps: int) -> tuple[float, bool]:
    """The share of right matches of one run, and whether its self-check believes it."""
    x, order, given = drawn(rows, draw, centered)
    found = adam.solve(given, AdamOptions(steps=steps, match_x_to_y=x_to_y), draw, Record())
    right = order[found.matches.cpu()] == torch.arange(len(x))
    return float(right.double().mean()), found.converged


def starts(chosen: Sequence[str]) -> list[tuple[str, ...]]:
    """The share of right matches that the first step sees, and what the known pairs alone would give."""
    table: list[tuple[str, ...]] = []
    for name in chosen:
        first, alone = [], []
        for draw in range(SETS[name].draws):
            x, order, given = drawn(SETS[name], draw)
            start = adam._start(given, draw)
            seeds = given.y[given.sy]
            for found, points, others in (
                (first, given.x[given.anchors], start),
                (alone, given.x[given.sx], seeds),
            ):
                matches = hard(given.x @ points.T, given.y @ others.T).y_of_x.cpu()
                found.append(f"{float((order[matches] == torch.arange(len(x))).double().mean()):.3f}")
        table.append((SETS[name].title, " ".join(first), " ".join(alone)))
    return table


def lines(chosen: Sequence[str], steps: int, say: Callable[[str], None]) -> list[tuple[str, ...]]:
    """A line for each set of rows."""
    table = []
    for name in chosen:
        rows = SETS[name]
        cells, wrong = [], []
        for way, (x_to_y, centered) in WAYS.items():
            runs = [
                run(rows, draw, x_to_y, centered, steps) for draw in range(rows.draws * (way in rows.ways))
            ]
            cells.append(" ".join(f"{right:.3f}" for right, _ in runs) or "–")
            wrong += [converged for right, converged in runs if right < 0.5]
        table.append((rows.title, *cells, f"{sum(wrong)} of {len(wrong)}"))
        say(" | ".join(table[-1]))
    return table


def main(arguments: Sequence[str]) -> None:
    """Print the table; its lines as they come go to stderr."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--sets", nargs="+", choices=SETS, default=list(SETS))
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument(
        "--starts", action="store_true", help="what the runs start from, in place of the runs"
    )
    chosen = parser.parse_args(arguments)
    if chosen.starts:
        head = ("rows", "right in the first matching", "right by the known pairs alone")
        print(markdown(Sheet(head, tuple(starts(chosen.sets)), words=1)).strip())
        return
    found = lines(chosen.sets, chosen.steps, lambda line: print(line, file=sys.stderr, flush=True))
    columns = ("rows", *WAYS, "wrong runs that are accepted")
    print(markdown(Sheet(columns, tuple(found), words=1)).strip())
    print(
        f"\nShare of right matches in each draw, {KNOWN} known pairs, {ANCHORS} anchors, {chosen.steps} "
        "steps. Wrong is less than half."
    )


if __name__ == "__main__":
    main(sys.argv[1:])
