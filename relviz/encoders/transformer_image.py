"""Pictures through a transformers model: its own image processor, a hidden state, pooled."""

from dataclasses import replace

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from relviz.compute.device import device
from relviz.encoders.encoder import Card
from relviz.encoders.files import Config
from relviz.encoders.folder import Folder
from relviz.encoders.layers import Network, pool_places
from relviz.encoders.model import Model
from relviz.encoders.network import load_network
from relviz.encoders.reading import quietly
from relviz.errors import ReadError

MAX_SIDE = 4096
FIRST_TOKENS = ("cls_token", "class_embedding")
"""What the weights call the token before the patches."""


def image_model(card: Card, folder: Folder) -> Model:
    """The model in a folder; its own vectors are CLS of its last hidden state, the mean where it has none."""
    network = load_network(folder.path)
    processor = _processor(folder)
    side = processor_side(processor.to_dict(), folder.path.name)
    extra = _extra_tokens(network)

    def states(pictures: NDArray[np.uint8], every: bool) -> tuple[Tensor, ...]:
        pixels = processor(images=list(pictures), return_tensors="pt", input_data_format="channels_last")
        given = pixels["pixel_values"].to(device(), torch.float32)
        found = network(pixel_values=given, output_hidden_states=every, return_dict=True)
        return (*(found.hidden_states[:-1] if every else ()), found.last_hidden_state)

    with torch.inference_mode():
        tried = states(np.full((1, side, side, 3), 255, np.uint8), True)
    widths = [state.shape[1 if state.ndim == 4 else -1] for state in tried]
    depth = len(widths) - 1
    poolings = ("cls", "mean") if extra and all(state.ndim == 3 for state in tried) else ("mean",)
    card = replace(
        card,
        dimension=widths[-1],
        side=side,
        layers=depth,
        poolings=poolings,
        layer=depth,
        pooling=poolings[0],
    )

    def embed(pictures: NDArray[np.uint8], layer: int | None, pooling: str | None) -> Tensor:
        assert layer is not None
        assert pooling is not None
        found = states(pictures, layer < depth)
        return pool_places(found[layer if layer < depth else -1], pooling, extra)

    return Model(card, folder.files, embed, network, widths)


def processor_side(settings: Config, name: str) -> int:
    """Pixels of the square pictures that an image processor is given, so that it need not resize them.

    Raises
    ------
    ReadError
        If it names no size, or one that is not sensible.
    """
    size = settings.get("size") or settings.get("crop_size")
    if isinstance(size, dict):
        # A picture without corners: a shorter side would be cut off, a longer one only made smaller.
        size = size.get("shortest_edge") or max(size.get("height") or 0, size.get("width") or 0)
    if isinstance(size, bool) or not isinstance(size, int) or not 0 < size <= MAX_SIDE:
        raise ReadError(
            f"The image processor of {name} names no size in pixels from 1 to {MAX_SIDE}: it says {size!r}."
        )
    return size


def _processor(folder: Folder) -> Network:
    from transformers import AutoImageProcessor

    with quietly():
        return AutoImageProcessor.from_pretrained(folder.path, local_files_only=True, trust_remote_code=False)


def _extra_tokens(network: Network) -> int:
    """Tokens before the patches: CLS, one that a model was distilled into, registers; 0 without CLS."""
    names = {name.rpartition(".")[2] for name, _ in network.named_parameters()}
    if not names.intersection(FIRST_TOKENS):
        return 0
    registers = getattr(network.config, "num_register_tokens", 0) or 0
    return 1 + ("distillation_token" in names) + int(registers)
