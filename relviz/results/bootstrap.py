"""A run of anchor optimization as a task, and its evaluation on held-out rows."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np
import torch
from torch import Tensor

from relviz.anchors import select_anchors
from relviz.bootstrapping import Bootstrap, Step, bootstrap
from relviz.bootstrapping.split import Frame, Split, split
from relviz.compute.blocks import top_k
from relviz.compute.jobs import Ticket
from relviz.compute.key import result_key, text_digest
from relviz.compute.task import Made, Task
from relviz.errors import ParameterError
from relviz.measure import Retrieval, retrieval
from relviz.pair import Pair
from relviz.projection import pca
from relviz.relative_projection import unit_rows
from relviz.results.replay import Film, Opening, films
from relviz.results.run import KIND
from relviz.state.solver_options import chosen_options
from relviz.state.view import Run, View

MOST_QUERIES = 500
"""Rows searched with at most, the same in every step and after the last."""
EVERY_ROWS = 5000
"""With more rows than this, the MRR is measured at every fifth step."""
NEIGHBORS = 10
UNMATCHED = -1
"""In the place of a match: a row that is held out has none while the run goes on."""


class Judge:
    """Measures what a solver found in the parallel rows of ``x`` (n, dx) and ``y`` (n, dy).

    All rows are taken in the frames of the rows of the fit, in which the solver's points lie. What is asked
    is always the same: the queries of ``split``.
    """

    def __init__(self, x: Tensor, y: Tensor, anchors: Tensor, seeds: Tensor, split: Split) -> None:
        self.split, self._anchors, self._seeds = split, anchors, seeds
        self.frame = Frame.of(y[split.fit])
        self.x, self.y = Frame.of(x[split.fit])(x), self.frame(y)
        self.by_anchors, self._by_seeds = (self.x @ self.x[rows].T for rows in (anchors, seeds))
        self._free = split.fit[~torch.isin(split.fit, seeds)]
        self._every = 1 if len(x) <= EVERY_ROWS else 5

    def lines(self) -> dict[str, float]:
        """MRR with the true anchors and with the seeds alone: what a run lies between, or beyond."""
        if not self._asks:
            return {}
        lines = {"truth": self._mrr(self.by_anchors, self.y[self._anchors])}
        if len(self._seeds):
            lines["seeds"] = self._mrr(self._by_seeds, self.y[self._seeds])
        return lines

    def step(self, index: int, last: bool, matches: Tensor, anchors: Tensor) -> dict[str, float]:
        """Accuracy of the matches, and now and then the MRR through the anchors ``(k, dy)``."""
        told = {"accuracy": self.accuracy(matches)}
        if self._asks and (last or index % self._every == 0):
            told["mrr"] = self._mrr(self.by_anchors, anchors)
        return told

    def accuracy(self, matches: Tensor) -> float:
        """Share of right matches among the rows of the fit that are no seeds; NaN if there are none."""
        return float((matches[self._free] == self._free).double().mean())

    def complete(self, matches: Tensor, anchors: Tensor) -> Tensor:
        """Matches ``(n,)`` of the rows of the fit, and the nearest rows by the anchors of those held out."""
        held = self.split.held
        if not len(held):
            return matches
        relative_y = unit_rows(self.y @ anchors.T)
        filled = matches.clone()
        filled[held] = top_k(unit_rows(self.by_anchors[held]), relative_y, 1)[1][:, 0].cpu()
        return filled

    def outcome(self, anchors: Tensor, indices: Tensor, matches: Tensor) -> dict[str, Any]:
        """Retrieval A → B through true anchors, seeds, found anchors, and the items nearest to these.

        Beside each what a shuffled pairing of the same queries gives, and beside all what chance gives.
        """
        given = {
            "truth": (self.by_anchors, self.y[self._anchors]),
            "seeds": (self._by_seeds, self.y[self._seeds]),
            "rows": (self.by_anchors, self.y[indices]),
            "found": (self.by_anchors, anchors),
        }
        sizes = {
            "rows": len(self.x),
            "held_out": len(self.split.held),
            "queries": len(self.split.queries) if self._asks else 0,
            "right": self.accuracy(matches) if len(self._free) else None,
            "right_of": len(self._free),
        }
        if not self._asks:
            return {**sizes, "measured": {}, "chance": {}, "null": {}}
        measured = {
            name: self._retrieval(by, points, null=1) for name, (by, points) in given.items() if len(points)
        }
        return {
            **sizes,
            "measured": {name: one.figures for name, one in measured.items()},
            "chance": _judging_plain(measured["found"].chance),
            "null": {
                name: {"mean": one.null.figures, "sd": _judging_plain(one.null.sd)}
                for name, one in measured.items()
                if one.null is not None
            },
        }

    @property
    def _asks(self) -> bool:
        """Whether there is something to ask: a pairing of one row cannot be shuffled."""
        return len(self.split.queries) > 1

    def _mrr(self, relative_x: Tensor, anchors: Tensor) -> float:
        return self._retrieval(relative_x, anchors).mrr_full

    def _retrieval(self, relative_x: Tensor, anchors: Tensor, null: int | None = None) -> Retrieval:
        k = min(NEIGHBORS, len(relative_x))
        return retrieval(relative_x, self.y @ anchors.T, k=k, null=null, queries=self.split.queries)


def _judging_plain(figures: Mapping[str, float]) -> dict[str, float]:
    return {name: float(value) for name, value in figures.items()}


SHUFFLE_SEED = 20230301
"""Of the order in which the rows of B are given to the solver."""

STEPPING, MEASURING = 0.8, 0.95
"""Fractions of a run that are done after its steps, and after its verdict."""

TITLES = {"annealed": "Annealed", "adam": "Adam (Cannistraci et al. 2023)", "adam_warm": "Adam, warm start"}


def title_of(run: Run, pair: Pair) -> str:
    """A run in a few words."""
    many = {"none": "no known pairs", "hand": f"{len(run.hand)} known pairs by hand"}
    seeds = many.get(run.seeding, f"{run.seeds} known pair{'' if run.seeds == 1 else 's'}")
    again = f", solver seed {run.seed}" if run.seed else ""
    changed = f", {run.options.replace(',', ', ').replace('=', ' ')}" if run.options else ""
    anchors = min(run.anchors, most_anchors(len(pair)))
    return f"{TITLES[run.method]}, {seeds}, {anchors} anchors{again}{changed}"


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


def rows_of(run: Run, pair: Pair) -> tuple[Tensor, Tensor]:
    """Rows of A that are anchors ``(k,)``, and those of them whose counterpart is given ``(s,)``, int64.

    Fewer seeds of the same draw are among more of them.

    Raises
    ------
    ParameterError
        If there are to be more seeds than anchors, or the classes asked for are not there.
    """
    x = pair.a.vectors
    count = min(run.anchors, most_anchors(len(pair)))
    anchors = select_anchors(x, count, "uniform", run.anchor_seed)
    if run.seeding == "none":
        return anchors, torch.empty(0, dtype=torch.int64)
    if run.seeding == "hand":
        return _with_picks(x, [row for row in run.hand if row < len(pair)], count, run.anchor_seed)
    if run.seeds > count:
        raise ParameterError(
            f"{run.seeds} known pairs cannot be among {count} anchors. Choose more anchors, or fewer known "
            "pairs."
        )
    labels = None if pair.labels is None else [pair.labels[row] for row in anchors.tolist()]
    drawn = select_anchors(x[anchors], run.seeds, run.seeding, run.draw, labels)
    return anchors, anchors[drawn]


def bootstrap_task(view: View, run: Run, pair: Pair) -> Task:
    """The task that runs the solver and keeps everything for replay, under the digest of its inputs.

    While it runs, its steps are in ``films()`` under the same key. The rows of B are given in a fixed
    random order, so that none of the pairing reaches the solver but the seeds; what it finds is put
    back into the order of the pair.

    A share of the rows is held out: the solver sees neither them nor their counterparts, and what it found is
    measured with them.

    Its result holds ``anchors`` (k, dy) in the frame of ``relviz.prepare`` of all of B, ``indices`` (k,),
    ``matches`` (n,), those of rows held out found through the anchors, and the arrays of the reel.
    """
    labels = text_digest(pair.labels) if run.seeding == "per_class" else ""
    key = result_key(KIND, [pair.digest, labels], run.depends(), run.seed)

    def compute(ticket: Ticket) -> Made:
        enlist_run(key, view, run, pair)
        try:
            made = _run(run, pair, films().start(key), ticket)
        except BaseException:
            films().end(key)
            raise
        return made

    return Task(key, title_of(run, pair), compute)


def enlist_run(key: str, view: View, run: Run, pair: Pair) -> None:
    """Put a run on the list of those that who asks has asked for."""
    title = f"{title_of(run, pair)} · {pair.a.name} / {pair.b.name}"
    films().enlist(key, title, View(a=view.a, b=view.b, ao=run).to_params())


def _run(run: Run, pair: Pair, film: Film, ticket: Ticket) -> Made:
    ticket.report(0.0, "preparing")
    options = chosen_options(run.method, run.options)
    anchors, seeds = rows_of(run, pair)
    a, b = pair.a.vectors, pair.b.vectors
    split = split_of(run, len(pair), anchors)
    fit = split.fit
    order = torch.randperm(len(fit), generator=torch.Generator().manual_seed(SHUFFLE_SEED))
    place = order.argsort()  # where each row of B went
    judge = Judge(a, b, anchors, seeds, split)
    axes = pca.fit(judge.by_anchors, 2)
    mean, components = (torch.from_numpy(part).float() for part in (axes.mean, axes.components))
    explained = float(sum(pca.explained(judge.by_anchors, axes.places)))
    rows = (anchors.numpy(), seeds.numpy(), axes.places, explained)
    film.open(Opening(*rows, judge.lines(), split.held.numpy(), len(split.queries)))
    planned = []

    def in_pair(matches: Tensor) -> Tensor:
        """Matches of the rows of the fit as rows of the pair; rows held out have none."""
        every = torch.full((len(pair),), UNMATCHED)
        every[fit] = fit[order[matches]]
        return every

    def places(points: Tensor) -> np.ndarray:
        # (y Aᵀ − mean) C without the wide relative rows in between.
        return (judge.y @ (points.T @ components) - mean @ components).numpy()

    def on_step(step: Step) -> None:
        if step.of not in planned:
            planned.append(step.of)  # a solver that does not believe its result begins another round
        matches = in_pair(step.matches)
        figures = {"loss": step.loss, "eps": step.eps, "agreement": step.agreement}
        figures |= judge.step(step.index, step.index + 1 == step.of, matches, step.anchors)
        film.add(step.of, figures, matches.to(torch.int32).numpy(), places(step.anchors))
        again = f", round {len(planned)}" if len(planned) > 1 else ""
        done = STEPPING * (step.index + 1) / step.of
        ticket.report(done, f"step {step.index + 1} of {step.of}{again}")
        ticket.rest()

    known = (split.in_fit(seeds), place[split.in_fit(seeds)])
    result = bootstrap(
        *(a[fit], b[fit][order], split.in_fit(anchors), known, run.method, run.seed),
        on_step=on_step,
        options=options,
        pulse=ticket.check,
    )
    ticket.report(MEASURING, "measuring")
    indices = fit[order[result.indices]]
    matches = judge.complete(in_pair(result.matches), result.anchors)
    outcome = outcome_of(result) | judge.outcome(result.anchors, indices, matches)
    told = {"accuracy": outcome["right"]}
    if "found" in outcome["measured"]:
        told["mrr"] = outcome["measured"]["found"]["mrr_full"]
    film.close(told, matches.to(torch.int32).numpy(), places(result.anchors))
    reel = film.reel(outcome)
    assert reel is not None
    # Elsewhere B is taken in the frame of all its rows.
    points = judge.frame.moved_to(Frame.of(b), result.anchors, b[indices])
    own = {"anchors": points, "indices": indices, "matches": matches}
    # Whoever has the same vectors may read it: no name of a file, and no source, is in it.
    about = {"title": title_of(run, pair), "run": View(ao=run).to_params(), "pair": pair.digest}
    return reel.arrays() | own, reel.meta() | about


def outcome_of(result: Bootstrap) -> dict[str, Any]:
    """The verdict and what it rests on, as JSON holds it."""
    said = {name: _plain(value) for name, value in asdict(result.evidence).items()}
    return {"converged": result.converged, "stopped": result.stopped, "evidence": said}


def _plain(value: Any) -> Any:
    if isinstance(value, Tensor | np.ndarray):
        return np.asarray(value).tolist()
    return value


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
