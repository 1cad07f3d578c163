"""Accuracy by layer and factor: on layers whose effect is known, and on a random BERT."""

from typing import Any

import numpy as np
import pytest
import torch

from relviz.encoders import SentenceLayers
from relviz.errors import ParameterError, ShapeError
from relviz.stitching import HEADS, layer_rescale, rescaling
from tests.encoders.tiny import sentences, tiny


class Steps:
    """Texts are numbers. The first layer leaves them, the second takes 1.5 off; the sign is the vector."""

    depth = 2

    def __init__(self):
        self.calls = []

    def embed(self, texts):
        return torch.tensor([[[float(text)]] for text in texts]), None

    def layer(self, number, state, context):
        assert context is None
        self.calls.append(number)
        return state if number == 1 else state - 1.5

    def pool(self, state, context):
        assert context is None
        return torch.tanh(1000 * state[:, 0])


TEXTS = ["1", "2.0"] * 50
LABELS = ["low", "high"] * 50
ALPHAS = (0.01, 0.9, 1.0, 100.0)
KNOWN = [[0.5, 1, 1, 0.5], [0.5, 1, 1, 0.5], [1, 1, 1, 1]]


def test_the_table_is_what_the_layers_say():
    steps = Steps()
    found = layer_rescale(steps, TEXTS, LABELS, ALPHAS)
    np.testing.assert_array_equal(found.accuracy, KNOWN)
    assert (found.layers, found.alphas, found.unscaled) == ((0, 1, 2), ALPHAS, 1.0)
    # Two batches that train, unscaled, 4 alphas behind layer 0; once to reach layer 1, 4 alphas; once more.
    assert (steps.calls.count(1), steps.calls.count(2)) == (2 + 1 + 4 + 1, 2 + 1 + 4 + 4 + 1)


def test_as_in_the_paper_states_have_unit_norm_before_they_are_multiplied():
    """A state of one number keeps its sign alone: behind layer 2 that is all, before it nothing."""
    found = layer_rescale(Steps(), TEXTS, LABELS, ALPHAS, to_unit=True)
    np.testing.assert_array_equal(found.accuracy, [[0.5] * 4, [0.5] * 4, [1] * 4])
    assert found.unscaled == 1


def test_heads_of_every_kind_are_trained(tmp_path):
    texts = sentences(60)
    labels = ["long" if len(text.split()) > 6 else "short" for text in texts]
    transformer = SentenceLayers(tiny(tmp_path))
    for head in HEADS:
        found = layer_rescale(transformer, texts, labels, (1.0,), layers=[3], head=head)
        assert found.accuracy[0, 0] == found.unscaled > 0.5


def test_layers_may_be_chosen():
    found = layer_rescale(Steps(), TEXTS, LABELS, ALPHAS, layers=[2, 1])
    assert found.layers == (1, 2)
    np.testing.assert_array_equal(found.accuracy, KNOWN[1:])


def test_on_step_follows_and_stops():
    told, progress = [], []

    def on_step(step):
        told.append((step.index, step.of, step.layer, step.alpha, step.accuracy))
        return len(told) == 5

    found = layer_rescale(Steps(), TEXTS, LABELS, ALPHAS, on_step=on_step, on_progress=progress.append)
    assert told == [
        (1, 12, 0, 0.01, 0.5),
        (2, 12, 0, 0.9, 1.0),
        (3, 12, 0, 1.0, 1.0),
        (4, 12, 0, 100.0, 0.5),
        (5, 12, 1, 0.01, 0.5),
    ]
    assert np.isnan(found.accuracy).sum() == 7
    assert progress == [64 / 80, 1.0]

    def stop(_):
        raise InterruptedError

    both: list[dict[str, Any]] = [{"on_step": stop}, {"on_progress": stop}]
    for how in both:
        with pytest.raises(InterruptedError):
            layer_rescale(Steps(), TEXTS, LABELS, ALPHAS, **how)


def test_a_factor_of_one_is_no_factor_and_the_last_layer_minds_none(tmp_path):
    texts = sentences(200)
    labels = ["long" if len(text.split()) > 6 else "short" for text in texts]
    transformer = SentenceLayers(tiny(tmp_path))
    found = layer_rescale(transformer, texts, labels, (0.01, 1.0, 50.0), seed=3)
    assert found.accuracy.shape == (4, 3)
    assert 0.5 < found.unscaled < 1
    assert (found.accuracy[:, 1] == found.unscaled).all()
    assert (found.accuracy[3] == found.unscaled).all()
    assert (found.accuracy[:3, 0] != found.unscaled).any()
    again = layer_rescale(transformer, texts, labels, (0.01, 1.0, 50.0), seed=3)
    np.testing.assert_array_equal(found.accuracy, again.accuracy)


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"alphas": ()}, "alphas are factors above 0"),
        ({"alphas": (1, 0)}, "alphas are factors above 0"),
        ({"alphas": (np.inf,)}, "alphas are factors above 0"),
        ({"alphas": (1e39,)}, "more than float32 can hold"),
        ({"layers": [3]}, "from 0, the embeddings, to 2, the last layer"),
        ({"layers": []}, "from 0, the embeddings"),
        ({"head": "forest"}, "no head 'forest'"),
        ({"labels": ["one"] * 100}, "at least 2 classes"),
    ],
)
def test_what_cannot_be_is_refused(how, said):
    with pytest.raises(ParameterError, match=said):
        layer_rescale(Overflows(), TEXTS, **{"labels": LABELS, **how})
    with pytest.raises(ShapeError, match="100 rows but 99 labels"):
        layer_rescale(Steps(), TEXTS, LABELS[1:])


class Overflows(Steps):
    """Gives the number itself, however large."""

    def pool(self, state, context):  # noqa: ARG002
        return state[:, 0]


def test_memory_is_known_before_it_is_taken(monkeypatch):
    monkeypatch.setattr(rescaling, "MOST_BYTES", 79)
    with pytest.raises(ParameterError, match="of the 20 texts that test take more than 79 bytes"):
        layer_rescale(Steps(), TEXTS, LABELS)
    monkeypatch.setattr(rescaling, "MOST_BYTES", 80)
    layer_rescale(Steps(), TEXTS, LABELS)
