"""Scale in print: lengths of vectors, heads on other lengths, and layers of a transformer."""

from collections.abc import Mapping, Sequence

import numpy as np

from relviz.compute.task import Task
from relviz.errors import ParameterError
from relviz.figures.inputs import Stitched, stitched
from relviz.figures.kind import Content, Kind, Options
from relviz.plotting.charts import Chart, ChartRow, Line
from relviz.plotting.colors import CLASSES
from relviz.plotting.heat import Heat, HeatGrid
from relviz.plotting.stack import Part
from relviz.results.heads import describe_splits
from relviz.results.rescaling import layers_task, lengths_of, rescale_task
from relviz.stitching import LayerScale, Lengths, Rescaled

ACTIVATIONS = {"relu": "ReLU", "tanh": "tanh", "cosine": "cosine"}


def _scale_tasks(given: Stitched, options: Options) -> list[Task[Rescaled]]:
    return [rescale_task(given.problem, papers) for papers in _ways(options)]


def _ways(options: Options) -> list[bool]:
    """Whether it is done as the paper does: ours alone, or both."""
    return [False, True] if options["as_in_the_paper"] else [False]


def _describe_norms(found: Mapping[str, Lengths]) -> str:
    return "; ".join(
        f"{name} mean {one.mean:.3g}, sd {one.sd:.3g}, skew {one.skew:+.2f}" for name, one in found.items()
    )


def _length_lines(found: Mapping[str, Lengths]) -> list[Line]:
    """Densities over norms in units of their mean."""
    return [
        Line(
            name,
            (np.asarray(one.edges[:-1]) + np.asarray(one.edges[1:])) / 2 / one.mean,
            np.asarray(one.density) * one.mean,
            color,
            filled=True,
        )
        for (name, one), color in zip(found.items(), CLASSES, strict=False)
    ]


def _scale_content(given: Stitched, options: Options, results: Sequence[Rescaled]) -> Content:
    problem, made = given.problem, results[0]
    alphas = np.asarray(made.alphas, np.float64)
    arrays: dict[str, np.ndarray] = {"alphas": alphas}
    charts: list[Chart] = []
    found = [lengths_of(problem.pair, center=not papers) for papers in _ways(options)]
    for papers, one, lengths in zip(_ways(options), results, found, strict=True):
        lines, heads = _length_lines(lengths), []
        mark = "_paper" if papers else ""
        for side, line in zip("ab", lines, strict=False):
            arrays |= {f"length_{side}{mark}": line.x, f"density_{side}{mark}": line.y}
        for name, runs, color in zip(one.activations, one.accuracy, CLASSES, strict=False):
            mean, sd = runs.mean(0), np.std(runs, 0, ddof=1)
            arrays |= {f"accuracy_{name}{mark}": mean, f"accuracy_{name}_sd{mark}": sd}
            heads.append(Line(ACTIVATIONS[name], alphas, mean, color, sd, marker="o"))
        charts += [
            Chart(
                "Vector norms, not centered" if papers else "Vector norms",
                lines,
                "norm, relative to the mean",
                "density",
            ),
            Chart(
                "Heads on vectors of another norm" if papers else "Heads on rescaled vectors",
                heads,
                "α, norm of the test vectors" if papers else "α, scale of the test vectors",
                "accuracy",
                log_x=True,
                range_y=(0, 1.02),
                ticks=alphas.tolist(),
                marks=(1.0,),
            ),
        ]

    def parts(width: float) -> list[Part]:
        return [ChartRow(charts, width, 2 if width > 100 else 1)]

    paper = ""
    if len(results) > 1:
        paper = (
            f" (c) The same norms without centering: {_describe_norms(found[1])}. (d) As in the paper: heads "
            "trained on unscaled vectors; of the test vectors the norm alone is set, to α times the "
            "mean."
        )
    caption = (
        f"(a) Vector norms after centering: {_describe_norms(found[0])}. (b) Heads with two hidden layers on "
        f"{problem.source.name} ({len(problem.pair)} items), trained on vectors of norm √d, tested on "
        f"vectors scaled by α; mean ± sd over seeds 0–{made.seeds[-1]}.{paper} "
        f"{describe_splits(made.rows, made.chance)}"
    )
    columns = {name: values.tolist() for name, values in arrays.items() if len(values) == len(alphas)}
    return Content(caption, arrays, columns, parts)


def _layer_tasks(given: Stitched, options: Options) -> list[Task[LayerScale]]:
    found = [layers_task(given.problem, papers) for papers in _ways(options)]
    tasks = [task for task in found if task is not None]
    if not tasks:
        raise ParameterError(
            "The source has no layers to inspect here. Use glosses.minilm, or your own texts encoded by "
            "MiniLM."
        )
    return tasks


def _layer_content(given: Stitched, _: Options, results: Sequence[LayerScale]) -> Content:
    made = results[0]
    titles = ("Times α", "Unit norm, then times α") if len(results) > 1 else ("",)

    def parts(width: float) -> list[Part]:
        heats = [
            Heat(
                title,
                one.accuracy,
                [str(layer) for layer in one.layers],
                [f"{alpha:g}" for alpha in one.alphas],
                x="α",
            )
            for title, one in zip(titles, results, strict=True)
        ]
        return [HeatGrid(heats, width, scale="accuracy", y="after layer")]

    paper = " On the right, as in the paper, every token's state has unit norm before." if titles[1:] else ""
    caption = (
        f"Hidden states of {given.problem.source.name} after a layer are multiplied by α, and the later "
        f"layers run on them.{paper} The head was trained without α, where its accuracy is "
        f"{made.unscaled:.3f}. Layer 0 is the output of the embeddings. "
        f"{describe_splits(made.rows, made.chance)}"
    )
    columns: dict[str, Sequence[object]] = {"layer": list(made.layers)}
    arrays: dict[str, np.ndarray] = {}
    for mark, one in zip(("", ", unit norm first"), results, strict=False):
        arrays["accuracy_unit_norm_first" if mark else "accuracy"] = one.accuracy
        columns |= {
            f"alpha {alpha:g}{mark}": one.accuracy[:, at].tolist() for at, alpha in enumerate(one.alphas)
        }
    return Content(caption, arrays, columns, parts)


SCALE = Kind(
    words="Vector norms and sensitivity to scale",
    page="stitch",
    part="scale",
    of=stitched,
    tasks=_scale_tasks,
    content=_scale_content,
    options={"as_in_the_paper": False},
)
LAYERS = Kind(
    words="Layers of a transformer, rescaled",
    page="stitch",
    part="scale",
    of=stitched,
    tasks=_layer_tasks,
    content=_layer_content,
    options={"as_in_the_paper": False},
)
