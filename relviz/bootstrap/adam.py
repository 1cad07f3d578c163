"""Anchor optimisation by gradient steps, as its paper writes it, and with a warm start."""

from dataclasses import dataclass
from typing import Any

from relviz.bootstrap.given import Given
from relviz.bootstrap.result import Bootstrap, OnStep


@dataclass(frozen=True)
class AdamOptions:
    """Options of ``adam`` and ``adam_warm``."""

    lr: float = 0.02
    steps: int = 250


def solve(given: Given, options: Any, seed: int, on_step: OnStep | None) -> Bootstrap:
    """Method ``adam``."""
    raise NotImplementedError


def solve_warm(given: Given, options: Any, seed: int, on_step: OnStep | None) -> Bootstrap:
    """Method ``adam_warm``."""
    raise NotImplementedError
