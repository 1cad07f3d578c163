"""Scale in print: lengths of vectors, heads on other lengths, and layers of a transformer."""

from collections.abc import Sequence

import numpy as np

from relviz.compute.task import Task
from relviz.errors import ParameterError
from relviz.figures.inputs import Stitched, stitched
from relviz.figures.kind import Content, Kind, Options
from relviz.plotting.charts import Chart, ChartRow, Line
from relviz.plotting.colors import OKABE_ITO
from relviz.plotting.heat import Heat, HeatGrid
from relviz.plotting.stack import Part
from relviz.results.heads import tests_said
from relviz.results.rescaling import layers_task, lengths_of, rescale_task
from relviz.stitching import LayerScale, Rescaled

ACTIVATIONS = {"relu": "ReLU", "tanh": "tanh", "cosine": "cosine"}


def _scale_tasks(given: Stitched, _: Options) -> list[Task[Rescaled]]:
    return [rescale_task(given.problem)]


def _scale_content(given: Stitched, _: Options, results: Sequence[Rescaled]) -> Content:
    problem, made = given.problem, results[0]
    found = lengths_of(problem.pair)
    alphas = np.asarray(made.alphas, np.float64)
    arrays: dict[str, np.ndarray] = {"alphas": alphas}
    lengths, heads = [], []
    for place, ((name, one), color) in enumerate(zip(found.items(), OKABE_ITO, strict=False)):
        edges = np.asarray(one.edges) / one.mean
        middles, density = (edges[:-1] + edges[1:]) / 2, np.asarray(one.density) * one.mean
        arrays |= {f"length_{'ab'[place]}": middles, f"density_{'ab'[place]}": density}
        lengths.append(Line(name, middles, density, color, filled=True))
    for name, runs, color in zip(made.activations, made.accuracy, OKABE_ITO, strict=False):
        mean, sd = runs.mean(0), np.std(runs, 0, ddof=1)
        arrays |= {f"accuracy_{name}": mean, f"accuracy_{name}_sd": sd}
        heads.append(Line(ACTIVATIONS[name], alphas, mean, color, sd, marker="o"))

    def parts(width: float) -> list[Part]:
        charts = [
            Chart("Vector norms", lengths, "norm, relative to the mean", "density"),
            Chart(
                "Heads on rescaled vectors",
                heads,
                "α, scale of the test vectors",
                "accuracy",
                log_x=True,
                range_y=(0, 1.02),
                ticks=alphas.tolist(),
                marks=(1.0,),
            ),
        ]
        return [ChartRow(charts, width, 2 if width > 120 else 1)]

    about = "; ".join(
        f"{name} mean {one.mean:.3g}, sd {one.sd:.3g}, skew {one.skew:+.2f}" for name, one in found.items()
    )
    caption = (
        f"(a) Vector norms after centering: {about}. (b) Heads with two hidden layers on "
        f"{problem.source.name} ({len(problem.pair)} items), trained on vectors of norm √d, tested on "
        f"vectors scaled by α; mean ± sd over seeds 0–{made.seeds[-1]}. "
        f"{tests_said(made.rows, made.chance)}"
    )
    columns = {name: values.tolist() for name, values in arrays.items() if len(values) == len(alphas)}
    return Content(caption, arrays, columns, parts)


def _layer_tasks(given: Stitched, _: Options) -> list[Task[LayerScale]]:
    task = layers_task(given.problem)
    if task is None:
        raise ParameterError(
            "The source has no layers to inspect here. Use glosses.minilm, or your own texts encoded by "
            "MiniLM."
        )
    return [task]


def _layer_content(given: Stitched, _: Options, results: Sequence[LayerScale]) -> Content:
    made = results[0]
    cells, alphas, layers = made.accuracy, made.alphas, made.layers

    def parts(width: float) -> list[Part]:
        heat = Heat("", cells, [str(one) for one in layers], [f"{one:g}" for one in alphas], x="α")
        return [HeatGrid([heat], width, scale="accuracy", y="after layer")]

    caption = (
        f"Hidden states of {given.problem.source.name} after a layer are multiplied by α, and the later "
        f"layers run on them. The head was trained without α, where its accuracy is {made.unscaled:.3f}. "
        f"Layer 0 is the output of the embeddings. {tests_said(made.rows, made.chance)}"
    )
    columns: dict[str, Sequence[object]] = {"layer": list(layers)}
    columns |= {f"alpha {alpha:g}": cells[:, at].tolist() for at, alpha in enumerate(alphas)}
    return Content(caption, {"accuracy": cells}, columns, parts)


SCALE = Kind(
    words="Vector norms and sensitivity to scale",
    page="stitch",
    part="scale",
    of=stitched,
    tasks=_scale_tasks,
    content=_scale_content,
)
LAYERS = Kind(
    words="Layers of a transformer, rescaled",
    page="stitch",
    part="scale",
    of=stitched,
    tasks=_layer_tasks,
    content=_layer_content,
)
