"""Gradients go through relative representations, prepared rows and translators, and are the true ones."""

import numpy as np
import pytest
import torch
from torch import Tensor, nn

import relviz
from relviz.relative_projection import SIMILARITIES, prepare, relative, unit_rows


def points(n: int, d: int = 6, seed: int = 0) -> Tensor:
    return torch.from_numpy(np.random.default_rng(seed).normal(size=(n, d)))


def normal(x: Tensor) -> Tensor:
    return x / x.norm(dim=1, keepdim=True)


PLAIN = {
    "cosine": lambda x, a: normal(x) @ normal(a).T,
    "inner": lambda x, a: x @ a.T,
    "euclidean": lambda x, a: (x[:, None] - a).square().sum(2).sqrt(),
    "l1": lambda x, a: (x[:, None] - a).abs().sum(2),
    "angular": lambda x, a: (normal(x) @ normal(a).T).arccos() / torch.pi,
}
"""Each similarity in float64, as one would write it down; autograd knows the rest."""


def gradients(made: Tensor, *inputs: Tensor) -> list[Tensor]:
    weights = points(made.shape[0], made.shape[1], 99).to(made.dtype)
    return list(torch.autograd.grad((made * weights).sum(), inputs))


@pytest.mark.parametrize("similarity", SIMILARITIES)
@pytest.mark.parametrize("center", [None, "anchors", "given"])
def test_gradients_of_every_similarity_are_those_of_its_formula_in_every_block(
    similarity, center, monkeypatch
):
    monkeypatch.setitem(relative.__globals__, "TILE_ELEMENTS", 20)
    x, anchors, given = (rows.requires_grad_() for rows in (points(11), points(5, seed=1), points(1, seed=2)))
    shift = {None: 0 * given, "anchors": anchors.mean(0), "given": given}[center]
    inputs = [x, anchors] + [given] * (center == "given")
    expected = gradients(PLAIN[similarity](x - shift, anchors - shift), *inputs)
    made = relative(x, anchors, similarity, given[0] if center == "given" else center)
    assert made.dtype == torch.float32
    for one, other in zip(gradients(made, *inputs), expected, strict=True):
        torch.testing.assert_close(one, other, atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize("similarity", SIMILARITIES)
def test_with_and_without_a_graph_the_values_are_the_same(similarity):
    x = points(30).float()
    grown = relative(x.clone().requires_grad_(), x[:7], similarity, "anchors")
    assert grown.requires_grad
    plain = relative(x, x[:7], similarity, "anchors")
    assert not plain.requires_grad
    assert torch.equal(grown, plain)
    with torch.no_grad():
        assert not relative(x.clone().requires_grad_(), x[:7], similarity).requires_grad
    assert not relative(x.numpy(), x[:7].numpy(), similarity).requires_grad


@pytest.mark.parametrize("similarity", SIMILARITIES)
@pytest.mark.parametrize("center", [None, "anchors"])
def test_no_gradient_is_nan_at_equal_opposite_or_zero_rows(similarity, center):
    rows = points(6).float()
    rows[2], rows[3], rows[4] = rows[0], -rows[0], 0
    rows[5] = 1e-20 * rows[0]
    x = rows.clone().requires_grad_()
    relative(x, x[:4], similarity, center).square().sum().backward()
    assert x.grad.isfinite().all()


def test_where_a_direction_is_undefined_or_has_a_kink_the_gradient_is_zero():
    row = torch.tensor([[3.0, 4.0]])
    for similarity in ("angular", "euclidean", "l1"):
        for anchor in (row, -row) if similarity == "angular" else (row,):
            x = row.clone().requires_grad_()
            assert not torch.autograd.grad(relative(x, anchor, similarity).sum(), x)[0].any()
    for similarity in ("cosine", "angular"):
        x = torch.zeros(1, 2, requires_grad=True)
        assert not torch.autograd.grad(relative(x, row, similarity).sum(), x)[0].any()
    x = torch.ones(3, 2, requires_grad=True)
    assert not torch.autograd.grad(prepare(x).sum(), x)[0].any()


def test_gradients_of_prepared_rows_are_those_of_the_formula():
    x = (points(12) + 3).requires_grad_()
    expected = gradients(normal(x - x.mean(0)), x)
    torch.testing.assert_close(gradients(prepare(x), x), expected, atol=1e-5, rtol=1e-4)
    torch.testing.assert_close(gradients(unit_rows(x), x), gradients(normal(x), x))


@pytest.mark.parametrize("method", relviz.TRANSLATORS)
@pytest.mark.parametrize("length", ["own", "mean"])
def test_gradients_of_a_translation_are_those_of_its_steps(method, length):
    xa, ya = points(20), points(20, seed=1)
    told = {} if method == "absolute" else {"length": length}
    t = relviz.translator(xa, ya, method, target=points(30, seed=3), **told)
    x = points(4, seed=2).requires_grad_()
    made = t(x)
    mean, scale = t.pairs.frame
    expected = x
    if method != "absolute":
        source, goal = t.pairs.source, t.pairs.target
        moved = x - source.mean
        turned = normal(moved) @ t.matrix.double() + (0 if t.fit.offset is None else t.fit.offset)
        own = moved.norm(dim=1, keepdim=True) / source.length if length == "own" else 1
        expected = normal(turned) * goal.length * own + goal.mean
    expected = expected * scale + mean
    torch.testing.assert_close(made.double(), expected, atol=1e-4, rtol=1e-3)
    torch.testing.assert_close(gradients(made, x), gradients(expected, x), atol=1e-4, rtol=1e-3)
    at_mean = xa.mean(0)[None].float().requires_grad_()
    assert torch.autograd.grad(t(at_mean).sum(), at_mean)[0].isfinite().all()


@pytest.mark.parametrize("similarity", SIMILARITIES)
def test_an_encoder_learns_through_relative_vectors(similarity):
    torch.manual_seed(0)
    rows = points(80, 8).float()
    goal = (rows[:, 0] * rows[:, 1] > 0).long()
    encoder = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 4))
    head = nn.Linear(10, 2)
    before = [weights.clone() for weights in encoder.parameters()]
    descent = torch.optim.Adam([*encoder.parameters(), *head.parameters()], lr=0.03)
    losses = []
    for _ in range(60):
        descent.zero_grad()
        h = encoder(rows)
        loss = nn.functional.cross_entropy(head(relative(h, h[:10], similarity)), goal)
        loss.backward()
        descent.step()
        losses.append(float(loss.detach()))
    assert all(not torch.equal(one, other) for one, other in zip(before, encoder.parameters(), strict=True))
    assert losses[-1] < 0.5 * losses[0]


def test_inputs_that_ask_for_gradients_are_fine_everywhere_and_left_as_they_are():
    x, y = (points(40, seed=seed).float().requires_grad_() for seed in (0, 1))
    before = x.detach().clone()
    anchors = relviz.select_anchors(x, 5, method="kmeans")
    relviz.anchor_report(x, anchors)
    relviz.cka(x, y)
    relviz.retrieval(x, y)
    relviz.project([x, y])
    relviz.Space(x)
    relviz.quantize(x, 0.5)
    relviz.bootstrap(x, y, anchors, (anchors, anchors), method="adam")
    t = relviz.translator(x, y)
    assert not t.matrix.requires_grad
    t(x).sum().backward()
    assert torch.equal(x.detach(), before)
    assert y.grad is None
