"""Stitching in print: the matrix, confusions, and sweeps over δ, ω and the number of anchors."""

from collections.abc import Sequence
from dataclasses import asdict
from string import ascii_uppercase

import numpy as np

from relviz.compute.task import Task
from relviz.errors import ParameterError
from relviz.figures.captions import both_said
from relviz.figures.inputs import Crossed, Stitched, crossed, stitched
from relviz.figures.kind import Content, Kind, Options, of_records
from relviz.plotting.charts import Chart, ChartRow, Line
from relviz.plotting.colors import OKABE_ITO
from relviz.plotting.heat import Heat, HeatGrid
from relviz.plotting.stack import Part
from relviz.results.heads import swept_said
from relviz.results.stitching import (
    ANCHOR_SWEEP_DELTAS,
    ANCHOR_SWEEP_OMEGAS,
    DELTAS,
    OMEGAS,
    SWEPT_MAPS,
    WORDS,
    StitchingMatrix,
    anchor_sweep_task,
    matrix_sheet,
    matrix_task,
    matrix_values,
    shown_method,
    sweep_means,
    sweep_task,
)
from relviz.stitching import Sweep

ACROSS = 4


def matrix_tasks(given: Crossed, _: Options) -> list[Task[StitchingMatrix]]:
    """The task that stitches every encoder to every head."""
    return [matrix_task(given.pair, given.choices, given.others)]


def _matrix_content(_: Crossed, __: Options, results: Sequence[StitchingMatrix]) -> Content:
    made = results[0]
    values, names = matrix_values(made), made.encoders
    letters = list(ascii_uppercase[: len(names)])
    rows = [f"{name} · {letter}" for name, letter in zip(names, letters, strict=True)]

    def parts(width: float) -> list[Part]:
        heats = [Heat(WORDS[method], cells, rows, letters) for method, cells in values.items()]
        return [HeatGrid(heats, width, ACROSS if width > 120 else 2, scale="accuracy")]

    sheet = matrix_sheet(made)
    empty = any(np.isnan(cells).any() for cells in values.values())
    caption = (
        "Rows are encoders, columns heads, in the same order. On the diagonal: each head with its own "
        f"encoder, for relative vectors the relative head. {sheet.caption}"
    ) + (" Gray: not possible, for example where the dimensions of absolute vectors differ." if empty else "")
    columns = of_records([asdict(cell) for cell in made.cells])
    return Content(caption, values, columns, parts, {"Stitching": sheet})


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


def _sweep_tasks(given: Stitched, _: Options) -> list[Task[Sweep]]:
    return [sweep_task(given.problem, given.choices)]


def _sweep_content(given: Stitched, _: Options, results: Sequence[Sweep]) -> Content:
    problem, made = given.problem, results[0]
    means, choices = sweep_means(made), problem.choices
    shown = {name: np.log10(cells) if name == "condition_number" else cells for name, cells in means.items()}
    framed = None
    if choices.method == "irp" and choices.delta in DELTAS and choices.omega in OMEGAS:
        framed = DELTAS.index(choices.delta), OMEGAS.index(choices.omega)

    def parts(width: float) -> list[Part]:
        heats = [
            Heat(
                SWEPT_MAPS[name],
                cells,
                [f"{delta:g}" for delta in DELTAS],
                [str(omega) for omega in OMEGAS],
                float(np.nanmin(cells)),
                float(np.nanmax(cells)),
                0 if name == "anchors_kept" else 1 if name == "condition_number" else 2,
                "ω",
                framed,
            )
            for name, cells in shown.items()
        ]
        return [HeatGrid(heats, width, 4 if width > 120 else 2, y="δ")]

    frame = f" Framed: δ {choices.delta:g}, ω {choices.omega}." if framed else ""
    caption = (
        f"Inverse relative projection {problem.source.name} → {problem.target.name} for every δ and ω. "
        f"{both_said(problem.pair)} Means over seeds {made.seeds[0]}–{made.seeds[-1]} of split and "
        f"{made.counts[0]} anchors among the training rows; cosines after centering on the anchors. "
        f"{swept_said(made.rows, made.chance)}{frame}"
    )
    cells = [(d, o) for d in range(len(DELTAS)) for o in range(len(OMEGAS))]
    columns: dict[str, Sequence[object]] = {
        "delta": [DELTAS[d] for d, _ in cells],
        "omega": [OMEGAS[o] for _, o in cells],
    }
    columns |= {name: [float(values[cell]) for cell in cells] for name, values in means.items()}
    return Content(caption, means, columns, parts)


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
SWEEP = Kind(
    words="Translation over δ and ω",
    page="stitch",
    part="sweep",
    of=stitched,
    tasks=_sweep_tasks,
    content=_sweep_content,
)


TITLES = {
    "similarity": "Cosine similarity to the target",
    "accuracy": "Accuracy of the target's head",
    "condition_number": "Condition number",
}


def _anchor_sweep_tasks(given: Stitched, _: Options) -> list[Task[Sweep]]:
    return [anchor_sweep_task(given.problem, given.choices)]


def _anchor_sweep_content(given: Stitched, _: Options, results: Sequence[Sweep]) -> Content:
    problem, made = given.problem, results[0]
    counts = np.asarray(made.counts, np.float64)
    means = {name: made.figures[name].mean(1) for name in TITLES}
    lines = [
        (d, o, f"δ {delta:g}, ω {omega}" if delta else "not pruned")
        for d, delta in enumerate(ANCHOR_SWEEP_DELTAS)
        for o, omega in enumerate(ANCHOR_SWEEP_OMEGAS)
        if delta or not o  # what is not pruned is the same in every subspace
    ]

    def parts(width: float) -> list[Part]:
        charts = [
            Chart(
                title,
                [
                    Line(
                        words,
                        counts,
                        means[name][:, d, o],
                        OKABE_ITO[place],
                        None if name == "condition_number" else made.figures[name].std(1, ddof=1)[:, d, o],
                        marker="o",
                    )
                    for place, (d, o, words) in enumerate(lines)
                ],
                "anchors",
                log_x=True,
                log_y=name == "condition_number",
                range_y=None if name == "condition_number" else (0, 1.02),
                ticks=counts.tolist(),
            )
            for name, title in TITLES.items()
        ]
        return [ChartRow(charts, width, 3 if width > 120 else 1, 0.8)]

    columns: dict[str, Sequence[object]] = {
        "anchors": [int(one) for one in counts for _ in lines],
        "delta": [ANCHOR_SWEEP_DELTAS[d] for _ in counts for d, _, _ in lines],
        "omega": [ANCHOR_SWEEP_OMEGAS[o] for _ in counts for _, o, _ in lines],
    }
    for name in TITLES:
        columns[name] = [float(means[name][at, d, o]) for at in range(len(counts)) for d, o, _ in lines]
    caption = (
        f"Inverse relative projection {problem.source.name} → {problem.target.name} over the number of "
        f"anchors, not pruned, and pruned at δ with ω subspaces averaged. {both_said(problem.pair)} Mean ± "
        f"sd over seeds {made.seeds[0]}–{made.seeds[-1]} of split and anchors; cosines after centering on "
        f"the anchors. {swept_said(made.rows, made.chance)}"
    )
    arrays = {"anchors": counts} | {name: made.figures[name] for name in TITLES}
    return Content(caption, arrays, columns, parts)


ANCHOR_SWEEP = Kind(
    words="Translation over the number of anchors",
    page="stitch",
    part="sweep",
    of=stitched,
    tasks=_anchor_sweep_tasks,
    content=_anchor_sweep_content,
)
