"""Signatures: what a row's place among the rows of its own space tells, in whatever pose the space is."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from relviz.bootstrapping.anneal import Pulse
from relviz.compute.blocks import ascending, slices, top_k
from relviz.compute.parallel import side_by_side
from relviz.relative_projection import unit_rows

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Array = NDArray[np.floating[Any]]
Steps = TypeVar("Steps", Array, Tensor)

SIZES, QUANTILES = 48, 96
"""Neighborhoods, from one row to a third of all; quantiles of a row's cosines, denser near the largest."""
NEIGHBORS = (8, 15, 30)
"""Neighbors of a row in the graphs that walks and heat run on."""
HALF_WALKS, _MODES = 6, 32
"""Walks of up to twice as many steps; and slow modes of each graph."""
_ROWS, _ROWS_ON_ACCELERATOR = 512, 4096
"""Rows that are looked at together: no matrix of all rows with all is kept."""


@dataclass(frozen=True, eq=False)
class Graph:
    """What walks and heat on the graph of nearest neighbors say of every row.

    Attributes
    ----------
    returns
        ``(n, 2 h - 1)``: weight of the walks of 2, 3, … steps that end where they began.
    values, modes
        ``(r,)`` and ``(n, r)``: the least eigenvalues of the normalized Laplacian, and the squares of its
        eigenvectors.
    """

    returns: Tensor
    values: Tensor
    modes: Tensor

    def heat(self, times: Tensor) -> Tensor:
        """Heat that is left in each row after these times ``(t,)``, by the slow modes: ``(n, t)``.

        Source: heat kernel signature (Sun, Ovsjanikov and Guibas 2009).
        """
        return self.modes @ torch.exp(-self.values[:, None] * times.to(self.values))


@dataclass(frozen=True, eq=False)
class Signatures:
    """All signatures of one space of n rows; each start takes some columns of each kind.

    Attributes
    ----------
    densities
        In all directions and in the leading ones, ``(n, s)`` each: mean cosine to the nearest rows.
    profiles
        The same two, ``(n, q)`` each: quantiles of a row's cosines to all rows.
    graphs
        One for each number of neighbors.
    """

    densities: tuple[Tensor, Tensor]
    profiles: tuple[Tensor, Tensor]
    graphs: tuple[Graph, ...]


def signatures(x: Tensor, leading: int, most: int, pulse: Pulse | None = None) -> Signatures:
    """The signatures of a space.

    None of them changes when the space is rotated, reflected or rescaled; in another order of the rows they
    are those of the rows.

    Parameters
    ----------
    x
        ``(n, d)``, centered, on its principal axes.
    leading
        How many of the axes are the leading ones.
    most
        Rows of the smaller of the two spaces that are compared: neighborhoods are of the same sizes in both.
    """
    sizes = _sizes(most).to(x.device)
    full, narrow = (densities_and_profiles(unit_rows(side), sizes, pulse) for side in (x, x[:, :leading]))
    graphs = tuple(diffusion(unit_rows(x), neighbors, pulse) for neighbors in NEIGHBORS)
    return Signatures((full[0], narrow[0]), (full[1], narrow[1]), graphs)


def densities_and_profiles(unit: Tensor, sizes: Tensor, pulse: Pulse | None = None) -> tuple[Tensor, Tensor]:
    """How the cosines of each row to all others are distributed, of rows of length one ``(n, d)``.

    Returns
    -------
    densities
        ``(n, s)``: mean cosine to the nearest rows, as many as each of ``sizes`` says.
    profiles
        ``(n, q)``: quantiles of all cosines, denser near the largest.
    """
    n = len(unit)
    sizes = sizes.clamp(max=n - 1)
    at = (torch.linspace(0, 1, QUANTILES, device=unit.device).square() * (n - 1)).long()
    densities, profiles = unit.new_empty(n, len(sizes)), unit.new_empty(n, len(at))
    for rows in slices(n, _ROWS):
        if pulse is not None:
            pulse()
        cosines = ascending(unit[rows] @ unit.T).flip(1)
        profiles[rows] = cosines[:, at]
        densities[rows] = cosines[:, 1:].cumsum(1)[:, sizes - 1] / sizes  # a row is its own nearest
    return densities, profiles


def diffusion(unit: Tensor, neighbors: int, pulse: Pulse | None = None) -> Graph:
    """Walks and heat on the graph in which each row of length one is tied to its nearest, by their cosine."""
    from scipy.sparse import csr_matrix, diags

    n = len(unit)
    k = min(neighbors, n - 1)
    cosines, nearest = top_k(unit, unit, k + 1)
    rows, columns = np.repeat(np.arange(n), k + 1), nearest.cpu().numpy().ravel()
    weights = cosines.clamp_min(0).cpu().double().numpy().ravel()
    others = rows != columns
    one_way = csr_matrix((weights[others], (rows[others], columns[others])), (n, n))
    both = (one_way + one_way.T) / 2
    root = diags(1 / np.sqrt(np.asarray(both.sum(1)).ravel() + 1e-9))
    normalized = (root @ both @ root).tocsr()
    values, vectors = _slow_modes(normalized)
    returns = returning(normalized.astype(np.float32), unit.device, pulse)
    kept = np.maximum(1 - values, 0), np.square(vectors)
    return Graph(returns, *(torch.from_numpy(part).float().to(unit.device) for part in kept))


def _slow_modes(graph: "csr_matrix") -> tuple[Array, Array]:
    """The largest eigenvalues of a symmetric graph, and their eigenvectors."""
    from scipy.sparse.linalg import ArpackNoConvergence, eigsh

    n = graph.shape[0]
    if n <= 2 * _MODES:
        values, vectors = np.linalg.eigh(graph.toarray())
        return values[-_MODES:], vectors[:, -_MODES:]
    try:
        found: tuple[Array, Array] = eigsh(graph, k=_MODES, which="LA", v0=np.ones(n), tol=1e-5)
    except ArpackNoConvergence as reason:
        found = reason.eigenvalues, reason.eigenvectors
    return found


def returning(graph: "csr_matrix", device: torch.device, pulse: Pulse | None) -> Tensor:
    """Weight of the walks of 2 steps and more that end where they began: half a walk from each end."""
    n = graph.shape[0]

    def on_processor(part: slice, beat: Pulse | None) -> Tensor:
        if beat is not None:
            beat()
        columns = walked(graph.__matmul__, graph[:, part].toarray())
        return torch.stack([torch.from_numpy(one) for one in columns], 1)

    if device.type == "cpu":
        return torch.cat(list(side_by_side(on_processor, [(part,) for part in slices(n, _ROWS)], pulse)))
    tensor, found = sparse_tensor(graph, device), []
    for part in slices(n, _ROWS_ON_ACCELERATOR):
        if pulse is not None:
            pulse()
        found.append(
            torch.stack(list(walked(tensor.__matmul__, tensor @ unstarted_walks(n, part, device))), 1)
        )
    return torch.cat(found)


def walked(onward: Callable[[Steps], Steps], steps: Steps) -> Iterator[Steps]:
    """Weights of walks of 2, 3, … steps that return; ``steps`` ``(n, p)`` are the first ones, from p rows."""
    for half in range(HALF_WALKS):
        yield (steps * steps).sum(0)
        if half + 1 < HALF_WALKS:
            further = onward(steps)
            yield (steps * further).sum(0)
            steps = further


def unstarted_walks(n: int, part: slice, device: torch.device) -> Tensor:
    """One walk in each of these rows, not begun yet: some columns of the identity ``(n, n)``."""
    steps = torch.zeros(n, part.stop - part.start, device=device)
    steps[part].fill_diagonal_(1)
    return steps


def sparse_tensor(graph: "csr_matrix", device: torch.device) -> Tensor:
    """The graph as a sparse tensor on a device."""
    entries = graph.tocoo()
    places = torch.from_numpy(np.stack([entries.row, entries.col]).astype(np.int64)).to(device)
    values = torch.from_numpy(entries.data).to(device)
    with torch.sparse.check_sparse_tensor_invariants(False):
        return torch.sparse_coo_tensor(places, values, graph.shape).coalesce()


def _sizes(most: int) -> Tensor:
    largest = max(2, most // 3)
    return torch.exp(torch.linspace(0, float(np.log(largest)), SIZES)).round().long().clamp(1, largest)
