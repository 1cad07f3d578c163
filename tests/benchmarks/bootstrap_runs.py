"""Runs of anchor optimization on the demo pairs, one line of JSON each, and the table of them.

A run is added to a file as it ends; begun again, those in the file are not repeated, but for those of another
solver: one whose sources in ``relviz/bootstrapping``, or numerical packages, were not as they are now. Of
these ``Runs.adopt`` takes those over that such a change has left alone.
"""

import json
import sys
import time
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from relviz.bootstrapping.evaluation import BothWays, Draw, Pairing
from relviz.bootstrapping.rounds import FEWEST_TO_START
from relviz.compute.packed import code_of, meaning_of
from relviz.compute.parallel import one_thread
from relviz.names import BootstrapMethod
from tests.benchmarks.bootstrap_pairs import ANCHORS, SUBJECTS

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

A = TypeVar("A", bound="DataclassInstance")
R = TypeVar("R", bound="DataclassInstance")

MOST_QUERIES = 2000
"""Queries that are drawn of more than 5,000 rows."""
Verdicts = Counter[tuple[bool, bool]]
"""How many runs (said that they converged, were right)."""

_MORE_ROUNDS = 1.5
"""How many times the seconds of the quickest run one of more rounds takes, at least."""
_ALIKE = 0.002
"""How far figures of the same run lie apart on two processors, at most."""

_FOLDER = "bootstrapping"
SOLVER = meaning_of(tuple(one for one in code_of(f"relviz.{_FOLDER}").files if one.startswith(f"{_FOLDER}/")))
"""What a run of two spaces is made by."""
HEAD = {
    "pair": 28,
    "method": 9,
    "seeds": 5,
    "queries": 7,
    "GT": 5,
    "known pairs only": 16,
    "found": 5,
    "asked": 6,
    "each run": 59,
    "y → x": 5,
    "nearest rows": 12,
    "Procrustes": 10,
    "fitted": 7,
    "right": 6,
    "converged": 9,
    "verdicts right": 14,
    "CPU s": 5,
    "most CPU s": 10,
    "rivals, quoted": 0,
}


IN_DOCS = {
    "pair": "pair",
    "seeds": "known pairs",
    "GT": "true anchors",
    "Procrustes": "Procrustes, all pairs",
    "found": "found",
    "each run": "found, each run",
    "right": "matches right",
    "converged": "accepted",
    "verdicts right": "verdicts right",
    "CPU s": "CPU s",
    "most CPU s": "at most",
    "rivals, quoted": "others, quoted",
}
"""Columns of the table in docs, and what they are called there."""


@dataclass(frozen=True)
class Asked:
    """One run: a pair, a method, how many pairs are known, and the draw of rows and seeds."""

    pair: str
    method: BootstrapMethod
    seeds: int
    draw: int
    held_out: float = 0.2
    include_anchors: bool = False

    @property
    def drawn(self) -> "Asked":
        """The same for every number of seeds and every method: its draw of anchors and rows held out."""
        return replace(self, method="annealed", seeds=0)


@dataclass(frozen=True)
class Ran:
    """What a run gave: MRR by kind of anchors, the share of right matches, the verdict, and its cost.

    ``found``, ``back`` and ``rows`` are x → y, y → x, and x → y through the nearest rows; ``true``,
    ``known``, ``procrustes`` and ``fitted`` are x → y through true anchors, the seeds alone, and those fitted
    to all true pairs.
    """

    queries: int
    true: float
    known: float | None
    procrustes: float
    fitted: float
    found: float
    back: float
    rows: float
    right: float
    converged: bool
    seconds: float
    """Of all processors."""

    @property
    def good(self) -> bool:
        """Whether the anchors found retrieve as well as the true ones."""
        return self.found >= self.true


class Kept(Generic[A, R]):
    """What was asked for and what it gave, in a file if one is given, by this solver (``made``) or others."""

    def __init__(self, out: Path | None, asked: type[A], ran: type[R]) -> None:
        self._out = out
        self.made: dict[A, R] = {}
        self.others: dict[A, R] = {}
        for said in map(json.loads, out.read_text().splitlines() if out is not None and out.exists() else []):
            made = self.made if said.pop("solver") == SOLVER else self.others
            one = asked(**{field.name: said.pop(field.name) for field in fields(asked)})
            made[one] = ran(**said)

    def keep(self, one: A, ran: R) -> None:
        """Add what was made, unless it is there."""
        if one in self.made:
            return
        self.made[one] = ran
        if self._out is not None:
            with self._out.open("a") as file:
                file.write(json.dumps(asdict(one) | asdict(ran) | {"solver": SOLVER}) + "\n")

    def of(self, wanted: Sequence[A], make: Callable[[A], R] | None) -> dict[A, R]:
        """Those of them that were made, in their order.

        ``make`` makes those that are missing, on one thread, and each is kept as it ends.
        """
        if make is not None:
            with one_thread():
                for one in wanted:
                    if one not in self.made:
                        self.keep(one, make(one))
        return {one: self.made[one] for one in wanted if one in self.made}


def add_kept_options(parser: ArgumentParser, *, required: bool = False) -> None:
    """Options of a benchmark whose runs are kept: the file, and whether to print what is in it alone."""
    parser.add_argument(
        "--out", type=Path, required=required, help="A file that keeps the runs, to go on later."
    )
    parser.add_argument("--report-only", action="store_true", help="Print the runs in that file, make none.")


class Runs(Kept[Asked, Ran]):
    """Runs that were made, in a file if one is given."""

    def __init__(self, out: Path | None) -> None:
        super().__init__(out, Asked, Ran)
        self._drawn: tuple[Asked, Draw, dict[str, float]] | None = None

    def make(self, wanted: Sequence[Asked]) -> None:
        """Make those that are missing."""
        for one in wanted:
            if one not in self.made:
                self.keep(one, self._run(one))

    def adopt(self, wanted: Sequence[Asked]) -> None:
        """Take over runs of another solver, after some of them are made again.

        Made again are, of each pair and number of seeds: the quickest, which has one round; those that took
        half as long again, and so may have more; and with three seeds and more those that were rejected,
        which do. The others are taken over if the quickest comes out as it was, but for what another
        processor changes.
        """
        groups: dict[tuple[str, str, int], list[Asked]] = {}
        for one in wanted:
            if one in self.others and one not in self.made:
                groups.setdefault((one.pair, one.method, one.seeds), []).append(one)
        for some in groups.values():
            first = min(some, key=lambda one: self.others[one].seconds)
            least = self.others[first].seconds
            self.keep(first, self._run(first))
            same = _alike(self.made[first], self.others[first])
            print(f"{first}: {'as it was' if same else 'another'}", file=sys.stderr, flush=True)
            for one in some:
                before = self.others[one]
                rejected = one.seeds >= FEWEST_TO_START and not before.converged
                if same and before.seconds < _MORE_ROUNDS * least and not rejected:
                    self.keep(one, before)

    def _run(self, asked: Asked) -> Ran:
        return run(*self._draw(asked), asked.seeds, asked.method)

    def _draw(self, asked: Asked) -> tuple[Draw, dict[str, float]]:
        if self._drawn is None or self._drawn[0] != asked.drawn:
            pair = SUBJECTS[asked.pair].pair()
            queries = MOST_QUERIES if len(pair) > 5000 else None
            pairing = Pairing(
                *(pair.a.vectors, pair.b.vectors, 10, queries),
                held_out=asked.held_out,
                include_anchors=asked.include_anchors,
            )
            draw = pairing.draw(ANCHORS, asked.draw)
            self._drawn = asked.drawn, draw, compared(draw)
        return self._drawn[1:]


def compared(draw: Draw) -> dict[str, float]:
    """What a run on a draw is compared with: MRR through anchors that take all true pairs to find."""
    points = {"true": draw.y[draw.rows], "procrustes": draw.rotated(), "fitted": draw.fitted()}
    return {name: _mrr(draw.through(one)) for name, one in points.items()}


def run(draw: Draw, known: Mapping[str, float], seeds: int, method: BootstrapMethod = "annealed") -> Ran:
    """A run on a draw, told so many pairs, beside what ``compared`` gives for the draw."""
    began = time.process_time()
    found = draw.solve(seeds, method)
    seconds = time.process_time() - began
    there, back = draw.through(found.anchors)
    told = draw.rows[:seeds]
    return Ran(
        queries=len(draw.split.queries),
        known=_mrr(draw.through(draw.y[told], rows=told)) if seeds else None,
        found=there.mrr,
        back=back.mrr,
        rows=_mrr(draw.through(draw.y[found.indices])),
        right=found.right,
        converged=found.converged,
        seconds=seconds,
        **known,
    )


def _alike(one: Ran, other: Ran) -> bool:
    figures = ("true", "found", "back", "rows", "right")
    apart = max(abs(getattr(one, name) - getattr(other, name)) for name in figures)
    return apart <= _ALIKE and one.converged == other.converged


def _mrr(both: BothWays) -> float:
    return both[0].mrr


def verdicts(runs: Sequence[Ran]) -> Verdicts:
    """Said and true, of each run."""
    return Counter((run.converged, run.good) for run in runs)


def right(counted: Verdicts) -> int:
    """Runs whose verdict is right."""
    return counted[True, True] + counted[False, False]


def lines(runs: Runs, wanted: Sequence[Asked]) -> Iterator[list[str]]:
    """Cells of the table: a line a pair, method and number of seeds, over the draws that were made."""
    groups: dict[tuple[str, str, int], list[Ran]] = {}
    for one in wanted:
        if one in runs.made:
            groups.setdefault((one.pair, one.method, one.seeds), []).append(runs.made[one])
    for (pair, method, seeds), some in groups.items():
        subject, counted, of = SUBJECTS[pair], verdicts(some), len(some)
        goal = subject.asked.get(seeds) if method == "annealed" else None

        def mean(name: str, some: list[Ran] = some) -> float:
            return float(sum(getattr(run, name) for run in some)) / len(some)

        yield [
            *(pair, method, str(seeds), str(some[0].queries), f"{mean('true'):.3f}"),
            f"{mean('known'):.3f}" if seeds else "–",
            f"{mean('found'):.3f}",
            "" if goal is None else f"≥ {goal:.2f}",
            " ".join(f"{run.found:.3f}" for run in some),
            *(f"{mean(name):.3f}" for name in ("back", "rows", "procrustes", "fitted")),
            f"{mean('right'):.1%}",
            f"{sum(run.converged for run in some)} of {of}",
            f"{right(counted)} of {of}",
            f"{mean('seconds'):.0f}",
            f"{max(run.seconds for run in some):.0f}",
            subject.rivals.get(seeds, "") if method == "annealed" else "",
        ]


def show(table: Sequence[Sequence[str]], markdown: bool) -> None:
    """Print these lines under their heads; as Markdown, the columns that docs have, without empty ones."""
    if not markdown:
        for cells in (list(HEAD), *table):
            print("  ".join(cell.ljust(width) for cell, width in zip(cells, HEAD.values(), strict=True)))
        return
    if not table:
        return
    columns = {
        place: IN_DOCS[name]
        for place, name in enumerate(HEAD)
        if name in IN_DOCS and any(cells[place] for cells in table)
    }
    heads, dashes = list(columns.values()), ["---"] * len(columns)
    for cells in (heads, dashes, *([cells[place] for place in columns] for cells in table)):
        print("| " + " | ".join(cells) + " |")
