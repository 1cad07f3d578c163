"""Which rows go together: few of the large ones, many of the small, fewer where memory does not suffice."""

from collections.abc import Iterator, Sequence

from relviz.errors import ParameterError
from relviz.wording import count

BATCH = 64
"""Items at a time, at most, where nobody says otherwise."""
BATCH_CHARACTERS = 100_000
"""A batch of long texts is made shorter until its texts, padded to the longest, have no more than this."""
BATCH_PIXELS = 64 * 128 * 128
"""A batch of large pictures has no more pixels."""


class Batches:
    """Rows in batches, each once, items of like size together and the largest first: little is padded.

    Parameters
    ----------
    sizes
        Of every item; those of texts are their lengths.
    budget
        What a batch may have, each of its items taken to be as large as its largest.
    batch
        Items at a time, at most.
    """

    def __init__(self, sizes: Sequence[int], budget: int, batch: int | None = None) -> None:
        self._sizes = sizes
        self._budget = budget
        self._batch = batch or BATCH
        self._order = sorted(range(len(sizes)), key=lambda row: -sizes[row])
        self._at = 0

    def next(self) -> list[int]:
        """Row numbers of the next batch; none behind the last."""
        rest = self._order[self._at : self._at + self._batch]
        rows = rest[: max(1, self._budget // self._size(rest))] if rest else []
        self._at += len(rows)
        return rows

    def halve(self, rows: list[int], who: str) -> None:
        """Memory did not suffice for this batch, which ``next`` gave last: half as many, from there on.

        Raises
        ------
        ParameterError
            If there was a single item in it.
        """
        if len(rows) == 1:
            raise ParameterError(
                f"Memory does not suffice for {who} and a single item of {count(self._sizes[rows[0]])} "
                "characters or pixels. Close what else takes memory, give shorter items, or take a smaller "
                "encoder."
            )
        self._at -= len(rows)
        self._budget = self._size(rows) * (len(rows) // 2)

    def _size(self, rows: list[int]) -> int:
        """The size of the largest, which comes first."""
        return max(1, self._sizes[rows[0]])


def text_batches(texts: Sequence[str], batch: int) -> Iterator[list[int]]:
    """Every batch of texts."""
    return iter(Batches([len(text) for text in texts], BATCH_CHARACTERS, batch).next, [])
