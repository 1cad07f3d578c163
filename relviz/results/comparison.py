"""A comparison: a pair through its anchors, resolved once by each page."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from torch import Tensor

from relviz.anchors import select_anchors
from relviz.compute.job import Ticket
from relviz.compute.key import array_digest, value_digest
from relviz.compute.task import task
from relviz.errors import ParameterError
from relviz.measure import held_out
from relviz.names import SELECTORS, SIMILARITIES, known_name
from relviz.pair import Pair
from relviz.quantize import quantize
from relviz.relative_projection import prepare, relative
from relviz.results.run import RunRecord, record_of_pair
from relviz.space import Space
from relviz.state.view import AnchorChoices, View

BY_PLACE = ("fps", "kmeans")
"""Ways of choosing anchors that look at where the rows lie."""
FEWEST_QUERIES = 10
"""Rows that are left as queries, however many anchors are drawn; of fewer than 20 rows, half of them."""


def drawn_count(asked: int, rows: int) -> int:
    """How many of so many rows are drawn as anchors: those asked for, as long as queries are left."""
    return max(1, min(asked, rows - min(FEWEST_QUERIES, rows // 2)))


@dataclass(frozen=True)
class Quantized:
    """A space whose vectors are merged within a distance, ``(n, d)``."""

    vectors: Tensor


@task("quantized", "Quantizing")
def quantized(ticket: Ticket, space: Space, threshold: float) -> Quantized:
    """The space quantized at a share of its scale (RR appendix A.3)."""
    ticket.check()
    return Quantized(quantize(space.vectors, threshold))


@dataclass(frozen=True)
class Selected:
    """Rows that were selected as anchors, ``(k,)`` int64."""

    rows: Tensor


@dataclass(frozen=True, eq=False)
class Sides:
    """Two parallel spaces that are made when they are needed; their digest is known before."""

    digest: str
    make: Callable[[], tuple[Tensor, Tensor]]

    def __reduce__(self) -> tuple[object, ...]:
        """To another process they go as what was made."""
        return _sides_of, (self.digest, *self.make())


def _sides_of(digest: str, x: Tensor, y: Tensor) -> Sides:
    return Sides(digest, lambda: (x, y))


@task("anchors", "Selecting anchors")
def selected(
    ticket: Ticket,
    rows: Sides,
    labels: tuple[str, ...] | None,
    *,
    method: str,
    count: int,
    seed: int,
) -> Selected:
    """Anchors that are drawn among the rows of the first side."""
    ticket.check()
    return Selected(select_anchors(rows.make()[0], count, known_name(method, SELECTORS), seed, labels))


@dataclass(frozen=True, eq=False)
class Comparison:
    """A pair through its anchors. Each page makes one from its view, and passes it or its parts on.

    Attributes
    ----------
    pair
        The two spaces, matched.
    sources
        What names A and B in a link.
    choices
        Which items are the anchors.
    similarity
        Of the relative projection.
    center
        Whether both spaces are to be centered and scaled to unit rows first.
    quantum
        Distance within which vectors are merged first; 0 for none.
    """

    pair: Pair
    sources: tuple[str, str]
    choices: AnchorChoices
    similarity: str
    center: bool
    quantum: float

    @property
    def centered(self) -> bool:
        """Whether they are: anchors that a run found lie in that frame, so with them they always are."""
        return self.center or self.choices.method == "run"

    @cached_property
    def sides(self) -> tuple[Tensor, Tensor]:
        """Both spaces, each quantized where that is asked for: ``(n, dx)`` and ``(n, dy)``."""
        x, y = (self._quantized(side) for side in (self.pair.a, self.pair.b))
        return x, y

    @cached_property
    def frames(self) -> tuple[Tensor, Tensor]:
        """Both sides as the relative projection takes them."""
        x, y = self.sides
        return (prepare(x), prepare(y)) if self.centered else (x, y)

    @property
    def count(self) -> int:
        """How many anchors are drawn."""
        return drawn_count(self.choices.count, len(self.pair))

    @cached_property
    def run(self) -> RunRecord | None:
        """The run whose anchors serve, None if they are selected; ParameterError if it is gone."""
        return record_of_pair(self.choices.run, self.pair) if self.choices.method == "run" else None

    @cached_property
    def anchors(self) -> Tensor:
        """Row numbers of the anchors, ``(k,)`` int64.

        Raises
        ------
        ParameterError
            If the method needs classes that are not there, too few were chosen by hand, or the run is gone.
        """
        if self.choices.method == "hand":
            return self._picked()
        if self.run is not None:
            return self.run.anchors
        depends = [self.pair.a.digest]
        if self.choices.method in BY_PLACE:
            depends += [str(self.centered), str(self.quantum)]
        return (
            selected(
                Sides(value_digest(depends), lambda: self.frames),
                self.labels,
                method=self.choices.method,
                count=self.count,
                seed=self.choices.seed,
            )
            .run()
            .rows
        )

    @property
    def labels(self) -> tuple[str, ...] | None:
        """The classes, where anchors are drawn by them."""
        return self.pair.labels if self.choices.method == "per_class" else None

    @cached_property
    def counterparts(self) -> Tensor | None:
        """What stands for the anchors in B, ``(k, dy)`` in its prepared frame; None for its own rows."""
        if self.run is None:
            return None
        found = self.run.outcome
        return prepare(self.pair.b.vectors)[found.nearest] if self.choices.rows else found.points

    @cached_property
    def rows_in_b(self) -> Tensor:
        """The rows of B that are, or are nearest to, what stands for the anchors there, ``(k,)``."""
        return self.anchors if self.run is None else self.run.outcome.nearest

    @cached_property
    def relative(self) -> tuple[Tensor, Tensor]:
        """Both sides relative to the anchors, each ``(n, k)`` (RR sec. 3)."""
        x, y = self.frames
        in_b = y[self.anchors] if self.counterparts is None else self.counterparts
        similarity = known_name(self.similarity, SIMILARITIES)
        return relative(x, x[self.anchors], similarity), relative(y, in_b, similarity)

    def row(self, name: str) -> Sides:
        """The two spaces of a row of maps: ``"absolute"`` or ``"relative"``."""
        if name == "absolute":
            return Sides(self.pair.digest, lambda: (self.pair.a.vectors, self.pair.b.vectors))
        counterparts = "" if self.counterparts is None else array_digest(self.counterparts)
        parts = [self.pair.digest, array_digest(self.anchors), counterparts]
        options = [self.similarity, self.centered, self.quantum]
        return Sides(value_digest([*parts, *options]), lambda: self.relative)

    def stars(self, anchors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Rows of the anchors to be drawn as known, and as discovered: all but the known pairs of a run."""
        if not len(anchors) or self.run is None:
            return anchors, anchors[:0]
        seeds = self.run.seeds.numpy()
        return seeds, np.setdiff1d(anchors, seeds)

    def held_out(self, queries: int) -> Tensor | None:
        """Rows that took no part in the run whose anchors are used; None if there are none, or no run.

        What goes through these anchors is measured with them: the others are rows that they were fitted to.
        No more than ``queries`` of them, drawn at random; 0 for all.
        """
        if self.run is None or not len(self.run.held_out):
            return None
        rows = len(self.pair)
        return held_out(rows, held_out(rows, self.run.held_out), queries or None, self.choices.seed)

    def similarities(self, side: str, row: int) -> np.ndarray:
        """Cosine of every item of side ``"a"`` or ``"b"`` to one of them, ``(n,)``."""
        space = self.frames[("a", "b").index(side)]
        return relative(space, space[row : row + 1]).flatten().numpy()

    def _picked(self) -> Tensor:
        picks = [row for row in self.choices.picks if row < len(self.pair)]
        if len(picks) < 2:
            raise ParameterError(
                f"{len(picks)} anchors are chosen by hand; choose at least 2 on the Anchors page, "
                "or another method."
            )
        return torch.tensor(picks)

    def _quantized(self, space: Space) -> Tensor:
        return quantized(space, self.quantum).run().vectors if self.quantum else space.vectors


def comparison_of(view: View, pair: Pair) -> Comparison:
    """The comparison that a view asks for."""
    return Comparison(pair, (view.a, view.b), view.anchor_choices, view.similarity, view.center, view.quantum)
