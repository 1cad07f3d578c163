"""What lies in a model's folder: told from its files, and refused before anything of it is loaded."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from relviz.encoders.files import (
    Config,
    NotWhole,
    check_config,
    check_vocabulary,
    settings,
    settings_files,
    weights,
)
from relviz.encoders.sentence_folder import module_files


@dataclass(frozen=True)
class Folder:
    """A model's folder. ``files``: all that its vectors depend on, weights last."""

    path: Path
    kind: Literal["sentence", "text", "image"]
    config: Config
    files: tuple[Path, ...]


def look_into(path: Path) -> Folder:
    """Which kind of model a folder holds.

    Raises
    ------
    ReadError
        If it holds none that is read here, is not whole, or would run code of its own.
    """
    modules = settings(path / "modules.json")
    if modules is not None:
        return Folder(path, "sentence", settings(path / "config.json") or {}, module_files(path, modules))
    config = settings(path / "config.json")
    if config is None:
        raise NotWhole(
            f"{path.name} has no config.json and no modules.json, so it is not the folder of a model. "
            "model.save_pretrained(folder) writes one."
        )
    check_config(path, config)
    kind: Literal["text", "image"] = "image" if _sees(path, config) else "text"
    if kind == "text":
        check_vocabulary(path)
    return Folder(path, kind, config, (*settings_files(path), *weights(path)))


def _sees(path: Path, config: Config) -> bool:
    """Whether it is a model of pictures."""
    for name in ("preprocessor_config.json", "processor_config.json"):
        said = settings(path / name) or {}
        said = said.get("image_processor", said)
        if isinstance(said, dict) and {"image_processor_type", "image_mean", "do_resize"} & said.keys():
            return True
    if "vocab_size" in config or not {"image_size", "num_channels", "vision_config"} & config.keys():
        return False
    raise NotWhole(
        f"{path.name} has no preprocessor_config.json, which says how images are prepared. Put the model's "
        "own there: image_processor.save_pretrained(folder)."
    )
