"""What figures are made of: the parts of a view that their kinds take, resolved once for each figure."""

from collections.abc import Mapping
from dataclasses import dataclass

from relviz.pair import Pair
from relviz.results.comparison import Comparison, comparison_of
from relviz.results.stitching import others_of
from relviz.results.translation import TranslationProblem
from relviz.space import Space
from relviz.state.sources import open_pair, open_space
from relviz.state.view import (
    ColorChoices,
    Decoding,
    MapChoices,
    MetricChoices,
    Names,
    Run,
    StitchingChoices,
    View,
)


@dataclass(frozen=True, eq=False)
class Mapped:
    """A comparison, how it is drawn and colored, and the dimensions of its maps."""

    comparison: Comparison
    choices: MapChoices
    colors: ColorChoices
    dimension: int = 2


@dataclass(frozen=True, eq=False)
class Measured:
    """A comparison, and how retrieval through its anchors is measured."""

    comparison: Comparison
    choices: MetricChoices


@dataclass(frozen=True, eq=False)
class Optimized:
    """A pair, a run of anchor optimization on it, and the sources of the pair."""

    pair: Pair
    run: Run
    sources: tuple[str, str]


@dataclass(frozen=True)
class Unpaired:
    """Two spaces whose rows nothing matches, by their sources, and the seed of the search."""

    sources: tuple[str, str]
    seed: int

    @property
    def spaces(self) -> tuple[Space, Space]:
        """The two spaces."""
        a, b = self.sources
        return open_space(a), open_space(b)


@dataclass(frozen=True, eq=False)
class Stitched:
    """A translation, and how heads are trained on its spaces."""

    problem: TranslationProblem
    choices: StitchingChoices


@dataclass(frozen=True, eq=False)
class Probed:
    """A translation, the kind of head that judges it, and the row that is probed, -1 for the first test."""

    problem: TranslationProblem
    head: str
    item: int


@dataclass(frozen=True, eq=False)
class Crossed:
    """The spaces of a matrix: a pair and others with the same rows; and how their heads are trained."""

    pair: Pair
    choices: StitchingChoices
    others: Mapping[str, Space]


@dataclass(frozen=True)
class Shelved:
    """Every loaded embedding, by its source, and how many anchors are drawn with what seed."""

    sources: Names
    count: int
    seed: int


def matched(view: View) -> Pair:
    """The pair of a view."""
    return open_pair(view.a, view.b)


def mapped(view: View) -> Mapped:
    """The comparison of a view, to be drawn."""
    comparison = comparison_of(view, matched(view))
    return Mapped(comparison, view.map_choices, view.color_choices, int(view.dimensions))


def measured(view: View) -> Measured:
    """The comparison of a view, to be measured."""
    return Measured(comparison_of(view, matched(view)), view.metric_choices)


def optimized(view: View) -> Optimized:
    """The run of a view."""
    return Optimized(matched(view), view.ao, (view.a, view.b))


def unpaired(view: View) -> Unpaired:
    """The two spaces of a view, matched or not."""
    return Unpaired((view.a, view.b), view.ao.seed)


def stitched(view: View) -> Stitched:
    """The translation of a view."""
    problem = TranslationProblem(comparison_of(view, matched(view)), view.translation_choices)
    return Stitched(problem, view.stitching_choices)


def probed(view: View) -> Probed:
    """The translation of a view, to be probed."""
    return Probed(stitched(view).problem, view.head, view.item)


def crossed(view: View) -> Crossed:
    """The pair of a view, with all loaded embeddings where it is ``wide``."""
    pair = matched(view)
    others = others_of(pair, view.a, view.b, view.sources) if view.wide else {}
    return Crossed(pair, view.stitching_choices, others)


def shelved(view: View) -> Shelved:
    """The loaded embeddings of a view."""
    return Shelved(view.sources, view.count, view.seed)


def decoding(view: View) -> Decoding:
    """What the Decode page shows."""
    return view.de
