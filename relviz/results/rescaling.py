"""Vector norms of a pair, and what heads and transformers make of vectors of other lengths."""

from collections.abc import Sequence
from functools import lru_cache

from relviz.compute.job import Ticket
from relviz.compute.task import Task, task
from relviz.encoders import SentenceLayers, installed_encoders, load_encoder
from relviz.pair import Pair
from relviz.results.heads import class_names, labels_of
from relviz.results.translation import TranslationProblem
from relviz.space import Space
from relviz.state.sources import is_own, origin_of
from relviz.stitching import (
    ACTIVATIONS,
    LayerScale,
    LayerStep,
    Lengths,
    Rescaled,
    layer_rescale,
    lengths,
    rescale_injection,
)
from relviz.stitching.labels import Labels

ALPHAS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0)
RUNS = 5
LAYER_ALPHAS = (0.01, 0.1, 0.3, 1.0, 3.0, 10.0, 100.0)
TRANSFORMER = "minilm"
GLOSSES = "glosses.minilm"
"""Of the demos' spaces, the one whose texts are here."""
_ENCODING = 0.15
"""Share of the work that is done before the first layer is tried."""


@lru_cache(maxsize=8)
def lengths_of(pair: Pair, center: bool = True) -> dict[str, Lengths]:
    """How long the vectors of both spaces are, by their names; not ``center``, as the encoders give them."""
    names = (pair.a.name, pair.b.name)
    if names[0] == names[1]:
        names = f"A · {names[0]}", f"B · {names[1]}"
    return lengths({names[0]: pair.a.vectors, names[1]: pair.b.vectors}, center=center)


@task("layers", "Rescaling every layer", heavy=True)
def _layers(
    ticket: Ticket,
    texts: tuple[str, ...],
    labels: Labels,
    *,
    side: str,
    alphas: tuple[float, ...],
    to_unit: bool,
) -> LayerScale:
    ticket.report(0.0, "loading the transformer")
    transformer = SentenceLayers(load_encoder(TRANSFORMER).network)

    def on_progress(fraction: float) -> None:
        ticket.report(_ENCODING * fraction, "encoding the training rows")

    def on_step(step: LayerStep) -> None:
        done = _ENCODING + (1 - _ENCODING) * step.index / step.of
        ticket.report(done, f"layer {step.layer}, α {step.alpha:g}")
        ticket.rest()

    return layer_rescale(
        transformer,
        texts,
        class_names(labels, side),
        alphas,
        on_step=on_step,
        on_progress=on_progress,
        to_unit=to_unit,
    )


def layers_task(problem: TranslationProblem, to_unit: bool = False) -> Task[LayerScale] | None:
    """The task that multiplies the hidden states of the source's own transformer, on the texts it encoded.

    ``to_unit`` makes them of unit norm first, as the paper does. None where the source was not made by one
    that is installed, or its texts are not here.

    Raises
    ------
    ParameterError
        If the items have no classes, or they do not suffice for a head.
    """
    texts = _texts(problem.sources[0], problem.source.items or ())
    if not texts or TRANSFORMER not in installed_encoders():
        return None
    labels = labels_of(problem.pair)
    return _layers(texts, labels, side=_side(problem), alphas=LAYER_ALPHAS, to_unit=to_unit)


def _texts(source: str, items: Sequence[str]) -> tuple[str, ...]:
    """What the transformer encoded of each item; nothing where it encoded none of them."""
    if source == GLOSSES:
        return tuple(item.partition(": ")[2] for item in items)
    origin = origin_of(source)
    whole = is_own(source) and origin.encoder == TRANSFORMER and origin.layer is None
    return tuple(items) if whole else ()


@task("rescale", "Training heads and rescaling", heavy=True)
def _rescaled(
    ticket: Ticket,
    source: Space,
    labels: Labels,
    *,
    side: str,
    alphas: tuple[float, ...],
    runs: int,
    norms_alone: bool,
) -> Rescaled:
    def on_step(index: int, of: int) -> None:
        ticket.report((index + 1) / of, f"head {index + 1} of {of}")
        ticket.rest()

    classes = class_names(labels, side)
    return rescale_injection(
        source.vectors,
        classes,
        alphas,
        tuple(ACTIVATIONS),
        n_draws=runs,
        on_step=on_step,
        norms_alone=norms_alone,
    )


def rescale_task(problem: TranslationProblem, norms_alone: bool = False) -> Task[Rescaled]:
    """The task that trains heads on the source and tests them on vectors of other lengths.

    ``norms_alone`` trains them on the vectors as they are, as the paper does.

    Raises
    ------
    ParameterError
        If the items have no classes, or they do not suffice for heads.
    """
    labels = labels_of(problem.pair)
    return _rescaled(
        problem.source, labels, side=_side(problem), alphas=ALPHAS, runs=RUNS, norms_alone=norms_alone
    )


def _side(problem: TranslationProblem) -> str:
    return "B" if problem.choices.back else "A"
