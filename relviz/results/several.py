"""Several spaces matched at once: what each two give alone, and what all give together."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import torch
from torch import Tensor

from relviz.bootstrapping import Bootstrap, Step
from relviz.bootstrapping.several import bootstrap_all
from relviz.bootstrapping.together import Places
from relviz.compute.job import Link, Ticket
from relviz.compute.task import Task, task
from relviz.errors import ParameterError
from relviz.relative_projection import prepare, relative
from relviz.results.checkpoint import RESUMED, checkpoint_of
from relviz.results.run import Verdict
from relviz.results.unpaired import Correspondence
from relviz.space import Space
from relviz.state.choice import Names
from relviz.state.several_choices import Several
from relviz.state.view import View
from relviz.wording import count

ANCHORS = 300
KIND = "several"


@dataclass(frozen=True, eq=False)
class Matched:
    """A match in one space for every row of another.

    Attributes
    ----------
    matches
        ``(n,)`` int32 rows of the second space.
    verdict
        The solver's own.
    right
        Share of right matches among the items that both spaces have by id, known ones excluded; None where
        ids do not tell.
    has_counterpart
        ``(n,)`` float32, as ``relviz.bootstrap`` gives it; None in results that were kept without it.
    """

    matches: np.ndarray
    verdict: Verdict
    right: float | None
    has_counterpart: np.ndarray | None = None


@dataclass(frozen=True, eq=False)
class Two:
    """Two of the spaces, by their places.

    Attributes
    ----------
    i, j
        The places, i < j.
    alone, together
        What the two give by themselves, and what with the others.
    similarity
        ``(n,)`` float32, the cosine of the relative vectors of the rows matched together.
    cycles
        Share of rows whose match is also the match of their match in a third space; None for two spaces.
    """

    i: int
    j: int
    alone: Matched
    together: Matched
    similarity: np.ndarray
    cycles: float | None

    def sample(self, expected: np.ndarray | None, count: int, seed: int) -> np.ndarray:
        """Rows of the first space, drawn at random from each of the outcomes as often as it occurs.

        The outcomes are whether pairwise and joint matches are as ``expected``, ``(n,)``, where that is 0 or
        more; where nothing is expected, whether the two are the same.
        """
        rng, alone, together = np.random.default_rng(seed), self.alone.matches, self.together.matches
        if expected is None:
            rows, outcome = np.arange(len(alone)), alone == together
        else:
            rows, outcome = np.flatnonzero(expected >= 0), 2 * (alone == expected) + (together == expected)
        rows = rng.permutation(rows)
        rows = rows[np.argsort(outcome[rows], kind="stable")]
        count = min(count, len(rows))
        places = (rng.random() + np.arange(count)) * len(rows) / max(1, count)
        return np.sort(rows[places.astype(int)])

    @property
    def correspondence(self) -> Correspondence:
        """What all gave together, as what two spaces without a pairing are paired by."""
        together = self.together
        return Correspondence(together.matches, self.similarity, together.verdict, together.has_counterpart)


@dataclass(frozen=True, eq=False)
class SeveralMatched:
    """Spaces matched at once: every two of them, and ``rows`` of the known items in each, ``(k, known)``."""

    pairs: tuple[Two, ...]
    rows: np.ndarray

    def most_helped(self) -> Two:
        """The two for which the others did most."""
        return max(self.pairs, key=_gain)


@dataclass(frozen=True, eq=False)
class SeveralSoFar:
    """A run that goes on.

    Attributes
    ----------
    alone
        What every two spaces that have been matched gave by themselves, by their places.
    now
        The two that are being matched; None once every two have been.
    matches
        ``(n,)`` int64, the row of the second of these that each row of the first is matched with by now; None
        before the first step.
    """

    alone: Mapping[Places, Matched]
    now: Places | None
    matches: np.ndarray | None = None


def _gain(two: Two) -> float:
    if two.alone.right is not None and two.together.right is not None:
        return two.together.right - two.alone.right
    return two.together.verdict.evidence.halves - two.alone.verdict.evidence.halves


def several_task(
    spaces: Sequence[Space], known: int, seed: int, sources: Sequence[str] = ()
) -> Task[SeveralMatched]:
    """The task that matches spaces with each other, from items whose rows are known in all.

    ``sources`` are those of the spaces where a page asks: its link opens the run again.

    Raises
    ------
    ParameterError
        If fewer items than known ones are in all spaces by id.
    """
    shared = shared_items(spaces)
    if known > len(shared):
        raise ParameterError(
            f"{known} known items were requested, but the spaces share {count(len(shared))} ids. "
            f"{'Choose fewer.' if shared else 'Choose 0.'}"
        )
    made = _several(list(spaces), known=known, anchors=ANCHORS, seed=seed)
    title = f"Matching {', '.join(space.name for space in spaces)}"
    chosen = View(se=Several(Names(sources), known, seed))
    return replace(made, title=title, link=Link(title, chosen.to_params()) if sources else None)


def shared_items(spaces: Iterable[Space]) -> list[str]:
    """Ids that every space has exactly once, in the order of the first."""
    ids = [_once(space) for space in spaces]
    return [one for one in ids[0] if all(one in other for other in ids[1:])] if ids else []


def counterparts(x: Space, y: Space) -> np.ndarray | None:
    """The row of y that has the id of each row of x, -1 where none has; None where no id is in both."""
    places = _once(y)
    rows = np.array([places.get(one, -1) for one in x.ids or ()], dtype=np.int64)
    return rows if (rows >= 0).any() else None


def _once(space: Space) -> dict[str, int]:
    """The rows of the ids that no other row has."""
    places: dict[str, int] = {}
    repeated = set()
    for row, one in enumerate(space.ids or ()):
        if one in places:
            repeated.add(one)
        places[one] = row
    return {one: row for one, row in places.items() if one not in repeated}


@task(KIND, "Matching several spaces", heavy=True)
def _several(ticket: Ticket, spaces: list[Space], *, known: int, anchors: int, seed: int) -> SeveralMatched:
    places = [_once(space) for space in spaces]
    shared = shared_items(spaces)
    order = torch.randperm(len(shared), generator=torch.Generator().manual_seed(seed)).tolist()
    items = [shared[at] for at in order[:known]]
    rows = torch.tensor([[place[one] for one in items] for place in places], dtype=torch.int64)
    every = list(combinations(range(len(spaces)), 2))

    ticket.report(0.0, "preparing")
    checkpoint, saved = checkpoint_of(_several(spaces, known=known, anchors=anchors, seed=seed).key)
    since = "" if saved is None else f", {RESUMED}"

    truth = {(i, j): counterparts(spaces[i], spaces[j]) for i, j in every}
    so_far = SeveralSoFar({}, every[0])
    ticket.show(lambda: so_far)

    def on_step(_: Places, step: Step) -> None:
        nonlocal so_far
        so_far = replace(so_far, matches=step.matches.numpy())

    def on_pair(two: Places, found: Bootstrap) -> None:
        nonlocal so_far
        alone = {**so_far.alone, two: _matched(found, truth[two], rows[two[0]])}
        so_far = SeveralSoFar(alone, every[len(alone)] if len(alone) < len(every) else None)

    def heard(done: float) -> None:
        where = f"pair {len(so_far.alone) + 1} of {len(every)}" if so_far.now else "joint run"
        ticket.report(done, f"{where}{since}")
        ticket.rest()

    found = bootstrap_all(
        [space.vectors for space in spaces],
        {(i, j): (rows[i], rows[j]) for i, j in every} if known else None,
        anchors,
        seed,
        on_pulse=ticket.check,
        on_progress=heard,
        checkpoint=checkpoint,
        on_step=on_step,
        on_pair=on_pair,
    )
    pairs = []
    for i, j in every:
        alone, together = so_far.alone[i, j], _matched(found[i, j], truth[i, j], rows[i])
        near = _similarity(spaces[i], spaces[j], found.anchor_rows[i], found[i, j])
        cycles = float(found.cycles[i, j]) if len(spaces) > 2 else None
        pairs.append(Two(i, j, alone, together, near, cycles))
    return SeveralMatched(tuple(pairs), rows.numpy())


def _matched(found: Bootstrap, truth: np.ndarray | None, known: Tensor) -> Matched:
    matches = found.matches.numpy().astype(np.int32)
    right = None
    if truth is not None:
        asked = truth >= 0
        asked[known.numpy()] = False
        right = float((matches == truth)[asked].mean()) if asked.any() else None
    return Matched(matches, Verdict.of(found), right, found.has_counterpart.numpy())


def _similarity(x: Space, y: Space, anchors: Tensor, found: Bootstrap) -> np.ndarray:
    rows = prepare(x.vectors)
    near = torch.cosine_similarity(
        relative(rows, rows[anchors]), relative(prepare(y.vectors), found.anchors)[found.matches]
    )
    return near.numpy()
