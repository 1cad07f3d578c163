"""Classes far apart, seen by two encoders that are one another's isometry."""

import numpy as np
import torch
from torch import Tensor

from tests.translation.made import isometry


def classes(
    n: int = 240, d: int = 6, kinds: int = 4, noise: float = 0.4, seed: int = 0
) -> tuple[Tensor, list]:
    """Rows round ``kinds`` centers, and their names."""
    rng = np.random.default_rng(seed)
    centers = 3 * rng.normal(size=(kinds, d))
    which = np.arange(n) % kinds
    rows = centers[which] + noise * rng.normal(size=(n, d))
    return torch.from_numpy(rows.astype(np.float32)), [f"kind {number}" for number in which]


def encoders(seed: int = 0, **how) -> tuple[dict[str, Tensor], list]:
    """Two spaces of the same rows."""
    rows, labels = classes(seed=seed, **how)
    return {"one": rows, "other": isometry(rows, 3.0, 5.0, seed)}, labels
