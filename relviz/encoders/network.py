"""A transformers model of a folder: its hidden states, whatever it was made for."""

from pathlib import Path
from typing import Any

import torch

from relviz.compute.device import device
from relviz.encoders.files import weights
from relviz.encoders.reading import quietly
from relviz.errors import ReadError
from relviz.wording import count

SLACK = 2**24
"""Numbers that a model may have beyond the bytes of its weights: what it works out for itself."""


def load_network(folder: Path) -> Any:
    """The part of the model that turns its input into hidden states, in float32 on the device.

    Of an encoder and decoder it is the encoder, of a model of pictures and texts what looks at pictures.

    Raises
    ------
    ReadError
        If the weights do not fit what config.json describes.
    """
    from transformers import AutoConfig, AutoModel

    with quietly():
        config = AutoConfig.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
        _check_size(config, folder)
        # A cache of keys and values would only take memory.
        config.use_cache = False
        network = AutoModel.from_pretrained(
            folder, config=config, local_files_only=True, trust_remote_code=False, dtype=torch.float32
        )
    if getattr(network, "vision_model", None) is not None:
        network = network.vision_model
    elif getattr(config, "is_encoder_decoder", False):
        network = network.get_encoder()
    return network.float().to(device()).eval()


def _check_size(config: Any, folder: Path) -> None:
    """Build it without memory, and compare with the bytes of its weights, before memory is taken."""
    from transformers import AutoModel

    with torch.device("meta"):
        empty = AutoModel.from_config(config, trust_remote_code=False)
    numbers = sum(one.numel() for one in (*empty.parameters(), *empty.buffers()))
    held = sum(file.stat().st_size for file in weights(folder))
    if numbers > held + SLACK:
        raise ReadError(
            f"The weights of {folder.name} do not fit the model that config.json describes: it has "
            f"{count(numbers)} numbers, and they take {count(held)} bytes. Take both from the same model."
        )
