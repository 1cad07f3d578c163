"""A space: the vectors that one encoder gives to a list of items."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import torch
from torch import Tensor

from relviz.compute.arrays import ArrayLike, as_indices, as_matrix, rows_of
from relviz.compute.key import array_digest, text_digest, value_digest
from relviz.errors import ShapeError


@dataclass(frozen=True, eq=False, init=False)
class Space:
    """Vectors of one encoder, with what is known about each row.

    Parameters
    ----------
    vectors
        ``(n, d)`` array of numbers, at least 2 × 2; stored as a float32 copy on the CPU, so later changes
        of the array have no effect. Do not modify ``vectors``: the digest is computed only once.
    ids
        One name per row, used to match rows of two spaces. Without ids, rows are matched by position.
    labels
        One class name per row.
    items
        What to display for each row: a word, a sentence, an emoji.
    name
        Display name of the space.

    Raises
    ------
    ShapeError
        If there are fewer than two rows or columns, or a list is not as long as the rows.
    ParameterError
        If the array is sparse, or some of its entries are masked.

    Examples
    --------
    >>> import relviz
    >>> relviz.Space([[1, 0], [0, 1], [1, 1]], ids=["a", "b", "c"], name="toy")
    Space('toy', 3 rows, dimension 2)
    """

    vectors: Tensor
    ids: tuple[str, ...] | None
    labels: tuple[str, ...] | None
    items: tuple[str, ...] | None
    name: str
    found: Any = field(repr=False)
    """What a reader found in the file the space came from, if it came from one."""

    def __init__(
        self,
        vectors: ArrayLike,
        ids: Iterable[object] | None = None,
        labels: Iterable[object] | None = None,
        items: Iterable[object] | None = None,
        name: str = "",
        found: Any = None,
    ) -> None:
        given = rows_of(vectors)
        rows = as_matrix(given, "vectors").cpu().contiguous()
        if isinstance(given, Tensor) and rows.data_ptr() == given.data_ptr():
            rows = rows.clone()
        n, d = rows.shape
        if n < 2 or d < 2:
            raise ShapeError(
                f"A space needs at least 2 rows and 2 columns; {name or 'this one'} has {n} × {d}."
            )
        parts: dict[str, object] = {"vectors": rows, "name": name, "found": found}
        for what, values in (("ids", ids), ("labels", labels), ("items", items)):
            texts = None if values is None else tuple(map(str, values))
            if texts is not None and len(texts) != n:
                raise ShapeError(f"There are {n} rows but {len(texts)} {what}; give one for each row.")
            parts[what] = texts
        for what, value in parts.items():
            object.__setattr__(self, what, value)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        """The vectors as numpy sees them; a copy, unless ``copy=False`` asks for none."""
        vectors = self.vectors.numpy()
        return np.asarray(vectors, dtype) if copy is False else np.array(vectors, dtype)

    def __len__(self) -> int:
        return self.vectors.shape[0]

    def __repr__(self) -> str:
        return f"Space({self.name!r}, {len(self)} rows, dimension {self.dimension})"

    @property
    def dimension(self) -> int:
        """Number of columns of the vectors."""
        return self.vectors.shape[1]

    @cached_property
    def digest(self) -> str:
        """Content digest of the vectors alone: the key under which results about them are kept."""
        return array_digest(self.vectors)

    @cached_property
    def content_digest(self) -> str:
        """Content digest of the vectors, ids, labels and items: the same whatever the file is called."""
        texts = [text_digest(part) for part in (self.ids, self.labels, self.items)]
        return value_digest([self.digest, *texts])

    def take(self, rows: ArrayLike) -> "Space":
        """The space of the given rows: itself where these are all of them in their order.

        Parameters
        ----------
        rows
            Row numbers, in the order wanted; or a mask ``(n,)`` of truth values, which selects.

        Raises
        ------
        ShapeError
            If a row number lies outside, a mask has another length, it is neither, or fewer than two rows
            are left.
        """
        index = as_indices(rows, len(self), "rows")
        if torch.equal(index, torch.arange(len(self))):
            return self
        order = index.tolist()

        def pick(values: Sequence[str] | None) -> tuple[str, ...] | None:
            return None if values is None else tuple(values[i] for i in order)

        return Space(
            self.vectors[index],
            ids=pick(self.ids),
            labels=pick(self.labels),
            items=pick(self.items),
            name=self.name,
            found=self.found,
        )
