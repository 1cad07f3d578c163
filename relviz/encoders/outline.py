"""What a folder's settings say of its model, so that a page can tell before anything is loaded."""

from dataclasses import replace
from typing import Any

from relviz.encoders.encoder import Card
from relviz.encoders.files import settings
from relviz.encoders.folder import Folder
from relviz.encoders.pooling import OF_TEXT, own_first
from relviz.encoders.transformer_image import FIRST_TOKENS, processor_side
from relviz.errors import ReadError

_WIDTH = ("hidden_size", "n_embd", "d_model", "dim")
_DEPTH = ("num_hidden_layers", "n_layer", "n_layers", "num_layers")
_POOLING = {
    **{"pooling_mode_cls_token": "cls", "pooling_mode_mean_tokens": "mean", "pooling_mode_lasttoken": "last"},
    **{"cls": "cls", "mean": "mean", "lasttoken": "last"},
}


def outline(card: Card, folder: Folder) -> tuple[Card, tuple[int, ...]] | None:
    """The card of a folder's model and the dimensions of its hidden states; None if only loading can tell."""
    if folder.kind == "text":
        shape = _shape(folder.config)
        if shape is None:
            return None
        width, depth = shape
        own = replace(card, dimension=width, layers=depth, poolings=OF_TEXT, layer=depth, pooling=OF_TEXT[0])
        return own, (width,) * (depth + 1)
    return _of_sentences(card, folder) if folder.kind == "sentence" else _of_pictures(card, folder)


def _of_pictures(card: Card, folder: Folder) -> tuple[Card, tuple[int, ...]] | None:
    """Of a transformer of patches; the names of its weights tell whether a token stands before them."""
    from safetensors import SafetensorError, safe_open

    config = folder.config.get("vision_config", folder.config)
    said = settings(folder.path / "preprocessor_config.json") or {}
    tensors = [file for file in folder.files if file.suffix == ".safetensors"]
    if not isinstance(config, dict) or {"depths", "hidden_sizes"} & config.keys() or not tensors:
        return None
    shape = _shape(config)
    try:
        side = processor_side(said, folder.path.name)
        names = set[str]()
        for file in tensors:
            with safe_open(file, "pt") as opened:
                names.update(name.rpartition(".")[2] for name in opened.keys())  # noqa: SIM118, no dict
    except (ReadError, SafetensorError):
        return None
    if shape is None:
        return None
    width, depth = shape
    poolings = ("cls", "mean") if names.intersection(FIRST_TOKENS) else ("mean",)
    own = replace(
        card, dimension=width, side=side, layers=depth, poolings=poolings, layer=depth, pooling=poolings[0]
    )
    return own, (width,) * (depth + 1)


def _of_sentences(card: Card, folder: Folder) -> tuple[Card, tuple[int, ...]] | None:
    """Of a transformer whose tokens are pooled in one way, and at most normalised then."""
    modules = settings(folder.path / "modules.json")
    kinds = [module["type"].rpartition(".")[2] for module in modules]
    if kinds not in (["Transformer", "Pooling"], ["Transformer", "Pooling", "Normalize"]):
        return None
    places = [folder.path / module["path"] for module in modules]
    shape = _shape(settings(places[0] / "config.json") or {})
    said = settings(places[1] / "config.json") or {}
    modes = [key for key, chosen in said.items() if key.startswith("pooling_mode_") and chosen]
    modes += [said["pooling_mode"]] if "pooling_mode" in said else []
    if shape is None or len(modes) != 1 or modes[0] not in _POOLING:
        return None
    width, depth = shape
    own = replace(card, dimension=width, layers=depth, poolings=own_first(_POOLING[modes[0]]))
    return own, (width,) * (depth + 1)


def _shape(config: dict[str, Any]) -> tuple[int, int] | None:
    """Width and number of the hidden states, where they are all alike."""
    width = next((config[key] for key in _WIDTH if key in config), None)
    depth = next((config[key] for key in _DEPTH if key in config), None)
    if config.get("is_encoder_decoder") or config.get("word_embed_proj_dim", width) != width:
        return None
    return (width, depth) if isinstance(width, int) and isinstance(depth, int) else None
