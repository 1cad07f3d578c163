"""Maps in print: of a comparison, of where anchors lie, and of where translated items land."""

from collections.abc import Sequence

import numpy as np
import torch

from relviz.compute.task import Task
from relviz.conditioning import anchor_report
from relviz.errors import ParameterError
from relviz.figures.captions import (
    MARKS,
    MOST_STARS,
    checked_rows,
    describe_anchors,
    describe_colors,
    describe_pair,
    describe_panes,
    describe_points,
    map_columns,
    marks_of,
    some_stars,
)
from relviz.figures.inputs import Mapped, Stitched, mapped, stitched
from relviz.figures.kind import Content, Kind, Linked, Options
from relviz.figures.kinds.tables import describe_null, describe_queries
from relviz.figures.linked import linked
from relviz.figures.panes import (
    CLUSTERS,
    ROWS,
    agreement_colors,
    alone,
    cluster_colors,
    panes_of,
    plain_colors,
    similarity_colors,
    translation_panes,
)
from relviz.plotting.colors import Colors
from relviz.plotting.legend import MOST_WAYS
from relviz.plotting.maps import MapGrid, legend_of
from relviz.plotting.pane import Pane
from relviz.plotting.stack import Part
from relviz.results.comparison import Comparison
from relviz.results.maps import QUICK, Maps, maps
from relviz.results.neighborhoods import Agreement, Clusters, clusters_of, neighborhood_agreement
from relviz.sheet import Sheet
from relviz.state.option_labels import SPACES, TRANSLATIONS
from relviz.state.view import ColorChoices
from relviz.translation import Translator

FOUR_ACROSS = 120.0
"""Millimeters of the layout from which on four maps stand side by side: under each other they fill a page."""
SIMILAR = ("similarity_a", "similarity_b")
Coloring = Agreement | Clusters
"""Results that color a map."""


def tasks(given: Mapped, options: Options) -> list[Task[Maps | Coloring]]:
    """The maps that are asked for, and what colors them."""
    comparison, asked = given.comparison, given.colors
    wanted: list[Task[Maps | Coloring]] = [
        maps(comparison, given.choices, row, given.dimension) for row in rows_of(options)
    ]
    pair = comparison.pair
    if asked.color == "agreement":
        wanted.append(neighborhood_agreement(pair, asked.k))
    if asked.color in CLUSTERS:
        wanted.append(clusters_of(pair.a if asked.color == CLUSTERS[0] else pair.b, asked.clusters))
    return wanted


def content(given: Mapped, options: Options, results: Sequence[Maps | Coloring]) -> Content:
    """Panes, colors and stars as the page has them."""
    comparison = given.comparison
    rows = rows_of(options)
    made = {row: one for row, one in zip(rows, results, strict=False) if isinstance(one, Maps)}
    by_row = {row: panes_of(comparison, given.choices, row, made[row]) for row in rows}
    panes = [pane for row in rows for pane in by_row[row]]
    colors = colors_of(given.colors, comparison, options, panes[0].points, results[-1])
    starred = "relative" in rows and options["stars"]
    anchors = comparison.anchors.numpy() if starred else np.empty(0, np.int64)
    known, found = comparison.stars(anchors)
    marks = marks_of(comparison, options)

    def on_screen() -> Linked:
        views: dict[str, Sequence[Pane]] = {SPACES[row]: shown for row, shown in by_row.items()}
        if len(rows) > 1:
            views |= {SPACES["both"]: panes}
        stars = comparison.stars(comparison.anchors.numpy())
        opens = SPACES[rows[-1]]
        return linked(
            comparison.pair, comparison.sources, views, colors, list(marks["labeled"]), stars, starred, opens
        )

    def parts(width: float) -> list[Part]:
        grid = MapGrid(
            panes,
            colors,
            width,
            len(panes) if width > FOUR_ACROSS else 2,
            anchors=some_stars(known),
            discovered=some_stars(found),
            ticks=given.choices.projection in QUICK,
            **marks,
        )
        return [grid, legend_of(colors, width, bool(len(known)), bool(len(found)))]

    arrays: dict[str, np.ndarray] = {
        f"{row}_{side}": points
        for row, one in made.items()
        for side, points in zip("ab", one.points, strict=True)
    }
    if isinstance(results[-1], Agreement):
        arrays |= {"jaccard": results[-1].jaccard}
    if isinstance(results[-1], Clusters):
        arrays |= {"members": results[-1].members}
    arrays |= {"color_codes": colors.codes, "anchors": known, "anchors_found": found}
    return Content(
        _caption(comparison, panes, colors, given.colors.color == "class", options, bool(len(anchors))),
        arrays,
        map_columns(comparison.pair, arrays),
        parts,
        linked=on_screen,
    )


def rows_of(options: Options) -> tuple[str, ...]:
    """Which rows of panes are asked for."""
    wanted = options["rows"]
    if wanted not in ("both", *ROWS):
        raise ParameterError(f"The option rows is {wanted[:40]!r}; use both, {' or '.join(ROWS)}.")
    return ROWS if wanted == "both" else (wanted,)


def colors_of(
    asked: ColorChoices,
    comparison: Comparison,
    options: Options,
    first: np.ndarray | None,
    last: Maps | Coloring,
) -> Colors:
    """What is asked for; the result that it needs comes last. Classes, where no item was clicked."""
    color = asked.color
    if isinstance(last, Agreement):
        return agreement_colors(last)
    if isinstance(last, Clusters):
        return cluster_colors(comparison.pair, color[-1], last)
    clicked = options["clicked"]
    if color in SIMILAR and clicked >= 0:
        return similarity_colors(comparison, color[-1], *checked_rows([clicked], comparison.pair, "clicked"))
    return plain_colors(comparison.pair, first)


def _caption(
    comparison: Comparison,
    panes: Sequence[Pane],
    colors: Colors,
    by_class: bool,
    options: Options,
    starred: bool,
) -> str:
    pair = comparison.pair
    sentences = [describe_pair(pair)]
    if any("relative" in pane.title for pane in panes):
        sentences.append(f"Relative: cosine similarities to {describe_anchors(comparison)}.")
    sentences += [*describe_panes(panes), *describe_colors(colors, by_class)]
    sentences += describe_points(options, len(pair))
    if starred:
        sentences.append(f"Stars: anchors, at most {MOST_STARS} of them.")
    return " ".join(sentences)


MAPS = Kind(
    words="Maps: absolute over relative, A beside B",
    page="compare",
    of=mapped,
    tasks=tasks,
    content=content,
    options={"rows": "both", "stars": False, "clicked": -1, **MARKS},
)


QUALITY = ("encoder", "condition number", "effective rank", "largest cosine", "largest share")


def _anchor_tasks(given: Mapped, _: Options) -> list[Task[Maps]]:
    return [maps(given.comparison, alone(given.choices), "absolute")]


def _anchor_content(given: Mapped, options: Options, results: Sequence[Maps]) -> Content:
    comparison, pair = given.comparison, given.comparison.pair
    panes = panes_of(comparison, alone(given.choices), "absolute", results[0])
    chosen = comparison.anchors
    known, found = comparison.stars(chosen.numpy())
    colors = plain_colors(pair, panes[0].points)
    marks = marks_of(comparison, options)

    def on_screen() -> Linked:
        views = {"Anchors": panes}
        return linked(pair, comparison.sources, views, colors, list(marks["labeled"]), (known, found), True)

    def parts(width: float) -> list[Part]:
        grid = MapGrid(panes, colors, width, anchors=known, discovered=found, **marks)
        return [grid, legend_of(colors, width, bool(len(known)), bool(len(found)))]

    sides = zip((pair.a, pair.b), comparison.frames, (chosen, comparison.rows_in_b), strict=True)
    reports = [(space.name, anchor_report(frame, rows)) for space, frame, rows in sides]
    quality = [
        (
            name,
            f"{one.condition_number:,.3g}",
            f"{one.effective_rank:,.0f}",
            f"{one.largest_cosine:.3f}",
            f"{float(one.coverage.max()):.1%}",
        )
        for name, one in reports
    ]
    sentences = [describe_pair(pair), f"Stars: {describe_anchors(comparison)}."]
    sentences += [
        *describe_panes(panes),
        *describe_colors(colors, True),
        *describe_points(options, len(pair)),
    ]
    caption = " ".join(sentences)
    arrays: dict[str, np.ndarray] = {
        "absolute_a": results[0].points[0],
        "absolute_b": results[0].points[1],
    }
    arrays |= {"color_codes": colors.codes, "anchors": known, "anchors_found": found}
    sheet = Sheet(
        QUALITY, tuple(quality), f"{describe_pair(pair)} Quality of {describe_anchors(comparison)}."
    )
    columns = map_columns(pair, arrays)
    return Content(caption, arrays, columns, parts, {"Anchor quality": sheet}, on_screen)


def _describe_mean(fitted: Translator) -> str:
    mean = fitted.mean_condition_number
    return "" if mean == fitted.condition_number else f" at most and {mean:.3g} on average"


def _no_tasks(_: Stitched, __: Options) -> list[Task[None]]:
    return []


def _landing_content(given: Stitched, options: Options, _: Sequence[None]) -> Content:
    problem, pair = given.problem, given.problem.pair
    made, panes = problem.translation, translation_panes(problem)
    colors = plain_colors(pair, panes[0].points)
    chosen = checked_rows(options["chosen"], pair, "chosen", MOST_WAYS)
    marks = marks_of(problem.comparison, options)

    def on_screen() -> Linked:
        views = {"Translation": panes}
        return linked(pair, problem.comparison.sources, views, colors, list(marks["labeled"]))

    def parts(width: float) -> list[Part]:
        grid = MapGrid(panes, colors, width, chosen=chosen, **marks)
        return [grid, legend_of(colors, width)]

    fitted, scores, choices = made.translator, made.scores, problem.choices
    how = TRANSLATIONS[choices.method]
    if choices.method == "irp":
        how += f" (δ {choices.delta:g}, ω {choices.omega}, pruned by {choices.decided_by}{problem.reading})"
    used = f"the first {choices.used} of " if choices.used else ""
    joined = "the selected translated items" if chosen else "some translated items"
    through = used + describe_anchors(problem.comparison)
    sentences = [
        f"{problem.source.name} translated into {problem.target.name} by {how}, using {through}.",
        *(describe_pair(pair), *describe_panes(panes)),
        f"Lines join {joined} with their targets (squares).",
        *(*describe_colors(colors, True), *describe_points(options, len(pair))),
        f"Cosine similarity to the target {scores.cosine:.3f} (after centering on the anchors), MRR "
        f"{scores.mrr:.3f}, rank 1 for the true counterpart {scores.top1:.1%}.",
        *filter(None, (describe_queries(scores), describe_null([scores]))),
        f"Condition number {fitted.condition_number:.3g}{_describe_mean(fitted)}, {fitted.anchors_kept:.0f} "
        "anchors kept.",
    ]
    assert panes[0].points is not None
    arrays: dict[str, np.ndarray] = {"target": panes[0].points, "landed": made.landed}
    arrays |= {"cosine": made.cosines, "queries": scores.rows.numpy(), "rank": scores.ranks.numpy()}
    arrays |= {"color_codes": colors.codes, "anchors": made.anchors.numpy()}
    columns = {**map_columns(pair, arrays), "cosine": made.cosines.tolist()}
    ranks = torch.full((len(pair),), float("nan"), dtype=torch.float64)
    ranks[scores.rows] = scores.ranks
    arrays |= {name: np.asarray(value) for name, value in scores.figures.items() if name != "cosine"}
    arrays |= {"mean_cosine": np.asarray(scores.cosine)}
    return Content(" ".join(sentences), arrays, {**columns, "rank": ranks.tolist()}, parts, linked=on_screen)


ANCHORS = Kind(
    words="Anchors in both spaces",
    page="anchors",
    of=mapped,
    tasks=_anchor_tasks,
    content=_anchor_content,
    options=dict(MARKS),
)
LANDING = Kind(
    words="Items translated from one space into the other",
    page="stitch",
    part="translate",
    of=stitched,
    tasks=_no_tasks,
    content=_landing_content,
    options={"chosen": [], **MARKS},
)
