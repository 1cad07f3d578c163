"""Rows that choose each other, against the whole matrix of similarities."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from relviz.bootstrapping import mutual_pairs as module
from relviz.bootstrapping.mutual_pairs import mutual_pairs
from relviz.compute import blocks
from relviz.relative_projection import unit_rows


def by_hand(u, v):
    """Matches and weights from all similarities at once."""
    similarities = u @ v.T
    near = min(10, *similarities.shape)
    hubs_u, hubs_v = similarities.topk(near, 1).values.mean(1), similarities.topk(near, 0).values.mean(0)
    gaps, best = [], []
    for scaled in (2 * similarities - hubs_v, (2 * similarities - hubs_u[:, None]).T):
        two = scaled.topk(min(2, scaled.shape[1]), 1)
        gaps.append(two.values[:, 0] - two.values[:, -1])
        best.append(two.indices[:, 0])
    gap = torch.minimum(gaps[0], gaps[1][best[0]]).clamp_min(0)
    mutual = best[1][best[0]] == torch.arange(len(u))
    return best[0], mutual * gap / (gap + 0.02)


@given(n=st.integers(1, 90), m=st.integers(1, 90), held=st.booleans(), seed=st.integers(0, 50))
def test_tiles_come_to_what_the_whole_matrix_does(n, m, held, seed):
    generator = torch.Generator().manual_seed(seed)
    u, v = (unit_rows(torch.randn(rows, 5, generator=generator)) for rows in (n, m))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_LEAST_ROWS", 1)
        patch.setattr(blocks, "TILE_ROWS", 7)
        patch.setattr(module, "_HELD", n * m if held else 0)
        pairs = mutual_pairs(u, v)
    matches, weights = by_hand(u, v)
    assert torch.equal(pairs.matches, matches)
    torch.testing.assert_close(pairs.weights, weights, atol=1e-4, rtol=1e-3)


def test_the_pulse_is_heard_before_each_tile(monkeypatch):
    monkeypatch.setattr(module, "_LEAST_ROWS", 1)
    monkeypatch.setattr(blocks, "TILE_ROWS", 10)
    heard = []
    mutual_pairs(torch.eye(35), torch.eye(35), lambda: heard.append(1))
    assert len(heard) == 8


def test_pairs_choose_each_other_and_count_by_how_far_they_are_ahead():
    u = torch.tensor([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.9, 0.1]])
    v = torch.tensor([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]])
    pairs = mutual_pairs(u, v)
    assert pairs.matches[:2].tolist() == [1, 0]
    assert pairs.weights[0] > pairs.weights[1] > 0
    assert pairs.weights[2] == 0
