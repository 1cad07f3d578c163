"""Maps in print of where anchors lie, and of where items land that are carried into another space."""

from collections.abc import Sequence

import numpy as np
import torch

from relviz.compute.entry import Result
from relviz.compute.task import Task
from relviz.conditioning import anchor_report
from relviz.figures.maps import MapGrid, legend_of
from relviz.figures.marks import MOST_WAYS
from relviz.figures.stack import Part
from relviz.view.baselines import TITLES
from relviz.view.choices import View
from relviz.view.coloured import plain_colours
from relviz.view.figure.content import Content, Kind, Options
from relviz.view.figure.marked import (
    MARKS,
    checked_rows,
    colour_said,
    map_columns,
    marks_of,
    panes_said,
    points_said,
)
from relviz.view.figure.scored import null_said, queries_said
from relviz.view.figure.words import anchors_said, both_said
from relviz.view.found import rows_in_b, starred_rows
from relviz.view.panes import alone, landing_panes, panes_of
from relviz.view.results import anchors_of, frames_of, map_task
from relviz.view.sheet import Sheet
from relviz.view.sources import open_pair
from relviz.view.translation import sides_of, translation_of

QUALITY = ("encoder", "condition number", "effective rank", "largest cosine", "largest share")


def _anchor_tasks(view: View, _: Options) -> list[Task]:
    return [map_task(alone(view), open_pair(view.a, view.b), "absolute")]


def _anchor_content(view: View, options: Options, results: Sequence[Result]) -> Content:
    pair = open_pair(view.a, view.b)
    panes = panes_of(alone(view), pair, "absolute", results[0])
    chosen = anchors_of(view, pair)
    known, found = starred_rows(view, pair, chosen.numpy())
    colours = plain_colours(pair, panes[0].points)
    marks = marks_of(view, pair, options)

    def parts(width: float) -> list[Part]:
        grid = MapGrid(panes, colours, width, anchors=known, discovered=found, **marks)
        return [grid, legend_of(colours, width, bool(len(known)), bool(len(found)))]

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
    said += [*panes_said(panes), *colour_said(colours, True), *points_said(options, len(pair))]
    caption = " ".join(said)
    arrays: dict[str, np.ndarray] = {
        "absolute_a": results[0].arrays["a"],
        "absolute_b": results[0].arrays["b"],
    }
    arrays |= {"colour_codes": colours.codes, "anchors": known, "anchors_found": found}
    sheet = Sheet(QUALITY, tuple(quality), f"{both_said(pair)} Of {anchors_said(view, pair)}.")
    return Content(caption, arrays, map_columns(pair, arrays), parts, {"How well the anchors serve": sheet})


def _no_tasks(_: View, __: Options) -> list[Task]:
    return []


def _landing_content(view: View, options: Options, _: Sequence[Result]) -> Content:
    pair, made = open_pair(view.a, view.b), translation_of(view)
    panes = landing_panes(view, pair, made)
    colours = plain_colours(pair, panes[0].points)
    chosen = checked_rows(options["chosen"], pair, "chosen", MOST_WAYS)
    marks = marks_of(view, pair, options)

    def parts(width: float) -> list[Part]:
        grid = MapGrid(panes, colours, width, chosen=chosen, **marks)
        return [grid, legend_of(colours, width)]

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
        *(*colour_said(colours, True), *points_said(options, len(pair))),
        f"Cosine similarity to the target {scores.cosine:.3f} (after centering on the anchors), MRR "
        f"{scores.mrr:.3f}, rank 1 for the true counterpart {scores.top1:.1%}.",
        *filter(None, (queries_said([scores.record()]), null_said([scores.record()]))),
        f"Condition number {fitted.condition_number:.3g}, {fitted.anchors_kept:.0f} anchors kept.",
    ]
    assert panes[0].points is not None
    arrays: dict[str, np.ndarray] = {"target": panes[0].points, "landed": made.landed}
    arrays |= {"cosine": made.cosines, "queries": scores.rows.numpy(), "rank": scores.ranks.numpy()}
    arrays |= {"colour_codes": colours.codes, "anchors": made.anchors.numpy()}
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
