"""A figure's numbers beside the library's: what a check yields."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import numpy as np

from relviz.figures.kind import Columns, Content, Options
from relviz.state import View

Compared = Iterator[tuple[str, float, float]]
"""What it is, the figure's number, the library's."""
Check = Callable[[View, Options, Content], Compared]
MEASURED = ("mean", "sd", "chance", "null", "null_sd")


def records(columns: Columns) -> list[dict[str, object]]:
    """The lines of a csv."""
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def differences(
    lines: Iterable[Mapping[str, object]],
    library: Iterable[Mapping[str, object]],
    by: Sequence[str],
    numbers: Sequence[str],
) -> Compared:
    """Numbers of lines beside those of the library's line of the same names."""
    told = {tuple(one[name] for name in by): one for one in library}
    for line in lines:
        key = tuple(line[name] for name in by)
        for number in numbers:
            if line[number] is not None:
                yield f"{' '.join(map(str, key))} {number}", float(line[number]), float(told[key][number])


def arrays(words: str, ours: object, library: object) -> Compared:
    """The numbers of two arrays of the same shape."""
    one, other = np.asarray(ours, np.float64), np.asarray(library, np.float64)
    assert one.shape == other.shape, words
    for pair in zip(one.ravel().tolist(), other.ravel().tolist(), strict=True):
        yield words, *pair
