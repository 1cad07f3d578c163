"""One vector of a hidden state, which has one a token, a patch, or a place of the picture."""

import torch
from torch import Tensor

OF_TEXT = ("mean", "cls", "last")


def own_first(own: str) -> tuple[str, ...]:
    """Poolings of texts, a model's own before the others."""
    return own, *(one for one in OF_TEXT if one != own)


def pool_tokens(state: Tensor, mask: Tensor, pooling: str) -> Tensor:
    """``(b, d)`` of a hidden state ``(b, tokens, d)``; padding, on whichever side it stands, is left out.

    Parameters
    ----------
    mask
        ``(b, tokens)``, 0 where a token is padding. Every row has one that is not.
    pooling
        "mean" of the tokens, "cls", the first, or "last".
    """
    mask = mask.to(state.device)
    if pooling == "mean":
        weights = mask[..., None].to(state.dtype)
        # Not a product: what stands in padding need not be a number.
        return state.where(weights > 0, 0).sum(1) / weights.sum(1)
    tokens = mask.shape[1]
    first = mask.ne(0).int().argmax(1)
    last = tokens - 1 - mask.ne(0).int().flip(1).argmax(1)
    return state[torch.arange(len(state), device=state.device), first if pooling == "cls" else last]


def pool_places(state: Tensor, pooling: str, extra: int = 0) -> Tensor:
    """``(b, d)`` of a hidden state of pictures, ``(b, d, height, width)`` or ``(b, tokens, d)``.

    Parameters
    ----------
    pooling
        "mean" of the places or patches, or "cls", the first token.
    extra
        Tokens before the patches, which the mean leaves out.
    """
    if state.ndim == 4:
        return state.mean((2, 3))
    return state[:, 0] if pooling == "cls" else state[:, extra:].mean(1)
