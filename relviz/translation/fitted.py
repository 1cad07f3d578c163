"""Fitted translators: vectors of one encoder translated into another's space through anchors alone."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from os import PathLike
from typing import NamedTuple

import torch
from torch import Tensor

from relviz.compute.arrays import ArrayLike
from relviz.errors import ParameterError, ReadError, ShapeError
from relviz.relative_projection import unit_rows
from relviz.translation.file import Packed, Parameter, read, write
from relviz.translation.inverse import ROUNDING
from relviz.translation.irp import between
from relviz.translation.method import Fit
from relviz.translation.pairs import AnchorPairs, Framed, Side

_ISOMETRY = 1e-5
"""How far singular values of a matrix may differ, relative to the largest, for it to keep all lengths."""


class Affine(NamedTuple):
    """``x @ matrix + offset``: ``(dx, dy)`` and ``(dy,)``, both float32."""

    matrix: Tensor
    offset: Tensor


@dataclass(frozen=True, eq=False, repr=False)
class Translator:
    """Translates rows ``(n, dx)`` into the other space ``(n, dy)``: ``translator(x)``.

    It can be kept: ``save`` writes a file that ``relviz.load_translator`` reads, and pickle, copy and joblib
    work too.

    Attributes
    ----------
    method
        One of ``relviz.TRANSLATORS``, followed by ``, inverted`` for an inverse.
    parameters
        What it was given, and what it chose itself, as far as the method makes use of it.
    condition_number
        Of the anchors that were inverted, as given: largest over smallest singular value, without
        directions that no anchor has to float32 rounding; what the inverse leaves out counts. The largest of
        all subspaces; 1 where nothing was inverted.
    anchors_kept
        How many anchors it rests on, the mean over subspaces.
    """

    method: str
    parameters: Mapping[str, Parameter]
    condition_number: float
    anchors_kept: float
    pairs: AnchorPairs
    fit: Fit
    length: str = field(default="own")

    @property
    def mean_condition_number(self) -> float:
        """Mean of the condition numbers of all subspaces; ``condition_number`` where there is one matrix."""
        mean = self.fit.mean_condition_number
        return self.condition_number if mean is None else mean

    @cached_property
    def matrix(self) -> Tensor:
        """``(dx, dy)`` float32, between the unit frames: rows after centering on the anchors, of length one.

        Row j is the image of unit vector j.
        """
        if self.fit.weights is not None:
            return between(self.pairs, self.fit.weights).float()
        assert self.fit.matrix is not None
        return self.fit.matrix

    @property
    def dimensions(self) -> tuple[int, int]:
        """Of the source and of the target."""
        return self.pairs.dimensions

    @property
    def center(self) -> Tensor:
        """``(dy,)`` the anchor mean of the target, where translated rows lie."""
        return self.pairs.unframed.mean

    def __call__(self, x: ArrayLike) -> Tensor:
        """Translate rows ``(n, dx)``: center, unit length, matrix, length, de-center; ``(n, dy)`` float32.

        A row at the anchor mean goes to the anchor mean. Gradients reach ``x``, that of such a row is 0; the
        anchors that the translator was fitted on have none.

        Raises
        ------
        ShapeError
            If the dimension is not that of the source's anchors.
        ParameterError
            If a number is NaN or infinite.
        """
        return self.translate(self.pairs.framed(x))

    def translate(self, rows: Framed) -> Tensor:
        """Translate rows that ``AnchorPairs.framed`` of the same anchors has prepared."""
        if self.method == "absolute":
            return self._framed(rows.given.clone())
        goal = self.pairs.target
        made = self._turned(rows)
        if self.length != "raw":
            made = unit_rows(made)
        own = self.length == "own"
        made = made * (goal.length * (rows.lengths / rows.anchors.length) if own else goal.length)
        return self._framed(made + goal.mean)

    def then(self, other: "Translator | Chain") -> "Chain":
        """This translation followed by another, as one that is called, kept and inverted as one.

        Raises
        ------
        ShapeError
            If the other one does not start in the dimension in which this one ends.
        """
        return Chain((self,)).then(other)

    @property
    def is_affine(self) -> bool:
        """Whether ``affine`` gives what the translator itself gives, to rounding.

        It does for ``absolute``, and where the matrix keeps all lengths, as that of ``procrustes`` does
        between spaces of as many dimensions. Other methods give every row back its length, which no matrix
        can.
        """
        if self.method == "absolute":
            return True
        values = torch.linalg.svdvals(self.matrix.double())
        whole = len(values) == len(self.matrix) and bool(values[-1] >= (1 - _ISOMETRY) * values[0])
        return whole and self.length == "own" and self.fit.offset is None

    def affine(self) -> Affine:
        """The matrix and offset that come nearest to it: ``matrix, offset = translator.affine()``.

        ``x @ matrix + offset`` is the translation itself where ``is_affine``. Elsewhere rows have the right
        direction from the ``center``, and their lengths are right for the anchors on average; the offset of
        the method ``affine`` is that of a row of the anchors' mean length.
        """
        source, goal = self.pairs.source, self.pairs.target
        dx, dy = self.dimensions
        if self.method == "absolute":
            matrix, offset = torch.eye(dx, dtype=torch.float64), torch.zeros(dy, dtype=torch.float64)
        else:
            extra = torch.zeros(dy) if self.fit.offset is None else self.fit.offset
            made = source.exact @ self.matrix.double() + extra.double()
            lengths = torch.linalg.vector_norm(made[source.unit.any(1)], dim=1)
            made_on_average = 1.0 if self.length == "raw" else float(lengths.mean()) if len(lengths) else 0.0
            scale = goal.length / made_on_average if made_on_average > 0 else 0.0
            matrix = self.matrix.double() * (scale / source.length if source.length else 0.0)
            offset = goal.mean.double() + scale * extra.double() - source.mean.double() @ matrix
        if self.pairs.frame is not None:
            mean, length = self.pairs.frame
            matrix, offset = matrix * length, offset * length + mean.double()
        return Affine(matrix.float(), offset.float())

    def inverse(self) -> "Translator":
        """The translator back: ``translator.inverse()(translator(x))`` is ``x``, to rounding.

        Raises
        ------
        ParameterError
            Where rows cannot be told apart any more once they are translated: fewer directions, or lengths
            that were not kept.
        """
        dx, dy = self.dimensions
        values = torch.linalg.svdvals(self.matrix.double())
        rank = int((values > values.max() * max(dx, dy) * ROUNDING).sum())
        lost = (
            f"{rank} of {dx} directions of the source are left in its translations"
            if rank < dx
            else "its translations do not keep the length of a row"
            if self.length != "own"
            else "rows get an offset whatever their length"
            if self.fit.offset is not None
            else "the vectors are left untranslated in a prepared frame"
            if self.method == "absolute" and self.pairs.frame is not None
            else ""
        )
        if lost:
            raise ParameterError(
                f"The translator {self.method!r} has no inverse: {lost}. Fit one the other way round, with "
                "the anchors of the target first."
            )
        fit = Fit(torch.linalg.pinv(self.matrix.double()).float(), 1.0, self.anchors_kept)
        return Translator(
            method=self.method if self.method == "absolute" else f"{self.method}, inverted",
            parameters=dict(self.parameters),
            condition_number=float(values[0] / values[rank - 1]),
            anchors_kept=self.anchors_kept,
            pairs=self.pairs.turned(),
            fit=fit,
            length=self.length,
        )

    def save(self, path: str | PathLike[str]) -> None:
        """Write it to a safetensors file, which ``relviz.load_translator`` reads; no pickle is involved."""
        Chain((self,)).save(path)

    def packed(self) -> Packed:
        """Everything it consists of: tensors by name, and what JSON can say."""
        source, goal, fit = self.pairs.source, self.pairs.target, self.fit
        tensors = {
            "source.mean": source.mean,
            "source.unit": source.unit,
            "target.mean": goal.mean,
            "target.unit": goal.unit,
        }
        some = {"matrix": fit.matrix, "offset": fit.offset, "weights": fit.weights}
        tensors |= {name: one for name, one in some.items() if one is not None}
        about: dict[str, object] = {
            "method": self.method,
            "parameters": dict(self.parameters),
            "condition_number": self.condition_number,
            "mean_condition_number": fit.mean_condition_number,
            "anchors_kept": self.anchors_kept,
            "length": self.length,
            "lengths": [source.length, goal.length],
        }
        if self.pairs.frame is not None:
            tensors["frame"], about["frame"] = self.pairs.frame
        return tensors, about

    @staticmethod
    def unpacked(packed: Packed) -> "Translator":
        """The translator that ``packed`` came from."""
        tensors, about = packed
        first, second = about["lengths"]
        sides = [
            Side(tensors[f"{name}.mean"], tensors[f"{name}.unit"], float(length))
            for name, length in (("source", first), ("target", second))
        ]
        frame = (tensors["frame"], float(about["frame"])) if "frame" in tensors else None
        number, kept = float(about["condition_number"]), float(about["anchors_kept"])
        mean = about.get("mean_condition_number")
        matrix, offset, weights = (tensors.get(name) for name in ("matrix", "offset", "weights"))
        return Translator(
            method=str(about["method"]),
            parameters=dict(about["parameters"]),
            condition_number=number,
            anchors_kept=kept,
            pairs=AnchorPairs.of(sides[0], sides[1], frame),
            fit=Fit(
                matrix,
                number,
                kept,
                offset=offset,
                weights=weights,
                mean_condition_number=None if mean is None else float(mean),
            ),
            length=str(about["length"]),
        )

    def __repr__(self) -> str:
        dx, dy = self.dimensions
        return (
            f"Translator({self.method}, {dx} → {dy} dimensions, {self.anchors_kept:g} of {len(self.pairs)} "
            f"anchors, condition number {self.condition_number:.3g})"
        )

    def _turned(self, rows: Framed) -> Tensor:
        if self.fit.weights is not None:
            # The inverse's large numbers cancel in float64; what is left is a sum of anchors.
            return (rows.cosines @ self.fit.weights).float() @ self.pairs.target.unit
        made = rows.unit @ self.matrix
        return made if self.fit.offset is None else made + self.fit.offset

    def _framed(self, made: Tensor) -> Tensor:
        if self.pairs.frame is None:
            return made
        mean, length = self.pairs.frame
        return made * length + mean


@dataclass(frozen=True, eq=False, repr=False)
class Chain:
    """Translators one after another, from ``Translator.then``: called, kept and inverted as one."""

    parts: tuple[Translator, ...]

    @property
    def dimensions(self) -> tuple[int, int]:
        """Of the first source and of the last target."""
        return self.parts[0].dimensions[0], self.parts[-1].dimensions[1]

    @property
    def center(self) -> Tensor:
        """``(dy,)`` the anchor mean of the last target."""
        return self.parts[-1].center

    def __call__(self, x: ArrayLike) -> Tensor:
        """Translate rows ``(n, dx)`` by each part in turn; see ``Translator``."""
        first, *others = self.parts
        rows = first(x)
        for part in others:
            rows = part(rows)
        return rows

    def then(self, other: "Translator | Chain") -> "Chain":
        """See ``Translator.then``."""
        further = other.parts if isinstance(other, Chain) else (other,)
        ends, begins = self.dimensions[1], further[0].dimensions[0]
        if ends != begins:
            raise ShapeError(
                f"The first translator ends in {ends} dimensions, and the next one starts from {begins}."
            )
        return Chain((*self.parts, *further))

    @property
    def is_affine(self) -> bool:
        """Whether all parts are; see ``Translator.is_affine``."""
        return all(part.is_affine for part in self.parts)

    def affine(self) -> Affine:
        """The matrices and offsets of all parts as one; see ``Translator.affine``."""
        matrix, offset = (one.double() for one in self.parts[0].affine())
        for part in self.parts[1:]:
            next_matrix, next_offset = (one.double() for one in part.affine())
            matrix, offset = matrix @ next_matrix, offset @ next_matrix + next_offset
        return Affine(matrix.float(), offset.float())

    def inverse(self) -> "Chain":
        """The inverses of all parts, the last one first; see ``Translator.inverse``."""
        return Chain(tuple(part.inverse() for part in reversed(self.parts)))

    def save(self, path: str | PathLike[str]) -> None:
        """See ``Translator.save``."""
        write(path, [part.packed() for part in self.parts])

    def __repr__(self) -> str:
        return f"Chain({', '.join(map(repr, self.parts))})"


def load_translator(path: str | PathLike[str]) -> Translator | Chain:
    """The translator that ``save`` wrote to a file, or the chain of several; it gives the same numbers.

    Raises
    ------
    ReadError
        If there is no such file, or it holds no translator that can be read.
    """
    found = read(path)
    try:
        parts = tuple(map(Translator.unpacked, found))
        chain = Chain(parts[:1])
        for part in parts[1:]:
            chain = chain.then(part)
    except (KeyError, TypeError, ValueError) as reason:
        raise ReadError(
            f"{path} says that it holds a translator, but parts are missing ({reason})."
        ) from None
    return parts[0] if len(parts) == 1 else chain
