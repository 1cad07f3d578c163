"""A run of anchor optimization as a task: the solver runs, and every step of it is recorded."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import torch
from torch import Tensor

from relviz.anchors import select_anchors
from relviz.bootstrapping import Step, bootstrap
from relviz.bootstrapping.run_evaluation import Evaluator
from relviz.bootstrapping.split import Split, split
from relviz.compute.jobs import Link, Ticket
from relviz.compute.task import Task, task
from relviz.errors import ParameterError
from relviz.frame import Frame
from relviz.names import BOOTSTRAPS, SELECTORS, known_name
from relviz.pair import Pair
from relviz.projection import pca
from relviz.results.checkpoint import resumed
from relviz.results.replay import SEARCH, Recorder
from relviz.results.run import KIND, RunRecord, RunResult, Verdict, title_of
from relviz.state.solver_options import chosen_options
from relviz.state.view import Run, View

MOST_QUERIES = 500
"""Rows searched with at most, the same in every step and after the last."""
UNMATCHED = -1
"""In the place of a match: a row that is held out has none while the run goes on."""
SHUFFLE_SEED = 20230301
"""Of the order in which the rows of B are given to the solver."""
STEPPING, MEASURING = 0.8, 0.95
"""Fractions of a run that are done after its steps, and after its verdict."""


def most_anchors(rows: int) -> int:
    """Anchors of a run at most: a fifth of the rows is left, so that there is something to measure with.

    >>> most_anchors(80)
    64
    """
    return max(1, rows - max(2, rows // 5))


def split_of(run: Run, rows: int, anchors: Tensor) -> Split:
    """Rows that take part in a run, and those that are held out: the same for every seed of the solver."""
    if len(anchors) == rows:  # a pair of one or two rows
        return Split(torch.arange(rows), anchors[:0], anchors[:0])
    return split(rows, anchors, run.held_out, run.anchor_seed, MOST_QUERIES)


def rows_of(run: Run, x: Tensor, labels: Sequence[str] | None) -> tuple[Tensor, Tensor]:
    """Rows of A that are anchors ``(k,)``, and those of them whose counterpart is given ``(s,)``, int64.

    Fewer seeds of the same draw are among more of them. ``x`` (n, dx) are the rows of A, ``labels`` their
    classes.

    Raises
    ------
    ParameterError
        If there are to be more seeds than anchors, or the classes asked for are not there.
    """
    count = min(run.anchors, most_anchors(len(x)))
    anchors = select_anchors(x, count, "uniform", run.anchor_seed)
    if run.seeding == "none":
        return anchors, torch.empty(0, dtype=torch.int64)
    if run.seeding == "hand":
        return _with_picks(x, [row for row in run.hand if row < len(x)], count, run.anchor_seed)
    if run.seeds > count:
        raise ParameterError(
            f"{run.seeds} known pairs cannot be among {count} anchors. Choose more anchors, or fewer known "
            "pairs."
        )
    classes = None if labels is None else [labels[row] for row in anchors.tolist()]
    drawn = select_anchors(x[anchors], run.seeds, known_name(run.seeding, SELECTORS), run.draw, classes)
    return anchors, anchors[drawn]


def bootstrap_task(run: Run, pair: Pair, sources: tuple[str, str] | None = None) -> Task[RunRecord]:
    """The task that runs the solver and keeps the record of the run, under the digest of its inputs.

    ``sources`` are those of the pair where a page asks: its link opens the run again.
    """
    labels = pair.labels if run.seeding == "per_class" else None
    title = title_of(run, min(run.anchors, most_anchors(len(pair))))
    link = None
    if sources is not None:
        words = f"{title} · {pair.a.name} / {pair.b.name}"
        link = Link(words, View(a=sources[0], b=sources[1], ao=run).to_params())
    return replace(_run(pair, run.essential(), labels), title=title, link=link)


@task(KIND, "Anchor optimization", heavy=True)
def _run(ticket: Ticket, pair: Pair, run: Run, labels: tuple[str, ...] | None) -> RunRecord:
    """Run the solver, and record it.

    The rows of B are given in a fixed random order, so that none of the pairing reaches the solver but the
    seeds; what it finds is put back into the order of the pair. A share of the rows is held out: the solver
    sees neither them nor their counterparts, and what it found is measured with them. One that was broken off
    goes on from its checkpoint, and gives the same record.
    """
    ticket.report(0.0, "preparing")
    options = chosen_options(run.method, run.options)
    a, b, n = pair.a.vectors, pair.b.vectors, len(pair)
    anchors, seeds = rows_of(run, a, labels)
    split = split_of(run, n, anchors)
    fit = split.fit
    order = torch.randperm(len(fit), generator=torch.Generator().manual_seed(SHUFFLE_SEED))
    place = order.argsort()  # where each row of B went
    evaluator = Evaluator(a, b, anchors, seeds, split)
    axes = pca.fit(evaluator.by_anchors, 2)
    mean, components = (torch.from_numpy(part).float() for part in (axes.mean, axes.components))
    before = resumed(_run(pair, run, labels).key, lambda: recorder.replay())
    recorder = Recorder(n, before.replay)
    since = ""
    if before.replay is not None:
        ticket.report(message=f"resumed at step {before.replay.steps}")
        since = f", {ticket.job.message}"
    record = RunRecord(
        pair=pair.digest,
        run=run,
        anchors=anchors,
        seeds=seeds,
        held_out=split.held,
        queries=len(split.queries),
        places=axes.places,
        explained=float(sum(pca.explained(evaluator.by_anchors, axes.places))),
        references=evaluator.references(),
        replay=recorder.replay(),
    )
    ticket.show(lambda: record.with_steps(recorder.replay()))
    planned = before.planned

    def in_pair(matches: Tensor) -> Tensor:
        """Matches of the rows of the fit as rows of the pair; rows held out have none."""
        every = torch.full((n,), UNMATCHED)
        every[fit] = fit[order[matches]]
        return every

    def places(points: Tensor) -> np.ndarray:
        # (y Aᵀ − mean) C without the wide relative rows in between.
        return (evaluator.y @ (points.T @ components) - mean @ components).numpy()

    def on_step(step: Step) -> None:
        if not planned or step.of > planned[-1]:
            planned.append(step.of)  # a solver that does not believe its result begins another round
        matches = in_pair(step.matches)
        figures = {"loss": step.loss, "eps": step.eps, "agreement": step.agreement} | _search(step)
        figures |= evaluator.step(step.index, step.index + 1 == step.of, matches, step.anchors)
        recorder.add(step.of, figures, matches.to(torch.int32).numpy(), places(step.anchors))
        again = f", round {len(planned)}" if len(planned) > 1 else ""
        done = STEPPING * (step.index + 1) / step.of
        ticket.report(done, f"step {step.index + 1} of {step.of}{again}{since}")
        ticket.rest()

    known = (split.in_fit(seeds), place[split.in_fit(seeds)])
    found = bootstrap(
        a[fit],
        b[fit][order],
        split.in_fit(anchors),
        known,
        known_name(run.method, BOOTSTRAPS),
        run.seed,
        on_step=on_step,
        options=options,
        on_pulse=ticket.check,
        checkpoint=before.checkpoint,
    )
    ticket.report(MEASURING, "measuring")
    nearest = fit[order[found.indices]]
    matches = evaluator.complete(in_pair(found.matches), found.anchors)
    evaluation = evaluator.evaluation(found.anchors, nearest, matches)
    figures = {"accuracy": np.nan if evaluation.accuracy is None else evaluation.accuracy}
    if "found" in evaluation.mrr:
        figures["mrr"] = evaluation.mrr["found"]
    recorder.finish(figures, matches.to(torch.int32).numpy(), places(found.anchors))
    # Elsewhere B is taken in the frame of all its rows.
    points = evaluator.frame.moved_to(Frame().fit(b), found.anchors, b[nearest])
    result = RunResult(points, nearest, matches, Verdict.of(found), evaluation)
    return record.with_steps(recorder.replay(), result)


def _search(step: Step) -> dict[str, float]:
    """Where the populations stand, of a step that is a generation of them."""
    if step.standing is None:
        return {}
    standing = step.standing
    return dict(zip(SEARCH, (*standing.fits, *standing.coherences, standing.agreement), strict=True))


def _with_picks(x: Tensor, picks: list[int], count: int, seed: int) -> tuple[Tensor, Tensor]:
    if not picks:
        raise ParameterError(
            "No known pairs are chosen by hand. Choose items whose counterpart you know, or another "
            "selection."
        )
    if len(picks) > count:
        raise ParameterError(
            f"{len(picks)} known pairs are chosen by hand but there are only {count} anchors. Choose more "
            "anchors."
        )
    seeds = torch.tensor(picks)
    order = select_anchors(x, len(x), "uniform", seed)
    others = order[~torch.isin(order, seeds)][: count - len(picks)]
    return torch.cat([seeds, others]), seeds
