"""A disk that is full, or a folder that became read-only: what was computed is there all the same."""

import errno
import os

import pytest

from relviz.compute.store import default_store
from tests.ui.made import ROWS
from tests.ui.screen import cells, finished, maps, opened, pressed, said, turned
from tests.ui.test_upload import A, B, gave, table


@pytest.fixture(params=[errno.ENOSPC, errno.EROFS])
def unwritable(request, own_cache, monkeypatch) -> str:
    """A store in which nothing can be written; why."""

    def replace(*_: object) -> None:
        raise OSError(request.param, os.strerror(request.param))

    assert default_store().root == own_cache  # which could be written to when relviz started
    monkeypatch.setattr("relviz.compute.entry.os.replace", replace)
    return os.strerror(request.param)


def test_an_upload_and_what_is_computed_of_it_are_shown_and_one_message_says_so(unwritable: str) -> None:
    at = gave(opened("data", {"count": "20"}), ("a.csv", table(A)), ("b.csv", table(B)))
    pressed(at, "compare", "60")
    told = [one.value for one in at.warning if unwritable in one.value]
    assert len(told) == 1
    assert "Results are still shown" in told[0]
    finished(turned(at, "compare"))
    assert not at.error
    assert [len(points) for points in maps(at)] == [ROWS] * 2
    assert float(cells(at, "relative A → B")[0].split()[0]) > 0.2
    assert len([one for one in at.warning if unwritable in one.value]) == 1


@pytest.mark.slow
def test_a_run_that_ended_is_not_lost(unwritable: str) -> None:
    options = {
        "ao_anchors": "12",
        "ao_seeds": "6",
        "ao_method": "adam_warm",
        "ao_options": "steps=8,warm_up=3",
    }
    at = gave(opened("data", options), ("a.csv", table(A)), ("b.csv", table(B)))
    pressed(at, "compare", "60")
    finished(pressed(turned(at, "bootstrap"), "Run"))
    assert "onverged" in said(at) or "Rejected by the self-check" in said(at)
    assert len([one for one in at.warning if unwritable in one.value]) == 1
    assert " failed: " not in said(at)
