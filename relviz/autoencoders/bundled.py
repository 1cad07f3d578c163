"""The trained autoencoders that come with relviz, and how they are made again."""

import argparse
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from pathlib import Path

import numpy as np
from torch import Tensor

from relviz.autoencoders.images import as_images, split_images
from relviz.autoencoders.model import RATES, Autoencoder, Options, Weights
from relviz.autoencoders.training import train
from relviz.compute import entry, typed
from relviz.compute.entry import SUFFIX, DamagedError
from relviz.demos import load_demo
from relviz.errors import ParameterError, ReadError

DATA = Path(__file__).parent / "data"
MAX_BYTES = 2_000_000

BUNDLED: Mapping[str, Options] = {
    f"{kind}-{codes}-{latent}-{seed}": Options(
        kind=kind, codes=codes, latent=latent, anchors=anchors, rate=RATES[kind], seed=seed
    )
    for kind, latent, anchors, seeds in (("ae", 2, 16, 4), ("ae", 64, 64, 2), ("vae", 32, 32, 2))
    for codes in ("absolute", "relative")
    for seed in range(seeds)
}
"""Names of those there are, and how they were trained."""


@dataclass(frozen=True, eq=False)
class Digits:
    """The digits of the demo: ``train`` and ``test`` ``(n, 1, 28, 28)``, with their labels."""

    train: Tensor
    test: Tensor
    train_labels: tuple[str, ...]
    test_labels: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Bundled(Weights):
    """What comes with relviz of an autoencoder: ``mse`` on ``demo_digits().test``, as it was then."""

    mse: float


@cache
def demo_digits() -> Digits:
    """The 10,000 digits of the demo, four fifths of which train the bundled models; not to be written to."""
    space = load_demo("digits").spaces["pixels"]
    images, labels = as_images(space.vectors), space.labels
    assert labels is not None
    train, test = split_images(len(images))
    classes = [tuple(labels[row] for row in rows.tolist()) for rows in (train, test)]
    return Digits(images[train], images[test], *classes)


def bundled_autoencoder(
    kind: str = "ae", codes: str = "relative", latent: int = 64, seed: int = 0, folder: Path = DATA
) -> Autoencoder:
    """An autoencoder of the digits, trained on ``demo_digits().train``.

    Raises
    ------
    ParameterError
        If there is none such; the message lists those there are.
    ReadError
        If its file is missing or damaged.
    """
    return Autoencoder.of(_bundled(_name(kind, codes, latent, seed), folder))


def recorded_mse(kind: str = "ae", codes: str = "relative", latent: int = 64, seed: int = 0) -> float:
    """Mean squared error on ``demo_digits().test``, as measured when it was made."""
    return _bundled(_name(kind, codes, latent, seed), DATA).mse


def keep(model: Autoencoder, mse: float, folder: Path) -> Path:
    """Write an autoencoder, its weights rounded to float16."""
    name = _name(model.options.kind, model.options.codes, model.options.latent, model.options.seed)
    rounded = _rounded(model.weights())
    kept = Bundled(**{field.name: getattr(rounded, field.name) for field in fields(Weights)}, mse=mse)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}{SUFFIX}"
    entry.write(path, entry.pack(name, entry.result(*typed.pack(kept))))
    return path


def _rounded(weights: Weights) -> Weights:
    encoder, decoder = (
        {name: part.astype(np.float16) for name, part in half.items()}
        for half in (weights.encoder, weights.decoder)
    )
    anchors, history = (part.astype(np.float16) for part in (weights.anchors, weights.history))
    return replace(weights, encoder=encoder, decoder=decoder, anchors=anchors, history=history)


def _name(kind: str, codes: str, latent: int, seed: int) -> str:
    return f"{kind}-{codes}-{latent}-{seed}"


def _bundled(name: str, folder: Path) -> Bundled:
    if name not in BUNDLED:
        raise ParameterError(f"There is no bundled autoencoder {name!r}; there are {', '.join(BUNDLED)}.")
    path = folder / f"{name}{SUFFIX}"
    again = "Restore it from the repository, or rebuild it with python -m relviz.autoencoders.bundled."
    try:
        if path.stat().st_size > MAX_BYTES:
            raise ReadError(f"{path.name} has more than {MAX_BYTES} bytes. {again}")
        kept = entry.read(path, name)
    except OSError as reason:
        raise ReadError(f"{path.name} cannot be read ({reason.strerror or 'damaged'}). {again}") from None
    except DamagedError as reason:
        raise ReadError(f"{reason}. {again}") from None
    try:
        return typed.unpack(Bundled, kept)
    except (ParameterError, TypeError, KeyError, AttributeError) as reason:
        raise ReadError(f"{path.name} does not describe an autoencoder ({reason}). {again}") from None


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 0 if all went well."""
    parser = argparse.ArgumentParser(
        "python -m relviz.autoencoders.bundled", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("names", nargs="*", help="all by default")
    parser.add_argument("--out", type=Path, default=DATA, help="folder to write to")
    given = parser.parse_args(arguments)
    unknown = sorted(set(given.names) - set(BUNDLED))
    if unknown:
        parser.error(f"there is no {', '.join(unknown)}; there are {', '.join(BUNDLED)}")
    digits = demo_digits()
    for name in given.names or BUNDLED:
        began = time.perf_counter()
        model = train(digits.train, BUNDLED[name])
        mse = Autoencoder.of(_rounded(model.weights())).mse(digits.test)
        path = keep(model, mse, given.out)
        print(
            f"{name}: mean squared error {model.mse(digits.test):.5f}, {mse:.5f} as float16; "
            f"{path.stat().st_size / 1000:.0f} kB, {time.perf_counter() - began:.0f} s",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
