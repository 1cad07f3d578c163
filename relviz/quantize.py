"""Vector quantization before projecting (RR A.3): near rows become one."""

import numpy as np
import torch
from torch import Tensor

from relviz.compute.arrays import ArrayLike
from relviz.errors import ParameterError
from relviz.relative_projection import finite_matrix


def quantize(x: ArrayLike, threshold: float) -> Tensor:
    """Replace every row by the mean of its cluster.

    Clusters come from agglomerative clustering with Ward linkage. Two clusters of p and q rows whose means
    lie D apart are merged while ``√(2pq / (p + q)) · D`` (for two single rows: their distance) is at most
    ``threshold`` times the root-mean-square distance of the rows to their mean. The threshold is relative
    to the spread of the space, so it is comparable between spaces and invariant to rescaling: 0 merges
    only equal rows, about 1 halves the number of distinct rows on the demo data, 3 leaves a few percent,
    and ``√(2n)`` always leaves one.

    Source: Moschella et al. 2023 (arXiv 2209.15430), appendix A.3. Memory O(n·d), time O(n²·d): a few
    seconds for 5,000 rows.

    Parameters
    ----------
    x
        ``(n, d)``.
    threshold
        0 or more, in root-mean-square distances to the mean.

    Returns
    -------
    quantized
        ``(n, d)`` float32; rows of one cluster are equal.

    Examples
    --------
    >>> quantize([[0.0, 0.0], [2.0, 0.0], [50.0, 1.0]], threshold=0.5)
    tensor([[ 1.,  0.],
            [ 1.,  0.],
            [50.,  1.]])
    """
    if not threshold >= 0:
        raise ParameterError(f"threshold must be 0 or more; it is {threshold}.")
    rows = finite_matrix(x).cpu().numpy().astype(np.float64)
    if len(rows) == 1:
        return torch.from_numpy(rows.astype(np.float32))

    from fastcluster import linkage_vector
    from scipy.cluster.hierarchy import fcluster

    spread = float(np.sqrt(np.square(rows - rows.mean(0)).sum(1).mean()))
    cluster = fcluster(linkage_vector(rows, method="ward"), threshold * spread, criterion="distance") - 1
    means = np.zeros((cluster.max() + 1, rows.shape[1]))
    np.add.at(means, cluster, rows)
    means /= np.bincount(cluster)[:, None]
    return torch.from_numpy(means[cluster].astype(np.float32))
