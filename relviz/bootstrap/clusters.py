"""Spherical k-means, as coarse as the search for a start needs it."""

import torch
from torch import Tensor

from relviz.relative import unit_rows

_ROUNDS = 15


def centroids(x: Tensor, k: int, generator: torch.Generator) -> Tensor:
    """Directions of k clusters of the unit rows ``(n, d)``: ``(k, d)``, rows of length one.

    Rows are drawn as first centroids with probability falling in their cosine to those drawn before
    (k-means++, Arthur and Vassilvitskii 2007), then the means of the rows nearest to each take over.
    """
    first = torch.randint(len(x), (1,), generator=generator).to(x.device)
    chosen = x[first]
    for _ in range(k - 1):
        far = (1 - (x @ chosen.T).amax(1)).clamp_min(1e-6)
        drawn = torch.multinomial(far.cpu(), 1, generator=generator).to(x.device)
        chosen = torch.cat([chosen, x[drawn]])
    for _ in range(_ROUNDS):
        nearest = (x @ chosen.T).argmax(1)
        sums = torch.zeros_like(chosen).index_add_(0, nearest, x)
        empty = torch.linalg.vector_norm(sums, dim=1) == 0
        chosen = torch.where(empty[:, None], chosen, unit_rows(sums))
    return chosen
