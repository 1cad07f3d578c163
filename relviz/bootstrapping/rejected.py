"""A run that is not believed: what it found, or what the known pairs tell by themselves."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import torch
from torch import Tensor

from relviz.bootstrapping.counterpart_score import has_counterpart
from relviz.bootstrapping.fitted_anchors import distinct_rows, fitted_anchors
from relviz.bootstrapping.hints import HintColumns
from relviz.bootstrapping.inputs import Given
from relviz.bootstrapping.known_alone import FEWEST_ALONE, known_alone
from relviz.bootstrapping.principal_axes import some_rows
from relviz.bootstrapping.result import Bootstrap
from relviz.compute.blocks import ranks_in_blocks, top_k
from relviz.relative_projection import unit_rows

Searched = Callable[[Given], tuple[Tensor, Tensor]]
"""A short search: the matches ``(n,)`` it comes to, and ``(n,)`` bool, the rows to fit to."""

_HELD_BACK = 3
"""Every third known pair is held back from the search that is compared."""
_CLEARLY = 2.0
"""Standard errors by which the search has to be nearer."""
_ROWS = 2000
"""Rows of each space that this search looks at, the anchors and known rows among them."""


def or_known_alone(given: Given, rejected: Bootstrap, searched: Searched) -> Bootstrap:
    """A rejected run, or in its place what the known pairs tell alone.

    The run itself cannot be asked: it began with all known pairs, and retrieves them however wrong it is
    elsewhere. So a short search is made without a third of them. The run is kept if that search retrieves
    those clearly better, by mean log rank, than a fit to known pairs that these are left out of.
    """
    if len(given.sx) < FEWEST_ALONE:
        return rejected
    alone = known_alone(given.x, given.y, (given.sx, given.sy))
    held = torch.arange(len(given.sx), device=given.sx.device) % _HELD_BACK == 0
    ranks = _held_back(given, held, searched) / len(given.y)
    nearer = (alone.ranks[held] / alone.candidates).log() - ranks.log()
    if float(nearer.mean()) > _CLEARLY * float(nearer.std()) / len(nearer) ** 0.5:
        return rejected
    anchors = alone.anchors(given.x[given.anchors], given.x)
    matches = top_k(*alone.coordinates(given.x, given.y), 1)[1][:, 0]
    matches[given.sx] = given.sy
    return replace(
        rejected,
        anchors=anchors.cpu(),
        indices=distinct_rows(given, anchors),
        matches=matches.cpu(),
        counterparts=partial(has_counterpart, given, matches),
        evidence=replace(rejected.evidence, reason=f"{rejected.evidence.reason} {alone}"),
        known_alone=alone.on_cpu(),
    )


def _held_back(given: Given, held: Tensor, searched: Searched) -> Tensor:
    """Ranks of the counterparts of known rows by a search that these are held back from."""
    part = replace(given, sx=given.sx[~held], sy=given.sy[~held], seed_columns=given.seed_columns[~held])
    part = _some(part, torch.Generator().manual_seed(0))
    anchors = fitted_anchors(part, *searched(part))
    relative_x = unit_rows(given.x[given.sx[held]] @ given.x[given.anchors].T)
    return ranks_in_blocks(relative_x, unit_rows(given.y @ anchors.T), given.sy[held])


def _some(given: Given, generator: torch.Generator) -> Given:
    """The same of ``_ROWS`` rows of each space, the anchors and the known rows first."""
    if max(len(given.x), len(given.y)) <= _ROWS:
        return given
    x, anchors = some_rows(len(given.x), given.anchors, _ROWS, generator)
    y, sy = some_rows(len(given.y), given.sy, _ROWS, generator)
    hints = given.hints
    return Given(
        given.x[x],
        given.y[y],
        anchors,
        anchors[given.seed_columns],
        sy,
        given.seed_columns,
        HintColumns(hints.x[x], hints.y[y], hints.shared),
    )
