"""Two browsers at one server: nothing of the one reaches the other by any control or address."""

import re
from collections.abc import Collection, Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Download, Page, Response, expect

from relviz.state.workspace import open_workspace
from tests.browser.map_screen import hover
from tests.browser.screen import MENU, Faults, measured, settled, shot, watched
from tests.browser.test_files import give, table
from tests.ui.made import CLASSES, spaces

SECRET = "the secret item of the first"
ENDLESS = "ao_anchors=12&ao_seeds=6&ao_method=adam_warm&ao_options=steps%3D4000%2Cwarm_up%3D3"
"""A run that goes on until it is stopped."""


@pytest.fixture
def other(browser: Browser) -> Iterator[Page]:
    """A page of another browser, with cookies of its own."""
    context = watched(browser.new_context(viewport={"width": 1400, "height": 1000}))
    page = context.new_page()
    page.set_default_timeout(60_000)
    yield page
    context.close()


def brought(app: str, page: Page) -> str:
    """The address of Compare after two files were given, one with a secret in it."""
    a, b = (space.vectors.numpy() for space in spaces())
    page.goto(f"{app}/data")
    settled(page)
    texts = [SECRET, *(f"item {row}" for row in range(1, len(a)))]
    give(page, "A", table("unpublished.csv", a, label=CLASSES, text=texts))
    give(page, "B", table("draft.csv", b))
    page.get_by_role("button", name="Compare these").click()
    page.wait_for_url("**a=space-*")
    settled(page)
    page.locator(MENU, has_text="Compare").click()
    measured(page)
    settled(page)
    return page.url


def files_of(page: Page) -> list[str]:
    """Addresses of the files that a page fetches from now on, beside the app's own."""
    found: list[str] = []

    def note(got: Response) -> None:
        if urlsplit(got.url).path.startswith("/media/"):
            found.append(got.url)

    page.on("response", note)
    return found


def all_said(page: Page) -> str:
    """All that a page shows and holds."""
    return page.locator("body").inner_text() + page.content()


def workspace(page: Page) -> tuple[bytes, str]:
    """What Save workspace gives, and from which address."""
    page.locator(MENU, has_text="Shelf").click()
    settled(page)
    page.get_by_text("Workspace", exact=True).click()
    with page.expect_download() as begun:
        page.get_by_role("button", name="Save workspace").click()
    done: Download = begun.value
    return done.path().read_bytes(), done.url


@pytest.mark.slow
def test_nothing_of_one_reaches_the_other(app: str, page: Page, other: Page, faults: Faults) -> None:
    files = files_of(page)
    address = brought(app, page)
    nothing_reaches(app, page, other, address, files)
    shot(other, "another's shelf")

    taken, _ = workspace(other)  # the shelf of the copied address, saved
    assert SECRET.encode() not in taken
    assert len(taken) < 2000
    own, download = workspace(page)
    assert SECRET.encode() in own
    assert len(open_workspace(own)[0].shelf) == 2

    assert page.request.get(download).status == 200
    assert other.request.get(download).status == 404
    faults.assert_none()


def nothing_reaches(
    app: str, page: Page, other: Page, address: str, files: list[str], to_all: Collection[str] = ()
) -> None:
    """Try what one page shows in another browser, by its address on every page and by its files.

    Files that are shown ``to_all``, such as the icon of the page, are none of these.
    """
    assert len(set(re.findall(r"space-[0-9a-f]{32}", address))) == 2
    assert SECRET in hover(page, 0, 0)  # the texts of a map are a file of its own
    shown = {url for url in {*files} - {*to_all} if page.request.get(url).status == 200}
    assert shown
    assert {other.request.get(url).status for url in shown} == {404}
    for name in ("compare", "data", "anchors", "bootstrap", "stitch", "shelf"):
        other.goto(f"{app}/{name}?{urlsplit(address).query}")
        settled(other)
        expect(other.get_by_text("not loaded in this browser").first).to_be_visible()
        assert SECRET not in all_said(other)
        assert "unpublished" not in other.locator("body").inner_text()
        assert not other.get_by_test_id("stException").count()


def test_a_reload_keeps_what_was_brought_and_a_second_tab_has_it(app: str, page: Page) -> None:
    address = brought(app, page)
    page.reload()
    settled(page)
    measured(page)
    tab = page.context.new_page()
    tab.goto(address)
    settled(tab)
    measured(tab)
    (cookie,) = (one for one in page.context.cookies() if one["name"] == "relviz_visitor")
    assert cookie["httpOnly"]
    assert cookie["sameSite"] == "Lax"
    assert re.fullmatch("[0-9a-f]{64}", cookie["value"])
    assert cookie["value"] not in page.content()


@pytest.mark.slow
def test_a_run_of_one_is_not_listed_opened_or_stopped_by_the_other(app: str, page: Page, other: Page) -> None:
    page.goto(f"{app}/bootstrap?{ENDLESS}")
    settled(page)
    page.get_by_role("button", name="Run", exact=True).click()
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Resume").wait_for()  # it takes no core while pages are drawn
    other.goto(f"{app}/bootstrap")
    settled(other)
    expect(other.get_by_text("Also running")).to_have_count(0)
    other.goto(f"{app}/bootstrap?{ENDLESS}")
    settled(other)
    expect(other.get_by_role("button", name="Cancel")).to_have_count(0)
    other.get_by_role("button", name="Run", exact=True).click()  # of the same demo: it goes on for both
    other.get_by_role("button", name="Cancel").wait_for()
    expect(other.get_by_role("button", name="Pause")).to_be_disabled()
    other.get_by_role("button", name="Cancel").click()
    other.get_by_role("button", name="Run", exact=True).wait_for()
    expect(page.get_by_role("button", name="Pause")).to_be_enabled()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("Canceled after")).to_be_visible()
