"""Both sides of a pair as a view takes them: quantized, centred, or as they are."""

import torch
from torch import Tensor

from relviz.compute.store import default_store, result_key
from relviz.pair import Pair
from relviz.quantize import quantize
from relviz.relative import prepare
from relviz.view.choices import View


def frames_of(view: View, pair: Pair) -> tuple[Tensor, Tensor]:
    """Both sides as the relative projection takes them: quantized and centred where the view says so.

    Anchors that a run found lie in the centred frame, so with them both sides always are.
    """
    x, y = quantized_sides(view, pair)
    return (prepare(x), prepare(y)) if centred(view) else (x, y)


def centred(view: View) -> bool:
    """Whether both spaces are centred and scaled first."""
    return view.centre or view.method == "run"


def quantized_sides(view: View, pair: Pair) -> list[Tensor]:
    """Both sides, each quantized where the view says so."""
    return [_quantized(side.vectors, side.digest, view.quantum) for side in (pair.a, pair.b)]


def _quantized(vectors: Tensor, digest: str, quantum: float) -> Tensor:
    if not quantum:
        return vectors
    key = result_key("quantized", [digest], {"threshold": quantum})
    made = default_store().cached(key, lambda: ({"vectors": quantize(vectors, quantum).numpy()}, {}))
    return torch.from_numpy(made.arrays["vectors"])
