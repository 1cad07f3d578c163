"""The test of a pairing: right, half right and random pairings of spaces that are known."""

import pytest
import torch

import relviz
from relviz.measure.pairing import pairing_test


def copies(n: int, noise: float = 0.3, wrong: float = 0.0) -> tuple[torch.Tensor, torch.Tensor]:
    """A space, and a rotated, rescaled, noisy copy of it with a share of its rows shuffled."""
    generator = torch.Generator().manual_seed(n)
    x = torch.randn(n, 12, generator=generator)
    turned = torch.linalg.qr(torch.randn(12, 12, generator=generator))[0]
    y = 3 * (x + noise * torch.randn(n, 12, generator=generator)) @ turned + 2
    some = torch.randperm(n, generator=generator)[: round(wrong * n)]
    y[some] = y[some[torch.randperm(len(some), generator=generator)]]
    return x, y


@pytest.mark.parametrize("n", [20, 100, 800])
def test_a_true_pairing_is_plausible(n):
    found = pairing_test(*copies(n))
    assert found.verdict == "plausible"
    assert found.queries == min(500, n - min(300, n // 2))
    assert found == pairing_test(*copies(n))


@pytest.mark.parametrize("n", [20, 100, 800])
@pytest.mark.parametrize("seed", range(4))
def test_a_random_pairing_is_random(n, seed):
    found = pairing_test(*copies(n, wrong=1.0), seed=seed)
    assert found.verdict == "random"
    if n > 20:
        assert found.ahead == pytest.approx(0.5, abs=0.25)


def test_half_a_pairing_is_doubtful():
    assert pairing_test(*copies(800, wrong=0.5)).verdict == "doubtful"


@pytest.mark.parametrize("demo", ["emoji", "glosses"])
def test_demos_are_told_from_shuffles_of_them(demo):
    pair = relviz.load_demo(demo).pair()
    x, y = pair.a.vectors, pair.b.vectors
    shuffled = y[torch.randperm(len(y), generator=torch.Generator().manual_seed(3))]
    assert pairing_test(x, y).verdict == "plausible"
    assert pairing_test(x, shuffled).verdict == "random"


def test_equal_rows_say_nothing():
    assert pairing_test(torch.ones(50, 3), torch.ones(50, 4)).verdict == "random"


def test_too_few_rows_are_said():
    with pytest.raises(relviz.Error, match="19 rows are too few to test their pairing"):
        pairing_test(*copies(19))
