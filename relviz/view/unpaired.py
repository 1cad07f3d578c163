"""Two spaces that nothing matches: partners found by anchor optimisation, and the pair that they make."""

import re
from collections.abc import Sequence

import numpy as np
import torch

from relviz.anchors import select_anchors
from relviz.bootstrap import Step, bootstrap
from relviz.compute.entry import Result
from relviz.compute.jobs import Ticket
from relviz.compute.key import result_key
from relviz.compute.task import Made, Task
from relviz.errors import ParameterError
from relviz.relative import prepare, relative
from relviz.space import Space
from relviz.view.bootstrapping import outcome_of
from relviz.view.origin import Origin
from relviz.view.sources import keep_space, open_space, origin_of

KIND = "unpaired"
ANCHORS = 300
Known = tuple[tuple[int, int], ...]
"""Rows of A and of B that are the same thing."""


def known_pairs(text: str, a: Space, b: Space) -> Known:
    """What lines of "name in A, name in B" mean: names are ids, items or, without either, row numbers from 1.

    Raises
    ------
    ParameterError
        If a line is no pair, a name is not there, or one is given twice.
    """
    names_a, names_b = _names(a), _names(b)
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        parts = [part.strip() for part in re.split(r"\t|,", line)]
        if len(parts) != 2 or not all(parts):
            raise ParameterError(
                f"Line {number} is {line[:60]!r}: write two names, with a comma or a tab between them."
            )
        for part, names, space in ((parts[0], names_a, a), (parts[1], names_b, b)):
            if part not in names:
                raise ParameterError(
                    f"Line {number}: {space.name} has nothing called {part[:60]!r}. Names are ids or items, "
                    f"such as {next(iter(names))[:60]!r}."
                )
        found.append((names_a[parts[0]], names_b[parts[1]]))
    for side, rows in zip((a, b), zip(*found, strict=True), strict=False):
        if len(set(rows)) < len(rows):
            raise ParameterError(f"An item of {side.name} stands in two lines; each can have one partner.")
    return tuple(found)


def unpaired_task(a: str, b: str, known: Known, seed: int = 0) -> Task:
    """The task that looks in B for a partner of every row of A.

    Its result holds ``matches`` (n,) and ``similarity`` (n,), cosines of the relative vectors of the two
    rows, and says the outcome.
    """
    x, y = open_space(a), open_space(b)
    told = {"known": [list(pair) for pair in known], "anchors": ANCHORS}

    def compute(ticket: Ticket) -> Made:
        seeds = torch.tensor(known, dtype=torch.int64).reshape(-1, 2)
        anchors = _anchors(x, seeds[:, 0], min(ANCHORS, len(x), len(y)), seed)

        def on_step(step: Step) -> None:
            ticket.report((step.index + 1) / step.of, f"step {step.index + 1} of {step.of}")
            ticket.rest()

        ticket.report(0.0, "preparing")
        found = bootstrap(
            *(x.vectors, y.vectors, anchors, (seeds[:, 0], seeds[:, 1])),
            seed=seed,
            on_step=on_step,
            pulse=ticket.check,
        )
        rx = relative(prepare(x.vectors), prepare(x.vectors)[anchors])
        ry = relative(prepare(y.vectors), found.anchors)
        similarity = torch.cosine_similarity(rx, ry[found.matches])
        return {"matches": found.matches, "similarity": similarity}, outcome_of(found)

    key = result_key(KIND, [x.digest, y.digest], told, seed)
    return Task(key, f"Looking for partners of {x.name} in {y.name}", compute)


def pair_found(a: str, b: str, found: Result) -> tuple[str, str, int]:
    """Keep the pair that was found: its two sources, and how many rows it has.

    A row of B that is the partner of several rows of A goes to the most similar of them.
    """
    x, y = open_space(a), open_space(b)
    rows, partners = one_to_one(found.arrays["matches"], found.arrays["similarity"])
    ids = _ids(x)
    left = x.take(rows)
    right = y.take(partners)
    names = [ids[row] for row in rows]
    kept = []
    for space, source, words in ((left, a, ""), (right, b, f"matched with {x.name} by anchor optimisation")):
        origin = origin_of(source)
        said = f"{origin.words}; {words}" if words else origin.words
        name = f"{space.name}, matched" if words else space.name
        own = Space(space.vectors, names, space.labels, space.items or space.ids, name)
        kept.append(keep_space(own, Origin(said, origin.encoder, origin.layer, origin.pooling)))
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


def _ids(space: Space) -> Sequence[str]:
    return space.ids if space.ids is not None else [str(row) for row in range(1, len(space) + 1)]


def _names(space: Space) -> dict[str, int]:
    """Row of each name; an id goes before an item, and the first of several rows before the others."""
    found: dict[str, int] = {}
    for names in (_ids(space), space.items or ()):
        for row, name in enumerate(names):
            found.setdefault(str(name).strip(), row)
    return found
