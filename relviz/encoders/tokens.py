"""How many tokens a model reads."""

from typing import Any

from torch import nn

MOST_TOKENS = 32_768
"""Where a model itself knows no limit."""


def token_limit(tokenizer: Any, network: Any, own: int | None = None) -> int:
    """The least of what the model, its tokenizer and its positions take."""
    limits = [MOST_TOKENS, own, getattr(tokenizer, "model_max_length", None)]
    positions = getattr(network.config, "max_position_embeddings", None)
    if isinstance(positions, int) and positions > 0:
        limits.append(positions - _unused(network))
    return min(int(limit) for limit in limits if limit and limit > 0)


def _unused(network: Any) -> int:
    """Positions of the RoBERTa family are counted from behind the one that padding has."""
    for name, module in network.named_modules():
        if name.endswith("position_embeddings") and isinstance(module, nn.Embedding):
            return 0 if module.padding_idx is None else module.padding_idx + 1
    return 0
