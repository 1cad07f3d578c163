"""The options of the annealed solver, and checks that the options of every method share."""

from dataclasses import dataclass

from relviz.errors import ParameterError


@dataclass(frozen=True)
class AnnealedOptions:
    """Options of ``annealed``. The defaults serve all pairs; none was chosen for one.

    Attributes
    ----------
    steps
        Of one annealing.
    eps_first
        How soft the matches are at the first step: entropic regularization, in units of the cosine.
    eps_last
        The same when two thirds of the steps are done, and until the end.
    left_out
        Share of the rows that each step leaves out, 0 to 0.9, until 70% of the steps are done.
    refining
        Last steps, on all rows, with directions evened out.
    rounds
        Annealings from different starts, at most. None follows one that the self-check clearly accepts.
    members
        Starts of each of two populations, where known pairs alone do not suffice. A patient search, which
        follows one in vain, has up to twice as many.
    generations
        Generations of these populations at most, each from what the better of the one before have in common.
    """

    steps: int = 100
    eps_first: float = 0.1
    eps_last: float = 0.02
    left_out: float = 0.5
    refining: int = 8
    rounds: int = 3
    members: int = 24
    generations: int = 8

    def __post_init__(self) -> None:
        for name in ("steps", "refining", "rounds", "generations"):
            check_whole(name, getattr(self, name), 1)
        check_whole("members", self.members, 2)
        for name in ("eps_first", "eps_last"):
            if not 1e-4 <= getattr(self, name) <= 10:
                raise ParameterError(f"{name} must lie between 0.0001 and 10; it is {getattr(self, name)!r}.")
        if not 0 <= self.left_out <= 0.9:
            raise ParameterError(f"left_out must lie between 0 and 0.9; it is {self.left_out!r}.")


def check_whole(name: str, value: object, least: int) -> None:
    """ParameterError unless the option is a whole number, at least ``least``; a bool is none."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ParameterError(f"{name} must be a whole number, at least {least}; it is {value!r}.")
