import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from relviz.errors import ParameterError, ShapeError
from relviz.measure.cka import cka


def points(n: int, d: int = 6, seed: int = 0) -> torch.Tensor:
    return torch.from_numpy(np.random.default_rng(seed).normal(size=(n, d)).astype(np.float32))


def by_kernels(x: torch.Tensor, y: torch.Tensor, debiased: bool) -> float:
    """The n × n formulas of Kornblith et al. 2019 and Song et al. 2012."""
    kernels = [m.double() @ m.double().T for m in (x, y)]
    n = len(x)
    if not debiased:
        h = torch.eye(n, dtype=torch.float64) - 1 / n
        k, m = (h @ kernel @ h for kernel in kernels)
        return float((k * m).sum() / (k.norm() * m.norm()))
    k, m = (kernel - kernel.diag().diag() for kernel in kernels)

    def hsic(p: torch.Tensor, q: torch.Tensor) -> torch.Tensor:
        cross = p.sum() * q.sum() / ((n - 1) * (n - 2)) - 2 * (p @ q).sum() / (n - 2)
        return ((p @ q).trace() + cross) / (n * (n - 3))

    return float(hsic(k, m) / (hsic(k, k) * hsic(m, m)).sqrt())


@settings(max_examples=25, deadline=None)
@given(
    n=st.integers(5, 60),
    dx=st.integers(2, 40),
    dy=st.integers(2, 40),
    mix=st.floats(0, 1),
    seed=st.integers(0, 50),
    debiased=st.booleans(),
)
def test_it_is_the_kernel_formula_and_symmetric(n, dx, dy, mix, seed, debiased):
    x = points(n, dx, seed) + 2
    y = mix * x @ points(dx, dy, seed + 1) + points(n, dy, seed + 2)
    value = cka(x, y, debiased)
    assert value == pytest.approx(by_kernels(x, y, debiased), abs=1e-5)
    assert value == pytest.approx(cka(y, x, debiased), abs=1e-6)
    assert (-1 if debiased else 0) <= value <= 1


@pytest.mark.parametrize("debiased", [False, True])
def test_a_rotated_rescaled_shifted_copy_has_one_and_a_stretched_one_less(debiased):
    x = points(100)
    copy = 1e-3 * x @ torch.linalg.qr(points(6, seed=3))[0] + torch.arange(6)
    assert cka(x, copy, debiased) == pytest.approx(1, abs=1e-5)
    stretched = x * torch.tensor([1.0, 1, 1, 1, 1, 9])
    assert cka(x, stretched, debiased) < 0.8


def test_only_the_debiased_one_is_zero_for_unrelated_spaces_of_many_dimensions():
    x, y = points(60, 500), points(60, 500, seed=1)
    assert cka(x, y) > 0.8
    assert abs(cka(x, y, debiased=True)) < 0.1


@pytest.mark.parametrize(("n", "dx", "dy"), [(20, 500, 500), (60, 30, 300), (400, 20, 10)])
def test_unrelated_spaces_have_what_the_docstring_says(n, dx, dy):
    said = (dx * dy / ((n + dx) * (n + dy))) ** 0.5
    found = [cka(points(n, dx, seed), points(n, dy, seed + 50)) for seed in range(5)]
    assert np.mean(found) == pytest.approx(said, abs=0.02)


def test_blocks_a_far_origin_and_numpy_change_nothing(monkeypatch):
    x, y = points(90), points(90, 5, seed=1)
    y = y + x[:, :5]
    expected = {debiased: cka(x, y, debiased) for debiased in (False, True)}
    monkeypatch.setattr("relviz.compute.blocks.TILE_ELEMENTS", 70)
    far, kept = 1e20 * (x + 50).numpy(), x.clone()
    for debiased, value in expected.items():
        assert cka(far, y.numpy(), debiased) == pytest.approx(value, abs=1e-5)
    cka(x, y)
    assert torch.equal(x, kept)


def test_errors_carry_the_numbers():
    x = points(8)
    with pytest.raises(ParameterError, match="All 8 rows of y are equal"):
        cka(x, torch.full((8, 3), 0.1))
    with pytest.raises(ShapeError, match="8 and 7 rows"):
        cka(x, x[:7])
    with pytest.raises(ParameterError, match="at least 4 rows; there are 3"):
        cka(x[:3], x[:3], debiased=True)
    with pytest.raises(ParameterError, match=r"CKA needs at least 3 rows; there are 2\. .* always 1"):
        cka(x[:2], x[3:5])
    lonely = torch.zeros(8, 2)
    lonely[3] = 1
    with pytest.raises(ParameterError, match="Too few of the 8 rows of x"):
        cka(lonely, x, debiased=True)
