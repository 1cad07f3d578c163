"""Loading an encoder by name: a bundled one, a folder, a model of the hub, a file of word vectors."""

import os
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock

from relviz.encoders.bundled import BUNDLED, installed_encoders
from relviz.encoders.encoder import Card, Encoder, digest_of, stamp
from relviz.encoders.files import Config, settings
from relviz.encoders.folder import Folder, look_into
from relviz.encoders.hub import hub_folder, is_hub_id
from relviz.encoders.layers import OF_TEXT, own_first
from relviz.encoders.model import Model, chosen
from relviz.encoders.reading import reading
from relviz.encoders.transformer_image import FIRST_TOKENS, processor_side
from relviz.encoders.word_vectors import ENDINGS, words_model
from relviz.errors import ParameterError, ReadError

KEPT = 4
"""Models kept beside the bundled ones."""

_recent: OrderedDict[Hashable, Model] = OrderedDict()
_bundled: dict[Hashable, Model] = {}
_looking, _loading = Lock(), Lock()


def cached(key: Hashable) -> Model | None:
    """The model of a key, if it is loaded."""
    with _looking:
        if key in _recent:
            _recent.move_to_end(key)
        return _bundled.get(key) or _recent.get(key)


def cached_or_loaded(key: Hashable, load: Callable[[], Model], forever: bool = False) -> Model:
    """The model of a key, loaded if it is not; threads that ask meanwhile wait for it."""
    found = cached(key)
    if found is None:
        with _loading:
            found = cached(key)
            if found is None:
                found = load()
                with _looking:
                    (_bundled if forever else _recent)[key] = found
                    while len(_recent) > KEPT:
                        _recent.popitem(last=False)
    return found


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
    """Of a transformer whose tokens are pooled in one way, and at most normalized then."""
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


def _shape(config: Config) -> tuple[int, int] | None:
    """Width and number of the hidden states, where they are all alike."""
    width = next((config[key] for key in _WIDTH if key in config), None)
    depth = next((config[key] for key in _DEPTH if key in config), None)
    if config.get("is_encoder_decoder") or config.get("word_embed_proj_dim", width) != width:
        return None
    return (width, depth) if isinstance(width, int) and isinstance(depth, int) else None


@dataclass(frozen=True)
class _Found:
    """What a name means: a model saved anew has another key.

    ``known``: the card, and the dimensions of its layers, if files tell them.
    """

    key: Hashable
    files: Callable[[], tuple[Path, ...]]
    known: tuple[Card, tuple[int, ...]] | None
    load: Callable[[], Model]
    bundled: bool = False

    def model(self) -> Model:
        return cached_or_loaded(self.key, self.load, self.bundled)


def load_encoder(
    name: str | os.PathLike[str], *, layer: int | None = None, pooling: str | None = None
) -> Encoder:
    """The encoder of that name, its network loaded once in a process; threads that ask meanwhile wait for it.

    No network is asked and no code of a model is run: weights are safetensors, or torch's tensors alone.

    Parameters
    ----------
    name
        One of ``encoder_names()``; the path of a folder with a model of transformers or
        sentence-transformers; the path of a file of word vectors; or "org/name" of a model that lies in the
        local cache of the Hugging Face hub.
    layer
        The hidden state that the vectors are made of, 0 (the embeddings) to ``Card.layers``.
    pooling
        How, one of ``Card.poolings``. With neither, the vectors are the model's own.

    Raises
    ------
    ParameterError
        If there is no encoder of that name, layer or pooling, or its packages are not installed.
    ReadError
        If its files are damaged, incomplete, or would run code.
    """
    return _find(name).model().encoder(layer, pooling)


def card(name: str | os.PathLike[str], *, layer: int | None = None, pooling: str | None = None) -> Card:
    """What is known of an encoder; it is loaded only where its settings do not tell.

    Raises
    ------
    ParameterError, ReadError
        As ``load_encoder`` does.
    """
    found = _find(name)
    loaded = cached(found.key)
    if loaded is None and found.known is not None:
        known, widths = found.known
        if widths or not known.poolings or (layer is None and pooling is None):
            return chosen(known, widths, layer, pooling)
    model = loaded or found.model()
    return chosen(model.card, model.widths, layer, pooling)


def encoder_digest(
    name: str | os.PathLike[str], *, layer: int | None = None, pooling: str | None = None
) -> str:
    """``Encoder.digest`` of what ``load_encoder`` would give, from its files alone; errors as there."""
    return digest_of(_find(name).files(), card(name, layer=layer, pooling=pooling))


def _find(name: str | os.PathLike[str]) -> _Found:
    said = os.fspath(name)
    if said in BUNDLED:
        one = BUNDLED[said]
        return _Found(said, one.files, (one.card, one.widths), one.load, bundled=True)
    path = _place(said)
    if path is not None:
        return _of_folder(path, path.name) if path.is_dir() else _of_file(path)
    if is_hub_id(said):
        folder = hub_folder(said)
        if folder is not None:
            return _of_folder(folder, said)
        raise ParameterError(
            f"{said} is not on this machine, or incomplete: it is neither a local folder nor in the local "
            f"cache of the Hugging Face hub. fetch_from_hub({said!r}) downloads it. Installed: "
            f"{_installed()}."
        )
    raise ParameterError(
        f"There is no encoder {said[:100]!r}; there are {', '.join(BUNDLED)} (installed: {_installed()}), "
        "and any model by the path of its folder or file, or as org/name of the Hugging Face hub."
    )


def _place(said: str) -> Path | None:
    """The folder or file of that path; None if there is none."""
    try:
        path = Path(said).expanduser().resolve()
        return path if said and (path.is_dir() or path.is_file()) else None
    except (OSError, ValueError, RuntimeError):
        return None


def _of_folder(path: Path, name: str) -> _Found:
    with reading(path):
        folder = look_into(path)
    plain = Card(name, name.rpartition("/")[2], "image" if folder.kind == "image" else "text", 0)

    def load() -> Model:
        with reading(path):
            return _loaded(plain, folder)

    key = tuple(map(stamp, folder.files))
    return _Found(key, lambda: folder.files, outline(plain, folder), load)


def _loaded(plain: Card, folder: Folder) -> Model:
    if folder.kind == "sentence":
        from relviz.encoders.sentence import sentence_model

        return sentence_model(plain, folder.path, folder.files)
    if folder.kind == "text":
        from relviz.encoders.transformer_text import text_model

        return text_model(plain, folder)
    from relviz.encoders.transformer_image import image_model

    return image_model(plain, folder)


def _of_file(path: Path) -> _Found:
    if path.suffix.lower() not in ENDINGS:
        raise ReadError(
            f"{path.name} is not a file of word vectors ({', '.join(ENDINGS)}). For a model, give its folder."
        )
    plain = Card(path.name, path.stem, "text", 0)
    return _Found(stamp(path), lambda: (path,), None, lambda: words_model(plain, path))


def _installed() -> str:
    return ", ".join(installed_encoders()) or "none"
