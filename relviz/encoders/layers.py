"""A sentence-transformers model run a layer at a time."""

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import torch
from torch import Tensor, nn

from relviz.errors import ParameterError

Network: TypeAlias = Any
"""A model of transformers, or a tokenizer or image processor of one; the package does not type them."""
Given = tuple[tuple[Any, ...], dict[str, Any]]
"""Arguments of a layer, by place and by name."""

_TRIED = "a text to try"
_SAME = 1e-4


@dataclass(frozen=True, eq=False)
class Context:
    """Of one batch: what each layer is given beside the hidden state, and what pooling is given."""

    layers: tuple[Given, ...]
    features: dict[str, Tensor]


class SentenceLayers:
    """Embeddings, layers and pooling of a sentence-transformers model, to be run one by one.

    Its first module must have ``auto_model.encoder.layer``, as those of the BERT family do. The model itself
    is left alone: a copy is run, for one thread.

    Raises
    ------
    ParameterError
        If the model has no such layers, or running them one by one does not give what it gives itself.
    """

    def __init__(self, model: Network) -> None:
        self._model = copy.deepcopy(model).eval()
        network = getattr(self._model[0], "auto_model", None)
        encoder = getattr(network, "encoder", None)
        layers = getattr(encoder, "layer", ())
        if encoder is None or not len(layers):
            raise ParameterError(
                f"{type(network or self._model[0]).__name__} has no encoder.layer: give a model of the BERT "
                "family, or write embed, layer and pool for it (relviz.stitching.Layered)."
            )
        self._layers = [_Noted(layer) for layer in layers]
        encoder.layer = nn.ModuleList(self._layers)
        with torch.inference_mode():
            itself = self._model.encode(_TRIED, convert_to_tensor=True, show_progress_bar=False)
            for layer in self._layers:
                layer.skipped = True
            self._check(itself)

    @property
    def depth(self) -> int:
        """How many layers there are."""
        return len(self._layers)

    def embed(self, texts: Sequence[str]) -> tuple[Tensor, Context]:
        """The hidden state ``(b, tokens, width)`` before the first layer, and what the others need."""
        features = self._model.preprocess(list(texts))
        features = {
            key: value.to(self._model.device) if isinstance(value, Tensor) else value
            for key, value in features.items()
        }
        self._model[0](dict(features))
        given = [layer.given for layer in self._layers]
        return given[0][0], Context(tuple((args, named) for _, args, named in given), features)

    def layer(self, number: int, state: Tensor, context: Context) -> Tensor:
        """The hidden state after layer ``number``, counted from 1."""
        args, named = context.layers[number - 1]
        found: Tensor | tuple[Tensor, ...] = self._layers[number - 1].inner(state, *args, **named)
        return found[0] if isinstance(found, tuple) else found

    def pool(self, state: Tensor, context: Context) -> Tensor:
        """``(b, d)`` vectors of the last hidden state, as the model itself gives them."""
        features = {**context.features, "token_embeddings": state}
        for module in list(self._model)[1:]:
            features = module(features)
        return features["sentence_embedding"]

    def _check(self, itself: Tensor) -> None:
        state, context = self.embed([_TRIED])
        for number in range(1, self.depth + 1):
            state = self.layer(number, state, context)
        apart = float((self.pool(state, context)[0] - itself).abs().max())
        if not apart <= _SAME * float(itself.abs().max()):
            raise ParameterError(
                f"Run layer by layer, this model gives other vectors (differences up to {apart:.2g}): it "
                "has operations between or after its layers."
            )


class _Noted(nn.Module):
    """A layer that notes what it is given; ``skipped``, it gives the state back as it came."""

    def __init__(self, inner: nn.Module) -> None:
        super().__init__()
        self.inner = inner
        self.given: tuple[Tensor, *Given] = torch.empty(0), (), {}
        self.skipped = False
        self._in_tuple = False

    def forward(self, state: Tensor, *args: Any, **named: Any) -> Any:
        self.given = state, args, named
        if self.skipped:
            return (state,) if self._in_tuple else state
        found = self.inner(state, *args, **named)
        self._in_tuple = isinstance(found, tuple)
        return found


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
