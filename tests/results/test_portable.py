"""Every heavy result goes to a worker: what arrives there has the key of what was sent."""

import io
from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest

from relviz.autoencoders import Options
from relviz.compute.task import Call, Task
from relviz.compute.wire import Wire
from relviz.items import Pictures, Texts, items_of_demo
from relviz.results.all_pairs import all_pairs_task
from relviz.results.autoencoders import autoencoder_task
from relviz.results.bootstrap import bootstrap_task
from relviz.results.comparison import comparison_of
from relviz.results.decoder_tables import accuracy_task, curves_task, mse_task
from relviz.results.encoding import Chosen, encoding_task
from relviz.results.head_curve import head_curve_task
from relviz.results.maps import maps
from relviz.results.rescaling import rescale_task
from relviz.results.retrieval_table import Trials, table_task
from relviz.results.several import several_task
from relviz.results.stitching import matrix_task
from relviz.results.stories.prepare import prepare
from relviz.results.sweeps import sweep_task
from relviz.results.unpaired import unpaired_task
from relviz.state import View
from relviz.state.image_sets import DIGITS, image_set
from relviz.state.sources import open_pair
from relviz.state.view import Run
from tests.results.translated import problem_of
from tests.ui.made import small_pair

Heavy = Callable[[], Task[Any]]


def view(**changes: object) -> View:
    return View(**small_pair(), count=20).with_changes(**changes)


def pair(chosen: View) -> Any:
    return open_pair(chosen.a, chosen.b)


def images() -> Pictures:
    found = items_of_demo("emoji")["pictures"]
    assert isinstance(found, Pictures)
    return found


def mapped(row: str) -> Task[Any]:
    chosen = view(projection="umap", quantum=0.1)
    return maps(comparison_of(chosen, pair(chosen)), chosen.map_choices, row)


def translated() -> Any:
    return problem_of(view(), pair(view()))


HEAVY: dict[str, Heavy] = {
    "bootstrap": lambda: bootstrap_task(Run(anchors=12, seeds=6), pair(view())),
    "absolute map": lambda: mapped("absolute"),
    "relative map": lambda: mapped("relative"),
    "several": lambda: several_task([pair(view()).a, pair(view()).b], 5, 0),
    "all pairs": lambda: all_pairs_task((view().a, view().b), 10, 0),
    "without pairs": lambda: unpaired_task(view().a, view().b, ((0, 0), (1, 1))),
    "table": lambda: table_task(Trials(anchors=12, seed_counts=(8,), draws=1), pair(view())),
    "matrix": lambda: matrix_task(pair(view()), view().stitching_choices, {}),
    "sweep": lambda: sweep_task(translated(), view().stitching_choices),
    "head curve": lambda: head_curve_task(pair(view()), view().stitching_choices),
    "rescaling": lambda: rescale_task(translated()),
    "texts": lambda: encoding_task(Texts(["a", "b", "c"], labels=["x", "y", "x"]), Chosen("wordllama")),
    "images": lambda: encoding_task(images(), Chosen("efficientnet_lite0")),
    "training": lambda: autoencoder_task(Options(), image_set(DIGITS)),
    "swap": lambda: mse_task(image_set(DIGITS), 2),
    "classifiers": lambda: accuracy_task(image_set(DIGITS), 2),
    "small models": lambda: curves_task(image_set(DIGITS)),
    "learn": lambda: prepare((mapped("relative"),), begun=0),
}


@pytest.mark.parametrize("name", HEAVY)
def test_what_arrives_at_a_worker_is_what_was_sent(name: str) -> None:
    task = HEAVY[name]()
    assert task.heavy
    file = io.BytesIO()
    Wire(file, file).send(task.compute)
    file.seek(0)
    call = Wire(file, file).receive()
    assert isinstance(call, Call)
    again = getattr(import_module(call.module), call.name)(*call.arguments, **call.options)
    assert again.key == task.key


def test_what_is_quick_stays_in_the_server() -> None:
    chosen = view(projection="pca")
    assert not maps(comparison_of(chosen, pair(chosen)), chosen.map_choices, "relative").heavy
