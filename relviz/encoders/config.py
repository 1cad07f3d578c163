"""What a model's settings may ask for; all else is refused before anything is loaded."""

from pathlib import Path
from typing import Any

from relviz.encoders.files import NotWhole, settings
from relviz.errors import ReadError
from relviz.wording import count

MAX_LAYERS = 2000
_HOW_MANY = ("layers", "n_layer", "depth", "blocks", "block_sizes", "experts", "stages")
"""Of these a model builds as many as it is told, before any weight is compared."""
_WITHOUT_VOCABULARY = ("ByT5Tokenizer", "CanineTokenizer", "PerceiverTokenizer")


def check_config(path: Path, config: dict[str, Any]) -> None:
    """Raise ReadError if a config.json asks for what is not read here."""
    if (path / "adapter_config.json").is_file():
        raise ReadError(
            f"{path.name} holds an adapter and not a whole model. Merge it: model.merge_and_unload(), then "
            "save_pretrained(folder)."
        )
    if not isinstance(config.get("model_type"), str):
        raise ReadError(f"{path.name}/config.json names no model_type, so nobody knows which model it is.")
    _check_values(path, config)


def _check_values(path: Path, config: dict[str, Any]) -> None:
    for key, value in config.items():
        if isinstance(value, dict):
            _check_values(path, value)
        if isinstance(value, str) and "attn_implementation" in key and "/" in value:
            raise ReadError(f"{path.name}/config.json wants a hub's program code for {key}; it is never run.")
        if key == "quantization_config" and value:
            raise ReadError(
                f"The weights of {path.name} are quantised, which is not read. Take the full model."
            )
        numbers = value if isinstance(value, list) else [value]
        most = max((one for one in numbers if isinstance(one, (int, float))), default=0)
        if any(word in key for word in _HOW_MANY) and most > MAX_LAYERS:
            raise ReadError(f"{path.name}/config.json has {key} {most}; the limit is {count(MAX_LAYERS)}.")


def check_vocabulary(path: Path) -> None:
    """Raise ReadError if a folder has no tokenizer."""
    names = {file.name for file in path.iterdir() if file.is_file()}
    has = "tokenizer.json" in names or any(
        name.startswith(("vocab.", "merges.")) or Path(name).suffix in (".model", ".spm", ".bpe", ".tiktoken")
        for name in names
    )
    said = settings(path / "tokenizer_config.json") or {}
    if not has and said.get("tokenizer_class") not in _WITHOUT_VOCABULARY:
        raise NotWhole(
            f"{path.name} has no tokenizer (no tokenizer.json and no vocabulary). Put the model's own there: "
            "tokenizer.save_pretrained(folder)."
        )
