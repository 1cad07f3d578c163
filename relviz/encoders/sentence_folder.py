"""The folder of a sentence-transformers model: which modules it names, and what they may ask for."""

from pathlib import Path, PurePosixPath
from typing import Any

from relviz.encoders.files import NotWhole, check_config, check_vocabulary, settings, settings_files, weights
from relviz.errors import ReadError

OWN_KIND = "SentenceTransformer"
"""Other kinds are converted as they are loaded, and other files are read then than modules.json names."""
MODULES = ("Transformer", "Pooling", "Normalize", "Dense", "LayerNorm", "Dropout", "StaticEmbedding")
"""Modules that are read; others import what their settings name."""
ARGUMENTS = ("dtype", "torch_dtype", "attn_implementation", "add_pooling_layer", "padding_side", "use_cache")
"""What a module's settings may tell transformers; others open other files, or more than tensors."""
ATTENTION = ("eager", "sdpa", "flash_attention_2")
"""Any other word may be the name of a hub's code."""


def module_files(folder: Path, modules: Any) -> tuple[Path, ...]:
    """All files that the vectors of a folder's modules depend on, weights last.

    Raises
    ------
    ReadError
        If modules.json is damaged, a module is missing, or is none that is read here.
    """
    kinds = [_kind(folder, module) for module in modules] if isinstance(modules, list) else []
    if not kinds:
        raise ReadError(f"{folder.name}/modules.json is damaged: it holds no modules. Save the model again.")
    declared = (settings(folder / "config_sentence_transformers.json") or {}).get("model_type", OWN_KIND)
    if declared != OWN_KIND:
        raise ReadError(
            f"{folder.name} is a {str(declared)[:60]}, which would be loaded without its own modules. Take a "
            f"{OWN_KIND}."
        )
    files, tensors = dict.fromkeys(settings_files(folder)), dict[Path, None]()
    for kind, module in zip(kinds, modules, strict=True):
        place = folder / module["path"]
        if kind == "Transformer":
            config = settings(place / "config.json")
            if config is None:
                raise NotWhole(
                    f"{folder.name} has no config.json for its transformer. Copy or save it again."
                )
            check_config(place, config)
            check_vocabulary(place)
            _check_transformer(place)
        if kind in ("Pooling", "Dense"):
            _check_module(folder, place, kind)
        if place.is_dir():
            files.update(dict.fromkeys(settings_files(place)))
        if kind in ("Transformer", "Dense", "LayerNorm", "StaticEmbedding"):
            tensors.update(dict.fromkeys(weights(place)))
    return (*files, *tensors)


def transformer_places(folder: Path) -> list[Path]:
    """Where the transformers of a folder lie, whose modules were looked at before."""
    modules = settings(folder / "modules.json")
    return [folder / one["path"] for one in modules if one["type"].rpartition(".")[2] == "Transformer"]


def _kind(folder: Path, module: object) -> str:
    """The class of a module, by its name alone."""
    declared = module.get("type") if isinstance(module, dict) else None
    place = module.get("path") if isinstance(module, dict) else None
    if not isinstance(declared, str) or not isinstance(place, str):
        raise ReadError(f"{folder.name}/modules.json is damaged: a module has no type or no path.")
    package, _, kind = declared.rpartition(".")
    if package.partition(".")[0] != "sentence_transformers" or kind not in MODULES:
        raise ReadError(
            f"{folder.name}/modules.json names the module {declared[:100]!r}, whose code "
            f"sentence-transformers would run. Supported modules: {', '.join(MODULES)}."
        )
    parts = PurePosixPath(place).parts
    if PurePosixPath(place).is_absolute() or ".." in parts or "\\" in place or ":" in place:
        raise ReadError(f"{folder.name}/modules.json names the place {place[:100]!r}, outside the folder.")
    return kind


def _check_transformer(place: Path) -> None:
    for path in sorted(place.glob("sentence_*_config.json")):
        declared = settings(path)
        if declared.get("tokenizer_name_or_path"):
            raise ReadError(
                f"{place.name}/{path.name} names a tokenizer elsewhere. Save it in the folder and remove "
                "tokenizer_name_or_path."
            )
        for key, value in declared.items():
            if not key.endswith(("_args", "_kwargs")) or not isinstance(value, dict):
                continue
            wrong = set(value) - {*ARGUMENTS, "trust_remote_code"}
            if value.get("attn_implementation", "eager") not in ATTENTION:
                wrong.add("attn_implementation")
            if wrong and key != "processing_kwargs":
                raise ReadError(
                    f"{place.name}/{path.name} sets {key}.{min(wrong)}, which is not allowed here: it may "
                    "load more than tensors. Take it out."
                )


def _check_module(folder: Path, place: Path, kind: str) -> None:
    declared = settings(place / "config.json")
    if declared is None:
        raise NotWhole(f"{folder.name}/{place.name} has no config.json. Copy or save the model again.")
    function = declared.get("activation_function", "torch.nn.")
    if kind == "Dense" and not (isinstance(function, str) and function.startswith("torch.nn.")):
        raise ReadError(
            f"{folder.name}/{place.name}/config.json names the function {str(function)[:100]!r}, which is "
            "none of torch.nn and so is never run."
        )
