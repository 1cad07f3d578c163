"""How many tokens a model reads."""

from typing import Any

from torch import nn

_NO_LIMIT = 10**18
MOST_TOKENS = 32_768
UNSAID = 4096
"""Where neither the model nor its tokenizer knows a limit: time and memory may grow with its square."""


def token_limit(tokenizer: Any, network: Any, own: int | None = None) -> int:
    """The least of what the model, its tokenizer and its positions take."""
    limits = [own, getattr(tokenizer, "model_max_length", None)]
    positions = getattr(network.config, "max_position_embeddings", None)
    if isinstance(positions, int) and positions > 0:
        limits.append(positions - _unused(network))
    # Transformers writes "no limit" as 10^30.
    known = [int(limit) for limit in limits if limit and 0 < limit < _NO_LIMIT]
    return min(MOST_TOKENS, *known) if known else UNSAID


def _unused(network: Any) -> int:
    """Positions of the RoBERTa family are counted from behind the one that padding has."""
    for name, module in network.named_modules():
        if name.endswith("position_embeddings") and isinstance(module, nn.Embedding):
            return 0 if module.padding_idx is None else module.padding_idx + 1
    return 0
