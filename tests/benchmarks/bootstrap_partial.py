"""Anchor optimization where only some rows of either space have a counterpart, as a Markdown table.

python -m tests.benchmarks.bootstrap_partial [--runs 2] [--shares 0.9 0.75 0.5] [--seeds 15 5] [--pairs NAME]
[--disjoint ROWS ...]

x and y are different parts of the rows of a demo; a share of the rows of each is in both. Seeds are among
these, the other anchors are any rows of x. "right" is the share of the rows in common that are matched with
their counterpart; the others have none, and whatever they are matched with is wrong. "true pairs" is the same
share by the rotation that nine tenths of all true pairs give, of the tenth left out: what no method knows.

With --disjoint ROWS: no row is in both. Held against the truth are then the anchors: the MRR of rows of x,
whose counterparts among all rows of the other space the run never saw, through the true anchors and those
found.

With --calibration: how often the match of a row is its counterpart, by what ``has_counterpart`` says, over
runs of one short round from 15 seeds. The coefficients are fitted on two pairs and held against two others,
and against whole runs on few rows.
"""

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass, fields
from itertools import pairwise, product

import torch
from torch import Tensor

import relviz
from relviz.bootstrapping.counterpart_score import evidence
from relviz.bootstrapping.cross_fitting import EVENING, POWER
from relviz.bootstrapping.inputs import Given, check_given
from relviz.bootstrapping.mutual_pairs import mutual_pairs
from relviz.bootstrapping.principal_axes import MOST_DIMENSIONS, evened
from relviz.bootstrapping.procrustes import align
from relviz.bootstrapping.record import Record
from relviz.bootstrapping.run import Run
from relviz.frame import Frame
from relviz.measure import retrieval
from relviz.relative_projection import relative
from tests.benchmarks.bootstrap_pairs import ANCHORS, SUBJECTS

PAIRS = ("glosses-minilm-e5", "glosses-minilm-wordllama", "emoji-images", "emoji-names-en-es")
FITTED = ("glosses-minilm-wordllama", "emoji-images")
CHECKED = ("glosses-wordllama-e5", "emoji-names-minilm-wordllama")
SHARES = (0.5, 1.0, 0.25)
FEW = (300, 600)
"""Rows of either space."""
BINS = (0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0)
RIDGE = 1e-3
FOLDS = 10
QUERIES = 1000
COLUMNS = (
    "pair",
    "rows of either",
    "in common",
    "seeds",
    "right, each run",
    "true pairs",
    "accepted",
    "CPU s",
)

IN_DISJOINT = (
    "pair",
    "rows of either",
    "candidates",
    "true anchors",
    "anchors found",
    "accepted",
    "share right, estimated",
    "CPU s",
)


@dataclass(frozen=True, eq=False)
class Part:
    """A run on parts of two spaces: row ``x[i]`` of the one is row ``counterpart[i]`` of the other."""

    spaces: tuple[Tensor, Tensor]
    anchors: Tensor
    known: tuple[Tensor, Tensor]
    x: Tensor
    counterpart: Tensor
    found: relviz.Bootstrap

    @property
    def verdict(self) -> str:
        """Whether it was accepted."""
        return "yes" if self.found.converged else "no"

    @property
    def right(self) -> float:
        """Share of the rows in common that are matched right."""
        return float((self.found.matches[self.x] == self.counterpart).double().mean())

    @property
    def right_by_true_pairs(self) -> float:
        """Share of the rows in common that a rotation matches right which the other true pairs are fitted to.

        As in cross-fitting, but with the truth, of which a tenth is left out in turn.
        """
        frame = Run(self._given, relviz.AnnealedOptions(), 0, Record()).frame
        x, y = evened(frame.x, EVENING), evened(frame.y, EVENING)
        pairs = self.x.to(x.device), self.counterpart.to(x.device)
        right = 0
        for held_out in torch.arange(len(self.x), device=x.device).chunk(FOLDS):
            others = torch.ones(len(self.x), dtype=torch.bool, device=x.device)
            others[held_out] = False
            cross = x[pairs[0][others]].T @ y[pairs[1][others]]
            matches = mutual_pairs(*align(cross, MOST_DIMENSIONS, POWER).sides(x, y)).matches
            right += int((matches[pairs[0][held_out]] == pairs[1][held_out]).sum())
        return right / len(self.x)

    def samples(self) -> "Samples":
        """Of the rows that are in no known pair."""
        truth = torch.full((len(self.spaces[0]),), -1)
        truth[self.x] = self.counterpart
        free = ~torch.isin(torch.arange(len(truth)), self.known[0])
        given = self._given
        seen = evidence(given, self.found.matches.to(given.x.device)).cpu()
        right = (self.found.matches == truth).float()
        return Samples(seen[free], self.found.has_counterpart[free], right[free])

    @property
    def _given(self) -> Given:
        return check_given(*self.spaces, self.anchors, self.known)


@dataclass(frozen=True, eq=False)
class Samples:
    """What ``has_counterpart`` goes by (n, c), what it ``said`` (n,), which matches are ``right`` (n,)."""

    seen: Tensor
    said: Tensor
    right: Tensor

    @classmethod
    def joined(cls, some: Sequence["Samples"]) -> "Samples":
        """All rows of them."""
        return cls(*(torch.cat([getattr(one, kept.name) for one in some]) for kept in fields(cls)))


def parts(n: int, share: float, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Rows of x and rows of y, as many of each; ``share`` of them are in both."""
    order = torch.randperm(n, generator=generator)
    each = int(n / (2 - share))
    y = order[n - each :]
    return order[:each], y[torch.randperm(each, generator=generator)]


def run(
    name: str,
    share: float,
    seeds: int,
    draw: int,
    options: relviz.AnnealedOptions | None = None,
    rows: int | None = None,
) -> Part:
    """Anchor optimization between two parts of a demo, as large as can be or of so many rows each."""
    pair = SUBJECTS[name].pair()
    generator = torch.Generator().manual_seed(draw)
    if rows is not None:
        pair = pair.take(torch.randperm(len(pair), generator=generator)[: round(rows * (2 - share))])
    in_x, in_y = parts(len(pair), share, generator)
    x, y = torch.isin(in_x, in_y).nonzero()[:, 0], in_y.argsort()
    counterpart = y[torch.searchsorted(in_y[y], in_x[x])]
    mixed = torch.randperm(len(x), generator=generator)
    x, counterpart = x[mixed], counterpart[mixed]
    others = torch.randperm(len(in_x), generator=generator)
    others = others[~torch.isin(others, x[:seeds])][: ANCHORS - seeds]
    spaces, known = (pair.a.vectors[in_x], pair.b.vectors[in_y]), (x[:seeds], counterpart[:seeds])
    anchors = torch.cat([x[:seeds], others])
    found = relviz.bootstrap(*spaces, anchors=anchors, known=known, seed=draw, options=options)
    return Part(spaces, anchors, known, x, counterpart, found)


def disjoint(name: str, rows: int, draw: int) -> str:
    """A line of the table: anchor optimization from no known pair between parts with no row in common."""
    pair = SUBJECTS[name].pair()
    in_x, others = torch.randperm(len(pair), generator=torch.Generator().manual_seed(draw)).split(
        [rows, len(pair) - rows]
    )
    x, y = pair.a.vectors[in_x], pair.b.vectors[others[:rows]]
    anchors, began = torch.arange(min(ANCHORS, rows)), time.process_time()
    found = relviz.bootstrap(x, y, anchors, seed=draw)
    spent = time.process_time() - began
    a, b = Frame().fit(x).transform(pair.a.vectors), Frame().fit(y).transform(pair.b.vectors)
    by = relative(a, a[in_x[anchors]])
    true, got = (
        retrieval(by, relative(b, through), queries=in_x[:QUERIES]).mrr
        for through in (b[in_x[anchors]], found.anchors)
    )
    said = "–" if found.evidence.right is None else f"{found.evidence.right.estimate:.0%}"
    verdict = "yes" if found.converged else "no"
    figures = f"{true:.3f} | {got:.3f} | {verdict} | {said} | {spent:.0f}"
    return f"| {name} | {rows} | {len(pair)} | {figures} |"


def logistic(seen: Tensor, right: Tensor) -> Tensor:
    """Coefficients of the logistic regression of ``right`` (n,) on ``seen`` (n, c), by Newton steps."""
    x, y = seen.double(), right.double()
    found = x.new_zeros(x.shape[1])
    for _ in range(30):
        chance = torch.sigmoid(x @ found)
        slope = x.T @ (y - chance) / len(x) - RIDGE * found
        curve = (x * (chance * (1 - chance))[:, None]).T @ x / len(x)
        found = found + torch.linalg.solve(curve + RIDGE * torch.eye(len(found), dtype=x.dtype), slope)
    return found


def calibration() -> None:
    """Fit, and print predicted against observed."""
    options = relviz.AnnealedOptions(steps=60, rounds=1)
    names = (*FITTED, *CHECKED)
    print("| pair | in common | right | accepted | matched right | predicted |\n" + "|---" * 6 + "|")
    samples: dict[tuple[str, float], Samples] = {}
    for share, name in product(SHARES, names):
        part = run(name, share, 15, 0, options)
        samples[name, share] = found = part.samples()
        line = f"| {name} | {share:.0%} | {part.right:.3f} | {part.verdict} "
        print(line + f"| {found.right.mean():.3f} | {found.said.mean():.3f} |", flush=True)
    fitted, checked = (
        Samples.joined([some for (name, _), some in samples.items() if name in among])
        for among in (FITTED, CHECKED)
    )
    weights = logistic(fitted.seen, fitted.right)
    print(f"\nfitted on {', '.join(FITTED)}: {', '.join(f'{one:.2f}' for one in weights.tolist())}\n")
    reliability("pairs fitted", fitted)
    reliability("pairs checked", checked)
    few: list[Samples] = []
    print("| pair | rows of either | in common | accepted | matched right | predicted |\n" + "|---" * 6 + "|")
    for rows, share, name in product(FEW, (1.0, 0.5), names):
        part = run(name, share, 15, 0, rows=rows)
        found = part.samples()
        if part.found.converged:
            few.append(found)
        line = f"| {name} | {len(part.spaces[0])} | {share:.0%} | {part.verdict} "
        print(line + f"| {found.right.mean():.3f} | {found.said.mean():.3f} |", flush=True)
    print()
    reliability("few rows, accepted", Samples.joined(few))


def reliability(title: str, samples: Samples) -> None:
    """Print how often what was said to be so probable is so."""
    print(f"| predicted, {title} | rows | mean predicted | observed |\n" + "|---" * 4 + "|")
    said = samples.said
    for low, high in pairwise(BINS):
        held = (said >= low) & ((said < high) | (high == 1))
        if held.any():
            mean, observed = float(said[held].mean()), float(samples.right[held].mean())
            print(f"| {low:.1f}-{high:.1f} | {int(held.sum())} | {mean:.3f} | {observed:.3f} |")
    print()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--shares", type=float, nargs="+", default=[0.9, 0.75, 0.5])
    parser.add_argument("--seeds", type=int, nargs="+", default=[15, 5])
    parser.add_argument("--pairs", nargs="+", choices=SUBJECTS, default=PAIRS)
    parser.add_argument("--calibration", action="store_true")
    parser.add_argument(
        "--disjoint", type=int, nargs="+", metavar="ROWS", help="rows of either, none in both"
    )
    chosen = parser.parse_args()
    if chosen.calibration:
        calibration()
        return
    if chosen.disjoint:
        print(f"| {' | '.join(IN_DISJOINT)} |\n{'|---' * len(IN_DISJOINT)}|")
        for name, rows, draw in product(chosen.pairs, chosen.disjoint, range(chosen.runs)):
            if 2 * rows <= len(SUBJECTS[name].pair()):
                print(disjoint(name, rows, draw), flush=True)
        return
    print(f"| {' | '.join(COLUMNS)} |\n{'|---' * len(COLUMNS)}|")
    for name in chosen.pairs:
        for share in chosen.shares:
            for seeds in chosen.seeds:
                before = time.process_time()
                runs = [run(name, share, seeds, draw) for draw in range(chosen.runs)]
                spent = (time.process_time() - before) / len(runs)
                right = " ".join(f"{one.right:.3f}" for one in runs)
                true = " ".join(f"{one.right_by_true_pairs:.3f}" for one in runs)
                said = f"{sum(one.found.converged for one in runs)} of {len(runs)}"
                about = f"{name} | {len(runs[0].spaces[0])} | {share:.0%} | {seeds}"
                print(f"| {about} | {right} | {true} | {said} | {spent:.0f} |", flush=True)
    print(f"\n{ANCHORS} anchors, draws 0-{chosen.runs - 1}.")


if __name__ == "__main__":
    main()
