"""Counterparts looked for where nothing matches the rows: a turned, shuffled copy has a known answer."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import relviz
from relviz.compute.job import here_and_now
from relviz.results.unpaired import Hinted, one_to_one, pair_found, shared_names, unpaired_task
from relviz.state.known_pairs import known_pairs
from relviz.state.owners import Origin
from relviz.state.sources import keep_space, open_pair, open_space, origin_of

N, MORE = 150, 20


@pytest.fixture(scope="module")
def two() -> tuple[relviz.Space, relviz.Space, np.ndarray]:
    """A, a turned and rescaled copy in another order with rows of its own, and where each row of A went."""
    rng = np.random.default_rng(0)
    whole = rng.normal(size=(N + MORE, 12)).astype(np.float32) * np.linspace(3, 0.5, 12, dtype=np.float32)
    turn = np.linalg.qr(rng.normal(size=(12, 12)))[0].astype(np.float32)
    order = rng.permutation(N + MORE)
    a = relviz.Space(whole[:N], ids=[f"a{row}" for row in range(N)], name="one")
    b = relviz.Space(
        4 * (whole @ turn)[order] + 1, items=[f"thing {row}" for row in range(N + MORE)], name="two"
    )
    return a, b, order.argsort()[:N]


def test_counterparts_of_a_turned_and_shuffled_copy_are_found(two) -> None:
    a, b, place = two
    with pytest.raises(relviz.Error, match="no ids but the other"):
        relviz.Pair(a, b)
    sources = keep_space(a), keep_space(b, Origin("made here", "minilm"))
    lines = "\n".join(f"a{row}, thing {place[row]}" for row in range(12))
    known = known_pairs(lines, a, b)
    assert known == tuple((row, int(place[row])) for row in range(12))
    found = unpaired_task(*sources, known).run()
    assert (found.matches == place).mean() > 0.95
    assert found.verdict.converged
    left, right, kept = pair_found(*sources, found)
    pair = open_pair(left, right)
    assert len(pair) == kept > 0.9 * N
    assert origin_of(right).encoder == "minilm"
    assert open_space(right).name == "two, matched"
    right_rows = [int(item.split()[1]) for item in pair.b.items]
    left_rows = [int(name[1:]) for name in pair.ids]
    assert np.mean([place[row] == other for row, other in zip(left_rows, right_rows, strict=True)]) > 0.95


def test_a_search_tells_how_it_stands_and_keeps_how_its_populations_came_to_agree(two) -> None:
    sources = keep_space(two[0]), keep_space(two[1])
    task, seen = unpaired_task(*sources, ()), []
    ticket = here_and_now(lambda *_: seen.append(ticket.job.partial))
    found = task.run(ticket)
    told = [one for one in seen if one is not None]
    assert len(told) > 10
    for one in told:
        assert len(one.matches) == N
        assert one.generations.shape[1] == 3
    many = [len(one.generations) for one in told]
    assert many == sorted(many)
    assert len(found.generations) == many[-1] >= 1
    assert (found.generations[-1] > found.generations[0] - 0.1).all()
    right = [float((one.matches == two[2]).mean()) for one in told]
    assert right[-1] > 0.9
    np.testing.assert_array_equal(task.stored().generations, found.generations)


@given(st.lists(st.tuples(st.integers(0, 8), st.floats(-1, 1)), min_size=1, max_size=30))
def test_each_row_of_b_goes_to_the_most_similar(pairs: list[tuple[int, float]]) -> None:
    matches = np.array([match for match, _ in pairs])
    similarity = np.array([value for _, value in pairs])
    rows, counterparts = one_to_one(matches, similarity)
    assert sorted(set(counterparts)) == sorted(counterparts) == sorted(set(matches.tolist()))
    assert rows == sorted(rows)
    for row, counterpart in zip(rows, counterparts, strict=True):
        assert matches[row] == counterpart
        assert similarity[row] == similarity[matches == counterpart].max()


def test_another_known_pair_is_another_search(two) -> None:
    sources = keep_space(two[0]), keep_space(two[1])
    assert unpaired_task(*sources, ((0, 1),)).key != unpaired_task(*sources, ((0, 2),)).key
    assert torch.equal(open_space(sources[0]).vectors, two[0].vectors)


def classes_of(place, otherwise):
    """Classes of the rows of A, and of those of B: of a row without a counterpart it is ``otherwise``."""
    classes = [f"c{row % 7}" for row in range(N)]
    theirs = [otherwise] * (N + MORE)
    for row, at in enumerate(place):
        theirs[at] = classes[row]
    return classes, theirs


def test_hints_are_those_that_the_spaces_have(two) -> None:
    a, b, place = two
    classes, theirs = classes_of(place, "")
    x = relviz.Space(a.vectors, ids=a.ids, labels=classes)
    y = relviz.Space(b.vectors, items=[f"a{row}" for row in range(N + MORE)], labels=theirs)
    assert Hinted().of(x, y) is None
    hints = Hinted(labels=True, names=True, non_matches=((0, 1),), groups=(((0,), (1, 2)),)).of(x, y)
    assert repr(hints) == "Hints(labels, groups, non_matches, names)"
    assert repr(Hinted(labels=True, names=True).of(a, b)) == "Hints()"
    assert shared_names(a, b) == set()
    assert len(shared_names(x, y)) == N


def test_classes_help_a_search_and_count_towards_its_key(two) -> None:
    a, b, place = two
    classes, theirs = classes_of(place, "other")
    sources = (
        keep_space(relviz.Space(a.vectors, ids=a.ids, labels=classes)),
        keep_space(relviz.Space(b.vectors, items=b.items, labels=theirs)),
    )
    hinted = unpaired_task(*sources, (), 0, Hinted(labels=True))
    assert hinted.key != unpaired_task(*sources, ()).key
    found = hinted.run()
    assert (found.matches == place).mean() > 0.95
    assert np.mean([theirs[at] == classes[row] for row, at in enumerate(found.matches)]) > 0.98
