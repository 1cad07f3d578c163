"""Trainings in print: errors of decoder swaps, accuracy on either code, similarity to a reference."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from functools import partial

import numpy as np

from relviz.autoencoders import Curves, MseTable
from relviz.compute.task import Task
from relviz.errors import ParameterError
from relviz.figures.kind import Content, Options, of_records
from relviz.figures.kinds.autoencoders import of_images
from relviz.plotting.charts import Chart, ChartRow, Line
from relviz.plotting.colors import CLASSES, stepped
from relviz.plotting.legend import Key, Legend
from relviz.plotting.stack import Part
from relviz.plotting.style import INK
from relviz.results.decoder_tables import (
    MOST_SEEDS,
    RUNS,
    SEEDS,
    Accuracies,
    SimilarityCurves,
    accuracy_sheet,
    accuracy_task,
    curves_task,
    mse_sheet,
    mse_task,
)
from relviz.state.image_sets import image_set
from relviz.state.view import Decoding
from relviz.wording import count

MOST_RUNS = 100
NARROW = 120
"""Millimeters; a narrower figure has half as many charts in a row."""
RANGE = (0.0, 1.02)
JOIN = "#CFCFCF"
COLORS = {"accuracy": CLASSES[0], "similarity": CLASSES[1]}
DASHES = {"accuracy": "-", "similarity": "-."}
ALL = "(a) One point per run and epoch; points of a run are joined. (b) Mean ± sd over the runs."
EACH = "One panel per run, the most accurate first."


@dataclass(frozen=True, eq=False)
class Points:
    """One point per run and epoch, each ``(n,)``: similarity to the reference, and accuracy."""

    run: np.ndarray
    epoch: np.ndarray
    similarity: np.ndarray
    accuracy: np.ndarray

    @property
    def lines(self) -> list[tuple[str, np.ndarray]]:
        """What is drawn over the epochs, by the names of its colors."""
        return list(zip(COLORS, (self.accuracy, self.similarity), strict=True))


def _mse_tasks(chosen: Decoding, options: Options) -> list[Task[MseTable]]:
    return [mse_task(image_set(chosen.data), _whole(options, "seeds", 2, MOST_SEEDS))]


def _mse_content(_: Decoding, __: Options, results: Sequence[MseTable]) -> Content:
    (table,) = results
    sheet = mse_sheet(table)
    return Content(sheet.caption, {}, of_records(table.records()), sheets={"Swapped": sheet})


def _accuracy_tasks(chosen: Decoding, options: Options) -> list[Task[Accuracies]]:
    return [accuracy_task(image_set(chosen.data), _whole(options, "seeds", 1, MOST_SEEDS))]


def _accuracy_content(_: Decoding, __: Options, results: Sequence[Accuracies]) -> Content:
    (made,) = results
    sheet = accuracy_sheet(made)
    columns: dict[str, Sequence[object]] = {
        "codes": [row.codes for row in made.rows],
        "mean": [row.mean for row in made.rows],
        "sd": [row.sd for row in made.rows],
        "parameters": [row.parameters for row in made.rows],
    }
    return Content(sheet.caption, {}, columns, sheets={"Classifiers": sheet})


def _curves_tasks(chosen: Decoding, options: Options) -> list[Task[SimilarityCurves]]:
    return [curves_task(image_set(chosen.data), _whole(options, "runs", 2, MOST_RUNS))]


def _curves_content(chosen: Decoding, options: Options, results: Sequence[SimilarityCurves]) -> Content:
    (made,) = results
    curves = made.curves
    columns = of_records(curves.records())
    points = Points(*(np.asarray(columns[field.name]) for field in fields(Points)))
    parts, shown = (_each_run, EACH) if options["each"] else (_all_runs, ALL)
    unseen = len(image_set(chosen.data).test)
    caption = (
        f"{len(curves.runs)} small classifiers of images of different widths, latent sizes, learning rates "
        f"and seeds, trained on {count(made.rows)} of them: accuracy on {count(unseen)} unseen ones, and "
        "the mean cosine similarity between their relative vectors and those of a well-trained reference "
        f"(accuracy {curves.reference:.3f}). {shown} Spearman's correlation {made.correlation:.2f}."
    )
    correlation = [made.correlation] * len(columns["run"])
    return Content(
        caption, asdict(points), {**columns, "correlation": correlation}, partial(parts, curves, points)
    )


def _all_runs(curves: Curves, points: Points, width: float) -> list[Part]:
    """Accuracy over similarity, the points of a run joined and colored by epoch; mean over the runs."""
    run, epoch, similarity, accuracy = points.run, points.epoch, points.similarity, points.accuracy
    epochs = np.unique(epoch)
    runs = [Line("", similarity[run == at], accuracy[run == at], JOIN) for at in np.unique(run)]
    by_epoch = [
        Line(f"epoch {at + 1}", similarity[epoch == at], accuracy[epoch == at], color, dash="", marker="o")
        for at, color in zip(epochs, stepped(len(epochs)), strict=True)
    ]
    means = [_over_epochs(words, values, epoch, COLORS[words]) for words, values in points.lines]
    every = Chart(
        "Every run, after every epoch",
        [*runs, *by_epoch],
        "similarity to the reference: mean cosine",
        "accuracy",
        range_y=RANGE,
        levels=[(curves.reference, "reference", INK)],
    )
    mean = Chart("Mean over the runs", means, "epoch", range_y=RANGE, ticks=(epochs + 1).tolist())
    return [ChartRow([every, mean], width, 2 if width > NARROW else 1)]


def _each_run(curves: Curves, points: Points, width: float) -> list[Part]:
    """Accuracy and similarity over the epochs, a panel for each run, the best run first."""
    run, epoch, accuracy = points.run, points.epoch, points.accuracy
    best = {at: accuracy[run == at].max() for at in np.unique(run).tolist()}
    charts = []
    for at in sorted(best, key=lambda one: -best[one]):
        options = curves.runs[at].options
        of_run = run == at
        lines = [
            Line("", epoch[of_run] + 1, values[of_run], COLORS[words], dash=DASHES[words])
            for words, values in points.lines
        ]
        title = f"Width {options.width}, {options.latent} latents"
        charts.append(Chart(title, lines, "epoch", range_y=RANGE))
    keys = [Key(words, color, "", DASHES[words]) for words, color in COLORS.items()]
    return [ChartRow(charts, width, 6 if width > NARROW else 3), Legend(width, keys)]


def _over_epochs(words: str, values: np.ndarray, epoch: np.ndarray, color: str) -> Line:
    """Mean and standard deviation of what stands after every epoch."""
    some = [values[epoch == at] for at in np.unique(epoch)]
    mean, sd = (np.array([of(one) for one in some]) for of in (np.mean, np.std))
    return Line(words, np.unique(epoch) + 1, mean, color, sd, marker="o")


def _whole(options: Options, name: str, low: int, high: int) -> int:
    value = int(options[name])
    if not low <= value <= high:
        raise ParameterError(f"The option {name} is {value}; give {low} to {high}.")
    return value


MSE = of_images(
    words="Errors of decoder swaps, as a table",
    part="tables",
    tasks=_mse_tasks,
    content=_mse_content,
    options={"seeds": SEEDS},
)
ACCURACY = of_images(
    words="Classifiers on absolute and on relative codes, as a table",
    part="tables",
    tasks=_accuracy_tasks,
    content=_accuracy_content,
    options={"seeds": SEEDS},
)
SIMILARITY_CURVES = of_images(
    words="Accuracy over similarity to a reference, many small models",
    part="tables",
    tasks=_curves_tasks,
    content=_curves_content,
    options={"runs": RUNS, "each": False},
)
