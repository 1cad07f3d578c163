"""On bundled data: through anchors items find their counterparts, without them they do not."""

import pytest

import relviz

DRAWS = 2


@pytest.mark.parametrize(
    ("demo", "queries", "least"), [("words", 1000, 0.98), ("glosses", None, 0.65), ("emoji", None, 0.5)]
)
def test_anchors_make_two_encoders_comparable(demo: str, queries: int | None, least: float) -> None:
    pair = relviz.load_demo(demo).pair()
    table = relviz.anchor_retrieval(
        pair.a.vectors, pair.b.vectors, anchors=300, n_draws=DRAWS, queries=queries, null=1
    )
    for runs in (table.x_to_y, table.y_to_x):
        assert runs.mean["mrr_at_k"] >= least
        assert runs.null is not None
        assert runs.null["mrr_at_k"] <= 0.01
    for control in (table.absolute_x_to_y, table.absolute_y_to_x):
        assert (control is None) == (demo == "words")
        assert control is None or control.mean["mrr_at_k"] <= 0.02


def test_retrieval_itself_on_anchors_of_one_seed() -> None:
    pair = relviz.load_demo("glosses").pair("minilm", "e5")
    x, y = relviz.prepare(pair.a.vectors), relviz.prepare(pair.b.vectors)
    anchors = relviz.select_anchors(x, 300, seed=0)
    found = relviz.retrieval(relviz.relative(x, x[anchors]), relviz.relative(y, y[anchors]))
    assert found.mrr_at_k >= 0.65
    assert relviz.retrieval(x, y).mrr_at_k <= 0.02
