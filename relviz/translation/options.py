"""What a translator may be told, checked."""

import math
from dataclasses import dataclass
from typing import TypedDict, TypeGuard

from relviz.errors import ParameterError
from relviz.names import DecidedBy, Length
from relviz.translation.irp import DECIDED_BY

LENGTHS: dict[str, str] = {
    "own": "every row keeps its length, in units of the mean anchor length",
    "mean": "every row gets the mean anchor length",
    "raw": "rows are as long as the matrix makes them, in units of the mean anchor length",
}
"""How long translated rows are, from the anchor mean."""


class Reading(TypedDict):
    """What the text of arXiv 2406.15057 leaves open about irp; see ``relviz.translator``."""

    decided_by: DecidedBy
    completion: bool
    length: Length


LITERAL: Reading = {"decided_by": "target", "completion": False, "length": "raw"}
"""As in the paper, with nothing added: what is inverted decides, and nothing is completed or renormalized."""


@dataclass(frozen=True)
class Options:
    """See ``relviz.translator``. One set may serve several methods: each takes from it what it uses."""

    delta: float = 0.8
    omega: int = 8
    completion: bool = True
    seed: int = 0
    decided_by: DecidedBy = "both"
    strength: float | None = None
    length: Length = "own"

    def __post_init__(self) -> None:
        if not _number(self.delta) or not 0 <= self.delta <= 1:
            raise ParameterError(
                f"delta is a distance 1 - |cos| and must lie between 0 and 1; it is {self.delta!r}. "
                "0 keeps all anchors, 0.8 only those nearly at right angles."
            )
        if not _whole(self.omega) or self.omega < 1:
            raise ParameterError(f"omega must be a whole number, at least 1 subspace; it is {self.omega!r}.")
        if not isinstance(self.completion, bool):
            raise ParameterError(f"completion must be True or False; it is {self.completion!r}.")
        if not _whole(self.seed) or not 0 <= self.seed < 2**32:
            raise ParameterError(f"seed must be a whole number from 0 to {2**32 - 1}; it is {self.seed!r}.")
        if self.strength is not None and not (_number(self.strength) and 0 < self.strength < math.inf):
            raise ParameterError(f"strength must be a number above 0, or None; it is {self.strength!r}.")
        for name, value, known in (
            ("decided_by", self.decided_by, DECIDED_BY),
            ("length", self.length, LENGTHS),
        ):
            if value not in list(known):
                raise ParameterError(f"{name} must be one of {', '.join(known)}; it is {value!r}.")


def _whole(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _number(value: object) -> TypeGuard[float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
