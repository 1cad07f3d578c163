"""The share of right matches, estimated without the truth: copies with known noise, twins, strangers."""

import numpy as np
import pytest
import torch
from torch import Tensor

from relviz.bootstrapping.correspondence import hard, sinkhorn
from relviz.bootstrapping.near_duplicates import distinct
from relviz.bootstrapping.principal_axes import evened, principal
from relviz.bootstrapping.procrustes import align
from relviz.bootstrapping.right_share import (
    HALF_WIDTH,
    Interval,
    angle,
    estimated_share,
    interval,
    right_share,
)
from relviz.relative_projection import prepare
from tests.bootstrapping.made import case, right


def matched(x: Tensor, y: Tensor, truth: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Both spaces on their axes, and the matches of a run that has found the rotation."""
    px, py = principal(prepare(x))[0], principal(prepare(y))[0]
    ex, ey = evened(px), evened(py)
    known = truth >= 0
    sides = align(ex[known].T @ ey[truth[known]], 256, 0.5).sides(ex, ey)
    potentials = sinkhorn(*sides, 0.01, 2, "cosine")
    return px, py, hard(*sides, "cosine", potentials=potentials).y_of_x


@pytest.mark.parametrize(("noise", "d"), [(0.0, 6), (0.3, 6), (0.3, 20), (0.6, 20)])
def test_a_copy_with_noise_has_as_many_right_matches_as_are_estimated(noise: float, d: int) -> None:
    made = case(n=400, d=d, noise=noise)
    x, y, matches = matched(made.x, made.y, made.truth)
    share = right(matches, made.truth)
    found = estimated_share(x, y, matches)
    assert angle(found) == pytest.approx(angle(share), abs=HALF_WIDTH), (share, found)


def test_rows_without_a_counterpart_are_not_counted_as_right() -> None:
    made = case(n=400, d=20, noise=0.2)
    other = torch.from_numpy(np.random.default_rng(3).normal(size=(400, 20)).astype(np.float32))
    x, truth = torch.cat([made.x, other]), torch.cat([made.truth, torch.full((400,), -1)])
    x, y, matches = matched(x, made.y, truth)
    share = right(matches, truth)
    assert share < 0.55
    assert angle(estimated_share(x, y, matches)) == pytest.approx(angle(share), abs=HALF_WIDTH)


def test_wrong_matches_are_estimated_to_be_few_right() -> None:
    made = case(n=300, d=20)
    x, y = principal(prepare(made.x))[0], principal(prepare(made.y))[0]
    shuffled = torch.from_numpy(np.random.default_rng(0).permutation(300))
    assert estimated_share(x, y, shuffled) < 0.1


def test_a_twin_of_the_counterpart_is_right() -> None:
    made = case(n=200, d=10, noise=0.01)
    x, y = made.x.repeat(2, 1), made.y.repeat(2, 1)
    truth = torch.cat([made.truth, made.truth])
    x, y, matches = matched(
        x + 0.01 * torch.randn(x.shape, generator=torch.Generator().manual_seed(0)), y, truth
    )
    assert right(matches % 200, truth) > 0.99
    assert estimated_share(x, y, matches) > 0.98


def test_spaces_of_one_and_two_dimensions_and_few_rows_have_an_estimate() -> None:
    for n, d in ((5, 1), (12, 2), (40, 3)):
        made = case(n=n, d=d, k=2, seeds=0)
        x, y = principal(prepare(made.x))[0], principal(prepare(made.y))[0]
        assert 0 <= estimated_share(x, y, made.truth) <= 1


def test_the_interval_holds_the_estimate_and_is_narrow_at_either_end() -> None:
    widths = []
    for share in (0.0, 0.3, 0.5, 1.0):
        found = interval(share)
        assert 0 <= found.low <= share <= found.high <= 1
        widths.append(found.high - found.low)
    assert widths[0] < widths[1] < widths[2] > widths[3]
    assert str(Interval(0.57, 0.49, 0.643)) == "57% (90% interval 49–64%)"


def test_the_same_run_has_the_same_estimate() -> None:
    made = case(n=200, d=10, noise=0.5)
    x, y, matches = matched(made.x, made.y, made.truth)
    pulses: list[int] = []
    assert right_share(x, y, matches, lambda: pulses.append(1)) == right_share(x, y, matches)
    assert len(pulses) >= 2


def test_near_duplicates_are_counted_as_one():
    rows = prepare(torch.randn(200, 20, generator=torch.Generator().manual_seed(0)))
    twins = rows + 0.01 * torch.randn(rows.shape, generator=torch.Generator().manual_seed(1))
    assert distinct(rows) == 1
    assert distinct(torch.cat([rows, twins])) == 0.5
