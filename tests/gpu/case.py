"""One comparison: what is computed, on how much, and how far two devices may differ."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from relviz.compute.device import device

Work = Callable[[], Mapping[str, Tensor]]
"""What is timed; its tensors are what is compared."""


@dataclass(frozen=True)
class Tolerance:
    """How far two devices may differ, and why they may.

    Attributes
    ----------
    numbers
        Largest difference of two floats, as a share of the largest of them on the CPU.
    places
        Share of the whole numbers (rows, ranks, matches) that may differ.
    reason
        One sentence, for the table.
    """

    numbers: float
    places: float
    reason: str


@dataclass(frozen=True)
class Case:
    """One comparison of a kind.

    Attributes
    ----------
    prepare
        Makes the inputs, which is not timed, and gives what is.
    slow
        Run once, after the same at its small size; else three times, after a first run.
    """

    name: str
    size: str
    tolerance: Tolerance
    prepare: Callable[[], Work]
    slow: bool = False


def figures(values: Mapping[str, float]) -> dict[str, Tensor]:
    """Numbers as tensors, each compared by itself."""
    return {name: torch.tensor([value], dtype=torch.float64) for name, value in values.items()}


def settle() -> None:
    """Wait until the device has done all that it was told: it works on after a call returns."""
    if device().type == "cuda":
        torch.cuda.synchronize()
    elif device().type == "mps":
        torch.mps.synchronize()
