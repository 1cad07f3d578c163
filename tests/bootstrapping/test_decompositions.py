"""A matrix on which single precision fails is decomposed all the same, and no other is touched by that."""

from collections.abc import Callable

import pytest
import torch
from torch import Tensor
from torch.linalg import LinAlgError  # type: ignore[attr-defined]

from relviz.bootstrapping.decompositions import eigh, singular_values, svd

FAILS = 0
"""The matrix of a stack that single precision is made to fail on."""


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Tensor:
    """Symmetric matrices ``(3, 6, 6)``, on one of which, or more at once, single precision gives up."""
    made = torch.randn(3, 6, 6, generator=torch.Generator().manual_seed(0))
    matrices = made @ made.mT
    bad = matrices[FAILS].clone()

    def giving_up(function: Callable[..., object]) -> Callable[..., object]:
        def decompose(given: Tensor, **options: object) -> object:
            if given.dtype == torch.float32 and any(map(bad.equal, given.reshape(-1, 6, 6))):
                raise LinAlgError("The algorithm failed to converge.")
            return function(given, **options)

        return decompose

    for name in ("svd", "svdvals", "eigh"):
        monkeypatch.setattr(torch.linalg, name, giving_up(getattr(torch.linalg, name)))
    return matrices


@pytest.mark.parametrize("stacked", [False, True], ids=["one", "many"])
def test_a_decomposition_that_fails_in_single_precision_comes_from_double(
    failing: Tensor, stacked: bool
) -> None:
    given = failing if stacked else failing[FAILS]
    u, values, vt = svd(given)
    torch.testing.assert_close((u * values[..., None, :]) @ vt, given, rtol=1e-4, atol=1e-4)
    torch.testing.assert_close(singular_values(given), values)
    least_first, vectors = eigh(given)
    torch.testing.assert_close(
        (vectors * least_first[..., None, :]) @ vectors.mT, given, rtol=1e-4, atol=1e-4
    )
    assert {one.dtype for one in (u, values, vt, least_first, vectors)} == {torch.float32}


def test_the_others_of_a_stack_are_as_if_it_were_not_there(failing: Tensor) -> None:
    for decompose in (svd, eigh):
        alone = decompose(failing[1:])
        for part, other in zip(decompose(failing), alone, strict=True):
            torch.testing.assert_close(part[1:], other, rtol=0, atol=0)


def test_numbers_that_are_not_finite_are_an_error() -> None:
    with pytest.raises(LinAlgError):
        svd(torch.full((4, 4), torch.nan))
