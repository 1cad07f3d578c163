"""Trainings in print: errors of swapped decoders, accuracy on either code, likeness to a reference."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from relviz.compute.entry import Result
from relviz.compute.task import Task
from relviz.errors import ParameterError
from relviz.figures.charts import Chart, ChartRow, Line
from relviz.figures.colours import OKABE_ITO
from relviz.figures.stack import Part
from relviz.view.choices import View
from relviz.view.figure.content import Content, Kind, Options, of_records
from relviz.view.sheet import Sheet
from relviz.view.trainings import LATENT, accuracy_task, likeness_task, mse_task
from relviz.wording import count

DIGITS = ("digits.pixels",)
PATHS = {"own": "its own decoder", "stitched": "another's", "irp": "another's, by IRP"}
KINDS = {"ae": "autoencoder", "vae": "variational autoencoder"}
MOST_SEEDS, MOST_RUNS = 10, 100
IMAGES = 2000


def _mse_tasks(_: View, options: Options) -> list[Task]:
    return [mse_task(_whole(options, "seeds", 2, MOST_SEEDS))]


def _mse_content(_: View, __: Options, results: Sequence[Result]) -> Content:
    made = results[0].meta
    cells = {(one["kind"], one["codes"], one["path"]): one for one in made["records"]}
    rows = [
        (
            f"{words}, {codes} codes",
            *(_spread(cells.get((kind, codes, path))) for path in PATHS),
            *(_times(cells.get((kind, codes, path))) for path in ("stitched", "irp")),
        )
        for kind, words in KINDS.items()
        for codes in ("absolute", "relative")
    ]
    head = ("mean squared error × 100", *PATHS.values(), "times, another's", "times, by IRP")
    latents = ", ".join(f"{latent} latent dimensions of the {KINDS[kind]}" for kind, latent in LATENT.items())
    caption = (
        f"Unseen digits ({count(made['n'])}) encoded by one training and decoded by itself or by another "
        f"that differs in its seed alone; mean ± sd over {made['seeds']} seeds, each decoder with the "
        f"encoders of all others. {latents.capitalize()}; as many anchors. Times: error over that of the own "
        "decoder."
    )
    return Content(
        caption, {}, of_records(made["records"]), sheets={"Swapped": Sheet(head, tuple(rows), caption)}
    )


def _accuracy_tasks(_: View, options: Options) -> list[Task]:
    return [accuracy_task(_whole(options, "seeds", 2, MOST_SEEDS))]


def _accuracy_content(_: View, __: Options, results: Sequence[Result]) -> Content:
    made = results[0].meta
    rows = [
        (
            f"{one['codes']} codes",
            f"{one['accuracy']:.4f} ± {one['accuracy_sd']:.4f}",
            count(one["parameters"]),
        )
        for one in made["records"]
    ]
    caption = (
        f"Classifiers of digits trained end to end on either code, with as many anchors as latents, so that "
        f"both have the same parameters; accuracy on {count(made['n'])} unseen digits, mean ± sd over "
        f"{made['seeds']} seeds."
    )
    sheet = Sheet(("trained on", "accuracy", "parameters"), tuple(rows), caption)
    return Content(caption, {}, of_records(made["records"]), sheets={"Classifiers": sheet})


def _likeness_tasks(_: View, options: Options) -> list[Task]:
    return [likeness_task(_whole(options, "runs", 2, MOST_RUNS), IMAGES)]


def _likeness_content(_: View, options: Options, results: Sequence[Result]) -> Content:
    made = results[0].meta
    columns = of_records(made["records"])
    epoch, likeness, accuracy = (np.asarray(columns[name]) for name in ("epoch", "similarity", "accuracy"))
    epochs = np.unique(epoch)

    def parts(width: float) -> list[Part]:
        points = [
            Line(
                f"epoch {one + 1}",
                likeness[epoch == one],
                accuracy[epoch == one],
                colour,
                dash="",
                marker="o",
            )
            for one, colour in zip(epochs, OKABE_ITO, strict=False)
        ]
        means = [
            Line(
                words,
                epochs + 1,
                np.array([values[epoch == one].mean() for one in epochs]),
                colour,
                np.array([values[epoch == one].std() for one in epochs]),
                marker="o",
            )
            for words, values, colour in (
                ("accuracy", accuracy, OKABE_ITO[0]),
                ("likeness", likeness, OKABE_ITO[1]),
            )
        ]
        charts = [
            Chart(
                "Every run, after every epoch",
                points,
                "likeness to the reference: mean cosine",
                "accuracy",
                range_y=(0, 1.02),
                levels=[(made["reference"], "the reference", "#222222")],
            ),
            Chart("Mean over the runs", means, "epoch", range_y=(0, 1.02), ticks=(epochs + 1).tolist()),
        ]
        return [ChartRow(charts, width, 2 if width > 120 else 1)]

    caption = (
        f"{options['runs']} small classifiers of digits of different widths, latent sizes, learning rates "
        f"and seeds, trained on {count(IMAGES)} digits: accuracy on {count(made['n'])} unseen ones over the "
        f"mean cosine between their relative vectors and those of a well trained reference. (a) A point for "
        f"every run and epoch; Spearman's correlation {made['correlation']:.2f}. (b) Mean ± sd over the runs."
    )
    arrays = {"epoch": epoch, "similarity": likeness, "accuracy": accuracy}
    said: dict[str, Sequence[Any]] = {**columns, "correlation": [made["correlation"]] * len(epoch)}
    return Content(caption, arrays, said, parts)


def _whole(options: Options, name: str, low: int, high: int) -> int:
    value = int(options[name])
    if not low <= value <= high:
        raise ParameterError(f"The option {name} is {value}; give {low} to {high}.")
    return value


def _spread(record: dict[str, Any] | None) -> str:
    return "–" if record is None else f"{100 * record['mse']:.2f} ± {100 * record['mse_sd']:.2f}"


def _times(record: dict[str, Any] | None) -> str:
    return "–" if record is None else f"{record['times']:.1f} ×"


MSE = Kind(
    words="Errors of swapped decoders, as a table",
    page="decode",
    part="swap",
    tasks=_mse_tasks,
    content=_mse_content,
    options={"seeds": 5},
    sources=DIGITS,
)
ACCURACY = Kind(
    words="Classifiers on absolute and on relative codes, as a table",
    page="decode",
    tasks=_accuracy_tasks,
    content=_accuracy_content,
    options={"seeds": 5},
    sources=DIGITS,
)
LIKENESS = Kind(
    words="Accuracy over likeness to a reference, many small trainings",
    page="decode",
    tasks=_likeness_tasks,
    content=_likeness_content,
    options={"runs": 30},
    sources=DIGITS,
)
