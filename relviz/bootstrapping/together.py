"""Matches between several spaces, two and two, that get better by the others."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import permutations

import torch
from torch import Tensor

from relviz.bootstrapping.anneal import Pulse, Schedule, anneal
from relviz.bootstrapping.checkpoint import Checkpoint
from relviz.bootstrapping.correspondence import Correspondence, hard, sinkhorn
from relviz.bootstrapping.counterpart_score import has_counterpart
from relviz.bootstrapping.fitted_anchors import distinct_rows, fitted_anchors
from relviz.bootstrapping.inputs import Given
from relviz.bootstrapping.null import Null
from relviz.bootstrapping.principal_axes import MOST_DIMENSIONS, MOST_ROWS, evened, principal, rows_with
from relviz.bootstrapping.procrustes import align
from relviz.bootstrapping.result import Bootstrap
from relviz.bootstrapping.stable_matches import stable
from relviz.bootstrapping.verdict import halves_agreement, judge, with_right_share
from relviz.relative_projection import unit_rows
from relviz.wording import plural

Places = tuple[int, int]
"""Two of the spaces, by their places in the list."""

_VIEW_DIMENSIONS = 512
"""Directions kept of rows that are seen in several spaces."""
_AGAIN = Schedule(steps=12, ranks=(MOST_DIMENSIONS, MOST_DIMENSIONS), eps=(0.03, 0.01), left_out=0.0)
_LAST = Schedule(steps=4, ranks=(MOST_DIMENSIONS, MOST_DIMENSIONS), eps=(0.01, 0.01), left_out=0.0, power=0.5)
_ROUNDS = 3
_MATCHING = 2
"""Sinkhorn iterations before rows are matched for good."""
_BETTER = 0.005
"""How much higher the halves must agree for new matches to be taken."""
_NEAR = 0.9
"""Least agreement of a third space with both of two, in parts of that between these."""
_REACHED = "rounds"


@dataclass(frozen=True, eq=False)
class Reached:
    """What rounds go on from, one of each for every two of the spaces.

    Attributes
    ----------
    count
        How often two spaces were matched again; 0: what can be matched by way of a third one is.
    better
        Whether that helped in the round at work.
    found, halves
        The matches, and how far their halves agree.
    helped
        Whether the matches are others than the two gave by themselves.
    by_way
        Which of the two is seen in a third one; None if they are not matched by way of it.
    """

    count: int
    better: bool
    found: tuple[Correspondence, ...]
    halves: tuple[float, ...]
    helped: tuple[bool, ...]
    by_way: tuple[Places | None, ...]


class Together:
    """Matches between all spaces, two and two, that get better by the others.

    Parameters
    ----------
    given
        The two spaces of each pair of places, prepared.
    alone
        What they gave by themselves.
    """

    def __init__(
        self,
        given: Mapping[Places, Given],
        alone: Mapping[Places, Bootstrap],
        generator: torch.Generator,
        pulse: Pulse | None,
        checkpoint: Checkpoint | None = None,
    ) -> None:
        self._given, self._alone, self._generator, self._pulse = given, alone, generator, pulse
        self._checkpoint = checkpoint
        self._believed = {places for places, found in alone.items() if found.converged}
        spaces = [given[0, 1].x, *(given[at].y for at in sorted(given) if at[0] == 0)]
        self._spaces = [Rows.of(rows) for rows in spaces]
        self._found: dict[Places, Correspondence] = {}
        self._halves: dict[Places, float] = {}
        self._by_way: dict[Places, Places] = {}
        for (i, j), found in alone.items():
            matches = found.matches.to(spaces[0].device)
            x, y = self._spaces[i], self._spaces[j]
            back = _matched(*align(x.even.T @ y.even[matches], MOST_DIMENSIONS, 0.5).sides(x.even, y.even))
            self._found[i, j] = Correspondence(matches, back.x_of_y)
            self._halves[i, j] = self._agreement(i, j, self._found[i, j])
        self._first = dict(self._found)

    def rounds(self) -> Iterator[float]:
        """Match again until nothing gets better; gives the share that is done, at most."""
        if not self._goes_on():
            for places in self._alone:
                self._try_by_way(*places)
            self._count, self._better = 0, False
            self._keep()
        every = list(self._alone)
        planned = _ROUNDS * len(every)
        while self._count < planned:
            at = self._count % len(every)
            if at == 0:
                if self._count and not self._better:
                    return
                self._better = False
            for s, t in self._directions(every[at]):
                seen, space, matches = self._seen(s, t), self._spaces[t], self._between(s, t).y_of_x
                rows, _ = stable(seen.plain, space.plain, matches)
                self._better |= self._taken_if_better(s, t, self._again(seen, space, matches, rows))
            self._count += 1
            self._keep()
            yield self._count / planned

    def result(self, places: Places) -> Bootstrap:
        """The result between two spaces; as it was where the others did not help."""
        alone, given = self._alone[places], self._given[places]
        found = self._found[places]
        if found is self._first[places]:
            return alone
        matches, trusted = found.y_of_x.clone(), found.mutual
        matches[given.sx], trusted[given.sx] = given.sy, True
        s, t = self._by_way.get(places, places)
        seen = self._seen(s, t) if places in self._by_way else self._spaces[s]
        known = given.sx if s < t else given.sy
        null = Null(seen.plain, self._spaces[t].plain, self._pulse, known)
        judged = matches if s < t else found.x_of_y
        converged, evidence = with_right_share(null, judged, judge(null, judged, found.agreement))
        help_of = plural(len(self._spaces) - 2, "other space")
        how = "Matched by way of" if places in self._by_way else "Matched with the help of"
        anchors = fitted_anchors(given, matches, trusted)
        return replace(
            alone,
            anchors=anchors.cpu(),
            indices=distinct_rows(given, anchors),
            matches=matches.cpu(),
            counterparts=partial(has_counterpart, given, matches, evidence.right, self._pulse),
            converged=converged,
            evidence=replace(evidence, reason=f"{how} {help_of}. {evidence.reason}"),
        )

    def cycles(self) -> Tensor:
        """How far matches agree with those by way of the other spaces, ``(k, k)``."""
        k = len(self._spaces)
        shares = torch.full((k, k), torch.nan)
        for s, t in permutations(range(k), 2):
            straight = self._between(s, t).y_of_x
            ways = [
                float((self._between(u, t).y_of_x[self._between(s, u).y_of_x] == straight).float().mean())
                for u in range(k)
                if u not in (s, t)
            ]
            if ways:
                shares[s, t] = sum(ways) / len(ways)
        return shares

    def _keep(self) -> None:
        if self._checkpoint is None:
            return
        every = list(self._alone)
        reached = Reached(
            self._count,
            self._better,
            tuple(self._found[at] for at in every),
            tuple(self._halves[at] for at in every),
            tuple(self._found[at] is not self._first[at] for at in every),
            tuple(self._by_way.get(at) for at in every),
        )
        self._checkpoint.keep(_REACHED, reached, (), self._generator)
        if self._checkpoint.due:
            self._checkpoint.save()

    def _goes_on(self) -> bool:
        """Whether rounds have begun before, and go on from there."""
        kept = (
            None
            if self._checkpoint is None
            else self._checkpoint.restored(_REACHED, Reached, self._generator)
        )
        if kept is None:
            return False
        reached, _ = kept
        self._count, self._better = reached.count, reached.better
        for at, places in enumerate(self._alone):
            if reached.helped[at]:
                self._found[places] = reached.found[at].to(self._spaces[0].plain.device)
                self._halves[places] = reached.halves[at]
        self._by_way = {at: way for at, way in zip(self._alone, reached.by_way, strict=True) if way}
        return True

    def _between(self, s: int, t: int) -> Correspondence:
        """The matches from s to t."""
        return self._found[s, t] if s < t else _turned(self._found[t, s])

    def _strength(self, s: int, t: int) -> float:
        return max(0.0, self._halves[min(s, t), max(s, t)])

    def _by(self, s: int, u: int, t: int) -> float:
        """How far the halves agree of the less clear matches on the way by a third space."""
        return min(self._strength(s, u), self._strength(u, t))

    def _try_by_way(self, i: int, j: int) -> None:
        """Match two spaces by way of a third with which both are believed, more clearly than alone.

        Alone they may be believed at the worse of two optima, too.
        """
        alone = self._strength(i, j) if (i, j) in self._believed else 0.0
        thirds = [u for u in self._believed_others(i, j) if self._by(i, u, j) > alone]
        if not thirds:
            return
        u = max(thirds, key=lambda one: self._by(i, one, j))
        s, t = (i, j) if self._strength(i, u) >= self._strength(u, j) else (j, i)
        on, further = self._between(s, u), self._between(u, t)
        rows = (on.mutual & further.mutual[on.y_of_x]).nonzero()[:, 0]
        self._by_way[i, j] = s, t
        again = self._again(self._seen(s, t), self._spaces[t], further.y_of_x[on.y_of_x], rows)
        halves = self._agreement(s, t, again)
        if halves <= self._halves[i, j] + _BETTER:
            del self._by_way[i, j]
            return
        self._found[i, j], self._halves[i, j] = again if s < t else _turned(again), halves

    def _directions(self, places: Places) -> list[Places]:
        """Which of two spaces is seen in others: either, or the one that was already; none if none helps."""
        if places in self._by_way:
            return [self._by_way[places]]
        return [places, places[::-1]] if self._helping(*places) else []

    def _believed_others(self, s: int, t: int) -> list[int]:
        """Third spaces with which both are believed."""
        every = range(len(self._spaces))
        return [u for u in every if {_ordered(s, u), _ordered(u, t)} <= self._believed]

    def _helping(self, s: int, t: int) -> list[int]:
        """Spaces that can tell two more of each other: those about as near to both as they are themselves."""
        if _ordered(s, t) in self._by_way:
            return self._believed_others(s, t)
        least = _NEAR * self._strength(s, t)
        return [u for u in self._believed_others(s, t) if self._by(s, u, t) >= least]

    def _seen(self, s: int, t: int) -> "Rows":
        """The rows of s as they are, and in the spaces that help, each by its mutual match there."""
        parts = [self._spaces[s]]
        for u in self._helping(s, t):
            known = self._between(s, u)
            parts.append(self._spaces[u].taken(known.y_of_x, known.mutual[:, None]))
        return Rows.joined(parts)

    def _again(self, seen: "Rows", space: "Rows", matches: Tensor, rows: Tensor) -> Correspondence:
        """Anneal once more from the matches ``(n,)`` of some rows, and with all."""
        mine = rows_with(len(matches), matches[:0], MOST_ROWS, self._generator)
        theirs = rows_with(len(space.plain), matches[mine], MOST_ROWS, self._generator)
        start = align(seen.plain[rows].T @ space.plain[matches[rows]], MOST_DIMENSIONS)
        none = mine[:0]
        x, y = seen.plain[mine], space.plain[theirs]
        *_, stage = anneal(x, y, start.sides(x, y), _AGAIN, (none, none), self._generator, self._pulse)
        found = hard(stage.u, stage.v, "cosine", both=False).y_of_x
        x, y = seen.even[mine], space.even[theirs]
        start = align(x.T @ y[found], MOST_DIMENSIONS, _LAST.power)
        *_, stage = anneal(x, y, start.sides(x, y), _LAST, (none, none), self._generator, self._pulse)
        return _matched(*stage.alignment.sides(seen.even, space.even))

    def _taken_if_better(self, s: int, t: int, found: Correspondence) -> bool:
        places = _ordered(s, t)
        halves = self._agreement(s, t, found)
        if halves <= self._halves[places] + _BETTER:
            return False
        self._found[places], self._halves[places] = found if s < t else _turned(found), halves
        return True

    def _agreement(self, s: int, t: int, found: Correspondence) -> float:
        """How far halves of the matches agree, in the rows of the two spaces or by way of others."""
        if _ordered(s, t) in self._by_way:
            return halves_agreement(self._seen(s, t).plain, self._spaces[t].plain, found.y_of_x)
        one, other, matches = (s, t, found.y_of_x) if s < t else (t, s, found.x_of_y)
        return halves_agreement(self._spaces[one].plain, self._spaces[other].plain, matches)


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows on their principal axes, ``plain``, and with their directions evened out."""

    plain: Tensor
    even: Tensor

    @staticmethod
    def of(rows: Tensor) -> "Rows":
        plain = principal(rows)[0]
        return Rows(plain, evened(plain))

    @staticmethod
    def joined(parts: "Sequence[Rows]") -> "Rows":
        if len(parts) == 1:
            return parts[0]
        plain, even = (
            principal(unit_rows(torch.cat(sides, 1)), _VIEW_DIMENSIONS)[0]
            for sides in ([one.plain for one in parts], [one.even for one in parts])
        )
        return Rows(plain, even)

    def taken(self, rows: Tensor, weights: Tensor) -> "Rows":
        """Some of the rows, with weights ``(p, 1)``."""
        return Rows(self.plain[rows] * weights, self.even[rows] * weights)


def _matched(u: Tensor, v: Tensor) -> Correspondence:
    """The largest entries of the plan between all rows."""
    potentials = sinkhorn(u, v, _LAST.eps[1], _MATCHING, "cosine")
    return hard(u, v, "cosine", potentials=potentials)


def _turned(found: Correspondence) -> Correspondence:
    return Correspondence(found.x_of_y, found.y_of_x)


def _ordered(s: int, t: int) -> Places:
    return (s, t) if s < t else (t, s)
