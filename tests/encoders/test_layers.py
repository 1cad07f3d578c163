"""Run a layer at a time, a model gives what it gives itself."""

import pytest
import torch

from relviz.encoders import SentenceLayers, load_encoder
from relviz.errors import ParameterError
from tests.encoders.tiny import sentences, tiny


@pytest.fixture(scope="module", params=["bert", "mpnet"])
def model(request, tmp_path_factory):
    return tiny(tmp_path_factory.mktemp(request.param), request.param)


def through(layers, texts, after=None, factor=1.0):
    with torch.inference_mode():
        state, context = layers.embed(texts)
        for number in range(layers.depth + 1):
            if number:
                state = layers.layer(number, state, context)
            if number == after:
                state = factor * state
        return layers.pool(state, context)


def test_all_layers_in_turn_are_the_model(model):
    texts = sentences(20)
    expected = model.encode(texts, convert_to_tensor=True, show_progress_bar=False)
    layers = SentenceLayers(model)
    assert layers.depth == 3
    torch.testing.assert_close(through(layers, texts), expected, rtol=0, atol=1e-5)
    # Of another batch, with other padding, right after.
    torch.testing.assert_close(through(layers, texts[:1]), expected[:1], rtol=0, atol=1e-5)
    again = model.encode(texts, convert_to_tensor=True, show_progress_bar=False)
    torch.testing.assert_close(again, expected, rtol=0, atol=0)


def test_factors_matter_before_the_last_layer_and_not_behind_it(model):
    texts = sentences(20)
    layers = SentenceLayers(model)
    plain = through(layers, texts)
    for after in range(3):
        assert float((through(layers, texts, after, 0.05) - plain).abs().max()) > 0.01
    torch.testing.assert_close(through(layers, texts, 3, 30.0), plain, rtol=0, atol=1e-5)


def test_embedding_runs_no_layer(model, monkeypatch):
    layers = SentenceLayers(model)

    def refuse(*_, **__):
        raise AssertionError

    monkeypatch.setattr(type(model[0].auto_model.encoder.layer[0]), "forward", refuse)
    with torch.inference_mode():
        assert layers.embed(["the cat"])[0].shape == (1, 4, 16)


def test_minilm_is_its_layers():
    encoder = load_encoder("minilm")
    texts = ["a canine", "a tame animal that barks, and is kept for company " * 20, ""]
    layers = SentenceLayers(encoder.network)
    assert layers.depth == 6
    torch.testing.assert_close(through(layers, texts), encoder.encode(texts), rtol=0, atol=1e-5)


def test_a_model_that_does_more_than_its_layers_is_refused(tmp_path):
    model = tiny(tmp_path)
    encoder = model[0].auto_model.encoder

    class More(type(encoder)):  # type: ignore[misc]
        def forward(self, *args, **told):
            found = super().forward(*args, **told)
            found.last_hidden_state = found.last_hidden_state + 1
            return found

    encoder.__class__ = More
    with pytest.raises(ParameterError, match="operations between or after its layers"):
        SentenceLayers(model)


def test_a_model_without_layers_is_refused(tmp_path):
    model = tiny(tmp_path)
    del model[0].auto_model.encoder.layer[:]
    with pytest.raises(ParameterError, match=r"BertModel has no encoder\.layer"):
        SentenceLayers(model)
    with pytest.raises(ParameterError, match=r"Linear has no encoder\.layer"):
        SentenceLayers(torch.nn.Sequential(torch.nn.Linear(2, 2)))
