"""Two spaces that nothing matches: correspondences found by anchor optimization, and their pair."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch

from relviz.anchors import select_anchors
from relviz.bootstrapping import Hints, Step, bootstrap
from relviz.bootstrapping.search import Standing
from relviz.compute.jobs import Ticket
from relviz.compute.task import Task, task
from relviz.relative_projection import prepare, relative
from relviz.results.checkpoint import RESUMED, checkpoint_of
from relviz.results.replay import by_search
from relviz.results.run import Verdict
from relviz.space import Space
from relviz.state.known_pairs import Groups, Known, ids_of
from relviz.state.owners import Origin
from relviz.state.sources import keep_space, open_space, origin_of

ANCHORS = 300


@dataclass(frozen=True)
class Hinted:
    """Hints for a search, beside known pairs: whether classes and names count, non-matches and groups."""

    labels: bool = False
    names: bool = False
    non_matches: Known = ()
    groups: Groups = ()

    def of(self, x: Space, y: Space) -> Hints | None:
        """The hints for two spaces; None where there is nothing to go by."""
        if self == Hinted():
            return None
        return Hints(
            labels=(x.labels, y.labels) if self.labels and x.labels and y.labels else None,
            names=(_named(x), _named(y)) if self.names and shared_names(x, y) else None,
            groups=self.groups,
            non_matches=([a for a, _ in self.non_matches], [b for _, b in self.non_matches])
            if self.non_matches
            else None,
        )


NO_HINTS = Hinted()


def shared_names(x: Space, y: Space) -> set[str]:
    """Items, or else ids, that both spaces have."""
    return set(_named(x)) & set(_named(y))


def shared_classes(x: Space, y: Space) -> set[str]:
    """Classes that both spaces have."""
    return set(x.labels or ()) & set(y.labels or ())


def _named(space: Space) -> Sequence[str]:
    return space.items or space.ids or ()


@dataclass(frozen=True, eq=False)
class Correspondence:
    """Rows found to belong together.

    ``matches`` (n,) is a row of B for every row of A, ``similarity`` (n,) the cosine of the relative vectors
    of the two, ``verdict`` whether the solver believes them. ``has_counterpart`` (n,) is how probable it is
    that the row has a counterpart in B and that its match is it; None in results that were kept without it.
    ``generations`` is how the search went, see ``SoFar``; None where it was not recorded.
    """

    matches: np.ndarray
    similarity: np.ndarray
    verdict: Verdict
    has_counterpart: np.ndarray | None = None
    generations: np.ndarray | None = None


@dataclass(frozen=True, eq=False)
class SoFar:
    """A search that goes on.

    Attributes
    ----------
    matches
        ``(n,)`` int64, the row of B that each row of A is matched with by now.
    generations
        ``(g, 3)`` float32, after each generation of the two populations of rotations: how far either is one
        rotation, and how much both have in common; a row of NaN before a further search. Empty before
        there was one.
    """

    matches: np.ndarray
    generations: np.ndarray


def unpaired_task(
    a: str, b: str, known: Known, seed: int = 0, hinted: Hinted = NO_HINTS
) -> Task[Correspondence]:
    """The task that looks in B for a counterpart of every row of A."""
    x, y = open_space(a), open_space(b)
    found = _correspondence(x, y, known=known, anchors=ANCHORS, seed=seed, hinted=hinted)
    return replace(found, title=f"Finding correspondences of {x.name} in {y.name}")


@task("unpaired", "Searching for correspondences", heavy=True)
def _correspondence(
    ticket: Ticket, x: Space, y: Space, *, known: Known, anchors: int, seed: int, hinted: Hinted
) -> Correspondence:
    seeds = torch.tensor(known, dtype=torch.int64).reshape(-1, 2)
    rows = _anchors(x, seeds[:, 0], min(anchors, len(x), len(y)), seed)

    ticket.report(0.0, "preparing")
    key = _correspondence(x, y, known=known, anchors=anchors, seed=seed, hinted=hinted).key
    checkpoint, saved = checkpoint_of(key)
    since = "" if saved is None else f", {RESUMED}"

    standings: list[Standing | None] = []
    latest: list[SoFar] = []
    ticket.show(lambda: latest[-1] if latest else None)

    def on_step(step: Step) -> None:
        standings.append(step.standing)
        latest[:] = [SoFar(step.matches.numpy(), _generations(standings))]
        ticket.report((step.index + 1) / step.of, f"step {step.index + 1} of {step.of}{since}")
        ticket.rest()

    found = bootstrap(
        *(x.vectors, y.vectors, rows, (seeds[:, 0], seeds[:, 1])),
        seed=seed,
        on_step=on_step,
        on_pulse=ticket.check,
        hints=hinted.of(x, y),
        checkpoint=checkpoint,
    )
    rx = relative(prepare(x.vectors), prepare(x.vectors)[rows])
    ry = relative(prepare(y.vectors), found.anchors)
    similarity = torch.cosine_similarity(rx, ry[found.matches])
    return Correspondence(
        *(found.matches.numpy(), similarity.numpy(), Verdict.of(found), found.has_counterpart.numpy()),
        _generations(entry.standing for entry in found.history),
    )


def _generations(standings: Iterable[Standing | None]) -> np.ndarray:
    """Where the populations stand after each generation, as ``SoFar`` has it."""
    rows = [(np.nan,) * 3 if one is None else (*one.coherences, one.agreement) for one in standings]
    return by_search(np.array(rows, np.float32).reshape(-1, 3))


def pair_found(a: str, b: str, found: Correspondence) -> tuple[str, str, int]:
    """Keep the pair that was found: its two sources, and how many rows it has.

    A row of B that is the match of several rows of A goes to the most similar of them.
    """
    x, y = open_space(a), open_space(b)
    rows, counterparts = one_to_one(found.matches, found.similarity)
    ids = ids_of(x)
    left = x.take(rows)
    right = y.take(counterparts)
    names = [ids[row] for row in rows]
    kept = []
    for space, source, words in ((left, a, ""), (right, b, f"matched with {x.name} by anchor optimization")):
        origin = origin_of(source)
        origin_words = f"{origin.words}; {words}" if words else origin.words
        name = f"{space.name}, matched" if words else space.name
        own = Space(space.vectors, names, space.labels, space.items or space.ids, name)
        kept.append(keep_space(own, Origin(origin_words, origin.encoder, origin.layer, origin.pooling)))
    return kept[0], kept[1], len(rows)


def one_to_one(matches: np.ndarray, similarity: np.ndarray) -> tuple[list[int], list[int]]:
    """Rows of A in their order and the rows of B that they get, each at most once.

    >>> one_to_one(np.array([4, 4, 2]), np.array([0.3, 0.9, 0.5]))
    ([1, 2], [4, 2])
    """
    taken: dict[int, int] = {}
    for row in np.argsort(-similarity, kind="stable").tolist():
        taken.setdefault(int(matches[row]), row)
    rows = sorted(taken.values())
    return rows, [int(matches[row]) for row in rows]


def _anchors(x: Space, seeds: torch.Tensor, many: int, seed: int) -> torch.Tensor:
    """The seeds, and others drawn at random."""
    order = select_anchors(x.vectors, len(x), "uniform", seed)
    others = order[~torch.isin(order, seeds)][: max(0, many - len(seeds))]
    return torch.cat([seeds, others])
