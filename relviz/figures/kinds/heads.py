"""Heads across encoders in print: absolute beside relative, and by what is known of the anchors."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace

import numpy as np

from relviz.compute.task import Task
from relviz.figures.captions import both_said
from relviz.figures.inputs import Crossed, crossed
from relviz.figures.kind import Content, Kind, Options, of_records
from relviz.results.stitching import (
    KNOWN,
    WORDS,
    MatrixCell,
    StitchingMatrix,
    matrix_task,
    on_own,
    tested_said,
)
from relviz.sheet import Sheet

COMPARED = ("absolute", "relative")
ANCHORS = {"true": "true anchors", "known": "known pairs only", "found": "discovered anchors"}
"""What is known of the anchors, and what a column with it is called."""


def _tasks(given: Crossed, _: Options) -> list[Task[StitchingMatrix]]:
    return [matrix_task(given.pair, given.choices, given.others)]


def _content(_: Crossed, __: Options, results: Sequence[StitchingMatrix]) -> Content:
    made = results[0]
    columns = {method: _of_method(made, method) for method in COMPARED}
    rows = [
        (f"{encoder} → {head}", *(_spread(found.get((encoder, head))) for found in columns.values()))
        for encoder in made.encoders
        for head in made.encoders
    ]
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
    head = ("encoder → head", *(f"{WORDS[method]}, F1" for method in COMPARED))
    caption = f"{_conditions(made)} Last lines: mean ± sd over all heads, on their own encoder and on others."
    return Content(caption, {}, of_records(records), sheets={"Heads": Sheet(head, tuple(rows), caption)})


def _known_tasks(given: Crossed, _: Options) -> list[Task[StitchingMatrix]]:
    choices = replace(given.choices, counterparts="true")
    several = (choices, replace(choices, anchors=KNOWN), replace(choices, counterparts="bootstrap"))
    return [matrix_task(given.pair, one, given.others) for one in several]


def _known_content(given: Crossed, _: Options, results: Sequence[StitchingMatrix]) -> Content:
    columns = {name: _of_method(made, "relative") for name, made in zip(ANCHORS, results, strict=True)}
    first = results[0]
    rows = [
        (f"{encoder} → {head}", *(_spread(found.get((encoder, head))) for found in columns.values()))
        for encoder in first.encoders
        for head in first.encoders
    ]
    records = [
        {"anchors": name, **asdict(cell)} for name, found in columns.items() for cell in found.values()
    ]
    caption = (
        f"{both_said(given.pair)} Relative vectors on both sides, on a head's own encoder too. "
        f"{_conditions(first)} Known pairs only: {KNOWN} anchors. Discovered: {KNOWN} are known, the others "
        "found from them; on its own encoder a head has its own."
    )
    head = ("encoder → head", *(f"{words}, F1" for words in ANCHORS.values()))
    return Content(caption, {}, of_records(records), sheets={"Heads": Sheet(head, tuple(rows), caption)})


def _of_method(made: StitchingMatrix, method: str) -> Mapping[tuple[str, str], MatrixCell]:
    """Cells of a method by encoder and head, those on their own encoder too."""
    return {
        (cell.encoder, cell.head): cell
        for cell in made.cells
        if cell.method == (on_own(method) if cell.encoder == cell.head else method)
    }


def _spread(cell: MatrixCell | None) -> str:
    if cell is None:
        return "–"
    return f"{cell.f1:.3f}" + ("" if cell.f1_sd is None else f" ± {cell.f1_sd:.3f}")


def _conditions(made: StitchingMatrix) -> str:
    how = made.conditions
    return (
        f"Weighted F1 on {how.test:.0%} of the rows, mean ± sd over seeds {how.seed}–"
        f"{how.seed + how.n_draws - 1} of split and anchors; {how.head} heads; {how.anchors} anchors, "
        f"uniform among the training rows. {tested_said(made.cells)}"
    )


HEADS = Kind(
    words="Heads on absolute and on relative vectors",
    page="stitch",
    part="heads",
    of=crossed,
    tasks=_tasks,
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
