"""Stitching in print: the matrix, confusions, and sweeps over δ, ω and the number of anchors."""

from collections.abc import Sequence
from string import ascii_uppercase
from typing import Any

import numpy as np

from relviz.compute.entry import Result
from relviz.compute.task import Task
from relviz.errors import ParameterError
from relviz.figures.captions import both_said
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
    SWEPT,
    WORDS,
    anchor_sweep_task,
    matrix_sheet,
    matrix_task,
    matrix_values,
    sweep_means,
    sweep_task,
)
from relviz.results.translation import sides_of
from relviz.state.sources import open_pair
from relviz.state.view import View

ACROSS = 4


def _matrix_tasks(view: View, _: Options) -> list[Task]:
    return [matrix_task(view, open_pair(view.a, view.b))]


def _matrix_content(_: View, __: Options, results: Sequence[Result]) -> Content:
    made = results[0].meta
    values = matrix_values(made)
    names = made["encoders"]
    letters = list(ascii_uppercase[: len(names)])
    rows = [f"{name} · {letter}" for name, letter in zip(names, letters, strict=True)]

    def parts(width: float) -> list[Part]:
        heats = [Heat(WORDS[method], cells, rows, letters) for method, cells in values.items()]
        return [HeatGrid(heats, width, ACROSS if width > 120 else 2, scale="accuracy")]

    sheet = matrix_sheet(made)
    empty = any(np.isnan(cells).any() for cells in values.values())
    caption = (
        "Rows are encoders, columns heads, in the same order. On the diagonal: each head with its own "
        f"encoder. {sheet.caption}"
    ) + (" Gray: not possible, for example where the dimensions of absolute vectors differ." if empty else "")
    return Content(caption, values, of_records(made["records"]), parts, {"Stitching": sheet})


def _confusion_content(_: View, options: Options, results: Sequence[Result]) -> Content:
    made, all_counts = results[0].meta, results[0].arrays["confusion"]
    names = made["encoders"]
    encoder, head = options["encoder"] or names[0], options["head"] or names[-1]
    wanted = {"encoder": encoder, "head": head, "method": options["method"] if encoder != head else "native"}
    at = [n for n, r in enumerate(made["records"]) if all(r[name] == said for name, said in wanted.items())]
    if not at:
        raise ParameterError(
            f"There is no cell of encoder {encoder[:60]!r}, head {head[:60]!r} and method "
            f"{wanted['method'][:40]!r}; encoders are {', '.join(names)}."
        )
    counts, record, classes = all_counts[at[0]], made["records"][at[0]], made["classes"]
    share = counts / np.maximum(counts.sum(1, keepdims=True), 1)
    numbers = [str(place) for place in range(1, len(classes) + 1)]
    rows = [f"{name} · {number}" for name, number in zip(classes, numbers, strict=True)]

    def parts(width: float) -> list[Part]:
        heat = Heat("", share, rows, numbers, written=counts, x="predicted class")
        return [HeatGrid([heat], width, scale="share of the true class")]

    caption = (
        f"Predictions of the {head} head on items of {encoder} ({WORDS[wanted['method']].lower()}): rows "
        f"are true classes, columns predicted ones in the same order; counts of all {made['runs']} runs. "
        f"Accuracy {record['accuracy']:.3f} (95% interval "
        f"{record['accuracy_low']:.3f}–{record['accuracy_high']:.3f} for {record['rows']} test rows), "
        f"weighted F1 {record['f1']:.3f}. {matrix_sheet(made).caption}"
    )
    columns = {"true": list(classes)} | {name: counts[:, n].tolist() for n, name in enumerate(classes)}
    return Content(caption, {"counts": counts, "share": share}, columns, parts)


def _sweep_tasks(view: View, _: Options) -> list[Task]:
    return [sweep_task(view, open_pair(view.a, view.b))]


def _sweep_content(view: View, _: Options, results: Sequence[Result]) -> Content:
    pair = open_pair(view.a, view.b)
    source, target = sides_of(view, pair)
    means, said = sweep_means(results[0]), results[0].meta
    shown = {name: np.log10(cells) if name == "condition_number" else cells for name, cells in means.items()}
    framed = None
    if view.translate == "irp" and view.delta in DELTAS and view.omega in OMEGAS:
        framed = DELTAS.index(view.delta), OMEGAS.index(view.omega)

    def parts(width: float) -> list[Part]:
        heats = [
            Heat(
                SWEPT[name],
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

    last = said["seed"] + said["runs"] - 1
    frame = f" Framed: δ {view.delta:g}, ω {view.omega}." if framed else ""
    caption = (
        f"Inverse relative projection {source.name} → {target.name} for every δ and ω. {both_said(pair)} "
        f"Means over seeds {said['seed']}–{last} of split and {said['anchors']} anchors among the training "
        f"rows; cosines after centering on the anchors. {swept_said(said['tests'], said['chance'])}{frame}"
    )
    cells = [(d, o) for d in range(len(DELTAS)) for o in range(len(OMEGAS))]
    columns: dict[str, Sequence[Any]] = {
        "delta": [DELTAS[d] for d, _ in cells],
        "omega": [OMEGAS[o] for _, o in cells],
    }
    columns |= {name: [float(values[cell]) for cell in cells] for name, values in means.items()}
    return Content(caption, means, columns, parts)


MATRIX = Kind(
    "Stitching matrices, a map for each method",
    "stitch",
    _matrix_tasks,
    _matrix_content,
    shelf=True,
    part="heads",
)
CONFUSION = Kind(
    words="Confusion matrix",
    page="stitch",
    part="heads",
    tasks=_matrix_tasks,
    content=_confusion_content,
    options={"encoder": "", "head": "", "method": "relative"},
    shelf=True,
)
SWEEP = Kind("Translation over δ and ω", "stitch", _sweep_tasks, _sweep_content, part="sweep")


TITLES = {
    "similarity": "Cosine similarity to the target",
    "accuracy": "Accuracy of the target's head",
    "condition_number": "Condition number",
}


def _tasks(view: View, _: Options) -> list[Task]:
    return [anchor_sweep_task(view, open_pair(view.a, view.b))]


def _content(view: View, _: Options, results: Sequence[Result]) -> Content:
    pair = open_pair(view.a, view.b)
    source, target = sides_of(view, pair)
    made, said = results[0].arrays, results[0].meta
    counts = np.asarray(said["counts"], np.float64)
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
                        made[name].mean(1)[:, d, o],
                        OKABE_ITO[place],
                        None if name == "condition_number" else made[name].std(1, ddof=1)[:, d, o],
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

    columns: dict[str, Sequence[Any]] = {
        "anchors": [int(one) for one in counts for _ in lines],
        "delta": [ANCHOR_SWEEP_DELTAS[d] for _ in counts for d, _, _ in lines],
        "omega": [ANCHOR_SWEEP_OMEGAS[o] for _ in counts for _, o, _ in lines],
    }
    for name in TITLES:
        mean = made[name].mean(1)
        columns[name] = [float(mean[at, d, o]) for at in range(len(counts)) for d, o, _ in lines]
    last = said["seed"] + said["runs"] - 1
    caption = (
        f"Inverse relative projection {source.name} → {target.name} over the number of anchors, not pruned, "
        f"and pruned at δ with ω subspaces averaged. {both_said(pair)} Mean ± sd over seeds "
        f"{said['seed']}–{last} of split and anchors; cosines after centering on the anchors. "
        f"{swept_said(said['tests'], said['chance'])}"
    )
    arrays = {"anchors": counts} | {name: np.asarray(made[name]) for name in TITLES}
    return Content(caption, arrays, columns, parts)


ANCHOR_SWEEP = Kind("Translation over the number of anchors", "stitch", _tasks, _content, part="sweep")
