"""Anchor optimization by gradient steps: as its paper writes it, and with a warm start."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from relviz.bootstrapping.correspondence import Correspondence, hard, sinkhorn
from relviz.bootstrapping.inputs import Given
from relviz.bootstrapping.null import BEATS, Null
from relviz.bootstrapping.options import check_whole
from relviz.bootstrapping.principal_axes import principal
from relviz.bootstrapping.record import Record
from relviz.bootstrapping.result import Bootstrap, result_of
from relviz.bootstrapping.verdict import judge, with_right_share
from relviz.errors import ParameterError
from relviz.relative_projection import unit_rows

FUSED_EPS = 1e-3
"""Up to this eps one iteration is its own limit at eps 0, which one fused pass gives."""
_FOUND_AGAIN = 0.5
"""Share of matches that must be found again. A fifth of right matches can give a good rotation and pass both
other tests while the free anchors, and with them most matches, are wrong. Less than half right came to 0.46
at most, other runs to 0.59 and more."""


@dataclass(frozen=True)
class AdamOptions:
    """Options of ``adam`` and ``adam_warm``; the defaults are the paper's for retrieval.

    Source: Cannistraci et al. 2023 (arXiv 2303.00721), table 3.

    Attributes
    ----------
    lr
        Learning rate of Adam: how far each step moves the anchors.
    steps
        How many steps Adam takes.
    eps
        Entropic regularization of the Sinkhorn algorithm that matches the rows anew each step: the
        smaller, the harder the matches.
    iterations
        How many iterations the Sinkhorn algorithm takes in each step, at most.
    tolerance
        Change of the potentials, in units of the cost, below which the Sinkhorn algorithm stops.
    warm_up
        Of ``adam_warm``: how many of the first steps use the matches found from the seeds alone.
    match_x_to_y
        Whether each row of x takes a row of y, as the paper's algorithm 1 permutes the rows of y. Without
        it each row of y takes a row of x, as in its equation 1. The two part where matches are not one to
        one.
    """

    lr: float = 0.02
    steps: int = 250
    eps: float = 1e-4
    iterations: int = 1
    tolerance: float = 1e-5
    warm_up: int = 20
    match_x_to_y: bool = False

    def __post_init__(self) -> None:
        for name, least in (("steps", 1), ("iterations", 1), ("warm_up", 0)):
            check_whole(name, getattr(self, name), least)
        if not isinstance(self.match_x_to_y, bool):
            raise ParameterError(f"match_x_to_y must be True or False; it is {self.match_x_to_y!r}.")
        for name in ("lr", "eps"):
            if not 0 < getattr(self, name) < float("inf"):
                raise ParameterError(f"{name} must be a number above 0; it is {getattr(self, name)!r}.")
        if not self.tolerance >= 0:
            raise ParameterError(f"tolerance must be at least 0; it is {self.tolerance!r}.")


RETRIEVAL = AdamOptions()
STITCHING = AdamOptions(lr=0.05, steps=125)
WARM = AdamOptions(steps=100)


def solve(given: Given, options: object, seed: int, record: Record) -> Bootstrap:
    """Method ``adam``: the optimization as in Cannistraci et al. 2023.

    The anchors of y start as its seed rows and standard normal rows on the unit sphere (geotorch) and
    are all optimized. Each step matches the rows of the two relative spaces by euclidean distance and
    takes one step of Adam down the mean squared difference of matched rows. The paper leaves open
    whether matches are soft, and whether the gradient flows through them: here they are hard, and it
    does not.
    """
    options = _checked(options, RETRIEVAL)
    free = _Sphere(_start(given, seed))
    return _descend(given, options, "adam", record, free, lambda: free.weight, None)


def solve_warm(given: Given, options: object, seed: int, record: Record) -> Bootstrap:
    """Method ``adam_warm``: the same loop with seed rows held fast and first matches from the seeds alone.

    Literally taken, the random columns drown those of the seeds in the first matches.
    """
    options = _checked(options, WARM)
    if not len(given.sx):
        raise ParameterError(
            "adam_warm takes its first matches from the seeds, and there are none. Give at least one seed, "
            "or use method='annealed'."
        )
    start = _start(given, seed)
    others = torch.ones(len(start), dtype=torch.bool, device=start.device)
    others[given.seed_columns] = False
    free = _Sphere(start[others])
    place = others.nonzero().squeeze(1)

    def anchors() -> Tensor:
        return start.index_copy(0, place, free.weight)

    seen = hard(given.x @ given.x[given.sx].T, given.y @ given.y[given.sy].T, both=False)
    return _descend(given, options, "adam_warm", record, free, anchors, seen)


class _Sphere(nn.Module):
    """Rows kept at length one by geotorch's exponential map, starting where they are given."""

    weight: Tensor

    def __init__(self, rows: Tensor) -> None:
        import geotorch

        super().__init__()
        self.weight = nn.Parameter(torch.empty(rows.shape))
        # geotorch draws a point of its own from the global generator before it takes ours.
        with torch.random.fork_rng(devices=[]):
            geotorch.sphere(self, "weight")
        self.weight = rows.cpu()
        self.to(rows.device)


def _start(given: Given, seed: int) -> Tensor:
    generator = torch.Generator().manual_seed(seed)
    rows = torch.randn(len(given.anchors), given.y.shape[1], generator=generator)
    start = unit_rows(rows).to(given.y.device)
    start[given.seed_columns] = given.y[given.sy]
    return start


def _checked(options: object, default: AdamOptions) -> AdamOptions:
    if options is None:
        return default
    if not isinstance(options, AdamOptions):
        raise ParameterError(f"options must be AdamOptions or None; they are {type(options).__name__}.")
    return options


@dataclass(frozen=True, eq=False)
class _Descent:
    """Where the loop stands: steps taken, what geotorch optimizes, and what Adam remembers of it."""

    steps: int
    free: dict[str, Tensor]
    adam: dict[str, Tensor]

    @staticmethod
    def of(steps: int, free: "_Sphere", adam: torch.optim.Adam) -> "_Descent":
        remembered = adam.state_dict()["state"].get(0, {})
        return _Descent(
            steps, *({name: x.clone() for name, x in one.items()} for one in (free.state_dict(), remembered))
        )

    def restore(self, free: "_Sphere", adam: torch.optim.Adam) -> None:
        free.load_state_dict(self.free)
        if self.adam:
            adam.load_state_dict(adam.state_dict() | {"state": {0: self.adam}})


def _descend(
    given: Given,
    options: AdamOptions,
    method: str,
    record: Record,
    free: _Sphere,
    anchors: Callable[[], Tensor],
    seen: Correspondence | None,
) -> Bootstrap:
    """The loop; matches ``seen`` beforehand stand in for the first ``warm_up`` of its own."""
    points = given.x[given.anchors]
    relative_x = given.x @ points.T
    matched = _SameDistances(relative_x, points)
    adam = torch.optim.Adam(free.parameters(), lr=options.lr)
    record.begin(options.steps, options.steps + BEATS)
    begun = record.restored("descent", _Descent)
    if begun is not None:
        begun.restore(free, adam)
    for index in range(0 if begun is None else begun.steps, options.steps):
        if record.due:
            record.keep("descent", _Descent.of(index, free, adam))
        record.beat(step=True)
        placed = anchors()
        relative_y = given.y @ placed.T
        if seen is None or index >= options.warm_up:
            found = _match(*matched.sides(relative_y.detach()), options)
        else:
            found = seen
        if options.match_x_to_y:
            loss = nn.functional.mse_loss(relative_y[found.y_of_x], relative_x)
        else:
            loss = nn.functional.mse_loss(relative_y, relative_x[found.x_of_y])
        adam.zero_grad()
        loss.backward()
        stop = record.step(loss.item(), options.eps, found.agreement, found.y_of_x, placed)
        if stop:
            break
        adam.step()
    with torch.no_grad():
        placed = anchors()
    final = hard(*matched.sides(given.y @ placed.T))
    x, y = principal(given.x)[0], principal(given.y)[0]
    null, matches = Null(x, y, record.beat, given.sx), final.y_of_x
    verdict = judge(null, matches, final.agreement, record.stopped, _FOUND_AGAIN)
    verdict = with_right_share(null, matches, verdict)
    return result_of(record, given, method, placed, matches, verdict)


class _SameDistances:
    """Fewer dimensions with the same distances, for x of dimension d under more than d anchors.

    The relative rows of x then span d dimensions only. What those of y have outside of these adds to
    each distance the same whatever the row of x, and needs one more dimension.
    """

    def __init__(self, relative_x: Tensor, points: Tensor) -> None:
        self._basis: Tensor | None = None
        self._left = relative_x
        if points.shape[1] + 1 < len(points):
            self._basis = torch.linalg.qr(points)[0]
            spanned = relative_x @ self._basis
            self._left = torch.cat([spanned, spanned.new_zeros(len(spanned), 1)], 1)

    def sides(self, relative_y: Tensor) -> tuple[Tensor, Tensor]:
        """The rows of x and of y to match."""
        if self._basis is None:
            return self._left, relative_y
        spanned = relative_y @ self._basis
        outside = relative_y.square().sum(1) - spanned.square().sum(1)
        return self._left, torch.cat([spanned, outside.clamp_(min=0).sqrt_()[:, None]], 1)


def _match(rx: Tensor, ry: Tensor, options: AdamOptions) -> Correspondence:
    if options.iterations == 1 and options.eps <= FUSED_EPS:
        return hard(rx, ry, both=options.match_x_to_y)
    tolerance = options.tolerance
    f, g = sinkhorn(rx, ry, options.eps, options.iterations, "euclidean", tolerance)
    return hard(rx, ry, potentials=(f, g))
