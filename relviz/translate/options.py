"""What a translator may be told, checked."""

import math
from dataclasses import dataclass
from typing import Any

from relviz.errors import ParameterError
from relviz.translate.pruning import DECIDED_BY

METHODS: dict[str, str] = {
    "irp": "inverse relative projection, as the paper writes it: anchors pruned, subspaces averaged",
    "irp_plus": "inverse relative projection with a regularised inverse, chosen by leaving anchors out",
    "procrustes": "the rotation that fits the anchors best",
    "lstsq": "least squares",
    "ridge": "least squares with a penalty, chosen by leaving anchors out",
    "affine": "least squares with an offset",
    "absolute": "nothing done: vectors as they are, where the dimensions agree",
}
"""Names that ``translator`` accepts, and what each one does."""

LENGTHS: dict[str, str] = {
    "own": "every row keeps its length, in units of the mean anchor length",
    "mean": "every row gets the mean anchor length, as in the paper",
}
"""How long translated rows are, from the anchor mean."""


@dataclass(frozen=True)
class Options:
    """See ``relviz.translator``."""

    delta: float = 0.8
    omega: int = 8
    completion: bool = True
    seed: int = 0
    decided_by: str = "both"
    strength: float | None = None
    length: str = "own"

    def __post_init__(self) -> None:
        if not _number(self.delta) or not 0 <= self.delta <= 1:
            raise ParameterError(
                f"delta is a distance 1 - |cos| and must lie between 0 and 1; it is {self.delta!r}. "
                "0 keeps all anchors, 0.8 only those nearly at right angles."
            )
        if not _whole(self.omega) or self.omega < 1:
            raise ParameterError(f"omega must be a whole number, at least 1 subspace; it is {self.omega!r}.")
        if not _whole(self.seed) or not 0 <= self.seed < 2**32:
            raise ParameterError(f"seed must be a whole number from 0 to {2**32 - 1}; it is {self.seed!r}.")
        if self.strength is not None and not (_number(self.strength) and 0 < self.strength < math.inf):
            raise ParameterError(f"strength must be a number above 0, or None; it is {self.strength!r}.")
        for name, value, known in (
            ("decided_by", self.decided_by, DECIDED_BY),
            ("length", self.length, LENGTHS),
        ):
            if value not in known:
                raise ParameterError(f"{name} must be one of {', '.join(known)}; it is {value!r}.")


def check_method(method: str) -> None:
    """ParameterError unless there is such a method."""
    if method not in METHODS:
        raise ParameterError(f"There is no translator {method!r}; use one of {', '.join(METHODS)}.")


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
