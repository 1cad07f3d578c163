"""The choices of a run of anchor optimization."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from relviz.bootstrapping.split import FEWEST_HELD, FEWEST_ROWS, MOST_SHARE, SHARE
from relviz.state.choice import Choices, Option, number, one_of, picked_rows, switch, text

FEW_SEEDS, MANY_SEEDS = 5, 15


@dataclass(frozen=True)
class Run(Choices):
    """What is optimized, from which seeds, and how; the pair comes with the view.

    Attributes
    ----------
    anchors, anchor_seed
        How many rows of A are anchors, and their sampling seed.
    seeding, seeds, draw, hand
        How the seeds, items whose counterpart is known, are chosen: how many, their sampling seed, or
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

    prefix: ClassVar[str] = "ao_"

    anchors: int = number(300, 1, 5000, "Number of anchors", "They include the known pairs.")
    anchor_seed: int = number(0, 0, 9999, "Anchor sampling seed", "Seed of the random sample.")
    seeding: str = one_of(
        "uniform",
        "Known pairs",
        "A known pair is an item whose counterpart in B is given.",
        {
            "uniform": Option("At random", "sampled among the anchors."),
            "per_class": Option("Per class", "the same, equally many from each class."),
            "hand": Option("By hand", "items you select on the map."),
            "none": Option("None", "no pair is given. Only the annealed method works without any."),
        },
    )
    seeds: int = number(
        MANY_SEEDS, 1, 2000, "Number of known pairs", "Anchors whose counterpart is given to the solver."
    )
    draw: int = number(0, 0, 9999, "Known pairs sampling seed", "Seed of the random sample.")
    hand: tuple[int, ...] = picked_rows("Known pairs", "The solver is given each item's counterpart in B.")
    method: str = one_of(
        "annealed",
        "Method",
        "How anchors are discovered in B.",
        {
            "annealed": Option(
                "Annealed",
                "soft matches that sharpen while a rotation of growing rank is fitted to them. Works from "
                "a handful of known pairs, and without any.",
            ),
            "adam": Option(
                "Adam (Cannistraci et al. 2023)", "hard matches and gradient steps on all anchors."
            ),
            "adam_warm": Option(
                "Adam, warm start",
                "the same, with the known pairs held fixed and the first matches computed from them alone.",
            ),
        },
    )
    options: str = text(
        "", "Solver options", "Options that are not at their defaults: name=value, name=value."
    )
    seed: int = number(0, 0, 9999, "Solver seed", "Seed of every random choice of the solver.")
    known: bool = switch(
        True,
        "Ground truth available",
        "Select it if row i of B truly is the counterpart of row i of A. Matches are then marked right or "
        "wrong. Retrieval is compared with the true anchors and the known pairs alone. The solver never "
        "sees the ground truth: it gets the rows of B in random order.",
    )
    beside: str = one_of(
        "nothing",
        "Compare with",
        "Starts a second run that differs only in what you choose here.",
        {
            "nothing": Option("Nothing"),
            "paper": Option("Adam (Cannistraci et al. 2023)"),
            "warm": Option("Adam, warm start"),
            "annealed": Option("Annealed"),
            "few": Option(f"{FEW_SEEDS} known pairs ({MANY_SEEDS} if this run has {FEW_SEEDS})"),
            "none": Option("No known pairs"),
            "again": Option("Next solver seed"),
        },
    )
    held_out: float = number(
        SHARE,
        0.0,
        MOST_SHARE,
        "Share held out",
        "Items of A and B that are left out of the run and used to evaluate it. 0 = none. Nothing is held "
        f"out from fewer than {FEWEST_ROWS} items, or if fewer than {FEWEST_HELD} would be.",
        step=0.05,
    )

    def with_changes(self, **changes: Any) -> Self:
        """The same run with some choices changed; another method has other options."""
        if changes.get("method", self.method) != self.method:
            changes = {"options": "", **changes}
        return replace(self, **changes)

    def second(self) -> Self | None:
        """The run that is watched beside this one, if any."""
        changes = self._second_changes()
        return self.with_changes(**changes, beside="nothing") if changes else None

    def _second_changes(self) -> Mapping[str, str | int]:
        fewer = FEW_SEEDS if self.seeds != FEW_SEEDS or self.seeding == "none" else MANY_SEEDS
        drawn = self.seeding if self.seeding in ("uniform", "per_class") else "uniform"
        table: Mapping[str, Mapping[str, str | int]] = {
            "paper": {"method": "adam"},
            "warm": {"method": "adam_warm"},
            "annealed": {"method": "annealed"},
            "few": {"seeds": fewer, "seeding": drawn},
            "none": {"seeding": "none"},
            "again": {"seed": self.seed + 1},
        }
        return table.get(self.beside, {})

    def essential(self) -> Self:
        """What the result depends on beyond the pair: choices that have no say are at their defaults."""
        kept = replace(self, known=True, beside="nothing", hand=self.hand if self.seeding == "hand" else ())
        return kept if self.seeding in ("uniform", "per_class") else replace(kept, seeds=MANY_SEEDS, draw=0)
