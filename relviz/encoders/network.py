"""A transformers model of a folder: its hidden states, whatever it was made for."""

from pathlib import Path

import torch

from relviz.compute.device import device
from relviz.encoders.files import settings, weights
from relviz.encoders.layers import Network
from relviz.encoders.reading import quietly
from relviz.errors import ReadError
from relviz.wording import count

SLACK = 2**24
"""Numbers that a model may have beyond the bytes of its weights: what it works out for itself."""


def load_network(folder: Path) -> Network:
    """The part of the model that turns its input into hidden states, in float32 on the device.

    Of an encoder and decoder it is the encoder, of a model of pictures and texts what looks at pictures.

    Raises
    ------
    ReadError
        If the weights do not fit what config.json describes.
    """
    from transformers import AutoModel

    with quietly():
        config = network_config(folder)
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


def network_config(folder: Path) -> Network:
    """The configuration of the model in a folder, which its weights were held against.

    Raises
    ------
    ReadError
        If transformers knows no model of that type, or it is larger than its weights.
    """
    from transformers import AutoConfig, AutoModel
    from transformers.models.auto.configuration_auto import CONFIG_MAPPING

    said = settings(folder / "config.json")
    kind = said["model_type"]
    if kind not in CONFIG_MAPPING:
        reason = (
            "brings program code of its own, which is never run" if "auto_map" in said else "cannot be loaded"
        )
        raise ReadError(
            f"{folder.name} {reason}: this version of transformers does not know its model_type "
            f"{kind[:60]!r}. Use a newer transformers, or a model of another type."
        )
    config = AutoConfig.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
    # Built without memory, before memory is taken.
    with torch.device("meta"):
        empty = AutoModel.from_config(config, trust_remote_code=False)
    numbers = sum(one.numel() for one in (*empty.parameters(), *empty.buffers()))
    held = sum(file.stat().st_size for file in weights(folder))
    if numbers > held + SLACK:
        raise ReadError(
            f"The weights of {folder.name} do not fit the model that config.json describes: it has "
            f"{count(numbers)} numbers, and they take {count(held)} bytes. Use both from the same model."
        )
    return config
