"""Rows held out of a run, and points seen from the mean of other rows, against closed forms."""

import pytest
import torch

import relviz
from relviz.bootstrapping.split import FEWEST_HELD, FEWEST_ROWS, split
from relviz.errors import ParameterError
from tests.bootstrapping.made import case


def rows(n: int, d: int = 6, seed: int = 0) -> torch.Tensor:
    return torch.randn(n, d, generator=torch.Generator().manual_seed(seed)) * torch.arange(1, d + 1) + 3


def test_rows_held_out_are_no_anchors_and_the_queries_are_among_them() -> None:
    anchors = torch.randperm(1000, generator=torch.Generator().manual_seed(0))[:300]
    made = split(1000, anchors, 0.2, seed=4, most=150)
    assert len(made.held) == 200
    assert sorted([*made.fit.tolist(), *made.held.tolist()]) == list(range(1000))
    assert not torch.isin(anchors, made.held).any()
    assert len(made.queries) == 150
    assert torch.isin(made.queries, made.held).all()
    assert torch.equal(made.fit[made.in_fit(anchors)], anchors)
    again = split(1000, anchors, 0.2, seed=4, most=150)
    assert torch.equal(made.held, again.held)
    assert torch.equal(made.queries, again.queries)
    assert not torch.equal(made.held, split(1000, anchors, 0.2, seed=5).held)


def test_no_more_are_held_out_than_stay_beside_the_anchors() -> None:
    assert len(split(500, torch.arange(300), 0.5).held) == 100


@pytest.mark.parametrize(
    ("n", "anchors", "share"),
    [(FEWEST_ROWS - 1, 10, 0.5), (1000, 10, 0.0), (1000, 10, 0.04), (1000, 1000 - 2 * FEWEST_HELD + 1, 0.5)],
)
def test_with_too_few_rows_none_are_held_out(n: int, anchors: int, share: float) -> None:
    made = split(n, torch.arange(anchors), share)
    assert not len(made.held)
    assert torch.equal(made.fit, torch.arange(n))
    assert torch.equal(made.queries, torch.arange(anchors, n))


def test_all_rows_as_anchors_leave_nothing_to_ask() -> None:
    with pytest.raises(ParameterError, match="All 9 rows"):
        split(9, torch.arange(9), 0.2)


@pytest.mark.parametrize("share", [-0.1, 0.51, float("nan"), True, "0.2", None])
def test_a_share_that_cannot_be_says_so(share: object) -> None:
    with pytest.raises(ParameterError, match="held_out"):
        split(1000, torch.arange(10), share)  # type: ignore[arg-type]


def test_the_frame_of_rows_is_that_of_prepare() -> None:
    x = rows(40)
    torch.testing.assert_close(relviz.Frame().fit(x).transform(x), relviz.prepare(x), atol=0, rtol=0)
    same = x[:1].expand(5, -1)
    assert not relviz.Frame().fit(same).transform(same).any()


def test_a_point_that_is_a_row_is_that_row_from_any_mean() -> None:
    x = rows(60)
    part, every = relviz.Frame().fit(x[:20]), relviz.Frame().fit(x)
    moved = part.moved_to(every, part.transform(x[:20]), x[:20])
    torch.testing.assert_close(moved, relviz.prepare(x)[:20], atol=1e-6, rtol=0)
    assert (part.transform(x[:20]) - moved).abs().max() > 0.05
    again = every.moved_to(every, moved, x[:20])
    assert torch.equal(again, moved)


def test_a_point_between_rows_is_moved_as_far_as_these() -> None:
    """On a sphere around the mean of the fit every length is known, so every point has one place."""
    directions = relviz.prepare(rows(80, 5))
    x = 2.5 * directions - 2.5 * directions.mean(0) + 1
    part = relviz.Frame(torch.ones(5) - 2.5 * directions.mean(0))  # the middle of that sphere
    points = relviz.prepare(rows(30, 5, seed=3))
    moved = part.moved_to(relviz.Frame().fit(x), points, x[:30])
    expected = part.mean + 2.5 * points - relviz.Frame().fit(x).mean
    torch.testing.assert_close(moved, expected / expected.norm(dim=1, keepdim=True), atol=1e-6, rtol=0)


def test_the_solver_never_sees_what_is_held_out(monkeypatch: pytest.MonkeyPatch) -> None:
    from relviz.bootstrapping import evaluation

    made, seen = case(n=300, d=6), []

    def spy(x, y, *rest, **options):
        seen.append((x, y))
        return relviz.bootstrap(x, y, *rest, **options)

    monkeypatch.setattr(evaluation, "bootstrap", spy)
    y = made.y[made.truth]
    drawn = evaluation.Pairing(made.x, y, held_out=0.2).draw(30, 0)
    found = drawn.solve(12, "adam_warm")
    held = drawn.split.held
    assert len(held) == 60
    for given, side in zip(seen[0], (made.x, y), strict=True):
        assert len(given) == 240
        assert not (torch.cdist(given, side[held]) == 0).any()
    assert torch.isin(found.indices, drawn.split.fit).all()
    torch.testing.assert_close(drawn.x[drawn.split.fit], relviz.prepare(made.x[drawn.split.fit]))
