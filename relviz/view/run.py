"""A run of anchor optimisation: everything chosen about it, as one value that fits into a URL."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from relviz.bootstrap.split import MOST_SHARE, SHARE

RUN_PREFIX = "ao_"
RUN_CHOICES: dict[str, tuple[str, ...]] = {
    "method": ("annealed", "adam", "adam_warm"),
    "seeding": ("uniform", "per_class", "hand", "none"),
    "beside": ("nothing", "paper", "warm", "annealed", "few", "none", "again"),
}
"""What each choice may be. ``beside`` is how a second run, watched with this one, differs from it."""

RUN_RANGES: dict[str, tuple[float, float]] = {
    "anchors": (1, 5000),
    "anchor_seed": (0, 9999),
    "seeds": (1, 2000),
    "draw": (0, 9999),
    "seed": (0, 9999),
    "held_out": (0.0, MOST_SHARE),
}
"""Least and greatest value of each number."""

FEW_SEEDS, MANY_SEEDS = 5, 15


@dataclass(frozen=True)
class Run:
    """What is optimised, from which seeds, and how; the pair comes with the view.

    Attributes
    ----------
    anchors, anchor_seed
        How many rows of A are anchors, and the seed of their draw.
    seeding, seeds, draw, hand
        How the seeds, items whose partner is known, are chosen: how many, the seed of their draw, or
        the rows themselves.
    method, options, seed
        The solver, the options that are not its defaults (``name=value``, joined by commas), its seed.
    known
        Whether the person says that the pairing is known, so that right and wrong may be shown. The
        solver is never told.
    beside
        How a second run, shown beside this one, differs from it.
    held_out
        Share of the rows that takes no part in the run, and that it is measured with; 0 for none.
    """

    anchors: int = 300
    anchor_seed: int = 0
    seeding: str = "uniform"
    seeds: int = MANY_SEEDS
    draw: int = 0
    hand: tuple[int, ...] = ()
    method: str = "annealed"
    options: str = ""
    seed: int = 0
    known: bool = True
    beside: str = "nothing"
    held_out: float = SHARE

    def with_changes(self, **changes: Any) -> "Run":
        """The same run with some choices changed; another method has other options."""
        if changes.get("method", self.method) != self.method:
            changes = {"options": "", **changes}
        return replace(self, **changes)

    def second(self) -> "Run | None":
        """The run that is watched beside this one, if any."""
        changes = self._second_changes()
        return self.with_changes(**changes, beside="nothing") if changes else None

    def _second_changes(self) -> dict[str, Any]:
        fewer = FEW_SEEDS if self.seeds != FEW_SEEDS or self.seeding == "none" else MANY_SEEDS
        drawn = self.seeding if self.seeding in ("uniform", "per_class") else "uniform"
        table: Mapping[str, dict[str, Any]] = {
            "paper": {"method": "adam"},
            "warm": {"method": "adam_warm"},
            "annealed": {"method": "annealed"},
            "few": {"seeds": fewer, "seeding": drawn},
            "none": {"seeding": "none"},
            "again": {"seed": self.seed + 1},
        }
        return table.get(self.beside, {})

    def depends(self) -> dict[str, Any]:
        """What the result depends on beyond the pair and the seed: choices that have no say are left out."""
        said: dict[str, Any] = {
            "anchors": self.anchors,
            "anchor_seed": self.anchor_seed,
            "seeding": self.seeding,
            "method": self.method,
            "options": self.options,
            "held_out": self.held_out,
        }
        if self.seeding in ("uniform", "per_class"):
            said |= {"seeds": self.seeds, "draw": self.draw}
        return said | ({"hand": list(self.hand)} if self.seeding == "hand" else {})
