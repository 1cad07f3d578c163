"""Texts through a transformers model: a hidden state, pooled."""

import inspect
from collections.abc import Sequence
from dataclasses import replace

import torch
from torch import Tensor, nn

from relviz.compute.device import device
from relviz.encoders.encoder import Card
from relviz.encoders.folder import Folder
from relviz.encoders.layers import OF_TEXT, Network, pool_tokens
from relviz.encoders.model import Model
from relviz.encoders.network import load_network
from relviz.encoders.reading import quietly
from relviz.errors import ReadError

_NO_LIMIT = 10**18
MOST_TOKENS = 32_768
UNSAID = 4096
"""Where neither the model nor its tokenizer knows a limit: time and memory may grow with its square."""


def token_limit(tokenizer: Network, network: Network, own: int | None = None) -> int:
    """The least of what the model, its tokenizer and its positions take."""
    limits = [own, getattr(tokenizer, "model_max_length", None)]
    positions = getattr(network.config, "max_position_embeddings", None)
    if isinstance(positions, int) and positions > 0:
        limits.append(positions - _unused(network))
    # Transformers writes "no limit" as 10^30.
    known = [int(limit) for limit in limits if limit and 0 < limit < _NO_LIMIT]
    return min(MOST_TOKENS, *known) if known else UNSAID


def _unused(network: Network) -> int:
    """Positions of the RoBERTa family are counted from behind the one that padding has."""
    for name, module in network.named_modules():
        if name.endswith("position_embeddings") and isinstance(module, nn.Embedding):
            return 0 if module.padding_idx is None else module.padding_idx + 1
    return 0


def text_model(card: Card, folder: Folder) -> Model:
    """The model in a folder; its own vectors are the mean of its last hidden state."""
    network = load_network(folder.path)
    tokenizer = _tokenizer(folder)
    limit = token_limit(tokenizer, network)
    taken = inspect.signature(network.forward).parameters
    names = {"input_ids", "attention_mask", *({"token_type_ids"} & {*taken})}

    def states(texts: Sequence[str], every: bool) -> tuple[tuple[Tensor, ...], Tensor]:
        encoded = tokenizer(
            list(texts),
            padding=True,
            truncation=True,
            max_length=limit,
            return_tensors="pt",
            return_attention_mask=True,
        )
        given = {name: encoded[name] for name in names if name in encoded}
        given = _some_token(given, tokenizer.pad_token_id)
        found = network(
            **{name: tokens.to(device()) for name, tokens in given.items()},
            output_hidden_states=every,
            return_dict=True,
        )
        before = tuple(found.hidden_states[:-1]) if every else ()
        return (*before, found.last_hidden_state), given["attention_mask"]

    with torch.inference_mode():
        widths = [state.shape[-1] for state in states(["a"], True)[0]]
    depth = len(widths) - 1
    card = replace(
        card, dimension=widths[-1], layers=depth, poolings=OF_TEXT, layer=depth, pooling=OF_TEXT[0]
    )

    def embed(texts: Sequence[str], layer: int | None, pooling: str | None) -> Tensor:
        assert layer is not None
        assert pooling is not None
        found, mask = states(texts, layer < depth)
        return pool_tokens(found[layer if layer < depth else -1], mask, pooling)

    return Model(card, folder.files, embed, network, widths)


def _tokenizer(folder: Folder) -> Network:
    from transformers import AutoTokenizer

    with quietly():
        tokenizer = AutoTokenizer.from_pretrained(folder.path, local_files_only=True, trust_remote_code=False)
    if len(tokenizer) == 0:
        raise ReadError(f"The tokenizer of {folder.path.name} has an empty vocabulary. Save it again.")
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.eos_token or tokenizer.convert_ids_to_tokens(0)
    # Positions are counted from the left: padding there would move them.
    tokenizer.padding_side = "right"
    return tokenizer


def _some_token(given: dict[str, Tensor], token: int) -> dict[str, Tensor]:
    """Where a text has no tokens, as an empty one may, it has this one."""
    mask = given["attention_mask"].long()
    if mask.shape[1] == 0:
        given = {name: torch.zeros(len(mask), 1, dtype=torch.long) for name in given}
        given["input_ids"] += token
        mask = given["attention_mask"]
    empty = mask.sum(1) == 0
    if empty.any():
        given["input_ids"][empty, 0] = token
        mask[empty, 0] = 1
    return {**given, "attention_mask": mask}
