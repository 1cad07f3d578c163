"""Examples: a rotated copy answers with the item itself through anchors, and not by its coordinates."""

import numpy as np
import pytest

import relviz
from relviz.results.comparison import Comparison
from relviz.results.disagreement import disagreements
from relviz.results.examples import examples
from relviz.results.neighborhoods import Agreement, neighborhood_agreement
from relviz.state.view import AnchorChoices

N, D = 120, 12


def choices(count: int = 30, picks: tuple[int, ...] = ()) -> AnchorChoices:
    return AnchorChoices("hand" if picks else "uniform", count, 0, picks, "", False)


def rotated(dimension: int = D) -> relviz.Pair:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(N, D)).astype(np.float32)
    q, _ = np.linalg.qr(rng.normal(size=(D, D)))
    y = (x @ q).astype(np.float32)
    if dimension > D:
        y = np.pad(y, ((0, 0), (0, dimension - D)))
    return relviz.Pair(relviz.Space(x), relviz.Space(y))


def comparison(pair: relviz.Pair, anchors: AnchorChoices | None = None) -> Comparison:
    return Comparison(pair, ("a", "b"), anchors or choices(), "cosine", center=True, quantum=0.0)


def test_anchors_give_the_item_itself_and_raw_coordinates_do_not() -> None:
    made = examples(comparison(rotated()), 20, 0).run()
    assert made.relative.tolist() == made.rows.tolist()
    assert made.original is not None
    assert (made.original == made.rows).mean() < 0.2
    assert len(set(made.rows.tolist())) == 20


def test_no_anchor_is_an_example_and_few_items_give_fewer() -> None:
    picks = tuple(range(N - 7))
    one = comparison(rotated(), choices(picks=picks))
    made = examples(one, 20, 0).run()
    assert sorted(made.rows.tolist()) == list(range(N - 7, N))


def test_the_seed_draws_and_the_same_seed_draws_the_same() -> None:
    one = comparison(rotated())
    drawn = [examples(one, 10, seed).run().rows.tolist() for seed in (0, 0, 1)]
    assert drawn[0] == drawn[1] != drawn[2]


def test_spaces_of_other_dimensions_have_no_answer_by_coordinates() -> None:
    made = examples(comparison(rotated(D + 3)), 10, 0).run()
    assert made.original is None
    assert made.relative.tolist() == made.rows.tolist()


def test_disagreements_are_drawn_among_the_items_that_agree_least() -> None:
    pair = rotated()
    jaccard = np.ones(N)
    odd = [3, 40, 77, 90, 101, 118, 5, 60, 61, 62, 63, 64]
    jaccard[odd] = 0.1
    made = disagreements(pair, Agreement(jaccard, 10, 0.0), 4, 6, 0).run()
    assert set(made.rows.tolist()) <= set(odd)
    assert made.in_a.shape == made.in_b.shape == (6, 4)
    for row, near in zip(made.rows, made.in_a, strict=True):
        assert row not in near
    assert np.array_equal(made.in_a, made.in_b)  # a rotation keeps all neighbors


@pytest.mark.parametrize(
    ("a", "b"), [("emoji.image_lite0", "emoji.image_lite1"), ("glosses.minilm", "glosses.e5")]
)
def test_on_the_demos_anchors_answer_better_than_coordinates(a: str, b: str) -> None:
    demo = relviz.load_demo(a.split(".")[0])
    pair = relviz.Pair(demo.spaces[a.split(".")[1]], demo.spaces[b.split(".")[1]])
    made = examples(comparison(pair, choices(300)), 200, 0).run()
    right = (made.relative == made.rows).mean()
    assert right > 0.35
    assert made.original is not None
    assert (made.original == made.rows).mean() < 0.02
    agreement = neighborhood_agreement(pair, 10).run()
    drawn = disagreements(pair, agreement, 6, 6, 0).run()
    assert agreement.jaccard[drawn.rows].max() <= np.quantile(agreement.jaccard, 0.1) + 1e-6
