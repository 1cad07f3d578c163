"""Translation over the number of anchors in print: pruned and not, with one subspace and with several."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from relviz.compute.entry import Result
from relviz.compute.task import Task
from relviz.figures.charts import Chart, ChartRow, Line
from relviz.figures.colours import OKABE_ITO
from relviz.figures.stack import Part
from relviz.view.anchor_sweep import DELTAS, OMEGAS, anchor_sweep_task
from relviz.view.choices import View
from relviz.view.figure.content import Content, Kind, Options
from relviz.view.figure.words import both_said
from relviz.view.sources import open_pair
from relviz.view.tested import swept_said
from relviz.view.translation import sides_of

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
        for d, delta in enumerate(DELTAS)
        for o, omega in enumerate(OMEGAS)
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
        "delta": [DELTAS[d] for _ in counts for d, _, _ in lines],
        "omega": [OMEGAS[o] for _ in counts for _, o, _ in lines],
    }
    for name in TITLES:
        mean = made[name].mean(1)
        columns[name] = [float(mean[at, d, o]) for at in range(len(counts)) for d, o, _ in lines]
    last = said["seed"] + said["runs"] - 1
    caption = (
        f"Inverse relative projection {source.name} → {target.name} over the number of anchors, not pruned, "
        f"and pruned at δ with ω subspaces averaged. {both_said(pair)} Mean ± sd over draws "
        f"{said['seed']}–{last} of split and anchors; cosines after centering on the anchors. "
        f"{swept_said(said['tests'], said['chance'])}"
    )
    arrays = {"anchors": counts} | {name: np.asarray(made[name]) for name in TITLES}
    return Content(caption, arrays, columns, parts)


KIND = Kind("Translation over the number of anchors", "stitch", _tasks, _content, part="sweep")
