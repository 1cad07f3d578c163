"""Models of sentence-transformers: their own vectors, or a hidden state of their transformer."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import torch
from torch import Tensor

from relviz.compute.device import device
from relviz.encoders.encoder import Card
from relviz.encoders.layers import Network, own_first, pool_tokens
from relviz.encoders.model import Model
from relviz.encoders.network import network_config
from relviz.encoders.reading import quietly
from relviz.encoders.sentence_folder import transformer_places
from relviz.encoders.transformer_text import token_limit


def sentence_model(card: Card, folder: Path, files: tuple[Path, ...]) -> Model:
    """The model in a folder whose files were looked at before."""
    from sentence_transformers import SentenceTransformer

    with quietly():
        for place in transformer_places(folder):
            network_config(place)
        model = SentenceTransformer(
            str(folder),
            device="cpu",
            local_files_only=True,
            trust_remote_code=False,
            model_kwargs={"dtype": torch.float32},
        )
    model = model.float().to(device()).eval()
    network = getattr(model[0], "auto_model", None)
    if network is not None and model.tokenizer is not None:
        model.max_seq_length = token_limit(model.tokenizer, network, model.max_seq_length)

    def embed(texts: Sequence[str], layer: int | None, pooling: str | None) -> Tensor:
        if layer is None or pooling is None:
            return model.encode(
                list(texts), batch_size=len(texts), convert_to_tensor=True, show_progress_bar=False
            )
        states, mask = _hidden(model, texts)
        return pool_tokens(states[layer], mask, pooling)

    with torch.inference_mode():
        dimension = embed(["a"], None, None).shape[1]
        widths = [] if network is None else [state.shape[2] for state in _hidden(model, ["a"])[0]]
    if widths:
        card = replace(card, layers=len(widths) - 1, poolings=own_first(_own_pooling(model)))
    return Model(replace(card, dimension=dimension), files, embed, model, widths)


def _hidden(model: Network, texts: Sequence[str]) -> tuple[tuple[Tensor, ...], Tensor]:
    """Hidden states of the transformer, and the mask of its tokens."""
    prompt = model.prompts.get(model.default_prompt_name) if model.default_prompt_name else None
    features = model.preprocess(list(texts), prompt=prompt)
    inputs = {
        name: features[name].to(device())
        for name in ("input_ids", "attention_mask", "token_type_ids")
        if name in features
    }
    found = model[0].auto_model(**inputs, output_hidden_states=True, return_dict=True)
    return (*found.hidden_states[:-1], found.last_hidden_state), inputs["attention_mask"]


def _own_pooling(model: Network) -> str:
    """How the model itself pools, where that is a way there is to choose."""
    said = {"cls": "cls", "mean": "mean", "lasttoken": "last"}
    for module in model:
        mode = getattr(module, "pooling_mode", None)
        mode = mode[0] if isinstance(mode, (tuple, list)) and len(mode) == 1 else mode
        if isinstance(mode, str) and mode in said:
            return said[mode]
    return "mean"
