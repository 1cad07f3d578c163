"""What a signature says of a row does not depend on the pose of its space."""

import numpy as np
import pytest
import torch
from scipy.sparse import random_array

from relviz.bootstrapping.signatures import (
    densities_and_profiles,
    diffusion,
    returning,
    signatures,
    sparse_tensor,
    unstarted_walks,
    walked,
)
from relviz.relative_projection import unit_rows
from tests.bootstrapping.made import case


def turned(x, determinant):
    """A copy of x in another pose, and in another order of its rows; and where each row went."""
    generator = torch.Generator().manual_seed(7)
    q = torch.linalg.qr(torch.randn(x.shape[1], x.shape[1], generator=generator))[0]
    q[:, 0] *= determinant * torch.linalg.det(q).sign()
    order = torch.randperm(len(x), generator=generator)
    return (x @ q)[order], order.argsort()


@pytest.fixture
def x():
    made = case(n=150, d=12).x.exp()
    return unit_rows(made - made.mean(0))


@pytest.mark.parametrize("determinant", [1, -1])
def test_densities_and_profiles_are_those_of_the_row_in_any_pose(x, determinant):
    y, place = turned(x, determinant)
    sizes = torch.tensor([1, 3, 20])
    for one, other in zip(densities_and_profiles(x, sizes), densities_and_profiles(y, sizes), strict=True):
        torch.testing.assert_close(other[place], one, atol=1e-5, rtol=0)


@pytest.mark.parametrize("determinant", [1, -1])
def test_walks_and_heat_are_those_of_the_row_in_any_pose(x, determinant):
    y, place = turned(x, determinant)
    times = torch.tensor([3.0, 30.0])
    one, other = (diffusion(side, 8) for side in (x, y))
    torch.testing.assert_close(other.returns[place], one.returns, atol=1e-5, rtol=0)
    torch.testing.assert_close(other.heat(times)[place], one.heat(times), atol=1e-5, rtol=0)


def test_another_scale_changes_nothing(x):
    one, other = signatures(x, 6, 150), signatures(40 * x, 6, 150)
    for a, b in zip((*one.densities, *one.profiles), (*other.densities, *other.profiles), strict=True):
        torch.testing.assert_close(a, b, atol=1e-5, rtol=0)


def test_densities_are_mean_cosines_to_the_nearest(x):
    density, profile = densities_and_profiles(x, torch.tensor([1, 4]))
    cosines = (x @ x.T).fill_diagonal_(-2).sort(1, descending=True).values
    torch.testing.assert_close(density, torch.stack([cosines[:, 0], cosines[:, :4].mean(1)], 1))
    torch.testing.assert_close(profile[:, 0], torch.ones(150))
    torch.testing.assert_close(profile[:, -1], (x @ x.T).amin(1))


def test_walks_are_counted_on_the_graph_of_nearest_rows(x):
    graph = diffusion(x, 149)
    cosines = (x @ x.T).clamp_min(0).fill_diagonal_(0).double()
    root = cosines.sum(1).rsqrt()
    normalized = root[:, None] * cosines * root
    walk, returns = normalized, []
    for _ in range(graph.returns.shape[1]):
        walk = walk @ normalized
        returns.append(walk.diagonal().float())
    torch.testing.assert_close(graph.returns, torch.stack(returns, 1), atol=1e-5, rtol=1e-3)


@pytest.mark.parametrize("rows", [2, 3, 10])
def test_few_rows_are_no_trouble(rows):
    x = unit_rows(torch.randn(rows, 4, generator=torch.Generator().manual_seed(rows)))
    made = signatures(x, 48, rows)
    assert all(part.isfinite().all() for part in (*made.densities, *made.profiles))
    assert all(
        graph.returns.isfinite().all() and graph.heat(torch.ones(2)).isfinite().all() for graph in made.graphs
    )


def test_walks_on_a_graph_as_an_accelerator_has_it_are_those_of_scipy():
    half = random_array((90, 90), density=0.05, rng=np.random.default_rng(3))
    graph, here = ((half + half.T) / 2).tocsr().astype(np.float32), torch.device("cpu")
    dense = torch.from_numpy(graph.toarray()).double()
    powers = [torch.linalg.matrix_power(dense, steps).diagonal().float() for steps in range(2, 13)]
    found = returning(graph, here, None)
    torch.testing.assert_close(found, torch.stack(powers, 1))
    tensor = sparse_tensor(graph, here)
    part = torch.stack(list(walked(tensor.__matmul__, tensor @ unstarted_walks(90, slice(30, 50), here))), 1)
    torch.testing.assert_close(part, found[30:50])
