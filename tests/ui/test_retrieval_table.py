"""The papers' table on a page of its own: computed on demand, shown with the papers' figures, exported."""

import pytest
from streamlit.testing.v1 import AppTest

import relviz
from relviz.results.retrieval_table import papers_sheet
from relviz.state.option_labels import SOLVERS
from tests.ui.made import small_pair, spaces
from tests.ui.screen import PATIENCE, finished, pressed, said, went


def shown() -> AppTest:
    """A page with nothing but the table of the small pair."""

    def page(a: str, b: str) -> None:
        from relviz.state.sources import open_pair
        from relviz.ui.bootstrap.table import show_retrieval_table

        show_retrieval_table(open_pair(a, b))

    return went(AppTest.from_function(page, default_timeout=PATIENCE, kwargs=small_pair()))


def test_nothing_runs_before_it_is_asked_for_but_the_papers_are_there() -> None:
    at = shown()
    assert "10 runs of the solver" in said(at)
    assert len(at.table) == 1
    assert list(at.table[0].value["anchors"]) == [row[0] for row in papers_sheet().rows]
    assert "Other data and encoders" in said(at)


@pytest.mark.slow
def test_the_table_is_that_of_the_library_and_can_be_taken_along() -> None:
    at = shown()
    at.multiselect(key="ao_table_seeds").set_value([10])
    at.multiselect(key="ao_table_methods").set_value(["adam_warm"])
    at.number_input(key="ao_table_draws").set_value(2)
    at = finished(pressed(went(at), "compute"))
    a, b = (space.vectors for space in spaces())
    table = relviz.bootstrap_table(a, b, 48, (10,), ("adam_warm",), n_draws=2)
    line = table.line("found", "adam_warm", 10).x_to_y
    ours = at.table[0].value
    row = ours[ours["anchors"] == f"AO {SOLVERS['adam_warm']}, 10 known pairs, free points"].iloc[0]
    assert row["MRR@k A→B"] == f"{line.mean['mrr_at_k']:.3f} ± {line.sd['mrr_at_k']:.3f}"
    assert "48 uniform anchors" in said(at)
    assert [button.proto.label for button in at.get("download_button")] == ["csv", "Markdown", "LaTeX"]


def test_what_cannot_be_computed_is_said() -> None:
    at = shown()
    at.multiselect(key="ao_table_methods").set_value(["adam_warm"])
    at.multiselect(key="ao_table_seeds").set_value([10, 0])
    went(at)
    assert "skipped for 0" in said(at)
    assert not at.button
    at.multiselect(key="ao_table_seeds").set_value([])
    assert "at least one method" in said(went(at))
