"""Sweeps in print: translation over δ and ω, and over the number of anchors."""

from collections.abc import Sequence

import numpy as np

from relviz.compute.task import Task
from relviz.errors import ParameterError
from relviz.figures.captions import describe_pair
from relviz.figures.inputs import Stitched, stitched
from relviz.figures.kind import Content, Kind, Options, of_records
from relviz.plotting.charts import Chart, ChartRow, Line
from relviz.plotting.colors import CLASSES
from relviz.plotting.heat import Heat, HeatGrid
from relviz.plotting.stack import Part
from relviz.results.heads import describe_sweep
from relviz.results.sweeps import (
    ANCHOR_SWEEP_DELTAS,
    ANCHOR_SWEEP_OMEGAS,
    DELTAS,
    OMEGAS,
    SWEPT_MAPS,
    anchor_sweep_task,
    sweep_means,
    sweep_task,
)
from relviz.stitching import Sweep
from relviz.wording import plural


def _sweep_tasks(given: Stitched, _: Options) -> list[Task[Sweep]]:
    return [sweep_task(given.problem, given.choices)]


def _both_tasks(given: Stitched, _: Options) -> list[Task[Sweep]]:
    return [sweep_task(given.problem, given.choices, within) for within in (True, False)]


BOTH = {"similarity": "cosine to the target", "mean_condition_number": "condition number, log₁₀"}
"""What is shown within a space and between two; subspaces averaged, as the paper does."""


def _both_content(given: Stitched, _: Options, results: Sequence[Sweep]) -> Content:
    problem, across = given.problem, results[1]
    source, target = problem.source.name, problem.target.name
    ways = {"within": "Within", "between": "Between"}
    means = {
        (way, name): made.figures[name][0].mean(0)
        for way, made in zip(ways, results, strict=True)
        for name in BOTH
    }

    def parts(width: float) -> list[Part]:
        heats = []
        for name, words in BOTH.items():
            shown = {
                way: np.log10(means[way, name]) if name in LOGARITHMIC else means[way, name] for way in ways
            }
            low, high = (float(of([of(cells) for cells in shown.values()])) for of in (np.min, np.max))
            heats += [
                Heat(
                    f"{ways[way]}: {words}",
                    cells,
                    [f"{delta:g}" for delta in DELTAS],
                    [str(omega) for omega in OMEGAS],
                    low,
                    high,
                    1 if name in LOGARITHMIC else 2,
                    "ω",
                )
                for way, cells in shown.items()
            ]
        return [HeatGrid(heats, width, 4 if width > 100 else 2, y="δ")]

    caption = (
        f"Inverse relative projection of {source} into itself (within), and into {target} (between), for "
        f"every δ and ω. {describe_pair(problem.pair)} Means over seeds {across.seeds[0]}–{across.seeds[-1]} "
        f"of split and {across.counts[0]} anchors among the training rows{problem.reading}; cosines after "
        "centering on the anchors; "
        f"the condition number is the mean over subspaces. {plural(across.rows, 'test item')} in each run, "
        "neither anchors nor training rows."
    )
    columns = of_records(
        [
            {
                "way": way,
                "delta": delta,
                "omega": omega,
                **{name: float(means[way, name][d, o]) for name in BOTH},
            }
            for way in ways
            for d, delta in enumerate(DELTAS)
            for o, omega in enumerate(OMEGAS)
        ]
    )
    arrays = {f"{name}_{way}": cells for (way, name), cells in means.items()}
    return Content(caption, arrays, columns, parts)


CORRELATED = {
    "similarity and accuracy": ("similarity", "accuracy"),
    "condition number and number of anchors": ("anchors_kept", "mean_condition_number"),
}
"""What is correlated over δ and ω, along x and along y."""
LOGARITHMIC = ("mean_condition_number",)
AXES = {
    "similarity": "cosine similarity to the target",
    "accuracy": "accuracy",
    "anchors_kept": "anchors kept",
    "mean_condition_number": "condition number",
}


def _correlation_content(given: Stitched, _: Options, results: Sequence[Sweep]) -> Content:
    problem, made = given.problem, results[0]
    if made.chance is None:
        raise ParameterError("Accuracy needs classes, and these items have none. Choose other spaces.")
    cells = {name: made.figures[name][0].mean(0) for name in AXES}
    pearson, in_decades = {}, {}
    for words, (x, y) in CORRELATED.items():
        pearson[words] = float(np.corrcoef(cells[x].flat, cells[y].flat)[0, 1])
        drawn = np.log10(cells[y]) if y in LOGARITHMIC else cells[y]
        in_decades[words] = float(np.corrcoef(cells[x].flat, drawn.flat)[0, 1])

    def parts(width: float) -> list[Part]:
        charts = [
            Chart(
                f"{words.capitalize()}: {pearson[words]:.2f}",
                [
                    Line(f"ω {omega}", cells[x][:, o], cells[y][:, o], color, dash="", marker="o")
                    for o, (omega, color) in enumerate(zip(OMEGAS, CLASSES, strict=False))
                ],
                AXES[x],
                AXES[y],
                log_y=y in LOGARITHMIC,
            )
            for words, (x, y) in CORRELATED.items()
        ]
        return [ChartRow(charts, width, 2 if width > 100 else 1)]

    last = list(CORRELATED)[-1]
    caption = (
        f"Inverse relative projection {problem.source.name} → {problem.target.name}: a point for every δ of "
        f"{DELTAS[0]:g}–{DELTAS[-1]:g} and every ω{problem.reading}, means over seeds {made.seeds[0]}–"
        f"{made.seeds[-1]} of split and {made.counts[0]} anchors. {describe_pair(problem.pair)} Over the "
        f"titles, Pearson's correlation; of the logarithm of the condition number it is "
        f"{in_decades[last]:.2f}. The condition number is the mean over subspaces. "
        f"{describe_sweep(made.rows, made.chance)}"
    )
    records = [
        {"correlated": words, "delta": delta, "omega": omega, "x": x, "y": y}
        | {"at_x": float(cells[x][d, o]), "at_y": float(cells[y][d, o]), "pearson": pearson[words]}
        for words, (x, y) in CORRELATED.items()
        for d, delta in enumerate(DELTAS)
        for o, omega in enumerate(OMEGAS)
    ]
    return Content(caption, cells, of_records(records), parts)


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
        return [HeatGrid(heats, width, 4 if width > 100 else 2, y="δ")]

    frame = f" Framed: δ {choices.delta:g}, ω {choices.omega}." if framed else ""
    caption = (
        f"Inverse relative projection {problem.source.name} → {problem.target.name} for every δ and "
        f"ω{problem.reading}. {describe_pair(problem.pair)} Means over seeds "
        f"{made.seeds[0]}–{made.seeds[-1]} of split and {made.counts[0]} anchors among the training rows; "
        f"cosines after centering on the anchors. {describe_sweep(made.rows, made.chance)}{frame}"
    )
    cells = [(d, o) for d in range(len(DELTAS)) for o in range(len(OMEGAS))]
    columns: dict[str, Sequence[object]] = {
        "delta": [DELTAS[d] for d, _ in cells],
        "omega": [OMEGAS[o] for _, o in cells],
    }
    columns |= {name: [float(values[cell]) for cell in cells] for name, values in means.items()}
    return Content(caption, means, columns, parts)


SWEEP = Kind(
    words="Translation over δ and ω",
    page="stitch",
    part="sweep",
    of=stitched,
    tasks=_sweep_tasks,
    content=_sweep_content,
)
SWEEP_WITHIN = Kind(
    words="Translation over δ and ω, within a space and between two",
    page="stitch",
    part="sweep",
    of=stitched,
    tasks=_both_tasks,
    content=_both_content,
)
SWEEP_CORRELATION = Kind(
    words="Correlations over δ and ω",
    page="stitch",
    part="sweep",
    of=stitched,
    tasks=_sweep_tasks,
    content=_correlation_content,
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
                        CLASSES[place],
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
        return [ChartRow(charts, width, 3 if width > 100 else 1, 0.8)]

    columns: dict[str, Sequence[object]] = {
        "anchors": [int(one) for one in counts for _ in lines],
        "delta": [ANCHOR_SWEEP_DELTAS[d] for _ in counts for d, _, _ in lines],
        "omega": [ANCHOR_SWEEP_OMEGAS[o] for _ in counts for _, o, _ in lines],
    }
    for name in TITLES:
        columns[name] = [float(means[name][at, d, o]) for at in range(len(counts)) for d, o, _ in lines]
    caption = (
        f"Inverse relative projection {problem.source.name} → {problem.target.name} over the number of "
        f"anchors, not pruned, and pruned at δ with ω subspaces averaged{problem.reading}. "
        f"{describe_pair(problem.pair)} Mean ± sd over seeds {made.seeds[0]}–{made.seeds[-1]} of split and "
        f"anchors; cosines after centering on the anchors. {describe_sweep(made.rows, made.chance)}"
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
