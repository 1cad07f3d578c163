"""What the Bootstrap page says of a run that was rejected, and of one that rests on the known pairs alone."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.ui.screen import said


def shown(known_alone: bool) -> None:
    from relviz.bootstrapping import Evidence
    from relviz.results.run import Verdict
    from relviz.state.view import Run
    from relviz.ui.bootstrap.outcome import show_verdict

    show_verdict(Run(), Verdict(False, False, Evidence(0.9, 0.1, None, "The halves disagree."), known_alone))


@pytest.mark.parametrize("known_alone", [True, False])
def test_a_run_that_rests_on_the_known_pairs_says_so_and_what_limits_it(known_alone: bool) -> None:
    at = AppTest.from_function(shown, args=(known_alone,), default_timeout=60).run()
    assert not at.exception
    assert "Rejected by the self-check" in said(at)
    assert ("The result uses only the known pairs" in said(at)) == known_alone
    assert ("how little the two encoders share" in said(at)) == known_alone
