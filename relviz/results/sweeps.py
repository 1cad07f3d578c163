"""Translation of a pair over δ and ω, and over the number of anchors."""

from dataclasses import dataclass, fields, replace

import numpy as np

from relviz.compute.job import Ticket
from relviz.compute.task import Task, task
from relviz.errors import ParameterError
from relviz.results.heads import TEST, class_names, labels_of
from relviz.results.stitching import RUNS, anchor_count
from relviz.results.translation import TranslationProblem
from relviz.space import Space
from relviz.state.view import StitchingChoices
from relviz.stitching import Sweep, SweepStep, sweep
from relviz.stitching.labels import Labels
from relviz.translation import Options

DELTAS = (0.0, 0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
OMEGAS = (1, 2, 4, 8, 16)
SWEPT = {
    "similarity": "cosine similarity to the target",
    "accuracy": "accuracy of the target's head",
    "condition_number": "condition number",
    "anchors_kept": "anchors kept",
}
"""Figures of the sweep that are shown, in their order."""
SWEPT_MAPS = SWEPT | {"condition_number": "condition number, log₁₀"}
"""The same as their maps are called, which show powers of ten."""
COUNTS = (25, 50, 100, 200, 300, 384, 500, 768, 1000)
SHARE = 0.95
"""Of the rows that train, so many may be anchors."""
ANCHOR_SWEEP_DELTAS, ANCHOR_SWEEP_OMEGAS = (0.0, 0.8), (1, 8)
ANCHOR_SWEEP_RUNS = 3


@dataclass(frozen=True)
class _Swept:
    """What a sweep goes over, as ``relviz.stitching.sweep`` takes it."""

    deltas: tuple[float, ...]
    omegas: tuple[int, ...]
    counts: tuple[int, ...]
    seed: int
    n_draws: int
    head: str
    test: float
    options: Options


@task(
    "sweep",
    lambda given: f"Trying every {'δ and ω' if len(given['over'].counts) == 1 else 'number of anchors'}",
    heavy=True,
)
def _sweep(ticket: Ticket, source: Space, target: Space, labels: Labels | None, over: _Swept) -> Sweep:
    def on_step(step: SweepStep) -> None:
        anchors = f"{step.anchors} anchors, " if len(over.counts) > 1 else ""
        ticket.report((step.index + 1) / step.of, f"{anchors}draw {step.seed}")
        ticket.rest()

    ticket.report(0.0, "splitting the rows")
    classes = None if labels is None else class_names(labels, "A")
    given = {field.name: getattr(over, field.name) for field in fields(over)}
    return sweep(source.vectors, target.vectors, classes, **given, on_step=on_step)


def _reading(problem: TranslationProblem) -> Options:
    """What a sweep does not go over."""
    usual = Options()
    return replace(problem.options, delta=usual.delta, omega=usual.omega)


def sweep_task(problem: TranslationProblem, choices: StitchingChoices, within: bool = False) -> Task[Sweep]:
    """The task that translates test items for every δ and ω, with one number of anchors.

    ``within`` translates the source into itself: through its anchors and back, nothing else.
    """
    try:
        labels = labels_of(problem.pair)
    except ParameterError:
        labels = None
    counts = (anchor_count(choices.anchors, len(problem.pair)),)
    over = _Swept(DELTAS, OMEGAS, counts, choices.seed, RUNS, choices.head, TEST, _reading(problem))
    return _sweep(problem.source, problem.source if within else problem.target, labels, over)


def sweep_means(made: Sweep) -> dict[str, np.ndarray]:
    """``(δ, ω)`` over the draws of what ``sweep_task`` found, for each figure that there is."""
    found = {name: made.figures[name][0].mean(0) for name in SWEPT}
    return {name: values for name, values in found.items() if np.isfinite(values).any()}


def anchor_sweep_task(problem: TranslationProblem, choices: StitchingChoices) -> Task[Sweep]:
    """The task that translates test items for every number of anchors.

    Raises
    ------
    ParameterError
        If there are too few rows for two numbers of anchors, or no classes for a head.
    """
    labels, rows = labels_of(problem.pair), len(problem.pair)
    counts = tuple(one for one in COUNTS if one <= SHARE * (1 - TEST) * rows)
    if len(counts) < 2:
        raise ParameterError(
            f"{rows} rows are too few for several numbers of anchors; it takes {2 * COUNTS[1]}."
        )
    over = _Swept(
        ANCHOR_SWEEP_DELTAS,
        ANCHOR_SWEEP_OMEGAS,
        counts,
        choices.seed,
        ANCHOR_SWEEP_RUNS,
        choices.head,
        TEST,
        _reading(problem),
    )
    return _sweep(problem.source, problem.target, labels, over)
