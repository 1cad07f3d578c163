"""The linear maps against another implementation, and against what each is defined by."""

import json

import numpy as np
import pytest
import torch

import relviz
from relviz.relative_projection import unit_rows
from relviz.translation import anchor_pairs
from relviz.translation.irp_plus import tried
from tests.translation.latentis_values import SHAPES, STORED, spaces, unit
from tests.translation.made import gaussian


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("method", ["procrustes", "lstsq"])
def test_latentis_computes_the_same(method, shape):
    x, y = spaces(*shape)
    expected = json.loads(STORED.read_text())["x".join(map(str, shape))][method]
    matrix = relviz.translator(x, y, method).matrix
    np.testing.assert_allclose(unit(x) @ matrix.double().numpy(), expected, atol=2e-5)


def test_procrustes_is_orthogonal_as_far_as_the_anchors_tell():
    full = relviz.translator(gaussian(30, 6), gaussian(30, 6, 1), "procrustes").matrix
    torch.testing.assert_close(full.T @ full, torch.eye(6), atol=1e-5, rtol=0)
    for dx, dy in ((9, 9), (9, 6), (6, 9)):
        few = relviz.translator(gaussian(5, dx), gaussian(5, dy, 1), "procrustes").matrix
        values = torch.linalg.svdvals(few)
        torch.testing.assert_close(values, (torch.arange(len(values)) < 4).float(), atol=1e-5, rtol=0)


def test_many_anchors_and_few_give_the_same_rotation():
    x, y = gaussian(6, 7), gaussian(6, 7, 1)
    wide = relviz.translator(x, y, "procrustes").matrix
    pairs = anchor_pairs(x, y)
    u, _, vt = torch.linalg.svd(pairs.source.exact.T @ pairs.target.exact)
    torch.testing.assert_close(wide, (u[:, :5] @ vt[:5]).float(), atol=1e-5, rtol=0)


@pytest.mark.parametrize(("k", "seed"), [(20, 0), (8, 1), (8, 2), (7, 3), (40, 4)])
def test_ridge_is_the_solution_of_its_equations_and_its_strength_that_of_leaving_out(k, seed):
    d = 6
    x = gaussian(k, d, seed)
    y = x @ gaussian(d, 4, seed + 1) + 2 * gaussian(k, 4, seed + 2)
    pairs = anchor_pairs(x, y)
    ux, uy = (side.exact - side.exact.mean(0) for side in (pairs.source, pairs.target))
    values = torch.linalg.svdvals(ux)
    mean = float((values[values > 1e-9] ** 2).mean())

    def matrix(strength):
        return torch.linalg.solve(ux.T @ ux + strength * mean * torch.eye(d), ux.T @ uy)

    def missed(strength):
        total = 0.0
        for left in range(k):
            rest = [row for row in range(k) if row != left]
            at, goal = ux[rest].mean(0), uy[rest].mean(0)
            gram = (ux[rest] - at).T @ (ux[rest] - at) + strength * mean * torch.eye(d)
            slopes = torch.linalg.solve(gram, (ux[rest] - at).T @ (uy[rest] - goal))
            total += float(((ux[left] - at) @ slopes + goal - uy[left]).square().sum())
        return total

    told = relviz.translator(x, y, "ridge", strength=0.3)
    torch.testing.assert_close(told.matrix, matrix(0.3).float(), atol=1e-5, rtol=1e-5)
    chosen = relviz.translator(x, y, "ridge")
    found = tried(lambda strength: -missed(strength))
    assert chosen.parameters["strength"] == max(found, key=found.__getitem__)
    appended = torch.linalg.svdvals(torch.cat([ux, (0.3 * mean) ** 0.5 * torch.eye(d)]))
    assert told.condition_number == pytest.approx(float(appended[0] / appended[-1]), rel=1e-4)


def test_ridge_does_not_take_few_anchors_for_noiseless():
    pair = relviz.load_demo("emoji").pair("image_lite0", "image_lite1")
    for seed in range(3):
        drawn = torch.randperm(len(pair), generator=torch.Generator().manual_seed(seed))[:100]
        chosen = relviz.translator(pair.a.vectors[drawn], pair.b.vectors[drawn], "ridge")
        assert chosen.parameters["strength"] > 0.1


def test_least_squares_leaves_no_gradient_and_affine_leaves_no_mean():
    x, y = gaussian(25, 5), gaussian(25, 3, 1) + gaussian(25, 5)[:, :3]
    pairs = anchor_pairs(x, y)
    ux, uy = pairs.source.unit, pairs.target.unit
    flat = relviz.translator(x, y, "lstsq")
    torch.testing.assert_close(ux.T @ (ux @ flat.matrix - uy), torch.zeros(5, 3), atol=1e-4, rtol=0)
    moved = relviz.translator(x, y, "affine", length="mean")
    made = ux @ moved.matrix + moved.fit.offset
    torch.testing.assert_close((made - uy).mean(0), torch.zeros(3), atol=1e-5, rtol=0)
    torch.testing.assert_close(ux.T @ (made - uy), torch.zeros(5, 3), atol=1e-4, rtol=0)
    lengths = torch.linalg.vector_norm(y - y.mean(0), dim=1).mean()
    torch.testing.assert_close(moved(x), unit_rows(made) * lengths + y.mean(0), atol=1e-4, rtol=1e-4)


def test_the_worst_condition_is_where_anchors_are_as_many_as_dimensions():
    d = 30
    x, y = gaussian(200, d), gaussian(200, d, 1)
    numbers = {k: relviz.translator(x[:k], y[:k], "lstsq").condition_number for k in (10, d + 1, 150)}
    assert numbers[d + 1] > 5 * numbers[10]
    assert numbers[d + 1] > 5 * numbers[150]
