"""Models of a folder give what transformers itself gives, pooled by hand, at every layer."""

from functools import cache
from typing import Any

import numpy as np
import pytest
import torch
import transformers

from relviz.encoders import Card, card, load_encoder
from relviz.encoders.layers import pool_tokens
from relviz.encoders.transformer_text import token_limit
from relviz.errors import ParameterError
from tests.encoders.small import MAKERS, TEXTS

LONG = ["a cat " * 5000, "the dog"]


def same(found, expected):
    torch.testing.assert_close(found, expected, rtol=0, atol=1e-5)


@cache
def by_hand(folder, text):
    """Hidden states of one text alone, so that nothing is padded; "" is one end token where it has none."""
    told = transformers.AutoTokenizer.from_pretrained(folder)([text], return_tensors="pt")
    if not told["input_ids"].numel():
        told = {"input_ids": torch.tensor([[3]])}
    network = transformers.AutoModel.from_pretrained(folder)
    network = network.get_encoder() if network.config.is_encoder_decoder else network
    with torch.inference_mode():
        return [state[0] for state in network.eval()(**told, output_hidden_states=True).hidden_states]


def pooled(state, pooling):
    return {"mean": state.mean(0), "cls": state[0], "last": state[-1]}[pooling]


@pytest.mark.parametrize("kind", ["bert", "roberta", "gpt2", "t5"])
def test_every_layer_and_pooling_of_texts(models, kind):
    folder = models[kind]
    own = load_encoder(folder)
    assert own.poolings == ("mean", "cls", "last")
    for layer in range(own.layers + 1):
        for pooling in own.poolings:
            encoder = load_encoder(folder, layer=layer, pooling=pooling)
            found = encoder.encode(TEXTS)
            assert found.shape == (len(TEXTS), 16)
            expected = torch.stack([pooled(by_hand(folder, text)[layer], pooling) for text in TEXTS])
            same(found, expected)
            same(encoder.encode(TEXTS, batch=1), found)
            assert encoder.network is own.network
    same(own.encode(TEXTS), load_encoder(folder, layer=own.layers, pooling="mean").encode(TEXTS))


@pytest.mark.parametrize("kind", ["bert", "roberta", "gpt2", "t5"])
def test_long_texts_are_cut_where_the_model_stops(models, kind):
    found = load_encoder(models[kind]).encode(LONG)
    assert found.isfinite().all()
    if kind != "t5":
        limit = 64 - (2 if "bert" in kind else 0)
        tokenizer = transformers.AutoTokenizer.from_pretrained(models[kind])
        ids = tokenizer(LONG[0], add_special_tokens=False)["input_ids"][:limit]
        same(load_encoder(models[kind]).encode([tokenizer.decode(ids)])[0], found[0])


def test_the_limit_of_tokens_is_the_least_that_is_said():
    def limit(said, own=None, **config):
        network: Any = torch.nn.Module()
        network.config = transformers.PretrainedConfig(**config)
        network.position_embeddings = torch.nn.Embedding(4, 2, padding_idx=1)
        return token_limit(type("Tokenizer", (), {"model_max_length": said}), network, own)

    assert limit(10**30) == 4096
    assert limit(512) == 512
    assert limit(512, own=256) == 256
    assert limit(10**30, max_position_embeddings=514) == 512
    assert limit(10**6) == 32_768


def pixels(n, side, seed=0):
    return np.random.default_rng(seed).integers(0, 256, (n, side, side, 3), dtype=np.uint8)


@pytest.mark.parametrize(("kind", "side"), [("vit", 32), ("dinov2", 32), ("clip", 40), ("convnext", 32)])
def test_every_layer_and_pooling_of_pictures(models, kind, side):
    folder = models[kind]
    own = load_encoder(folder)
    assert own.side == side
    pictures = pixels(5, side)
    network = transformers.AutoModel.from_pretrained(folder).eval()
    network = getattr(network, "vision_model", network)
    given = transformers.AutoImageProcessor.from_pretrained(folder)(list(pictures), return_tensors="pt")
    with torch.inference_mode():
        told = network(given["pixel_values"], output_hidden_states=True)
    states = (*told.hidden_states[:-1], told.last_hidden_state)
    assert own.layers == len(states) - 1
    assert own.poolings == (("mean",) if kind == "convnext" else ("cls", "mean"))
    for layer, state in enumerate(states):
        for pooling in own.poolings:
            encoder = load_encoder(folder, layer=layer, pooling=pooling)
            if state.ndim == 4:
                expected = state.mean((2, 3))
            else:
                expected = (
                    state[:, 0] if pooling == "cls" else state[:, 4 if kind == "dinov2" else 1 :].mean(1)
                )
            assert encoder.dimension == expected.shape[1]
            same(encoder.encode(pictures), expected)
            same(encoder.encode(pictures, batch=2), expected)


@pytest.mark.parametrize("kind", list(MAKERS))
def test_the_card_says_before_loading_what_is_so_after(models, kind, monkeypatch):
    folder = models[kind]
    encoder = load_encoder(folder)
    monkeypatch.setattr("relviz.encoders.load.cached", lambda _: None)
    monkeypatch.setattr("relviz.encoders.load.cached", lambda _: None)
    told = card(folder)
    assert told == Card(**{name: getattr(encoder, name) for name in vars(told)})
    if kind in ("bert", "vit", "clip"):
        monkeypatch.setattr("relviz.encoders.load.cached_or_loaded", None)
        assert card(folder, layer=1, pooling="mean").title == f"{kind}, layer 1, mean"


def test_a_choice_is_in_name_title_and_digest(models):
    own = load_encoder(models["bert"])
    assert (own.name, own.title, own.layer, own.pooling) == ("bert", "bert", 3, "mean")
    assert load_encoder(models["bert"], layer=3) is own
    other = load_encoder(models["bert"], layer=1, pooling="cls")
    assert other.name == other.title == "bert, layer 1, cls"
    assert other is load_encoder(str(models["bert"]), layer=1, pooling="cls")
    digests = {
        load_encoder(models["bert"], layer=layer, pooling=p).digest
        for layer in range(4)
        for p in own.poolings
    }
    assert len(digests) == 12
    assert card("minilm", layer=3).title == "MiniLM, layer 3, mean"
    assert load_encoder("minilm", layer=3, pooling="cls").network is load_encoder("minilm").network


def test_layers_and_poolings_that_there_are_not(models):
    for layer in (4, -1, 1.0, True):
        with pytest.raises(ParameterError, match=rf"layers 0 \(embeddings\) to 3; not {layer}"):
            card(models["bert"], layer=layer)
    with pytest.raises(ParameterError, match="pooled by mean, cls, last; not by 'max'"):
        load_encoder(models["bert"], pooling="max")
    with pytest.raises(ParameterError, match="pooled by mean; not by 'cls'"):
        load_encoder(models["convnext"], pooling="cls")
    with pytest.raises(ParameterError, match="static has no layers to choose from"):
        load_encoder(models["static"], layer=0)


@pytest.mark.parametrize("side", ["left", "right"])
def test_poolings_leave_padding_out_on_either_side(side):
    state = torch.arange(24.0).reshape(2, 4, 3)
    mask = (
        torch.tensor([[1, 1, 0, 0], [1, 1, 1, 1]])
        if side == "right"
        else torch.tensor([[0, 0, 1, 1], [1] * 4])
    )
    state[mask == 0] = torch.nan
    rows = [state[row][mask[row] == 1] for row in range(2)]
    same(pool_tokens(state, mask, "mean"), torch.stack([row.mean(0) for row in rows]))
    same(pool_tokens(state, mask, "cls"), torch.stack([row[0] for row in rows]))
    same(pool_tokens(state, mask, "last"), torch.stack([row[-1] for row in rows]))
