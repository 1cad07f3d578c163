"""Correlations of self-similarities in print: how much of a space its relative representation keeps."""

from collections.abc import Sequence

from relviz.compute.task import Task
from relviz.figures.captions import describe_pair
from relviz.figures.inputs import Measured, measured
from relviz.figures.kind import Content, Kind, Options
from relviz.plotting.heat import Heat, HeatGrid
from relviz.plotting.stack import Part
from relviz.results.comparison import drawn_count
from relviz.results.self_similarity import SelfSimilarity, self_similarity
from relviz.state.option_labels import METHODS, SIMILARITIES
from relviz.wording import count

SPACES = ("A, absolute", "B, absolute", "A, relative", "B, relative")


def _tasks(given: Measured, _: Options) -> list[Task[SelfSimilarity]]:
    return [self_similarity(given.comparison)]


def _content(given: Measured, _: Options, results: Sequence[SelfSimilarity]) -> Content:
    comparison, found = given.comparison, results[0].correlations
    chosen, pair = comparison.choices, comparison.pair

    def parts(width: float) -> list[Part]:
        low = min(0.0, float(found.min()))
        return [HeatGrid([Heat("", found, SPACES, SPACES, low)], width, scale="Pearson correlation")]

    anchors = drawn_count(chosen.count, len(pair))
    how = "given" if chosen.is_given else f"{METHODS[chosen.method].lower()}, seed {chosen.seed}"
    caption = (
        f"{describe_pair(pair)} Pearson correlation of self-similarities: the cosines of all "
        f"{count(len(pair) * (len(pair) - 1) // 2)} pairs of {count(len(pair))} items in one space against "
        f"those in the other. Relative to {anchors} anchors ({how}), similarity "
        f"{SIMILARITIES[comparison.similarity].lower()}, spaces "
        f"{'centered' if comparison.centered else 'not centered'}."
    )
    columns = {
        "space": [one for one in SPACES for _ in SPACES],
        "other": [other for _ in SPACES for other in SPACES],
        "correlation": found.flatten().tolist(),
    }
    return Content(caption, {"correlation": found}, columns, parts)


SELF_SIMILARITY = Kind(
    words="Correlation of self-similarities",
    page="compare",
    of=measured,
    tasks=_tasks,
    content=_content,
)
