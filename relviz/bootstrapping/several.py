"""Several spaces of the same items at once: what two spaces do not tell, a third one may.

The method is ours; no paper of ``relviz.papers`` has it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations

import torch
from torch import Tensor

from relviz.anchors import select_anchors
from relviz.bootstrapping import Bootstrap, bootstrap
from relviz.bootstrapping.anneal import Pulse
from relviz.bootstrapping.checkpoint import Checkpoint
from relviz.bootstrapping.inputs import Given, check_given
from relviz.bootstrapping.options import AnnealedOptions
from relviz.bootstrapping.record import Step
from relviz.bootstrapping.together import Places, Together
from relviz.compute.arrays import ArrayLike, as_indices, as_matrix, as_seed
from relviz.compute.parallel import one_thread
from relviz.compute.progress import OnProgress, heard
from relviz.errors import Error, ParameterError
from relviz.notebook import table_html

KnownRows = tuple[ArrayLike, ArrayLike]
"""Rows of one space and rows of another that belong together, as long as each other."""

OnPairStep = Callable[[Places, Step], object]
"""Called with the places of two spaces after every step of the run between them; truthy stops this run."""
OnPair = Callable[[Places, Bootstrap], object]
"""Called with the places of two spaces and their result, once they have been matched alone."""

_PAIRWISE = 0.7
"""Share of the progress that belongs to the runs between two spaces."""


@dataclass(frozen=True, eq=False, repr=False)
class BootstrapAll:
    """Matches between all of several spaces.

    Attributes
    ----------
    pairs
        For every two places i < j the result between these spaces, with anchors of space i: as
        ``relviz.bootstrap`` gives it, but for matches in which all spaces took part. Its history is that of
        the run of the two alone.
    alone
        What the two spaces gave by themselves.
    cycles
        ``(k, k)`` float32. Share of the rows of space i whose match in space j is also the match of their
        match in a third space, the mean over third spaces; NaN on the diagonal and for two spaces.
    anchor_rows
        ``(k,)`` int64 each: the rows of every space that are anchors when it is the first of two.
    names
        What the spaces are called.
    """

    pairs: dict[Places, Bootstrap]
    alone: dict[Places, Bootstrap]
    cycles: Tensor
    anchor_rows: tuple[Tensor, ...]
    names: tuple[str, ...]

    def __getitem__(self, places: Places) -> Bootstrap:
        """The result between two spaces, the smaller place first."""
        return self.pairs[places]

    def __repr__(self) -> str:
        believed = sum(found.converged for found in self.pairs.values())
        return f"BootstrapAll({len(self.names)} spaces, {believed} of {len(self.pairs)} pairs converged)"

    def _repr_html_(self) -> str:
        lines = []
        for (i, j), found in self.pairs.items():
            before = self.alone[i, j].evidence.halves
            change = f"halves {before:.2f} alone, {found.evidence.halves:.2f} together"
            lines.append((f"{self.names[i]} ↔ {self.names[j]}", f"{change}, converged {found.converged}"))
        return table_html(("several spaces", ""), lines)


def bootstrap_all(
    spaces: Sequence[ArrayLike],
    known: Mapping[Places, KnownRows] | None = None,
    anchors: int = 300,
    seed: int = 0,
    options: AnnealedOptions | None = None,
    on_pulse: Pulse | None = None,
    on_progress: OnProgress | None = None,
    checkpoint: Checkpoint | None = None,
    on_step: OnPairStep | None = None,
    on_pair: OnPair | None = None,
) -> BootstrapAll:
    """Match the rows of several spaces of the same items, each with each.

    Every two spaces are matched alone (``relviz.bootstrap``, method ``annealed``). Where the results of both
    with a third space have converged, and theirs has not, or its halves agree less than those of both, they
    are matched by way of the third: rows of the one are seen in both, and start from the matches of matches.
    Then the rows of one space are also seen in those spaces of which the results with it and with another
    have converged, and agree about as well as these two do, each by its mutual match there, and matched with
    the rows of that other again. New matches are taken where their halves agree better
    (``Evidence.halves``), which needs no truth.

    Parameters
    ----------
    spaces
        Two or more, ``(n_i, d_i)``; numbers of rows, dimensions and order of rows may all differ.
    known
        Known pairs between some of the spaces: ``{(i, j): (rows of space i, rows of space j)}``, i < j.
    anchors
        How many rows of each space are anchors, at most as many as the smallest space has rows: those in
        known pairs, and others drawn uniformly.
    seed
        Of every random choice.
    options
        Of the runs between two spaces.
    on_pulse, on_progress, checkpoint
        As in ``relviz.bootstrap``.
    on_step
        Called with the places of two spaces and a ``Step`` after every step of the run between them; truthy
        stops this run.
    on_pair
        Called with the places of two spaces and their result, once they have been matched alone.

    Raises
    ------
    ShapeError, ParameterError
        As ``relviz.bootstrap``; and where there are fewer than two spaces, or known pairs are of places
        that do not exist.
    """
    seed = as_seed(seed)
    if len(spaces) < 2:
        raise ParameterError(f"Give two spaces or more; there are {len(spaces)}.")
    places = list(combinations(range(len(spaces)), 2))
    known = {} if known is None else dict(known)
    for one, both in known.items():
        if one not in places:
            raise ParameterError(
                f"known pairs are of spaces {one}; name two places i < j of the {len(spaces)} spaces, as "
                f"{places[0]}."
            )
        if not isinstance(both, tuple) or len(both) != 2:
            raise ParameterError(
                f"known pairs of spaces {one} must be a tuple of two lists, rows of space {one[0]} and rows "
                f"of space {one[1]}; they are {str(both)[:60]}."
            )
    rows = _anchor_rows(spaces, known, anchors, seed)
    given = {at: _checked(spaces, at, rows[at[0]], known.get(at, ((), ()))) for at in places}
    report = heard(on_progress)
    alone = {}
    for at, (i, j) in enumerate(places):

        def on_part(done: float, at: int = at) -> None:
            if report is not None:
                report(_PAIRWISE * (at + done) / len(places))

        found = bootstrap(
            *(spaces[i], spaces[j], rows[i], known.get((i, j))),
            seed=seed,
            on_step=None if on_step is None else partial(on_step, (i, j)),
            options=options,
            on_pulse=on_pulse,
            on_progress=on_part,
            checkpoint=_part(checkpoint, f"{i}-{j}"),
        )
        alone[i, j] = found
        if on_pair is not None:
            on_pair((i, j), found)
    with one_thread(all(one.few for one in given.values())):
        generator = torch.Generator().manual_seed(seed)
        together = Together(given, alone, generator, on_pulse, _part(checkpoint, "together"))
        for done in together.rounds():
            if report is not None:
                report(_PAIRWISE + (1 - _PAIRWISE) * done)
        pairs = {at: together.result(at) for at in places}
    if report is not None:
        report(1.0)
    names = tuple(getattr(space, "name", "") or f"space {at}" for at, space in enumerate(spaces))
    return BootstrapAll(pairs, alone, together.cycles(), rows, names)


def _part(checkpoint: Checkpoint | None, name: str) -> Checkpoint | None:
    return None if checkpoint is None else checkpoint.part(name)


def _anchor_rows(
    spaces: Sequence[ArrayLike], known: Mapping[Places, KnownRows], many: int, seed: int
) -> tuple[Tensor, ...]:
    """Rows of every space: those in known pairs, and others drawn at random."""
    rows = [as_matrix(space, f"space {at}") for at, space in enumerate(spaces)]
    most = min(many, *(len(one) for one in rows))
    chosen = []
    for at, one in enumerate(rows):
        pairs = [pair[at == places[1]] for places, pair in known.items() if at in places]
        first = [as_indices(pair, len(one), f"known rows of space {at}") for pair in pairs]
        first = torch.cat([torch.empty(0, dtype=torch.int64), *first]).unique()
        order = select_anchors(one, len(one), "uniform", seed)
        others = order[~torch.isin(order, first)]
        chosen.append(torch.cat([first, others[: max(0, most - len(first))]]))
    return tuple(chosen)


def _checked(spaces: Sequence[ArrayLike], places: Places, rows: Tensor, known: KnownRows) -> Given:
    """The two spaces prepared; what is wrong with them names them."""
    i, j = places
    try:
        return check_given(spaces[i], spaces[j], rows, known)
    except Error as reason:
        raise type(reason)(f"Spaces {i} (x) and {j} (y): {reason}") from None
