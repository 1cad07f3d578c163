"""A demo: spaces of the same items, which pairs of them to look at, and a sheet of pictures."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from relviz.errors import ParameterError
from relviz.pair import Pair
from relviz.space import Space


@dataclass(frozen=True)
class Sprite:
    """One image file that holds a picture of every row: row ``i`` of the data is cell ``i``.

    Cells are squares of ``cell`` pixels, ``columns`` of them side by side, counted from the top left.
    """

    path: Path
    cell: int
    columns: int

    def corner(self, row: int) -> tuple[int, int]:
        """Left and top of the picture of a row, in pixels."""
        return row % self.columns * self.cell, row // self.columns * self.cell


@dataclass(frozen=True, eq=False)
class Demo:
    """Bundled data: spaces of the same items.

    All ``spaces`` have the same rows in the same order, with the same ids. ``pairs`` lists recommended
    pairs of keys, the most instructive first; it is empty if there is only one space.
    """

    name: str
    title: str
    description: str
    license: str
    source: str
    spaces: Mapping[str, Space]
    pairs: tuple[tuple[str, str], ...]
    sprite: Sprite | None

    def pair(self, a: str | None = None, b: str | None = None) -> Pair:
        """Two of the spaces as a pair; the first of the recommended pairs unless both keys are given.

        Raises
        ------
        ParameterError
            If only one key is given, a key is not one of the spaces, or none is given and the demo
            recommends no pair.
        """
        if a is None and b is None:
            if not self.pairs:
                raise ParameterError(
                    f"The demo {self.name!r} has {len(self.spaces)} space and no pairs; "
                    "name two spaces, or build a second one from its items."
                )
            a, b = self.pairs[0]
        if a is None or b is None:
            raise ParameterError(f"Give two spaces or none; got {a!r} and {b!r}.")
        for key in (a, b):
            if key not in self.spaces:
                raise ParameterError(
                    f"The demo {self.name!r} has no space {key!r}; it has {', '.join(self.spaces)}."
                )
        return Pair(self.spaces[a], self.spaces[b])
