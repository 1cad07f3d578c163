"""What two devices computed, held against each other, and the table of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf

import torch
from torch import Tensor

from tests.gpu.case import Case

HEAD = (
    *("what", "size", "CPU, s", "device, s", "CPU / device"),
    *("largest difference", "tolerance", "ok"),
)


@dataclass(frozen=True)
class Difference:
    """How far two devices differ; None where there is nothing of that type.

    Attributes
    ----------
    numbers
        Of floats, the largest difference as a share of the largest float on the CPU.
    places
        Of whole numbers, the share that differ.
    """

    numbers: float | None
    places: float | None

    def within(self, case: Case) -> bool:
        told = case.tolerance
        return (self.numbers or 0) <= told.numbers and (self.places or 0) <= told.places

    def __str__(self) -> str:
        said = [] if self.numbers is None else [_short(self.numbers)]
        return ", ".join(said + ([] if self.places is None else [f"{self.places:.2%} of places"]))


@dataclass(frozen=True)
class Row:
    """One case on both devices: seconds, or an error where one of them failed."""

    kind: str
    case: Case
    cpu: float | None
    device: float | None
    difference: Difference | None
    error: str = ""

    @property
    def ok(self) -> bool:
        return self.difference is not None and self.difference.within(self.case)

    def cells(self) -> tuple[str, ...]:
        """As ``HEAD`` has them."""
        told = self.case.tolerance
        parts = [
            part
            for part, one in ((_short(told.numbers), "numbers"), (f"{told.places:.2%}", "places"))
            if self.difference is None or getattr(self.difference, one) is not None
        ]
        ratio = f"{self.cpu / self.device:.2g} ×" if self.cpu and self.device else ""
        return (
            *(f"{self.kind}: {self.case.name}", self.case.size, _seconds(self.cpu), _seconds(self.device)),
            *(ratio, self.error or str(self.difference), ", ".join(parts), "yes" if self.ok else "**no**"),
        )


def difference(cpu: Mapping[str, Tensor], other: Mapping[str, Tensor]) -> Difference:
    """How far the tensors of two devices differ, by name; infinite where a name or a shape does."""
    if cpu.keys() != other.keys():
        return Difference(inf, None)
    numbers: list[float] = []
    places: list[float] = []
    for name, tensor in cpu.items():
        floats = tensor.is_floating_point()
        (numbers if floats else places).append(_one(tensor, other[name], floats))
    return Difference(max(numbers, default=None), max(places, default=None))


def _one(cpu: Tensor, other: Tensor, floats: bool) -> float:
    if cpu.shape != other.shape:
        return inf
    if not floats:
        return float((cpu != other).double().mean())
    same = (cpu == other) | (cpu.isnan() & other.isnan())
    apart = torch.where(same, 0.0, (cpu.double() - other.double()).abs())
    largest = float(cpu.double()[cpu.isfinite()].abs().max()) if cpu.isfinite().any() else 1.0
    found = float(apart.max()) / (largest or 1.0)
    return found if found == found else inf  # NaN on one side only


def table(rows: list[Row]) -> str:
    """A Markdown table of all rows, and under it the reason of each tolerance."""
    lines = [HEAD, ("---",) * len(HEAD), *(row.cells() for row in rows)]
    shown = [f"| {' | '.join(line)} |" for line in lines]
    reasons: dict[str, list[str]] = {}
    for row in rows:
        names = reasons.setdefault(row.case.tolerance.reason, [])
        if row.kind not in names:
            names.append(row.kind)
    said = [f"- {', '.join(kinds)}: {reason}." for reason, kinds in reasons.items()]
    return "\n".join([*shown, "", "Why devices may differ so far:", "", *said])


def _seconds(seconds: float | None) -> str:
    return "" if seconds is None else f"{seconds:.4f}" if seconds < 1 else f"{seconds:.2f}"


def _short(number: float) -> str:
    return f"{number:.1g}" if number else "0"
