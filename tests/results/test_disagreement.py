"""Where encoders disagree: a rotation agrees on everything, an item that was moved is found."""

import numpy as np
import pytest

import relviz
from relviz.results.disagreement import contrasts, disagreements, splits
from relviz.results.neighborhoods import Agreement, neighborhood_agreement

N, D = 120, 12
RNG = np.random.default_rng(0)
X = RNG.normal(size=(N, D)).astype(np.float32)
TURN = np.linalg.qr(RNG.normal(size=(D, D)))[0].astype(np.float32)


def pair(y: np.ndarray) -> relviz.Pair:
    return relviz.Pair(relviz.Space(X), relviz.Space(y))


@pytest.mark.parametrize("most", [False, True])
def test_items_are_drawn_among_those_that_agree_least_or_most(most: bool) -> None:
    jaccard = np.full(N, 0.5)
    odd = [3, 40, 77, 90, 101, 118, 5, 60, 61, 62, 63, 64]
    jaccard[odd] = 1.0 if most else 0.1
    made = disagreements(pair(X @ TURN), Agreement(jaccard, 10, 0.0), 4, 6, 0, most).run()
    assert set(made.rows.tolist()) <= set(odd)
    assert np.array_equal(made.in_a, made.in_b)


@pytest.mark.parametrize("near", ["a", "b"])
def test_a_rotation_has_no_contrasts(near: str) -> None:
    made = contrasts(pair(X @ TURN), near, 4, 6).run()
    assert made.queries == N
    np.testing.assert_array_equal(made.ranks, 1)


def test_a_pair_that_was_torn_apart_comes_first() -> None:
    x = X.copy()
    x[7] = x[90] + 0.01
    y = x @ TURN
    y[7] = -y[90]
    made = contrasts(relviz.Pair(relviz.Space(x), relviz.Space(y)), "a", 4, 5).run()
    couples = [frozenset(couple) for couple in zip(made.items.rows, made.items.in_a[:, 0], strict=True)]
    assert made.ranks[couples.index(frozenset((7, 90)))] == made.ranks[0] == N - 1
    assert len(set(couples)) == len(couples)
    assert (np.diff(made.ranks) <= 0).all()


def test_clusters_are_whole_split_or_joined() -> None:
    members = np.repeat([0, 1, 2], [40, 20, 20])
    others = np.concatenate([np.repeat([0, 1], 20), np.full(40, 2)])
    first, *rest = splits(members, others)
    assert (first.cluster, first.items, first.share) == (0, 40, 0.5)
    assert first.parts == pytest.approx(2)
    assert [one.parts for one in rest] == [pytest.approx(1)] * 2
    assert {one.main for one in rest} == {2}
    assert first.chance == pytest.approx(np.exp(-(0.25 * np.log(0.25) * 2 + 0.5 * np.log(0.5))))


def test_agreement_is_kept_with_the_number_of_neighbors() -> None:
    assert neighborhood_agreement(pair(X @ TURN), 5).run().k == 5
