"""Several spaces as a result: what is right by the ids, what is known, and what is kept."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import relviz
from relviz.bootstrapping.verdict import Evidence
from relviz.compute.job import here_and_now
from relviz.results.run import Verdict
from relviz.results.several import Matched, Two, counterparts, several_task, shared_items
from relviz.results.unpaired import pair_found
from relviz.state.sources import keep_space, open_pair

N = 120


@pytest.fixture(scope="module")
def spaces() -> list[relviz.Space]:
    """The same points turned, rescaled and shuffled; the third lacks twenty of them."""
    rng = np.random.default_rng(3)
    points = rng.normal(size=(N, 9)) * np.linspace(2, 0.5, 9)
    made = []
    for at, many in enumerate((N, N, N - 20)):
        order = rng.permutation(N)[:many]
        turn = np.linalg.qr(rng.normal(size=(9, 9)))[0]
        rows = torch.tensor((at + 1) * (points @ turn)[order], dtype=torch.float32)
        made.append(relviz.Space(rows, ids=[f"item {row}" for row in order], name=f"space {at}"))
    return made


@pytest.mark.usefixtures("fresh_store")
def test_turned_copies_are_matched_and_measured_by_their_ids(spaces: list[relviz.Space]) -> None:
    task, seen = several_task(spaces, 10, 0), []
    assert task.title == "Matching space 0, space 1, space 2"
    assert task.link is None
    ticket = here_and_now(lambda *_: seen.append(ticket.job.partial))
    found = task.run(ticket)
    assert [(two.i, two.j) for two in found.pairs] == [(0, 1), (0, 2), (1, 2)]
    shared = shared_items(spaces)
    assert len(shared) == N - 20
    names = [[space.ids[row] for row in rows] for space, rows in zip(spaces, found.rows, strict=True)]
    assert names[0] == names[1] == names[2]
    assert len(set(names[0])) == 10
    for two in found.pairs:
        truth = counterparts(spaces[two.i], spaces[two.j])
        asked = truth >= 0
        asked[found.rows[two.i]] = False
        assert two.together.right == (two.together.matches == truth)[asked].mean() > 0.95
        assert two.together.verdict.converged
        assert two.cycles > 0.8
        assert two.similarity.shape == two.together.matches.shape == (len(spaces[two.i]),)
    told = [one for one in seen if one is not None]
    done = [len(one.alone) for one in told]
    assert done == sorted(done)
    assert set(done) == {0, 1, 2, 3}
    for one in told:
        assert one.now == ((0, 1), (0, 2), (1, 2), None)[len(one.alone)]
        assert one.matches is None or len(one.matches) == len(spaces[one.now[0]])
        assert all(made.right is not None for made in one.alone.values())
    assert {one.now for one in told if one.matches is not None} == {(0, 1), (0, 2), (1, 2)}
    for two in found.pairs:
        np.testing.assert_array_equal(told[-1].alone[two.i, two.j].matches, two.alone.matches)
    kept = several_task(spaces, 10, 0).stored()
    assert kept is not None
    assert kept.pairs[2].together.right == found.pairs[2].together.right


@pytest.mark.usefixtures("fresh_store")
def test_what_is_found_can_be_the_pairing(spaces: list[relviz.Space]) -> None:
    two = several_task(spaces[:2], 10, 0).run().pairs[0]
    assert two.cycles is None
    a, b, many = pair_found(*map(keep_space, spaces[:2]), two.correspondence)
    assert len(open_pair(a, b)) == many > 0.9 * N


def test_an_id_that_is_there_twice_tells_nothing() -> None:
    rows = torch.eye(4)
    x = relviz.Space(rows, ids=["a", "b", "b", "c"])
    y = relviz.Space(rows, ids=["c", "b", "a", "d"])
    assert counterparts(x, y).tolist() == [2, 1, 1, 0]
    assert counterparts(y, x).tolist() == [3, -1, 0, -1]
    assert shared_items([x, y]) == ["a", "c"]
    assert counterparts(x, relviz.Space(rows)) is None
    assert counterparts(x, relviz.Space(rows, ids=list("wxyz"))) is None


def test_more_known_items_than_are_shared_are_refused(spaces: list[relviz.Space]) -> None:
    with pytest.raises(relviz.Error, match=r"101 known items were requested, .* share 100 ids. Choose fewer"):
        several_task(spaces, 101, 0)
    with pytest.raises(relviz.Error, match=r"share 0 ids. Choose 0"):
        several_task([relviz.Space(torch.eye(9)), spaces[0]], 1, 0)


def _matched(matches: np.ndarray) -> Matched:
    return Matched(matches, Verdict(True, False, Evidence(1.0, 1.0, 1.0, "")), None)


@given(st.integers(1, 40), st.integers(0, 5), st.booleans())
def test_a_sample_has_every_outcome_as_often_as_it_occurs(many: int, seed: int, is_known: bool) -> None:
    rng = np.random.default_rng(seed)
    expected = np.where(rng.random(300) < 0.9, np.arange(300), -1)
    alone, together = (np.where(rng.random(300) < share, np.arange(300), 300) for share in (0.4, 0.7))
    two = Two(0, 1, *(_matched(one) for one in (alone, together)), np.zeros(300, np.float32), None)
    rows = two.sample(expected if is_known else None, many, seed)
    assert len(np.unique(rows)) == many
    every = np.flatnonzero(expected >= 0) if is_known else np.arange(300)
    assert np.isin(rows, every).all()
    if is_known:
        outcomes = 2 * (alone == expected) + (together == expected)
    else:
        outcomes = (alone == together).astype(int)
    for one in range(4):
        share = np.mean(outcomes[every] == one)
        assert abs((outcomes[rows] == one).sum() - many * share) < 2
    assert np.array_equal(rows, two.sample(expected if is_known else None, many, seed))


def test_of_fewer_rows_than_are_asked_for_all_are_in_the_sample() -> None:
    matches = _matched(np.arange(5))
    two = Two(0, 1, matches, matches, np.zeros(5, np.float32), None)
    assert two.sample(None, 14, 0).tolist() == [0, 1, 2, 3, 4]
    assert two.sample(np.array([-1, -1, 2, -1, 4]), 14, 0).tolist() == [2, 4]
    assert two.sample(np.full(5, -1), 14, 0).tolist() == []
