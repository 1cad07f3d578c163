"""Every blockwise kernel against the full matrix it never holds, with tiles of a few numbers."""

from unittest import mock

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from relviz.compute import blocks
from relviz.compute import blocks as reductions
from relviz.errors import ParameterError, ShapeError

TILES = st.tuples(st.integers(1, 30), st.integers(1, 7))
SHAPES = st.tuples(st.integers(1, 12), st.integers(1, 12), st.integers(1, 4), st.integers(0, 999))


def tiles(elements, columns):
    return mock.patch.multiple(blocks, TILE_ELEMENTS=max(elements, columns), TILE_COLUMNS=columns)


def whole_numbers(n, m, d, seed):
    """Small integers: inner products are exact whatever the order of summing, and many are alike."""
    g = torch.Generator().manual_seed(seed)
    return (torch.randint(-2, 3, (rows, d), generator=g).float() for rows in (n, m))


def lopsided(x, y):
    return x @ y.T + 10 * x.sum(1, keepdim=True)


@given(SHAPES, TILES, st.data())
def test_top_k_is_that_of_the_full_matrix(shape, tile, data):
    x, y = whole_numbers(*shape)
    k = data.draw(st.integers(1, len(y)))
    with tiles(*tile):
        values, indices = blocks.top_k(x, y, k)
    full = x @ y.T
    assert torch.equal(values, full.topk(k).values)
    assert torch.equal(full.gather(1, indices), values)
    assert all(len(set(row)) == k for row in indices.tolist())


@given(SHAPES, TILES)
def test_ranks_are_those_of_the_full_matrix_and_equals_share_theirs(shape, tile):
    x, y = whole_numbers(*shape)
    counterparts = torch.arange(len(x)) * 7 % len(y)
    with tiles(*tile):
        ranks = blocks.ranks_in_blocks(x, y, counterparts)
    full = x @ y.T
    own = full.gather(1, counterparts[:, None])
    better, alike = (full > own).sum(1), (full == own).sum(1)
    assert torch.equal(ranks, better + (alike + 1) / 2)


@given(SHAPES, TILES, st.data())
def test_one_pass_gives_what_both_give(shape, tile, data):
    x, y = whole_numbers(*shape)
    k = data.draw(st.integers(1, len(y)))
    counterparts = torch.arange(len(x)) * 7 % len(y)
    with tiles(*tile):
        values, indices, ranks = blocks.top_k_and_ranks(x, y, counterparts, k)
        assert torch.equal(values, blocks.top_k(x, y, k)[0])
        assert torch.equal(indices, blocks.top_k(x, y, k)[1])
        assert torch.equal(ranks, blocks.ranks_in_blocks(x, y, counterparts))


def test_in_a_space_of_one_point_the_rank_is_that_of_chance():
    with tiles(8, 4):
        ranks = blocks.ranks_in_blocks(torch.ones(5, 3), torch.ones(9, 3), torch.arange(5))
    assert ranks.tolist() == [5.0] * 5


@pytest.mark.parametrize("score", [blocks.inner, blocks.negative_distance, lopsided])
@pytest.mark.parametrize("over", ["columns", "rows"])
@pytest.mark.parametrize("operation", ["sum", "mean", "max", "min", "logsumexp"])
def test_reductions_are_those_of_the_full_matrix(operation, over, score):
    g = torch.Generator().manual_seed(0)
    x, y = torch.randn(11, 3, generator=g), torch.randn(17, 3, generator=g)
    plain = {"max": torch.amax, "min": torch.amin}.get(operation) or getattr(torch, operation)
    with tiles(20, 5):
        reduced = reductions.reduce_similarity(x, y, operation, over, score)
    torch.testing.assert_close(reduced, plain(score(x, y), 1 if over == "columns" else 0))


def test_logsumexp_does_not_overflow_between_tiles():
    x, y = torch.full((2, 1), 20.0), torch.full((9, 1), 30.0)
    with tiles(4, 2):
        reduced = reductions.reduce_similarity(x, y, "logsumexp")
    torch.testing.assert_close(reduced, torch.full((2,), 600 + torch.tensor(9.0).log().item()))


def test_negative_distance_is_largest_for_the_nearest():
    x, y = torch.tensor([[0.0, 0.0]]), torch.tensor([[3.0, 4.0], [0.0, 1.0], [6.0, 8.0]])
    values, indices = blocks.top_k(x, y, 3, blocks.negative_distance)
    assert indices.tolist() == [[1, 0, 2]]
    torch.testing.assert_close(values, torch.tensor([[-1.0, -5.0, -10.0]]))


@pytest.mark.parametrize("kernel", ["top_k", "ranks_in_blocks", "reduce_columns", "reduce_rows"])
def test_no_tile_is_larger_than_it_may_be(kernel):
    seen = []

    def score(p, q):
        seen.append(len(p) * len(q))
        return p @ q.T

    x, y = whole_numbers(40, 30, 2, 0)
    run = {
        "top_k": lambda: blocks.top_k(x, y, 3, score),
        "ranks_in_blocks": lambda: blocks.ranks_in_blocks(x, y, torch.zeros(40, dtype=torch.int64), score),
        "reduce_columns": lambda: reductions.reduce_similarity(x, y, "sum", "columns", score),
        "reduce_rows": lambda: reductions.reduce_similarity(x, y, "sum", "rows", score),
    }
    with tiles(60, 8):
        run[kernel]()
    assert len(seen) > 4
    assert max(seen) <= 60


@given(st.integers(1, 40), st.integers(1, 60))
def test_gram_is_that_of_float64(n, elements):
    g = torch.Generator().manual_seed(n)
    x, y = torch.randn(n, 3, generator=g), torch.randn(n, 5, generator=g) + 100
    with tiles(elements, 1):
        gram = reductions.gram(x, y)
    assert gram.dtype == torch.float64
    torch.testing.assert_close(gram, x.double().T @ y.double(), rtol=1e-5, atol=1e-3)


def test_gram_loses_no_small_block_after_a_large_one():
    x = torch.tensor([[4096.0], [1.0], [1.0], [1.0]])
    with tiles(1, 1):
        assert reductions.gram(x, x).item() == 2**24 + 3  # in float32 each 1 would be rounded away


@given(st.integers(0, 50), st.integers(1, 20))
def test_slices_cover_everything_once(n, step):
    cut = list(blocks.slices(n, step))
    assert [i for part in cut for i in range(n)[part]] == list(range(n))
    assert all(0 < part.stop - part.start <= step for part in cut)


class Stop(Exception):
    pass


@pytest.mark.parametrize("kernel", ["top_k", "ranks_in_blocks"])
def test_a_callback_hears_of_every_block_and_can_stop(kernel):
    x, y = whole_numbers(6, 4, 2, 0)
    what = 1 if kernel == "top_k" else torch.zeros(6, dtype=torch.int64)
    heard = []

    def stop(fraction):
        heard.append(fraction)
        if fraction > 0.5:
            raise Stop

    with tiles(8, 4):
        getattr(blocks, kernel)(x, y, what, on_block=heard.append)
        assert heard == pytest.approx([1 / 3, 2 / 3, 1])
        heard.clear()
        with pytest.raises(Stop):
            getattr(blocks, kernel)(x, y, what, on_block=stop)
    assert heard == pytest.approx([1 / 3, 2 / 3])


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (lambda x, y: blocks.top_k(x, y, 0), ParameterError, "between 1 and the 4 rows searched; it is 0"),
        (lambda x, y: blocks.top_k(x, y, 5), ParameterError, "it is 5"),
        (lambda x, y: blocks.top_k(x, y[:, :1], 1), ShapeError, "2 and 1"),
        (lambda x, y: reductions.reduce_similarity(x, y, "median"), ParameterError, "no reduction 'median'"),
        (lambda x, y: reductions.reduce_similarity(x, y, over="both"), ParameterError, "it is 'both'"),
        (reductions.gram, ShapeError, "6 and 4 rows"),
    ],
)
def test_what_does_not_fit_is_told_with_its_numbers(call, error, said):
    with pytest.raises(error, match=said):
        call(torch.ones(6, 2), torch.ones(4, 2))
