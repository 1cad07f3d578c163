"""The retrieval table of anchor optimization: true anchors, the seeds alone, and what a method found."""

from collections.abc import Callable, Iterator, Sequence

from torch import Tensor

from relviz.bootstrapping import METHODS, Checkpoint, OnStep, Pulse, Step
from relviz.bootstrapping.evaluation import BothWays, Draw, Pairing, Solution
from relviz.bootstrapping.known_pairs import ANCHORS, BootstrapTable, Line, LineName, Outcome
from relviz.bootstrapping.split import SHARE
from relviz.compute.arrays import ArrayLike, seeds_of
from relviz.compute.blocks import OnBlock
from relviz.compute.jobs import parts
from relviz.compute.progress import OnProgress, heard
from relviz.errors import ParameterError
from relviz.measure import Runs
from relviz.names import BootstrapMethod, renamed
from relviz.pair import Pair, both_sides

__all__ = ["ANCHORS", "BootstrapTable", "Line", "Outcome", "bootstrap_table"]

_SOLVING = 6
"""Weight of a run of the solver in the progress, where a retrieval has 1."""
_AT_WORK = "at work"


@renamed(seed_counts="known_counts", draws="seed, with n_draws")
def bootstrap_table(
    x: ArrayLike | Pair,
    y: ArrayLike | None = None,
    anchors: int = 300,
    known_counts: Sequence[int] = (15,),
    methods: Sequence[BootstrapMethod] | BootstrapMethod = ("annealed",),
    seed: int = 0,
    k: int = 10,
    queries: int | None = None,
    on_progress: OnProgress | None = None,
    held_out: float = SHARE,
    include_anchors: bool = False,
    n_draws: int = 5,
    checkpoint: Checkpoint | None = None,
) -> BootstrapTable:
    """Retrieve two parallel spaces one from the other through anchors that were known, or found.

    For each draw: uniform anchors, of which the first ``s`` have known counterparts, for each s in
    ``known_counts``, and rows that are held out. A solver gets the other rows, those of y in a random order,
    and the known counterparts. Every kind of anchors is measured with the rows held out, each searched
    among all, in both directions of retrieval; anchors are always of x, looked for in y.

    Source: Cannistraci et al. 2023 (arXiv 2303.00721), tables 4 and 7; the paper measures all rows.

    Parameters
    ----------
    x, y
        ``(n, dx)`` and ``(n, dy)``, row i of one the counterpart of row i of the other; or a ``Pair``.
    anchors
        How many, in each draw.
    known_counts
        How many of them have known counterparts; 0 for none. ``adam_warm`` needs at least one.
    methods
        Some of ``relviz.BOOTSTRAPS``, or one.
    seed, n_draws
        Seeds ``seed`` to ``seed + n_draws - 1``, of the anchors, the rows held out and the solver.
    k
        As in ``relviz.retrieval``.
    queries
        Rows searched with at most, drawn at random; all that there are without it.
    on_progress
        Called with the fraction done; see ``relviz.compute.progress``.
    held_out
        Share of the rows that takes part in no fit; see ``relviz.bootstrapping.split``. Where there are too
        few rows, or with 0, the queries are the rows of the fit that are not anchors.
    include_anchors
        True counts as the papers do: all rows are in the fit, and all are queries.
    checkpoint
        As in ``relviz.bootstrap``.

    Raises
    ------
    ShapeError
        If the numbers of rows differ, or a space has one dimension.
    ParameterError
        If an option is unknown or out of range, or all rows are anchors.
    """
    counts = tuple(dict.fromkeys(known_counts))
    methods = (methods,) if isinstance(methods, str) else tuple(methods)
    draws = seeds_of(seed, n_draws)
    _check(anchors, counts, methods)
    pairing = Pairing(*both_sides(x, y), k, queries, held_out, include_anchors)
    runs = [(count, method) for count in counts for method in methods]
    absolute = pairing.given[0].shape[1] == pairing.given[1].shape[1]
    fixed = 3 + sum(count > 0 for count in counts)
    each = [*fixed * 2 * (1.0,), *len(runs) * (_SOLVING, 1.0, 1.0, 1.0, 1.0)]
    part = parts([*2 * absolute * (1.0,), *len(draws) * each], heard(on_progress))
    measured: dict[LineName, list[BothWays]] = {}
    outcomes = []
    for draw in draws:
        drawn = pairing.draw(anchors, draw)
        if absolute and draw == draws[0]:
            measured["none", None, None] = [drawn.between(drawn.x, drawn.y, (next(part), next(part)))]
        for name, rows, points in _known(drawn, counts):
            both = drawn.through(points, (next(part), next(part)), rows)
            measured.setdefault(name, []).append(both)
        for count, method in runs:
            found = _solved(drawn, (count, method, draw), next(part), checkpoint)
            outcomes.append(_outcome(found, method, count, draw))
            for what, points in (("found", found.anchors), ("rows", drawn.y[found.indices])):
                both = drawn.through(points, (next(part), next(part)))
                measured.setdefault((what, method, count), []).append(both)
    lines = tuple(_line(name, measured[name]) for name in sorted(measured, key=_place(counts, methods)))
    return BootstrapTable(
        anchors=anchors,
        draws=tuple(draws),
        lines=lines,
        outcomes=tuple(outcomes),
        rows=len(drawn.x),
        queries=len(drawn.split.queries),
        held_out=len(drawn.split.held),
        include_anchors=include_anchors,
    )


def _solved(
    drawn: Draw, run: tuple[int, BootstrapMethod, int], on_part: OnBlock | None, checkpoint: Checkpoint | None
) -> Solution:
    """What a solver finds, or had found before the table was broken off."""
    count, method, _ = run
    if checkpoint is None:
        return drawn.solve(count, method, *_steps(on_part))
    name = " ".join(map(str, run))
    kept = checkpoint.restored(name, Solution)
    if kept is not None:
        return kept[0]
    found = drawn.solve(count, method, *_steps(on_part), checkpoint=checkpoint.part(_AT_WORK))
    checkpoint.drop(_AT_WORK)
    checkpoint.keep(name, found)
    if checkpoint.due:
        checkpoint.save()
    return found


def _check(anchors: int, counts: Sequence[int], methods: Sequence[str]) -> None:
    if not counts or min(counts) < 0 or max(counts) > anchors:
        raise ParameterError(
            f"Give the numbers of known pairs, each from 0 to the {anchors} anchors; they are {list(counts)}."
        )
    unknown = [method for method in methods if method not in METHODS]
    if unknown or not methods or len({*methods}) < len(methods):
        raise ParameterError(
            f"Give different methods out of {', '.join(METHODS)}; they are {', '.join(map(str, methods))}."
        )
    if "adam_warm" in methods and 0 in counts:
        raise ParameterError(
            "adam_warm needs at least one known pair. Leave out 0 known pairs, or adam_warm."
        )


def _known(drawn: Draw, counts: Sequence[int]) -> Iterator[tuple[LineName, Tensor, Tensor]]:
    """Anchors that are known, or fitted to known pairs: the rows of x, and what stands for them in y."""
    rows = drawn.rows
    yield ("true", None, None), rows, drawn.y[rows]
    yield ("procrustes", None, None), rows, drawn.rotated()
    yield ("fitted", None, None), rows, drawn.fitted()
    for count in counts:
        if count:
            yield ("seeds", None, count), rows[:count], drawn.y[rows[:count]]


def _place(counts: Sequence[int], methods: Sequence[str]) -> Callable[[LineName], tuple[int, int, int]]:
    """The order of the lines: what is known first, then by number of seeds, method, and kind."""
    kinds = list(ANCHORS)

    def place(name: LineName) -> tuple[int, int, int]:
        kind, method, seeds = name
        seeded = -1 if seeds is None else counts.index(seeds)
        return seeded, -1 if method is None else methods.index(method), kinds.index(kind)

    return place


def _line(name: LineName, both: list[BothWays]) -> Line:
    there, back = (Runs(direction) for direction in zip(*both, strict=True))
    return Line(*name, there, back)


def _outcome(found: Solution, method: str, seeds: int, draw: int) -> Outcome:
    return Outcome(method, seeds, draw, found.right, found.converged, found.reason, found.seconds)


def _steps(on_part: OnBlock | None) -> tuple[OnStep | None, Pulse | None]:
    """Report the steps of a solver, which may plan further ones as it goes; the progress never falls."""
    if on_part is None:
        return None, None
    done = 0.0

    def on_step(step: Step) -> None:
        nonlocal done
        done = max(done, (step.index + 1) / step.of)
        on_part(done)

    return on_step, lambda: on_part(done)
