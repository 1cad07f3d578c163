"""Matches that a rotation finds again which was fitted to other rows: these are right far more often."""

import torch
from torch import Tensor

from relviz.bootstrapping.anneal import Pulse
from relviz.bootstrapping.near_duplicates import Twins
from relviz.bootstrapping.principal_axes import MOST_DIMENSIONS, evened
from relviz.bootstrapping.procrustes import align
from relviz.compute.blocks import top_k
from relviz.compute.parallel import side_by_side

POWER = 0.5
"""To which the singular value of a direction is raised: its weight under these rotations."""
_MOST_ASKED, _MOST_CHOICES = 2000, 5000
"""Rows of x, and of y, that are looked at; of more a random part."""
_FOLDS = 4
_HUB = 10


def found_again(x: Tensor, y: Tensor, matches: Tensor) -> float:
    """Share of the matches that a rotation finds again which was fitted to other rows; see ``right_share``.

    Near the share of right matches where these were not fitted by a rotation themselves.
    """
    return len(stable(x, y, matches)[0]) / min(len(x), _MOST_ASKED)


def stable(x: Tensor, y: Tensor, matches: Tensor) -> tuple[Tensor, Tensor]:
    """Rows of x whose matches a rotation finds again that was fitted to other rows, and these matches.

    Of many rows a part is looked at. Right matches are stable far more often than wrong ones.
    """
    asked, kept, places = looked_at(len(x), len(y), matches)
    found = through_others(evened(x[asked]), evened(y[kept]), places)[0]
    rows = asked[Twins(y[kept])(found, places)]
    return rows, matches[rows]


def through_others(
    x: Tensor, y: Tensor, matches: Tensor, fitted: Tensor | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    """The row of y nearest to each of x by a rotation fitted to the matches of other rows.

    Also the rows of x, and those of y they are matched with, in the coordinates of these rotations. Only
    matches of rows that are ``fitted`` count, where these are given.
    """
    fitted = torch.ones(len(x), dtype=torch.bool, device=x.device) if fitted is None else fitted
    every = align(x[fitted].T @ y[matches[fitted]], MOST_DIMENSIONS, POWER).sides(x, y)
    crowding = top_k(every[1], every[0], min(_HUB, len(x)))[0].mean(1) / 2
    order = torch.randperm(len(x), generator=torch.Generator().manual_seed(0)).to(x.device)
    found = torch.empty_like(matches)
    sides = torch.zeros_like(every[0]), torch.zeros_like(every[0])

    def left_out(fold: Tensor, _: Pulse | None) -> tuple[Tensor, Tensor, Tensor]:
        others = fitted.clone()
        others[fold] = False
        u, v = align(x[others].T @ y[matches[others]], MOST_DIMENSIONS, POWER).sides(x[fold], y)
        return (u @ v.T - crowding).argmax(1), u, v[matches[fold]]

    folds = order.chunk(_FOLDS)
    for fold, made in zip(folds, side_by_side(left_out, [(fold,) for fold in folds]), strict=True):
        found[fold], sides[0][fold], sides[1][fold] = made
    return found, *sides


def looked_at(n: int, m: int, matches: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The rows of x, of n, and of y, of m, that are looked at, and which of these the former match."""
    generator = torch.Generator().manual_seed(0)
    asked, kept = torch.arange(n, device=matches.device), torch.arange(m, device=matches.device)
    if n > _MOST_ASKED:
        asked = torch.randperm(n, generator=generator)[:_MOST_ASKED].to(matches.device)
    places = matches[asked]
    if m > _MOST_CHOICES:
        kept, places = with_matched(places, m, _MOST_CHOICES, generator)
    return asked, kept, places


def with_matched(matches: Tensor, m: int, most: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """So many rows of y, of m, those matched and others at random; and which of these each match is."""
    first = matches.unique()
    order = torch.randperm(m, generator=generator).to(matches.device)
    kept = torch.cat([first, order[~torch.isin(order, first)][: most - len(first)]])
    return kept, torch.searchsorted(first, matches)
