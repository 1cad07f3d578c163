"""Text encoders that pip carries, each set as it was for the demos."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import torch
from torch import Tensor

from relviz.compute.device import device
from relviz.encoders.encoder import Card, Encoder
from relviz.encoders.files import needed


def minilm(card: Card, package: Path) -> Encoder:
    """all-MiniLM-L6-v2: unit rows; it reads 256 tokens (Apache-2.0)."""
    folder = package / "model"
    settings = ("config.json", "modules.json", "sentence_bert_config.json", "1_Pooling/config.json")
    files = needed(folder, "model.safetensors", "tokenizer.json", *settings)
    from sentence_transformers import SentenceTransformer

    with _no_progress_bar():
        model = SentenceTransformer(str(folder), device=str(device()), local_files_only=True)

    def embed(texts: Sequence[str]) -> Tensor:
        return model.encode(
            list(texts), batch_size=len(texts), convert_to_tensor=True, show_progress_bar=False
        )

    return Encoder(**vars(card), files=files, embed=embed, network=model)


def wordllama(card: Card, package: Path) -> Encoder:
    """WordLlama l2_supercat: mean of its token vectors, not normalised, on the CPU everywhere (MIT)."""
    files = needed(
        package, "weights/l2_supercat_256.safetensors", "tokenizers/l2_supercat_tokenizer_config.json"
    )
    with _root_logger_kept():
        from wordllama import WordLlama
    # Any other cache folder sends it to a model hub, even with downloads disabled.
    model = WordLlama.load(cache_dir=package, disable_download=True)

    def embed(texts: Sequence[str]) -> Tensor:
        return torch.from_numpy(model.embed(list(texts), norm=False, batch_size=len(texts)))

    return Encoder(**vars(card), files=files, embed=embed)


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


@contextmanager
def _no_progress_bar() -> Iterator[None]:
    """Transformers, when it loads weights, draws a bar on the terminal."""
    from transformers.utils import logging as bars

    shown = bars.is_progress_bar_enabled()
    bars.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            bars.enable_progress_bar()
