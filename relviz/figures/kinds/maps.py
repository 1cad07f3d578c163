"""Maps in print: of a comparison, of where anchors lie, and of where translated items land."""

from collections.abc import Sequence

import numpy as np
import torch

from relviz.compute.entry import Result
from relviz.compute.task import Task
from relviz.conditioning import anchor_report
from relviz.errors import ParameterError
from relviz.figures.captions import (
    MARKS,
    MOST_STARS,
    anchors_said,
    both_said,
    checked_rows,
    color_said,
    map_columns,
    marks_of,
    panes_said,
    points_said,
    some_stars,
)
from relviz.figures.kind import Content, Kind, Options
from relviz.figures.kinds.tables import null_said, queries_said
from relviz.figures.panes import (
    CLUSTERS,
    ROWS,
    agreement_colors,
    alone,
    cluster_colors,
    landing_panes,
    panes_of,
    plain_colors,
    similarity_colors,
)
from relviz.pair import Pair
from relviz.plotting.colors import Colors
from relviz.plotting.legend import MOST_WAYS
from relviz.plotting.maps import MapGrid, legend_of
from relviz.plotting.pane import Pane
from relviz.plotting.stack import Part
from relviz.results.comparison import QUICK, agreement_task, anchors_of, cluster_task, frames_of, map_task
from relviz.results.run import rows_in_b, starred_rows
from relviz.results.translation import TITLES, sides_of, translation_of
from relviz.sheet import Sheet
from relviz.state.sources import open_pair
from relviz.state.view import View

BEHIND = ("jaccard", "members")
"""Agreement of every row, or its cluster, where these color the maps."""
SIMILAR = ("similarity_a", "similarity_b")


def tasks(view: View, options: Options) -> list[Task]:
    """The maps that are asked for, and what colors them."""
    pair = open_pair(view.a, view.b)
    wanted = [map_task(view, pair, row) for row in rows_of(options)]
    if view.color == "agreement":
        wanted.append(agreement_task(view, pair))
    if view.color in CLUSTERS:
        wanted.append(cluster_task(view, pair, view.color[-1]))
    return wanted


def content(view: View, options: Options, results: Sequence[Result]) -> Content:
    """Panes, colors and stars as the page has them."""
    pair = open_pair(view.a, view.b)
    rows = rows_of(options)
    panes = [
        pane for row, result in zip(rows, results, strict=False) for pane in panes_of(view, pair, row, result)
    ]
    colors = colors_of(view, pair, options, panes[0].points, results[-1])
    anchors = (
        anchors_of(view, pair).numpy() if "relative" in rows and options["stars"] else np.empty(0, np.int64)
    )
    known, found = starred_rows(view, pair, anchors)
    marks = marks_of(view, pair, options)

    def parts(width: float) -> list[Part]:
        grid = MapGrid(
            panes,
            colors,
            width,
            anchors=some_stars(known),
            discovered=some_stars(found),
            ticks=view.projection in QUICK,
            **marks,
        )
        return [grid, legend_of(colors, width, bool(len(known)), bool(len(found)))]

    arrays: dict[str, np.ndarray] = {
        f"{row}_{side}": result.arrays[side]
        for row, result in zip(rows, results, strict=False)
        for side in ("a", "b")
    }
    arrays |= {name: results[-1].arrays[name] for name in BEHIND if name in results[-1].arrays}
    arrays |= {"color_codes": colors.codes, "anchors": known, "anchors_found": found}
    return Content(
        _caption(view, pair, panes, colors, options, bool(len(anchors))),
        arrays,
        map_columns(pair, arrays),
        parts,
    )


def rows_of(options: Options) -> tuple[str, ...]:
    """Which rows of panes are asked for."""
    wanted = options["rows"]
    if wanted not in ("both", *ROWS):
        raise ParameterError(f"The option rows is {wanted[:40]!r}; it is both, {' or '.join(ROWS)}.")
    return ROWS if wanted == "both" else (wanted,)


def colors_of(view: View, pair: Pair, options: Options, first: np.ndarray | None, last: Result) -> Colors:
    """What the view asks for; the result that it needs comes last. Classes, where no item was clicked."""
    if view.color == "agreement":
        return agreement_colors(last)
    if view.color in CLUSTERS:
        return cluster_colors(pair, view.color[-1], last)
    clicked = options["clicked"]
    if view.color in SIMILAR and clicked >= 0:
        return similarity_colors(view, pair, view.color[-1], *checked_rows([clicked], pair, "clicked"))
    return plain_colors(pair, first)


def _caption(
    view: View, pair: Pair, panes: Sequence[Pane], colors: Colors, options: Options, starred: bool
) -> str:
    said = [both_said(pair)]
    if any("relative" in pane.title for pane in panes):
        said.append(f"Relative: each item told by its similarity to {anchors_said(view, pair)}.")
    said += [*panes_said(panes), *color_said(colors, view.color == "class")]
    said += points_said(options, len(pair))
    if starred:
        said.append(f"Stars: anchors, at most {MOST_STARS} of them.")
    return " ".join(said)


MAPS = Kind(
    words="Maps: absolute over relative, A beside B",
    page="compare",
    tasks=tasks,
    content=content,
    options={"rows": "both", "stars": False, "clicked": -1, **MARKS},
)


QUALITY = ("encoder", "condition number", "effective rank", "largest cosine", "largest share")


def _anchor_tasks(view: View, _: Options) -> list[Task]:
    return [map_task(alone(view), open_pair(view.a, view.b), "absolute")]


def _anchor_content(view: View, options: Options, results: Sequence[Result]) -> Content:
    pair = open_pair(view.a, view.b)
    panes = panes_of(alone(view), pair, "absolute", results[0])
    chosen = anchors_of(view, pair)
    known, found = starred_rows(view, pair, chosen.numpy())
    colors = plain_colors(pair, panes[0].points)
    marks = marks_of(view, pair, options)

    def parts(width: float) -> list[Part]:
        grid = MapGrid(panes, colors, width, anchors=known, discovered=found, **marks)
        return [grid, legend_of(colors, width, bool(len(known)), bool(len(found)))]

    sides = zip((pair.a, pair.b), frames_of(view, pair), (chosen, rows_in_b(view, pair, chosen)), strict=True)
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
    said = [both_said(pair), f"Where they lie: {anchors_said(view, pair)}, as stars."]
    said += [*panes_said(panes), *color_said(colors, True), *points_said(options, len(pair))]
    caption = " ".join(said)
    arrays: dict[str, np.ndarray] = {
        "absolute_a": results[0].arrays["a"],
        "absolute_b": results[0].arrays["b"],
    }
    arrays |= {"color_codes": colors.codes, "anchors": known, "anchors_found": found}
    sheet = Sheet(QUALITY, tuple(quality), f"{both_said(pair)} Of {anchors_said(view, pair)}.")
    return Content(caption, arrays, map_columns(pair, arrays), parts, {"How well the anchors serve": sheet})


def _no_tasks(_: View, __: Options) -> list[Task]:
    return []


def _landing_content(view: View, options: Options, _: Sequence[Result]) -> Content:
    pair, made = open_pair(view.a, view.b), translation_of(view)
    panes = landing_panes(view, pair, made)
    colors = plain_colors(pair, panes[0].points)
    chosen = checked_rows(options["chosen"], pair, "chosen", MOST_WAYS)
    marks = marks_of(view, pair, options)

    def parts(width: float) -> list[Part]:
        grid = MapGrid(panes, colors, width, chosen=chosen, **marks)
        return [grid, legend_of(colors, width)]

    source, target = sides_of(view, pair)
    fitted, scores = made.translator, made.scores
    how = TITLES[view.translate]
    if view.translate == "irp":
        how += f" (δ {view.delta:g}, ω {view.omega}, pruned by {view.decided_by})"
    used = f"the first {view.used} of " if view.used else ""
    joined = "the items chosen" if chosen else "some items"
    said = [
        f"{source.name} carried into {target.name} by {how} through {used}{anchors_said(view, pair)}.",
        *(both_said(pair), *panes_said(panes)),
        f"Lines join where {joined} land with the squares where they should be.",
        *(*color_said(colors, True), *points_said(options, len(pair))),
        f"Cosine similarity to the target {scores.cosine:.3f} (after centering on the anchors), MRR "
        f"{scores.mrr:.3f}, rank 1 for the true counterpart {scores.top1:.1%}.",
        *filter(None, (queries_said([scores.record()]), null_said([scores.record()]))),
        f"Condition number {fitted.condition_number:.3g}, {fitted.anchors_kept:.0f} anchors kept.",
    ]
    assert panes[0].points is not None
    arrays: dict[str, np.ndarray] = {"target": panes[0].points, "landed": made.landed}
    arrays |= {"cosine": made.cosines, "queries": scores.rows.numpy(), "rank": scores.ranks.numpy()}
    arrays |= {"color_codes": colors.codes, "anchors": made.anchors.numpy()}
    columns = {**map_columns(pair, arrays), "cosine": made.cosines.tolist()}
    ranks = torch.full((len(pair),), float("nan"), dtype=torch.float64)
    ranks[scores.rows] = scores.ranks
    arrays |= {name: np.asarray(value) for name, value in scores.figures.items() if name != "cosine"}
    arrays["mean_cosine"] = np.asarray(scores.cosine)
    return Content(" ".join(said), arrays, {**columns, "rank": ranks.tolist()}, parts)


ANCHORS = Kind(
    words="Where the anchors lie in both spaces",
    page="anchors",
    tasks=_anchor_tasks,
    content=_anchor_content,
    options=dict(MARKS),
)
LANDING = Kind(
    words="Items carried from one space into the other",
    page="stitch",
    part="translate",
    tasks=_no_tasks,
    content=_landing_content,
    options={"chosen": [], **MARKS},
)
