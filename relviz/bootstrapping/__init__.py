"""Anchor optimization: from a few known pairs, or none, to parallel anchors in two spaces."""

from collections.abc import Callable
from typing import Any

from relviz.bootstrapping import adam, annealed
from relviz.bootstrapping.adam import AdamOptions
from relviz.bootstrapping.anneal import Pulse
from relviz.bootstrapping.inputs import Given, check_given
from relviz.bootstrapping.options import AnnealedOptions
from relviz.bootstrapping.result import Bootstrap, Entry, OnStep, Record, Step
from relviz.bootstrapping.verdict import Evidence
from relviz.compute.arrays import as_seed
from relviz.compute.parallel import one_thread
from relviz.errors import ParameterError

__all__ = [
    "METHODS",
    "AdamOptions",
    "AnnealedOptions",
    "Bootstrap",
    "Entry",
    "Evidence",
    "OnStep",
    "Pulse",
    "Step",
    "bootstrap",
]

METHODS: dict[str, str] = {
    "annealed": "soft matches that sharpen while a rotation of growing rank is fitted to them",
    "adam": "Adam (Cannistraci et al. 2023): hard matches, gradient steps on all anchors",
    "adam_warm": "the paper's loop with the seeds held fast and first matches from the seeds alone",
}
"""Names that ``bootstrap`` accepts, and what each one does."""

FEW = 10_000**2
"""Rows of x times rows of y up to which a run is left to one thread: its steps are short and many."""

Solver = Callable[[Given, Any, int, Record], Bootstrap]

_SOLVERS: dict[str, Solver] = {
    "annealed": annealed.solve,
    "adam": adam.solve,
    "adam_warm": adam.solve_warm,
}


def bootstrap(
    x: Any,
    y: Any,
    anchors: Any,
    seeds: Any,
    method: str = "annealed",
    seed: int = 0,
    on_step: OnStep | None = None,
    options: Any = None,
    pulse: Pulse | None = None,
) -> Bootstrap:
    """Find the anchors of one space in another whose rows are not known to be parallel.

    Source: anchor optimization of Cannistraci et al. 2023 (arXiv 2303.00721), section 3.

    Parameters
    ----------
    x, y
        ``(n, dx)`` and ``(m, dy)``; rows need not be parallel, nor n and m or dx and dy alike.
    anchors
        ``(k,)`` different rows of ``x``, or a mask ``(n,)`` of them.
    seeds
        ``(sx, sy)``: row ``sx[i]`` of x is known to be row ``sy[i]`` of y; both may be empty. Or pairs, an
        ``(s, 2)`` array or a list of them. Two by two numbers that are no tuple are refused: they could be
        either. ``sx`` must be among the anchors.
    method
        One of ``METHODS``.
    seed
        Of every random choice: the same inputs and seed give the same result.
    on_step
        Called with a ``Step`` after every step; truthy stops, and the result is what stands then.
    options
        Of the method: ``AnnealedOptions``, or ``AdamOptions`` for the other two; its defaults without it.
    pulse
        Called also within steps that are short annealings of their own, and before the verdict: far more
        often than ``on_step``. What it raises ends the run.

    Raises
    ------
    ShapeError
        If an array has the wrong shape, an index lies outside the rows, the seed lists differ in
        length, a space has one dimension, or there are fewer rows than anchors.
    ParameterError
        If the method or an option does not exist, an index is repeated, a seed is not among the
        anchors, a space is constant, or a number is NaN or infinite.
    """
    if method not in METHODS:
        raise ParameterError(f"There is no method {method!r}; use one of {', '.join(METHODS)}.")
    seed = as_seed(seed)
    given = check_given(x, y, anchors, seeds)
    with one_thread(len(given.x) * len(given.y) <= FEW):
        return _SOLVERS[method](given, options, seed, Record(on_step, pulse))
