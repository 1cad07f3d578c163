"""How a pair counts what is wrong with rows, and which of them it copies."""

import math

import torch
from hypothesis import given
from hypothesis import strategies as st

import relviz

NUMBERS = st.sampled_from([0.0, -0.0, 1.0, -2.5, 3e38, -3e38, math.inf, -math.inf, math.nan])
GOOD = [1.0, 2.0, 3.0]
ROWS = st.lists(st.lists(NUMBERS, min_size=3, max_size=3), max_size=8).map(lambda rows: [GOOD, GOOD, *rows])


def flaw(row: list[float]) -> str:
    if any(map(math.isnan, row)):
        return "nan"
    if any(map(math.isinf, row)):
        return "infinite"
    if len(set(row)) > 1:
        return "none"
    return "zero" if row[0] == 0 else "constant"


@given(ROWS)
def test_every_row_is_counted_for_what_is_wrong_with_it(rows: list[list[float]]) -> None:
    pair = relviz.Pair(relviz.Space(rows), relviz.Space([GOOD] * len(rows)))
    flaws = [flaw(row) for row in rows]
    for name in ("nan", "infinite", "zero", "constant"):
        assert getattr(pair.audit.a, name) == flaws.count(name)
        assert getattr(pair.audit.b, name) == 0
    kept = [row for row, what in zip(rows, flaws, strict=True) if what not in ("nan", "infinite")]
    assert pair.a.vectors.tolist() == torch.tensor(kept).tolist()


def test_rows_that_all_match_in_their_order_are_not_copied() -> None:
    ids = ["one", "two", "three"]
    a, b = relviz.Space(torch.eye(3), ids=ids), relviz.Space(torch.eye(3), ids=ids[::-1])
    pair = relviz.Pair(a, b)
    assert pair.a is a
    assert pair.b.ids == tuple(ids)
    assert pair.b.vectors.data_ptr() != b.vectors.data_ptr()
    assert relviz.Pair(a, relviz.Space(torch.eye(4), ids=["zero", *ids])).b.ids == tuple(ids)
