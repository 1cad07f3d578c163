"""Heads across encoders in print: absolute beside relative, by and over what is known of the anchors."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace

import numpy as np

from relviz.compute.task import Task
from relviz.figures.captions import describe_pair
from relviz.figures.inputs import Crossed, crossed
from relviz.figures.kind import Content, Kind, Options, of_records
from relviz.figures.kinds.stitching import matrix_tasks
from relviz.plotting.charts import Chart, ChartRow, Line
from relviz.plotting.colors import CLASSES
from relviz.plotting.stack import Part
from relviz.plotting.style import INK
from relviz.results.head_curve import HeadCurve, head_curve_task
from relviz.results.stitching import (
    KNOWN,
    WORDS,
    MatrixCell,
    StitchingMatrix,
    describe_conditions,
    describe_test_rows,
    matrix_task,
    shown_method,
)
from relviz.sheet import Sheet

COMPARED = ("absolute", "relative")
ANCHORS = {"true": "true anchors", "known": "known pairs only", "found": "discovered anchors"}
"""What is known of the anchors, and what a column with it is called."""


def _content(_: Crossed, __: Options, results: Sequence[StitchingMatrix]) -> Content:
    made = results[0]
    columns = {method: _of_method(made, method) for method in COMPARED}
    rows = _rows(made, columns.values())
    for what, own in (("own encoder, mean", True), ("other encoder, mean", False)):
        some = [
            [cell.f1 for (encoder, head), cell in found.items() if (encoder == head) is own]
            for found in columns.values()
        ]
        rows.append((what, *(f"{np.mean(one):.3f} ± {np.std(one):.3f}" if one else "–" for one in some)))
    records = [
        {"representation": method, "own": encoder == head, **asdict(cell)}
        for method, found in columns.items()
        for (encoder, head), cell in found.items()
    ]
    return _table(
        [WORDS[method] for method in COMPARED],
        rows,
        records,
        f"{describe_conditions(made, 'Weighted F1')} Last lines: mean ± sd over all heads, on their own "
        "encoder and on others.",
    )


def _known_tasks(given: Crossed, _: Options) -> list[Task[StitchingMatrix]]:
    choices = replace(given.choices, counterparts="true")
    several = (choices, replace(choices, anchors=KNOWN), replace(choices, counterparts="bootstrap"))
    return [matrix_task(given.pair, one, given.others) for one in several]


def _known_content(given: Crossed, _: Options, results: Sequence[StitchingMatrix]) -> Content:
    columns = {name: _of_method(made, "relative") for name, made in zip(ANCHORS, results, strict=True)}
    first = results[0]
    return _table(
        list(ANCHORS.values()),
        _rows(first, columns.values()),
        [{"anchors": name, **asdict(cell)} for name, found in columns.items() for cell in found.values()],
        f"{describe_pair(given.pair)} Relative vectors on both sides, on a head's own encoder too. "
        f"{describe_conditions(first, 'Weighted F1')} Known pairs only: {KNOWN} anchors. Discovered: {KNOWN} "
        "are known, the others found from them; on its own encoder a head has its own.",
    )


Cells = Mapping[tuple[str, str], MatrixCell]
"""Cells of one method by encoder and head."""


def _of_method(made: StitchingMatrix, method: str) -> Cells:
    return {
        (cell.encoder, cell.head): cell
        for cell in made.cells
        if cell.method == shown_method(method, cell.encoder, cell.head)
    }


def _rows(made: StitchingMatrix, columns: Iterable[Cells]) -> list[tuple[str, ...]]:
    """A line for each encoder with each head: weighted F1 in each column."""
    return [
        (f"{encoder} → {head}", *(_spread(found.get((encoder, head))) for found in columns))
        for encoder in made.encoders
        for head in made.encoders
    ]


def _spread(cell: MatrixCell | None) -> str:
    if cell is None:
        return "–"
    return f"{cell.f1:.3f}" + ("" if cell.f1_sd is None else f" ± {cell.f1_sd:.3f}")


def _table(
    titles: Sequence[str],
    rows: Sequence[tuple[str, ...]],
    records: Sequence[Mapping[str, object]],
    caption: str,
) -> Content:
    head = ("encoder → head", *(f"{title}, F1" for title in titles))
    return Content(
        caption, {}, of_records(records), sheets={"Heads": Sheet(head, tuple(rows), caption, ranked="rows")}
    )


def _curve_tasks(given: Crossed, _: Options) -> list[Task[HeadCurve]]:
    return [head_curve_task(given.pair, given.choices)]


def _curve_content(given: Crossed, _: Options, results: Sequence[HeadCurve]) -> Content:
    made = results[0]
    counts = np.asarray(made.counts, np.float64)
    native = {cell.head: cell.accuracy for cell in made.native}
    found = {
        (encoder, head): [
            next(cell for cell in cells if (cell.encoder, cell.head) == (encoder, head))
            for cells in made.cells
        ]
        for head in made.encoders
        for encoder in made.encoders
    }

    def parts(width: float) -> list[Part]:
        charts = [
            Chart(
                f"Head of {head}",
                [
                    Line(
                        "on its own encoder" if encoder == head else f"on {encoder}",
                        counts,
                        np.array([cell.accuracy for cell in found[encoder, head]]),
                        color,
                        np.array([cell.accuracy_sd or 0.0 for cell in found[encoder, head]]),
                        marker="o",
                    )
                    for encoder, color in zip(made.encoders, CLASSES, strict=False)
                ],
                "anchors",
                "accuracy",
                log_x=True,
                range_y=(0, 1.02),
                ticks=made.counts,
                levels=[(native[head], "absolute, own encoder", INK)],
            )
            for head in made.encoders
        ]
        return [ChartRow(charts, width, 2 if width > 100 else 1)]

    how = made.how
    caption = (
        f"Accuracy of heads on relative vectors over the number of anchors, on their own encoder and on the "
        f"other. {describe_pair(given.pair)} {how.test:.0%} of the rows test, mean ± sd over seeds "
        f"{how.seed}–{how.seed + how.n_draws - 1} of split and anchors; {how.head} head; anchors uniform "
        f"among the training rows. Dashed: the head on its own encoder's absolute vectors. "
        f"{describe_test_rows([cell for cells in made.cells for cell in cells])}"
    )
    records = [
        {"anchors": count} | asdict(cell)
        for count, cells in zip(made.counts, made.cells, strict=True)
        for cell in cells
    ]
    arrays = {"anchors": counts}
    return Content(caption, arrays, of_records(records), parts)


HEADS = Kind(
    words="Heads on absolute and on relative vectors",
    page="stitch",
    part="heads",
    of=crossed,
    tasks=matrix_tasks,
    content=_content,
    shelf=True,
)
BY_ANCHORS = Kind(
    words="Heads by what is known of the anchors",
    page="stitch",
    part="heads",
    of=crossed,
    tasks=_known_tasks,
    content=_known_content,
)
CURVE = Kind(
    words="Heads on relative vectors over the number of anchors",
    page="stitch",
    part="heads",
    of=crossed,
    tasks=_curve_tasks,
    content=_curve_content,
)
