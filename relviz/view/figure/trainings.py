"""Trainings in print: errors of swapped decoders, accuracy on either code, likeness to a reference."""

from collections.abc import Sequence

import numpy as np

from relviz.compute.entry import Result
from relviz.compute.task import Task
from relviz.errors import ParameterError
from relviz.figures.charts import Chart, ChartRow, Line
from relviz.figures.colours import OKABE_ITO
from relviz.figures.stack import Part
from relviz.view.choices import View
from relviz.view.decode_tables import (
    MOST_SEEDS,
    RUNS,
    SEEDS,
    accuracy_sheet,
    accuracy_task,
    curves_task,
    mse_sheet,
    mse_task,
)
from relviz.view.figure.content import Content, Kind, Options, of_records
from relviz.view.figure.decoding import DIGITS
from relviz.view.image_sets import image_set
from relviz.wording import count

MOST_RUNS = 100


def _mse_tasks(view: View, options: Options) -> list[Task]:
    return [mse_task(image_set(view.de.data), _whole(options, "seeds", 2, MOST_SEEDS))]


def _mse_content(_: View, __: Options, results: Sequence[Result]) -> Content:
    made = dict(results[0].meta)
    sheet = mse_sheet(made)
    return Content(sheet.caption, {}, of_records(made["records"]), sheets={"Swapped": sheet})


def _accuracy_tasks(view: View, options: Options) -> list[Task]:
    return [accuracy_task(image_set(view.de.data), _whole(options, "seeds", 1, MOST_SEEDS))]


def _accuracy_content(_: View, __: Options, results: Sequence[Result]) -> Content:
    made = dict(results[0].meta)
    sheet = accuracy_sheet(made)
    return Content(sheet.caption, {}, of_records(made["records"]), sheets={"Classifiers": sheet})


def _likeness_tasks(view: View, options: Options) -> list[Task]:
    return [curves_task(image_set(view.de.data), _whole(options, "runs", 2, MOST_RUNS))]


def _likeness_content(view: View, _: Options, results: Sequence[Result]) -> Content:
    made = results[0].meta
    columns = of_records(made["records"])
    epoch, likeness, accuracy = (np.asarray(columns[name]) for name in ("epoch", "similarity", "accuracy"))
    epochs = np.unique(epoch)

    def parts(width: float) -> list[Part]:
        points = [
            Line(f"epoch {at + 1}", likeness[epoch == at], accuracy[epoch == at], colour, dash="", marker="o")
            for at, colour in zip(epochs, OKABE_ITO, strict=False)
        ]
        shown = ("accuracy", accuracy, OKABE_ITO[0]), ("likeness", likeness, OKABE_ITO[1])
        means = [_over_epochs(words, values, epoch, colour) for words, values, colour in shown]
        every = Chart(
            "Every run, after every epoch",
            points,
            "likeness to the reference: mean cosine",
            "accuracy",
            range_y=(0, 1.02),
            levels=[(made["reference"], "the reference", "#222222")],
        )
        mean = Chart("Mean over the runs", means, "epoch", range_y=(0, 1.02), ticks=(epochs + 1).tolist())
        return [ChartRow([every, mean], width, 2 if width > 120 else 1)]

    unseen = len(image_set(view.de.data).test)
    caption = (
        f"{made['runs']} small classifiers of images of different widths, latent sizes, learning rates and "
        f"seeds, trained on {count(made['rows'])} of them: accuracy on {count(unseen)} unseen ones over the "
        "mean cosine between their relative vectors and those of a well trained reference. (a) A point for "
        f"every run and epoch; Spearman's correlation {made['correlation']:.2f}. (b) Mean ± sd over the runs."
    )
    arrays = {"epoch": epoch, "similarity": likeness, "accuracy": accuracy}
    return Content(caption, arrays, {**columns, "correlation": [made["correlation"]] * len(epoch)}, parts)


def _over_epochs(words: str, values: np.ndarray, epoch: np.ndarray, colour: str) -> Line:
    """Mean and standard deviation of what stands after every epoch."""
    some = [values[epoch == at] for at in np.unique(epoch)]
    mean, sd = (np.array([of(one) for one in some]) for of in (np.mean, np.std))
    return Line(words, np.unique(epoch) + 1, mean, colour, sd, marker="o")


def _whole(options: Options, name: str, low: int, high: int) -> int:
    value = int(options[name])
    if not low <= value <= high:
        raise ParameterError(f"The option {name} is {value}; give {low} to {high}.")
    return value


MSE = Kind(
    words="Errors of swapped decoders, as a table",
    page="decode",
    part="tables",
    tasks=_mse_tasks,
    content=_mse_content,
    options={"seeds": SEEDS},
    sources=DIGITS,
)
ACCURACY = Kind(
    words="Classifiers on absolute and on relative codes, as a table",
    page="decode",
    part="tables",
    tasks=_accuracy_tasks,
    content=_accuracy_content,
    options={"seeds": SEEDS},
    sources=DIGITS,
)
LIKENESS = Kind(
    words="Accuracy over likeness to a reference, many small trainings",
    page="decode",
    part="tables",
    tasks=_likeness_tasks,
    content=_likeness_content,
    options={"runs": RUNS},
    sources=DIGITS,
)
