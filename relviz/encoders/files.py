"""The files of an encoder in the folder that holds it: settings, vocabularies, weights."""

from pathlib import Path, PurePosixPath
from typing import Any

from relviz.compute.json_text import JsonError, read_json
from relviz.errors import ReadError
from relviz.wording import count

Config = dict[str, Any]
"""Settings of a model, as the JSON of its folder has them."""

MAX_JSON = 20_000_000
"""Bytes of a settings file."""
SETTINGS = (".json", ".txt", ".model", ".spm", ".bpe", ".tiktoken", ".vocab")
"""Endings of settings and vocabularies."""
WEIGHTS = (
    "model.safetensors",
    "model.safetensors.index.json",
    "pytorch_model.bin",
    "pytorch_model.bin.index.json",
)
"""Where transformers looks for weights, in its order."""
_OTHERS = (".pkl", ".pickle", ".pt", ".pth", ".ckpt", ".h5", ".msgpack", ".onnx", ".gguf", ".bin", ".npz")


class NotWhole(ReadError):
    """A folder in which something is missing."""


def needed(folder: Path, *patterns: str) -> tuple[Path, ...]:
    """One file for each pattern, in their order.

    Raises
    ------
    ReadError
        If the folder has no file of a pattern.
    """
    found = []
    for pattern in patterns:
        some = sorted(folder.glob(pattern))
        if not some:
            raise ReadError(
                f"{pattern} is missing from {folder.parent.name}/{folder.name}: the package is damaged. "
                "Reinstall it: pip install --force-reinstall --no-deps, and its name."
            )
        found.append(some[0])
    return tuple(found)


def settings(path: Path) -> Any:
    """The content of a JSON file; None where there is no such file."""
    if not path.is_file():
        return None
    where = f"{path.parent.name}/{path.name}"
    if path.stat().st_size > MAX_JSON:
        raise ReadError(f"{where} has {count(path.stat().st_size)} bytes; the limit is {count(MAX_JSON)}.")
    try:
        found = read_json(path.read_bytes(), MAX_JSON)
    except JsonError as reason:
        raise ReadError(f"{where} is damaged: {reason}. Copy or save it again.") from None
    if not isinstance(found, dict) and path.name != "modules.json":
        raise ReadError(f"{where} is damaged: it holds no settings. Copy or save it again.")
    return found


def settings_files(path: Path) -> tuple[Path, ...]:
    """Settings and vocabularies that lie in a folder, but for indices of weights."""
    return tuple(
        file
        for file in sorted(path.iterdir())
        if file.suffix in SETTINGS and file.is_file() and not file.name.endswith(".index.json")
    )


def weights(path: Path) -> tuple[Path, ...]:
    """The files of the weights in a folder, all of them there.

    Raises
    ------
    ReadError
        If there are none that are read, or some are missing.
    """
    for name in WEIGHTS:
        if not (path / name).is_file():
            continue
        if not name.endswith(".index.json"):
            return (path / name,)
        index = settings(path / name).get("weight_map")
        names = sorted(set(index.values())) if isinstance(index, dict) else []
        if not names or not all(isinstance(one, str) and PurePosixPath(one).name == one for one in names):
            raise ReadError(f"{path.name}/{name} is damaged: it names no files of the same folder.")
        missing = [one for one in names if not (path / one).is_file()]
        if missing:
            raise NotWhole(
                f"{path.name} is incomplete: {missing[0]}, one of {len(names)} weight files, is missing."
            )
        return (path / name, *(path / one for one in names))
    others = sorted(file.name for file in path.iterdir() if file.suffix in _OTHERS)
    there = f"; {others[0]}, which lies there, is not read" if others else ""
    raise NotWhole(
        f"{path.name} has no model.safetensors and no pytorch_model.bin{there}. Save the weights as "
        "safetensors: model.save_pretrained(folder)."
    )


MAX_LAYERS = 2000
_HOW_MANY = ("layers", "n_layer", "depth", "blocks", "block_sizes", "experts", "stages")
"""Of these a model builds as many as it is told, before any weight is compared."""
_WITHOUT_VOCABULARY = ("ByT5Tokenizer", "CanineTokenizer", "PerceiverTokenizer")


def check_config(path: Path, config: Config) -> None:
    """Raise ReadError if a config.json asks for what is not read here."""
    if (path / "adapter_config.json").is_file():
        raise ReadError(
            f"{path.name} holds an adapter, not a full model. Merge it: model.merge_and_unload(), then "
            "save_pretrained(folder)."
        )
    if not isinstance(config.get("model_type"), str):
        raise ReadError(f"{path.name}/config.json has no model_type, so its kind of model is unknown.")
    _check_values(path, config)


def _check_values(path: Path, config: Config) -> None:
    for key, value in config.items():
        if isinstance(value, dict):
            _check_values(path, value)
        if isinstance(value, str) and "attn_implementation" in key and "/" in value:
            raise ReadError(
                f"{path.name}/config.json requires code from the hub for {key}, which relviz never runs."
            )
        if key == "quantization_config" and value:
            raise ReadError(
                f"The weights of {path.name} are quantized, which is not supported. Use the full model."
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
