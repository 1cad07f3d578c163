"""Models of sentence-transformers: their own vectors, and their transformer's hidden states."""

import pytest
import torch

from relviz.encoders import load_encoder
from tests.encoders.small import TEXTS


@pytest.fixture(scope="module")
def itself(models):
    from sentence_transformers import SentenceTransformer

    return {kind: SentenceTransformer(str(models[kind]), device="cpu") for kind in ("sentence", "static")}


@pytest.mark.parametrize(("kind", "dimension"), [("sentence", 6), ("static", 8)])
def test_its_vectors_are_its_own(models, itself, kind, dimension):
    encoder = load_encoder(models[kind])
    assert (encoder.dimension, encoder.layer, encoder.pooling) == (dimension, None, None)
    expected = itself[kind].encode(TEXTS, convert_to_tensor=True, show_progress_bar=False)
    torch.testing.assert_close(encoder.encode(TEXTS), expected, rtol=0, atol=1e-5)
    assert encoder.encode(["a cat " * 5000]).isfinite().all()


def test_layers_are_pooled_and_not_normalized(models, itself):
    own = load_encoder(models["sentence"])
    assert (own.layers, own.poolings) == (3, ("cls", "mean", "last"))
    model = itself["sentence"]
    for layer in range(4):
        for pooling in own.poolings:
            found = load_encoder(models["sentence"], layer=layer, pooling=pooling).encode(TEXTS)
            for row, text in enumerate(TEXTS):
                given = model.tokenizer([f"ask: {text}"], return_tensors="pt", truncation=True, max_length=32)
                with torch.inference_mode():
                    states = (
                        model[0]
                        .auto_model(given["input_ids"], given["attention_mask"], output_hidden_states=True)
                        .hidden_states
                    )
                state = states[layer][0]
                expected = {"mean": state.mean(0), "cls": state[0], "last": state[-1]}[pooling]
                torch.testing.assert_close(found[row], expected, rtol=0, atol=1e-5)


def test_what_it_pools_by_itself_comes_first(models):
    assert load_encoder(models["sentence"], layer=2).pooling == "cls"
    assert load_encoder("minilm", layer=2).pooling == "mean"


def test_the_last_layer_of_minilm_is_its_vector_before_it_is_normalized():
    whole = load_encoder("minilm").encode(TEXTS)
    last = load_encoder("minilm", layer=6, pooling="mean").encode(TEXTS)
    assert last.shape == (len(TEXTS), 384)
    torch.testing.assert_close(torch.nn.functional.normalize(last), whole, rtol=0, atol=1e-5)
    assert float((last.norm(dim=1) - 1).abs().min()) > 0.1
