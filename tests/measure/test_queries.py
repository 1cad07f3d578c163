"""Which rows a retrieval is asked about."""

import numpy as np
import pytest
import torch

from relviz.errors import ParameterError, ShapeError
from relviz.measure import held_out, retrieval


def points(n: int) -> torch.Tensor:
    return torch.from_numpy(np.random.default_rng(0).normal(size=(n, 4)).astype(np.float32))


def test_held_out_rows_are_no_anchors():
    assert held_out(7, [5, 0, 2]).tolist() == [1, 3, 4, 6]
    drawn = held_out(100, range(50), queries=10, seed=3)
    assert len(set(drawn.tolist())) == 10
    assert drawn.min() >= 50
    assert drawn.tolist() == held_out(100, range(50), queries=10, seed=3).tolist()
    assert drawn.tolist() != held_out(100, range(50), queries=10, seed=4).tolist()
    assert held_out(100, range(95), queries=10).tolist() == [95, 96, 97, 98, 99]


def test_without_a_row_left_the_remedy_is_said():
    with pytest.raises(ParameterError, match=r"All 4 rows are anchors.*Use fewer anchors"):
        held_out(4, [3, 1, 0, 2])


def test_rows_may_be_given():
    x = points(30)
    y = x + 0.5 * points(30).flip(0)
    some = retrieval(x, y, k=3, queries=[4, 20, 11])
    assert (some.rows, some.queries) == (30, 3)
    alone = [retrieval(x, y, k=3, queries=[row]).mrr for row in (4, 20, 11)]
    assert some.mrr == pytest.approx(np.mean(alone))


@pytest.mark.parametrize("queries", [2.0, "3", -1, 31, True])
def test_a_number_of_queries_is_a_whole_number(queries):
    with pytest.raises(
        ParameterError, match=r"queries must (be a whole number|lie between 1 and the 30 rows)"
    ):
        retrieval(points(30), points(30), queries=queries)


def test_rows_that_are_given_are_checked():
    x = points(30)
    with pytest.raises(ParameterError, match="give at least one row"):
        retrieval(x, x, queries=[])
    with pytest.raises(ParameterError, match="more than once"):
        retrieval(x, x, queries=[1, 1])
    with pytest.raises(ShapeError, match="between 0 and 29"):
        retrieval(x, x, queries=[1, 30])


def test_what_is_perfect_whatever_the_rows_are_is_refused():
    with pytest.raises(ParameterError, match="at least 2 rows"):
        retrieval(points(1), points(1), k=1)
    with pytest.raises(ParameterError, match="one query cannot be shuffled"):
        retrieval(points(3), points(3), k=1, null=1, queries=[2])
