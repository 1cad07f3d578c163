"""Anchor optimization: from a few known pairs, or none, to parallel anchors in two spaces."""

from collections.abc import Callable
from typing import TypeAlias

from relviz.bootstrapping import adam, annealed
from relviz.bootstrapping.adam import AdamOptions
from relviz.bootstrapping.anneal import Pulse
from relviz.bootstrapping.checkpoint import Checkpoint
from relviz.bootstrapping.hints import Hints
from relviz.bootstrapping.inputs import Given, Known, check_given
from relviz.bootstrapping.options import AnnealedOptions
from relviz.bootstrapping.record import Entry, OnStep, Record, Step
from relviz.bootstrapping.result import Bootstrap
from relviz.bootstrapping.verdict import Evidence
from relviz.compute.arrays import ArrayLike, as_seed
from relviz.compute.parallel import one_thread
from relviz.compute.progress import OnProgress, heard
from relviz.errors import ParameterError
from relviz.names import BootstrapMethod, renamed
from relviz.pair import Pair, both_sides

__all__ = [
    "METHODS",
    "AdamOptions",
    "AnnealedOptions",
    "Bootstrap",
    "Checkpoint",
    "Entry",
    "Evidence",
    "Hints",
    "Known",
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

SolverOptions: TypeAlias = AnnealedOptions | AdamOptions

Solver = Callable[[Given, SolverOptions | None, int, Record], Bootstrap]

_SOLVERS: dict[str, Solver] = {
    "annealed": annealed.solve,
    "adam": adam.solve,
    "adam_warm": adam.solve_warm,
}


@renamed(seeds="known", pulse="on_pulse")
def bootstrap(
    x: ArrayLike | Pair,
    y: ArrayLike | None = None,
    anchors: ArrayLike | None = None,
    known: Known | None = None,
    method: BootstrapMethod = "annealed",
    seed: int = 0,
    on_step: OnStep | None = None,
    options: SolverOptions | None = None,
    on_pulse: Pulse | None = None,
    on_progress: OnProgress | None = None,
    hints: Hints | None = None,
    checkpoint: Checkpoint | None = None,
) -> Bootstrap:
    """Find the anchors of one space in another whose rows are not known to be parallel.

    Source: anchor optimization of Cannistraci et al. 2023 (arXiv 2303.00721), section 2.

    Parameters
    ----------
    x, y
        ``(n, dx)`` and ``(m, dy)``; rows need not be parallel, nor n and m or dx and dy alike. Or a ``Pair``,
        whose matching is not made use of: only what ``known`` says is known.
    anchors
        ``(k,)`` different rows of ``x``, or a mask ``(n,)`` of them.
    known
        ``(kx, ky)``: row ``kx[i]`` of x is known to be row ``ky[i]`` of y; both may be empty. Or pairs, an
        ``(s, 2)`` array or a list of them. Two by two numbers that are no tuple are refused: they could be
        either. ``kx`` must be among the anchors. No pair is known without it.
    method
        One of ``METHODS``.
    seed
        Of every random choice: the same inputs and seed give the same result.
    on_step
        Called with a ``Step`` after every step; truthy stops, and the result is what stands then. It is not
        judged any more, so it has not converged.
    options
        Of the method: ``AnnealedOptions``, or ``AdamOptions`` for the other two; its defaults without it.
    on_pulse
        Called also within steps that are short annealings of their own, and before the verdict: far more
        often than ``on_step``. What it raises ends the run.
    on_progress
        Called as often, with the fraction done, which never falls; see ``relviz.compute.progress``. A run
        that ends after its first round goes from one half to the whole at once.
    hints
        What else is known of the rows, short of pairs: see ``Hints``. Only ``annealed`` makes use of it.
    checkpoint
        Where the run keeps what it has come to, and takes what one with the same inputs, options and seed
        had kept before it was broken off. The result is the same to the last bit. ``on_step`` hears of new
        steps only.

    Raises
    ------
    ShapeError
        If an array has the wrong shape, an index lies outside the rows, the lists of known rows or of hints
        differ in length, a space has one dimension, or there are fewer rows than anchors.
    ParameterError
        If the method or an option does not exist, an index is repeated, a known row is not among
        the anchors, a space is constant, a number is NaN or infinite, or hints are given to another method.
    """
    if method not in list(METHODS):
        raise ParameterError(f"There is no method {method!r}; use one of {', '.join(METHODS)}.")
    if hints is not None and method != "annealed":
        raise ParameterError(f"The method {method!r} takes no hints; use method='annealed'.")
    left, right = both_sides(x, y)
    if anchors is None:
        raise ParameterError("There are no anchors; give the numbers of some rows of x, 300 for example.")
    seed = as_seed(seed)
    given = check_given(left, right, anchors, ((), ()) if known is None else known, hints)
    with one_thread(given.few):
        record = Record(on_step, on_pulse, heard(on_progress), checkpoint)
        return _SOLVERS[method](given, options, seed, record)
