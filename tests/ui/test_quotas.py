"""What a visitor may upload and keep: the limit is said where it is met, with the numbers and the remedy."""

from types import SimpleNamespace

import pytest
from starlette.datastructures import Headers

import relviz
from relviz.compute.owner import acting_for, guest_of
from relviz.compute.store import default_store
from relviz.state import View, stored
from relviz.state.shares import discard, share_of
from relviz.state.sources import keep_space, open_space
from relviz.state.view import Names
from relviz.state.workspace import open_workspace, save_workspace
from relviz.ui import doors
from relviz.ui.operations import presence
from relviz.ui.operations.settings import QuotaSettings, Settings
from relviz.wording import size
from tests.ui.made import VISITOR, csv, small_pair, spaces
from tests.ui.screen import opened, pressed, said, went
from tests.ui.test_doors import visiting
from tests.ui.test_sharing import share

pytestmark = pytest.mark.usefixtures("own_cache")
AT = "test session id"
"""What Streamlit calls the session of a page without a browser."""
FULL = "Delete something under Storage on the Shelf."


@pytest.fixture
def quota(monkeypatch: pytest.MonkeyPatch):
    """Let each visitor keep so many bytes."""
    monkeypatch.setattr(stored, "_each", [])
    return stored.allow_each


def used() -> int:
    return sum(one.bytes for one in stored.stored())


def test_what_each_keeps_counts_for_them_alone(quota, monkeypatch) -> None:
    link = small_pair()
    mine = used()
    assert mine == sum(entry.bytes for entry in default_store().entries() if entry.kind == "space")
    quota(mine + 1000)
    with visiting(monkeypatch):
        assert used() == 0
        small_pair()  # they bring the same, and it counts for both
        assert used() == mine
    keep_space(open_space(link["a"]))  # what one has needs no room again
    with pytest.raises(
        stored.QuotaError, match=r"extra takes 5\.6 KiB, and you keep .* KiB of the .* KiB"
    ) as told:
        keep_space(relviz.Space(spaces()[0].vectors.repeat(4, 1), name="extra"))
    assert FULL in str(told.value)
    assert used() == mine
    quota(0)
    assert stored.quota() == default_store().cap_bytes


def test_an_upload_and_a_workspace_over_the_quota_say_so_on_their_pages(quota) -> None:
    raw = save_workspace(View(**small_pair()))
    for one in stored.stored():
        discard(one.source)
    quota(100)
    with pytest.raises(stored.QuotaError):
        open_workspace(raw)
    at = opened("data")
    rows = [[f"w{row}", *(str(row * at) for at in range(1, 4))] for row in range(40)]
    at.file_uploader(key="upload_A").set_value(("x.csv", csv(["id", "a", "b", "c"], rows), "text/csv"))
    at = pressed(went(at), "Add to shelf")
    assert FULL in at.toast[0].value


def test_the_shelf_says_how_much_is_used_and_deletes(quota, monkeypatch) -> None:
    quota(2**20)
    view = View(
        **small_pair(), shelf=Names([keep_space(relviz.Space(spaces()[0].vectors + 1, name="third"))])
    )
    with visiting(monkeypatch):
        keep_space(spaces()[0])
    link = share("compare", view)
    at = opened("shelf", view.to_params())
    assert f"{size(used())} of 1.0 MiB used" in [one.value for one in at.caption]
    at.button(key=f"delete {view.a}").click()
    at = went(at)
    assert view.a not in {one.source for one in stored.stored()}
    assert "a" not in at.query_params
    assert share_of(link.token) is None
    with pytest.raises(relviz.Error, match="not loaded"):
        open_space(view.a)
    assert default_store().has(view.a)  # another visitor brought the same
    with visiting(monkeypatch):
        keep_space(spaces()[0])
        assert open_space(view.a).name == "Encoder A"
    at.button(key=f"delete {view.shelf[0]}").click()
    assert "third" not in said(went(at))
    assert not default_store().has(view.shelf[0])


def test_uploads_of_all_pages_of_a_visitor_count_together(monkeypatch) -> None:
    file = SimpleNamespace(data=bytes(2**20))
    held = SimpleNamespace(
        _uploaded_file_mgr=SimpleNamespace(file_storage={"one": {"f": file}, "far": {"f": file}})
    )
    monkeypatch.setattr(doors, "exists", lambda: True)
    monkeypatch.setattr(doors, "get_instance", lambda: held)
    monkeypatch.setattr(
        doors,
        "settings",
        lambda: Settings(quotas=QuotaSettings(upload_megabytes=1, uploads_megabytes_each=2)),
    )
    monkeypatch.setattr(
        presence, "_sessions", {"one": VISITOR, "two": guest_of("0" * 32, VISITOR), "far": "b" * 64}
    )
    one = Headers({"content-length": str(2**20)})
    assert doors.refusal("two", one) == ""
    held._uploaded_file_mgr.file_storage["two"] = {"g": file}
    assert "hold 2.0 MiB of uploaded files, and this one has 1.0 MiB; the limit is 2.0 MiB" in doors.refusal(
        "two", one
    )
    assert doors.refusal("one", Headers({}))
    assert doors.refusal("far", one) == ""
    with acting_for(VISITOR):
        assert presence.sessions_of(VISITOR) == {"one", "two"}


def test_a_page_says_once_why_an_upload_was_refused(monkeypatch) -> None:
    drawn = []
    page = SimpleNamespace(session=SimpleNamespace(request_rerun=drawn.append, _client_state="as it was"))
    active = {AT: page}
    manager = SimpleNamespace(_session_mgr=SimpleNamespace(get_active_session_info=active.get))
    monkeypatch.setattr(doors, "get_instance", lambda: manager)
    at = opened("data")
    doors._have_page_say("of a closed tab", "too much for a closed tab")
    doors._have_page_say(AT, "too much")
    assert drawn == ["as it was"]
    assert [one.value for one in went(at).toast] == ["too much"]
    assert not went(at).toast
