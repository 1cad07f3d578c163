"""Length of a view's vectors, and what heads make of another one: a result and a task."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from relviz.compute.jobs import Ticket
from relviz.compute.key import result_key, text_digest
from relviz.compute.task import Made, Task
from relviz.encoders import SentenceLayers, installed_encoders, load_encoder
from relviz.pair import Pair
from relviz.results.heads import source_labels
from relviz.results.translation import sides_of
from relviz.state.sources import is_own, open_pair, origin_of
from relviz.state.view import View
from relviz.stitching import (
    ACTIVATIONS,
    LayerStep,
    Lengths,
    layer_rescale,
    lengths,
    rescale_injection,
)

ALPHAS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0)
RUNS = 5
LAYER_ALPHAS = (0.01, 0.1, 0.3, 1.0, 3.0, 10.0, 100.0)
TRANSFORMER = "minilm"
GLOSSES = "glosses.minilm"
"""Of the demos' spaces, the one whose texts are here."""
_ENCODING = 0.15
"""Share of the work that is done before the first layer is tried."""


def lengths_of(view: View) -> dict[str, Lengths]:
    """How long the vectors of both spaces are, by their names."""
    return _lengths(open_pair(view.a, view.b))


@lru_cache(maxsize=8)
def _lengths(pair: Pair) -> dict[str, Lengths]:
    names = (pair.a.name, pair.b.name)
    if names[0] == names[1]:
        names = f"A · {names[0]}", f"B · {names[1]}"
    return lengths({names[0]: pair.a.vectors, names[1]: pair.b.vectors})


def layers_task(view: View, pair: Pair) -> Task | None:
    """The task that multiplies the hidden states of the source's own transformer, on the texts it encoded.

    None where the source was not made by one that is installed, or its texts are not here.

    Raises
    ------
    ParameterError
        If the items have no classes, or they do not suffice for a head.
    """
    source = view.b if view.back else view.a
    texts = _texts(source, (pair.b if view.back else pair.a).items or ())
    if not texts or TRANSFORMER not in installed_encoders():
        return None
    labels = source_labels(view, pair)

    def compute(ticket: Ticket) -> Made:
        ticket.report(0.0, "loading the transformer")
        transformer = SentenceLayers(load_encoder(TRANSFORMER).network)

        def on_progress(fraction: float) -> None:
            ticket.report(_ENCODING * fraction, "encoding the training rows")

        def on_step(step: LayerStep) -> None:
            done = _ENCODING + (1 - _ENCODING) * step.index / step.of
            ticket.report(done, f"layer {step.layer}, α {step.alpha:g}")
            ticket.rest()

        found = layer_rescale(
            transformer, texts, labels, LAYER_ALPHAS, on_step=on_step, on_progress=on_progress
        )
        said = {"layers": list(found.layers), "alphas": list(found.alphas), "unscaled": found.unscaled}
        return {"accuracy": found.accuracy}, said | {"tests": found.rows, "chance": found.chance}

    digests = [text_digest(texts), text_digest(list(map(str, labels)))]
    return Task(result_key("layers", digests, {"alphas": LAYER_ALPHAS}, 0), "Rescaling every layer", compute)


def _texts(source: str, items: Sequence[str]) -> list[str]:
    """What the transformer encoded of each item; nothing where it encoded none of them."""
    if source == GLOSSES:
        return [item.partition(": ")[2] for item in items]
    origin = origin_of(source)
    whole = is_own(source) and origin.encoder == TRANSFORMER and origin.layer is None
    return list(items) if whole else []


def rescale_task(view: View, pair: Pair) -> Task:
    """The task that trains heads on the source and tests them on vectors of other lengths.

    Raises
    ------
    ParameterError
        If the items have no classes, or they do not suffice for heads.
    """
    source, _ = sides_of(view, pair)
    labels = source_labels(view, pair)

    def compute(ticket: Ticket) -> Made:
        def on_step(index: int, of: int) -> None:
            ticket.report((index + 1) / of, f"head {index + 1} of {of}")
            ticket.rest()

        found = rescale_injection(
            source.vectors, labels, ALPHAS, tuple(ACTIVATIONS), range(RUNS), on_step=on_step
        )
        lines = [
            {"activation": name, "mean": rows.mean(0).tolist(), "sd": np.std(rows, 0, ddof=1).tolist()}
            for name, rows in zip(found.activations, found.accuracy, strict=True)
        ]
        said = {"tests": found.rows, "chance": found.chance}
        return {}, {"lines": lines, "alphas": list(found.alphas), "runs": RUNS, **said}

    digests = [source.digest, text_digest(list(map(str, labels)))]
    key = result_key("rescale", digests, {"alphas": ALPHAS, "runs": RUNS}, 0)
    return Task(key, "Training heads and rescaling", compute)
