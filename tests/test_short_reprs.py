"""What a console and a notebook show of a result: the numbers that matter, not every array."""

import pytest
import torch

import relviz


def points(n, d=6, seed=0):
    return torch.randn(n, d, generator=torch.Generator().manual_seed(seed))


PAIR = relviz.Pair(
    relviz.Space(points(60), labels=["one", "<two>"] * 30, name="a"), relviz.Space(2 * points(60), name="b")
)
KNOWN = range(9), range(9)

MADE = {
    "retrieval": lambda: relviz.retrieval(PAIR, null=1),
    "anchor_retrieval": lambda: relviz.anchor_retrieval(PAIR, anchors=9),
    "runs": lambda: relviz.anchor_retrieval(PAIR, anchors=9).x_to_y,
    "bootstrap": lambda: relviz.bootstrap(PAIR, anchors=range(9), known=KNOWN, method="adam"),
    "bootstrap_table": lambda: relviz.bootstrap_table(
        PAIR, anchors=9, known_counts=(5,), methods="adam", n_draws=1
    ),
    "stitch": lambda: relviz.stitch(PAIR, anchors=9, n_draws=2),
    "translator": lambda: relviz.translator(PAIR),
    "chain": lambda: relviz.translator(PAIR).then(relviz.translator(PAIR)),
    "project": lambda: relviz.project(PAIR, fit="procrustes"),
    "anchor_report": lambda: relviz.anchor_report(PAIR.a, range(9)),
    "pair": lambda: PAIR,
}
SAYS = {
    "retrieval": "mrr_at_k 1.000",
    "anchor_retrieval": "5 seeds: x→y top1 1.000",
    "bootstrap": "halves",
    "bootstrap_table": "true",
    "stitch": "procrustes",
    "translator": "condition number",
    "project": "60 × 2, 60 × 2, residual 0.000",
    "anchor_report": "9 anchors, rank 6",
}


@pytest.fixture(scope="module")
def made():
    return {name: make() for name, make in MADE.items()}


@pytest.mark.parametrize("name", MADE)
def test_a_repr_is_one_short_line(made, name):
    said = repr(made[name])
    assert len(said) < 400, said
    assert "\n" not in said
    assert "tensor(" not in said
    assert SAYS.get(name, "") in said


@pytest.mark.parametrize("name", ["anchor_retrieval", "bootstrap", "bootstrap_table", "stitch"])
def test_a_notebook_shows_a_table(made, name):
    html = made[name]._repr_html_()
    assert html.startswith("<table>")
    assert html.endswith("</table>")
    assert html.count("<tr>") > 2
