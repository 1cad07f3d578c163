"""Stitching in print: the matrix, confusions, and sweeps over δ, ω and the number of anchors."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from string import ascii_uppercase

import numpy as np

from relviz.compute.task import Task
from relviz.errors import ParameterError
from relviz.figures.inputs import Crossed, crossed
from relviz.figures.kind import Content, Kind, Options, of_records
from relviz.plotting.heat import Heat, HeatGrid
from relviz.plotting.stack import Part
from relviz.results.stitching import (
    WORDS,
    StitchingMatrix,
    matrix_sheet,
    matrix_task,
    matrix_values,
    shown_method,
)

ACROSS = 4
FEW, WIDE = 3, 100.0
"""Encoders of a small matrix, and millimeters of more than a column."""
SHORT_METHODS = {"No translation (baseline)": "none", "Least squares": "LS", "Procrustes": "Proc."}
SHORT_TITLES = {**SHORT_METHODS, "Relative": "Rel."}


def matrix_tasks(given: Crossed, _: Options) -> list[Task[StitchingMatrix]]:
    """The task that stitches every encoder to every head."""
    return [matrix_task(given.pair, given.choices, given.others)]


def _matrix_content(_: Crossed, __: Options, results: Sequence[StitchingMatrix]) -> Content:
    made = results[0]
    values, names = matrix_values(made), made.encoders
    letters = list(ascii_uppercase[: len(names)])
    rows = [f"{name} · {letter}" for name, letter in zip(names, letters, strict=True)]

    def parts(width: float) -> list[Part]:
        low, high = _range(values.values())
        words = {method: WORDS[method] for method in values}
        if width <= WIDE:
            words = {method: SHORT_TITLES.get(one, one) for method, one in words.items()}
        heats = [
            Heat(words[method].removesuffix(" (baseline)"), cells, rows, letters, low, high, x="head")
            for method, cells in values.items()
        ]
        return [HeatGrid(heats, width, _across(width, len(names)), scale="accuracy", y="encoder")]

    sheet = replace(matrix_sheet(made), ranked="rows", short=SHORT_METHODS)
    empty = any(np.isnan(cells).any() for cells in values.values())
    low, high = _range(values.values())
    caption = (
        "Rows are encoders, columns heads, in the same order. On the diagonal: each head with its own "
        f"encoder, for relative vectors the relative head. Colors from {low:.1f} to {high:.1f}. "
        f"{sheet.caption}"
    ) + (" Gray: not possible, for example where the dimensions of absolute vectors differ." if empty else "")
    columns = of_records([asdict(cell) for cell in made.cells])
    return Content(caption, values, columns, parts, {"Stitching": sheet})


def _across(width: float, encoders: int) -> int:
    """Matrices side by side: small ones three in a column too, for eight of two are as tall as a page."""
    return ACROSS if width > WIDE else 3 if encoders <= FEW else 2


def _range(cells: Iterable[np.ndarray]) -> tuple[float, float]:
    """The tenths that all values lie between."""
    known = np.concatenate([one[np.isfinite(one)] for one in cells])
    low, high = float(np.floor(known.min() * 10) / 10), float(np.ceil(known.max() * 10) / 10)
    return low, max(high, low + 0.1)


def _confusion_content(_: Crossed, options: Options, results: Sequence[StitchingMatrix]) -> Content:
    made = results[0]
    names, classes = made.encoders, made.classes
    encoder, head = options["encoder"] or names[0], options["head"] or names[-1]
    method = shown_method(options["method"], encoder, head)
    found = made.find(encoder, head, method)
    if found is None:
        raise ParameterError(
            f"There is no cell of encoder {encoder[:60]!r}, head {head[:60]!r} and method "
            f"{method[:40]!r}; encoders are {', '.join(names)}."
        )
    cell, counts = found
    share = counts / np.maximum(counts.sum(1, keepdims=True), 1)
    numbers = [str(place) for place in range(1, len(classes) + 1)]
    rows = [f"{name} · {number}" for name, number in zip(classes, numbers, strict=True)]

    def parts(width: float) -> list[Part]:
        heat = Heat("", share, rows, numbers, written=counts, x="predicted class")
        return [HeatGrid([heat], width, scale="share of the true class")]

    caption = (
        f"Predictions of the {head} head on items of {encoder} ({WORDS[method].lower()}): rows are "
        f"true classes, columns predicted ones in the same order; counts of all {made.conditions.n_draws} "
        f"runs. Accuracy {cell.accuracy:.3f} (95% interval {cell.accuracy_low:.3f}–"
        f"{cell.accuracy_high:.3f} for {cell.rows} test rows), weighted F1 {cell.f1:.3f}. "
        f"{matrix_sheet(made).caption}"
    )
    columns = {"true": list(classes)} | {name: counts[:, n].tolist() for n, name in enumerate(classes)}
    return Content(caption, {"counts": counts, "share": share}, columns, parts)


MATRIX = Kind(
    words="Stitching matrices, a map for each method",
    page="stitch",
    part="heads",
    of=crossed,
    tasks=matrix_tasks,
    content=_matrix_content,
    shelf=True,
)
CONFUSION = Kind(
    words="Confusion matrix",
    page="stitch",
    part="heads",
    of=crossed,
    tasks=matrix_tasks,
    content=_confusion_content,
    options={"encoder": "", "head": "", "method": "relative"},
    shelf=True,
)
