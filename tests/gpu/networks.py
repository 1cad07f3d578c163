"""Networks: an autoencoder and classifiers while they train, and every bundled encoder that is installed."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
from PIL import Image
from torch import Tensor

import relviz
from relviz.autoencoders import (
    CODES,
    RATES,
    Options,
    bundled_autoencoder,
    demo_digits,
    labeled,
    train,
    train_classifier,
)
from relviz.demos.contact_sheet import cut
from relviz.encoders import as_pixels, card, installed_encoders, load_encoder
from tests.gpu.case import Case, Tolerance, Work, figures

FIRST = Tolerance(2e-2, 0, "the same weights and batches at first; convolutions may round to TensorFloat-32")
LEARNED = Tolerance(
    0.1, 0, "rounding errors multiply over the steps: what is learned is as good, not the same"
)
USED = Tolerance(5e-3, 0, "one pass; convolutions may round to TensorFloat-32")
ENCODED = Tolerance(1e-4, 0, "whole float32 in another order, through all layers")
SHEET = Path(__file__).parent.parent / "encoders" / "twemoji.png"


def training(small: bool) -> Iterator[Case]:
    """Autoencoders of digits and their use, and classifiers on both kinds of codes."""
    n, epochs = (640, 1) if small else (6400, 3)
    size = f"{n:,} images, {epochs} epoch{'s'[: epochs - 1]}"

    def autoencoder(kind: str, first: bool) -> Work:
        images, options = demo_digits().train[:n], Options(kind=kind, rate=RATES[kind], epochs=epochs)

        def call() -> dict[str, Tensor]:
            found = train(images, options, on_step=(lambda _: True) if first else None)
            return figures({"mse": found.history[0] if first else found.mse(demo_digits().test[:500])})

        return call

    def use() -> Work:
        images, model = demo_digits().train[:n], bundled_autoencoder()
        return lambda: {"latents": model.encode(images), "images": model.reconstruct(images)}

    def classifier(codes: str) -> Work:
        digits = demo_digits()
        data = labeled(digits.train[:n], digits.train_labels[:n], digits.test[:500], digits.test_labels[:500])
        options = Options(codes=codes, epochs=epochs)

        def call() -> dict[str, Tensor]:
            *_, last = train_classifier(data, options)
            return figures({"accuracy": last.accuracy})

        return call

    yield Case("autoencoder, 10 steps", f"{n:,} images", FIRST, partial(autoencoder, "ae", True))
    for kind in RATES:
        name = f"{kind}, trained"
        yield Case(name, size, LEARNED, partial(autoencoder, kind, False), slow=True)
    yield Case("autoencoder in use", f"{n:,} images", USED, use)
    for codes in CODES:
        name = f"classifier, {codes} codes"
        yield Case(name, size, LEARNED, partial(classifier, codes), slow=True)


def encoders(small: bool) -> Iterator[Case]:
    """Every bundled encoder that is installed; its loading is not timed."""
    texts, pictures = (64, 16) if small else (1500, 512)

    def prepare(name: str, modality: str) -> Work:
        encoder = load_encoder(name)
        items = _texts(texts) if modality == "text" else _pictures(pictures)
        return lambda: {"vectors": encoder.encode(items)}

    for name in installed_encoders():
        known = card(name)
        size = f"{texts:,} texts" if known.modality == "text" else f"{pictures:,} pictures"
        yield Case(known.title, size, ENCODED, partial(prepare, name, known.modality), slow=True)


def _texts(count: int) -> list[str]:
    return list(relviz.load_demo("glosses").spaces["minilm"].items or ())[:count]


def _pictures(count: int) -> np.ndarray:
    """Forty emoji, again and again, each time moved by a pixel."""
    cells = [as_pixels(Image.fromarray(cell)) for cell in cut(np.asarray(Image.open(SHEET)), 40, 64, 8)]
    return np.stack([np.roll(cells[at % 40], at // 40, 1) for at in range(count)])
