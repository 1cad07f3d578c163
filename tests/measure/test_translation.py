"""Scores of a translation: of items that no fit has seen, with exact chance and the null of shuffled ones."""

import itertools

import numpy as np
import pytest
import torch

import relviz
from relviz.errors import ParameterError, ShapeError
from relviz.measure import SCORES
from relviz.measure.counterparts import counterpart_ranks
from relviz.relative_projection import unit_rows
from relviz.translation import METHODS


def spaces(n: int = 60, d: int = 8, noise: float = 0.5) -> tuple[torch.Tensor, torch.Tensor]:
    random = torch.Generator().manual_seed(0)
    x = torch.randn(n, d, generator=random)
    turn = torch.linalg.qr(torch.randn(d, d, generator=random)).Q
    return x, 3 * x @ turn + noise * torch.randn(n, d, generator=random) + 5


def test_scores_are_of_the_rows_that_no_fit_has_seen() -> None:
    x, y = spaces()
    anchors = torch.arange(8)
    t = relviz.translator(x[anchors], y[anchors], "lstsq")
    scores = relviz.translation_scores(t, x, y, anchors)
    assert scores.rows.tolist() == list(range(8, 60))
    assert (scores.queries, scores.candidates) == (52, 60)
    made, mean = t(x[8:]), y[:8].mean(0)
    cosines = torch.cosine_similarity(made - mean, y[8:] - mean)
    ranks = counterpart_ranks(unit_rows(made - mean), unit_rows(y - mean), scores.rows)
    assert scores.cosine == pytest.approx(float(cosines.mean()), abs=1e-5)
    assert scores.cosine_uncentered == pytest.approx(
        float(torch.cosine_similarity(made, y[8:]).mean()), abs=1e-5
    )
    assert scores.mrr == pytest.approx(float((1 / ranks).mean()))
    assert scores.top1 == pytest.approx(float((ranks == 1).double().mean()))
    np.testing.assert_allclose(scores.ranks, ranks)
    every = relviz.translation_scores(t, x, y, [])
    assert every.cosine > scores.cosine + 0.01  # anchors come back without an error
    assert every.ranks[:8].tolist() == [1] * 8


def test_chance_and_the_null_are_exact() -> None:
    x, y = spaces(9, 3)
    anchors = [0, 1, 2, 3]
    t = relviz.translator(x[anchors], y[anchors], "procrustes")
    scores = relviz.translation_scores(t, x, y, anchors)
    assert scores.chance["top1"] == 1 / 9
    assert scores.chance["mrr"] == pytest.approx(sum(1 / rank for rank in range(1, 10)) / 9, abs=1e-15)
    assert scores.null is not None
    shuffled = []
    for order in itertools.permutations(range(5)):
        moved = y.clone()
        moved[4:] = y[4:][list(order)]
        shuffled.append(relviz.translation_scores(t, x, moved, anchors, null=False).figures)
    for name in SCORES:
        values = np.array([one[name] for one in shuffled])
        assert scores.null.figures[name] == pytest.approx(values.mean(), abs=1e-6), name
        assert scores.null.sd[name] == pytest.approx(values.std(), abs=1e-6), name


def test_queries_are_some_or_given_and_the_null_can_be_left_out() -> None:
    x, y = spaces()
    anchors = np.arange(0, 40, 2)
    t = relviz.translator(x[anchors], y[anchors], "ridge")
    some = relviz.translation_scores(t, x, y, anchors, queries=7, seed=3, null=False)
    assert some.queries == 7
    assert some.null is None
    assert not np.isin(some.rows, anchors).any()
    given = relviz.translation_scores(t, x, y, anchors, queries=some.rows)
    assert given.figures == some.figures
    assert given.record()["null_mrr"] == given.null.mrr
    assert relviz.translation_scores(t, x, y, anchors, queries=[1]).null is None
    assert relviz.translation_scores(t, x, y, anchors, queries=1000).queries == 40


@pytest.mark.parametrize(
    ("anchors", "queries", "error", "told"),
    [
        (range(60), None, ParameterError, "Use fewer anchors"),
        (range(9), [8, 20], ParameterError, "1 row of the queries took part in the fit, such as row 8"),
        (range(9), [20, 20], ParameterError, "more than once"),
        (range(9), [], ParameterError, "at least one row"),
        (range(9), [60], ShapeError, "between 0 and 59"),
        ([70], None, ShapeError, "between 0 and 59"),
    ],
)
def test_what_cannot_be_scored_is_explained(anchors, queries, error, told: str) -> None:
    x, y = spaces()
    t = relviz.translator(x[:9], y[:9], "ridge")
    with pytest.raises(error, match=told):
        relviz.translation_scores(t, x, y, anchors, queries)


def test_rows_of_other_numbers_or_dimensions_are_refused() -> None:
    x, y = spaces()
    t = relviz.translator(x[:9], y[:9], "ridge")
    with pytest.raises(ShapeError, match="parallel"):
        relviz.translation_scores(t, x, y[:50], range(9))
    with pytest.raises(ShapeError, match="same dimension"):
        relviz.translation_scores(t, x, y[:, :5], range(9))


def test_anchors_in_the_prepared_frame_are_centered_where_the_translations_lie() -> None:
    x, y = spaces()
    framed = relviz.prepare(y)
    t = relviz.translator(x[:20], framed[:20], "procrustes", target=y)
    plain = relviz.translator(x[:20], framed[:20], "procrustes")
    torch.testing.assert_close(plain.center, framed[:20].mean(0))
    torch.testing.assert_close(t(x[:20]).mean(0), t.center, atol=0.2, rtol=0)
    scores = relviz.translation_scores(t, x, y, range(20), null=False)
    assert scores.cosine > 0.9


def test_rows_that_are_all_alike_score_as_chance() -> None:
    x, _ = spaces()
    y = torch.ones(60, 8)
    y[:2, 0] = torch.tensor([0.0, 2.0])
    t = relviz.translator(x[:2], y[:2], "procrustes")
    scores = relviz.translation_scores(t, x, y, [0, 1])
    assert scores.top1 == scores.null.top1 == 0
    assert scores.null.sd["mrr"] < 0.01


@pytest.mark.parametrize("wrong", ["anchors paired, queries shuffled", "all of y shuffled"])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("demo", "a", "b"),
    [("emoji", "text_en_minilm", "text_es_e5"), ("glosses", "minilm", "e5"), ("words", "glove50", "wink100")],
)
def test_shuffled_targets_are_never_found(demo: str, a: str, b: str, method: str, wrong: str) -> None:
    """Within 4 sd of the null and one query's step: metrics of few queries take few values."""
    pair = relviz.load_demo(demo).pair(a, b)
    rows = np.random.default_rng(1).permutation(len(pair))[:400]
    x, y = pair.a.vectors[rows], pair.b.vectors[rows]
    for k in (2, 150, 390):
        anchors = np.arange(k)
        order = np.random.default_rng(k).permutation(400 - k) + k if "queries" in wrong else None
        order = np.random.default_rng(k).permutation(400) if order is None else np.r_[anchors, order]
        moved = y[order]
        if method == "absolute" and x.shape[1] != y.shape[1]:
            return
        t = relviz.translator(x[anchors], moved[anchors], method)
        scores = relviz.translation_scores(t, x, moved, anchors)
        within_the_null(scores)
        assert scores.mrr < 0.35  # ten queries


def within_the_null(scores: relviz.TranslationScores) -> None:
    assert scores.null is not None
    for name, value in scores.figures.items():
        most = 4 * scores.null.sd[name] + 1 / scores.queries
        assert abs(value - scores.null.figures[name]) <= most, (name, value, scores.null)
