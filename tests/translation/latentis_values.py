"""What latentis 0.0.8 computes on random spaces, kept beside this file.

In an environment of its own, from the root of the repository:

pip install latentis==0.0.8 && python -m tests.translation.latentis_values
"""

import json
from pathlib import Path

import numpy as np

STORED = Path(__file__).with_name("latentis_values.json")
SHAPES = ((40, 6, 6), (25, 5, 8), (25, 8, 5), (60, 12, 12))


def spaces(k: int, dx: int, dy: int) -> tuple[np.ndarray, np.ndarray]:
    """Two gaussian spaces that have something in common, and their shares of noise."""
    rng = np.random.default_rng([k, dx, dy])
    x = rng.normal(size=(k, dx))
    y = x @ rng.normal(size=(dx, dy)) + 0.5 * rng.normal(size=(k, dy)) + 2
    return x, y


def unit(rows: np.ndarray) -> np.ndarray:
    """Rows minus their mean, of length one."""
    moved = rows - rows.mean(0)
    return moved / np.linalg.norm(moved, axis=1, keepdims=True)


def main() -> None:
    """Write the translated anchors: Procrustes with zero padding, and least squares."""
    import torch
    from latentis.transform.dim_matcher import ZeroPadding
    from latentis.transform.translate.functional import lstsq_align, svd_align

    found = {}
    for shape in SHAPES:
        x, y = (torch.from_numpy(unit(rows)) for rows in spaces(*shape))
        matcher = ZeroPadding() if shape[1] != shape[2] else None
        found["x".join(map(str, shape))] = {
            "procrustes": svd_align(x, y, matcher).numpy().round(8).tolist(),
            "lstsq": lstsq_align(x, y).numpy().round(8).tolist(),
        }
    STORED.write_text(json.dumps(found) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
