"""A view that one visitor shares with another: what the link opens, and that it opens nothing else."""

import logging
import time

import pytest
from streamlit.testing.v1 import AppTest

import relviz
from relviz.compute.jobs import Ticket, jobs
from relviz.compute.owner import acting_for, guest_of
from relviz.results.bootstrap import bootstrap_task
from relviz.state import View
from relviz.state.shares import MOST_LINKS, Share, own_of, revoke, share_of, shares
from relviz.state.shares import share as shared
from relviz.state.sources import keep_space, open_pair, open_space
from relviz.state.view import Names
from relviz.state.workspace import save_workspace
from relviz.ui import doors
from tests.ui.made import VISITOR, small_pair, spaces
from tests.ui.screen import maps, opened, pressed, said, turned, went
from tests.ui.test_doors import RUN, visiting

LINK_LENGTH = 32
pytestmark = pytest.mark.usefixtures("own_cache")


def third() -> str:
    """A space of the same visitor that no shared view uses."""
    return keep_space(relviz.Space(spaces()[0].vectors + 1, name="not shared"))


def share(page: str, view: View) -> Share:
    """What the button does."""
    return shared(page, view.shown_on(page).to_params(), view.used_on(page))


def endless(ticket: Ticket) -> None:
    while True:
        ticket.report(0.5, "step 2 of 4")
        time.sleep(0.01)


def small(**changes: object) -> View:
    return View(**small_pair(), count=20).with_changes(**changes)


def with_link(page: str, token: str) -> AppTest:
    return opened(page, {"share": token})


def test_a_link_opens_the_view_as_it_was_for_another_visitor(monkeypatch) -> None:
    token = share("compare", small(projection="first")).token
    mine = opened("compare", small(projection="first").to_params())
    with visiting(monkeypatch):
        at = with_link("compare", token)
        assert "Shared with you, read-only" in said(at)
        assert dict(at.query_params) == {"share": token}
        for one, other in zip(maps(at), maps(mine), strict=True):
            assert (one == other).all()


def test_a_guest_changes_nothing_and_is_told_so(monkeypatch) -> None:
    token = share("compare", small()).token
    with visiting(monkeypatch):
        at = with_link("compare", token)
        at.number_input(key="choice_count").set_value(11)
        went(at)
        assert at.number_input(key="choice_count").value == 20
        assert [shown.value for shown in at.toast] == [
            "This page is shared with you read-only, so its settings cannot be changed."
        ]
    assert share_of(token).view == small().to_params()


def test_a_link_opens_no_more_than_its_view_uses(monkeypatch) -> None:
    other = third()
    view = small(shelf=Names([other]))
    made = share("compare", view)
    assert other not in str(made)
    with visiting(monkeypatch):
        at = with_link("compare", made.token)
        assert "not shared" not in str([box.options for box in at.selectbox])
        assert "share" not in turned(at, "shelf").query_params
        assert "Encoder A" not in said(at)  # on the next page a guest is themselves
        at = opened("compare", view.to_params())
        assert "not loaded in this browser" in said(at)
        assert len(save_workspace(view)) < 1500
    with acting_for(guest_of(made.token, "b" * 64)):
        assert open_space(view.a).name == "Encoder A"
        with pytest.raises(relviz.Error, match="not loaded in this browser"):
            open_space(other)
        assert not shares()
        revoke([made.token])
        with pytest.raises(relviz.Error, match="nothing of yours"):
            share("compare", view)
    assert share_of(made.token) is not None


@pytest.mark.parametrize("page", ["compare", "stitch", "several"])
def test_what_a_page_uses_of_one_s_own(page: str) -> None:
    other = third()
    view = small(shelf=Names([other]))
    view = view.with_changes(se=view.se.with_changes(spaces=Names([view.a, other, View().a])))
    used = {"compare": (view.a, view.b), "stitch": (view.a, view.b), "several": (view.a, other)}
    assert own_of(view.used_on(page)) == used[page]
    wide = {"compare": (view.a, view.b), "stitch": (view.a, view.b, other), "several": (view.a, other)}
    assert own_of(view.with_changes(wide=True).used_on(page)) == wide[page]


def test_a_revoked_or_unknown_link_says_one_sentence(monkeypatch) -> None:
    token = share("compare", small()).token
    with visiting(monkeypatch):
        at = with_link("compare", token)
        with acting_for(VISITOR):
            revoke([token])
        told = [
            said(one)
            for one in (went(at), with_link("compare", token), with_link("compare", "0" * LINK_LENGTH))
        ]
        assert set(told) == {
            "This link was revoked, or there never was one. Ask whoever sent it for a new link."
        }
        assert not at.get("bidi_component")
        assert said(with_link("compare", "../../etc")) == told[0]
    with acting_for(guest_of(token, VISITOR)), pytest.raises(relviz.Error):
        open_space(small().a)


def test_only_the_owner_revokes_and_lists(monkeypatch) -> None:
    token = share("compare", small()).token
    with visiting(monkeypatch):
        revoke([token])
        assert not shares()
    assert [one.token for one in shares()] == [token]
    at = opened("shelf")
    assert token in str([block.value for block in at.code])
    pressed(at, "Revoke")
    assert not shares()


def test_a_link_to_another_page_goes_there(monkeypatch) -> None:
    token = share("anchors", small()).token
    with visiting(monkeypatch):
        assert with_link("compare", token).title[0].value == "Anchors"


def test_demos_alone_need_no_link() -> None:
    with pytest.raises(relviz.Error, match="nothing of yours"):
        share("compare", View())


def test_so_many_links_and_no_more(monkeypatch) -> None:
    monkeypatch.setattr("relviz.state.shares.MOST_LINKS", 2)
    assert MOST_LINKS > 2
    share("compare", small())
    share("anchors", small())
    with pytest.raises(relviz.Error, match="You have 2 links"):
        share("compare", small())


def test_a_guest_watches_a_run_and_does_not_stop_it(monkeypatch) -> None:
    view = View(**small_pair(), ao=RUN)
    job = jobs().start(bootstrap_task(view.ao, open_pair(view.a, view.b)).key, endless)
    token = share("bootstrap", view).token
    with visiting(monkeypatch):
        at = with_link("bootstrap", token)
        buttons = [button.label for button in at.button]
        assert not {"Run", "Cancel", "Pause", "Run again"} & set(buttons)
        assert at.get("progress")
        assert not jobs().running()
        assert job.owners == (VISITOR,)
        assert opened("bootstrap", view.to_params()).error
    with acting_for(guest_of(token, "b" * 64)):
        for act in (job.cancel, job.pause, job.step):
            act()
        assert jobs().find(job.key) is job
    assert not job.canceling
    assert not job.pausing
    revoke([token])
    with acting_for(guest_of(token, "b" * 64)):
        assert jobs().find(job.key) is None


def test_files_of_a_shared_page_go_to_its_guests_until_it_is_revoked(monkeypatch) -> None:
    token = share("compare", small()).token
    monkeypatch.setattr(doors, "_shown", {"file": {guest_of(token, "c" * 64), VISITOR}})
    assert doors.may_have("file", "c" * 64)
    assert not doors.may_have("file", "d" * 64)
    revoke([token])
    assert not doors.may_have("file", "c" * 64)
    assert doors.may_have("file", VISITOR)


def test_the_log_names_who_made_opened_and_revoked_a_link_without_the_link(monkeypatch, caplog) -> None:
    caplog.set_level(logging.INFO, "relviz")
    token = share("compare", small()).token
    with visiting(monkeypatch):
        went(with_link("compare", token))
    revoke([token])
    lines = [line for line in caplog.messages if "The link" in line]
    assert [line.split(" is ")[1].split(":")[0] for line in lines] == ["made", "opened", "revoked"]
    assert len({line.split()[2] for line in lines}) == 1
    assert token not in caplog.text
