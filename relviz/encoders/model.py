"""A loaded network, and the encoders that read it at one layer or another."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import Any

from torch import Tensor

from relviz.encoders.encoder import Card, Encoder
from relviz.encoders.layers import Network
from relviz.errors import ParameterError

Embed = Callable[[Any, int | None, str | None], Tensor]
"""One batch, a layer and a pooling, both None for the model's own vectors, to ``(b, d)``."""


class Model:
    """A network that is loaded once and shared by its encoders, of which one at a time embeds.

    Parameters
    ----------
    card
        Of its own encoder: what it is if nobody chooses.
    files
        All that its vectors depend on.
    embed
        See ``Embed``.
    network
        The model itself.
    widths
        Dimension of every hidden state, 0 to ``card.layers``.
    """

    def __init__(
        self,
        card: Card,
        files: tuple[Path, ...],
        embed: Embed,
        network: Network = None,
        widths: Sequence[int] = (),
    ) -> None:
        self.card = card
        self.widths = tuple(widths)
        self._files, self._embed, self._network = files, embed, network
        self._turn = Lock()
        self._encoders: dict[Card, Encoder] = {}

    def encoder(self, layer: int | None = None, pooling: str | None = None) -> Encoder:
        """The encoder of a layer and a pooling, the same one every time."""
        card = chosen(self.card, self.widths, layer, pooling)

        def embed(items: Any) -> Tensor:
            return self._embed(items, card.layer, card.pooling)

        made = Encoder(**vars(card), files=self._files, embed=embed, network=self._network, turn=self._turn)
        return self._encoders.setdefault(card, made)


def chosen(card: Card, widths: Sequence[int], layer: int | None, pooling: str | None) -> Card:
    """The card of a layer and a pooling; what is not said is the last layer, and as the model itself pools.

    Raises
    ------
    ParameterError
        If the model has no such layer or pooling.
    """
    if layer is None and pooling is None:
        return card
    if not card.poolings:
        raise ParameterError(f"{card.title} has no layers to choose from; leave layer and pooling out.")
    layer = card.layers if layer is None else layer
    if isinstance(layer, bool) or not isinstance(layer, int) or not 0 <= layer <= card.layers:
        raise ParameterError(f"{card.title} has the layers 0 (embeddings) to {card.layers}; not {layer!r}.")
    pooling = card.pooling or card.poolings[0] if pooling is None else pooling
    if pooling not in card.poolings:
        raise ParameterError(f"{card.title} can be pooled by {', '.join(card.poolings)}; not by {pooling!r}.")
    if (layer, pooling) == (card.layer, card.pooling):
        return card
    reading = f"layer {layer}, {pooling}"
    return replace(
        card,
        name=f"{card.name}, {reading}",
        title=f"{card.title}, {reading}",
        dimension=widths[layer],
        layer=layer,
        pooling=pooling,
    )
