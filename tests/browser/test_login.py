"""Two users who sign in at a provider: nothing of the one reaches the other, but what a link shares."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.map_screen import hover
from tests.browser.provider import provider, settings
from tests.browser.screen import measured, settled, watched
from tests.browser.server import free_port, served
from tests.browser.test_doors import SECRET, all_said, brought, files_of, nothing_reaches

pytest.importorskip("authlib", reason="Signing in needs Authlib: pip install 'relviz[login]'")


@pytest.fixture
def login_app(tmp_path: Path) -> Iterator[str]:
    """The address of an app whose visitors sign in as anna or ben."""
    port = free_port()
    with provider(("anna", "ben")) as issuer:
        environment = settings(tmp_path, f"http://localhost:{port}", issuer)
        with served(tmp_path, port=port, environment=environment) as app:
            yield app


@pytest.fixture
def browsers(browser: Browser) -> Iterator[list[Page]]:
    """Pages of three browsers, with cookies of their own."""
    contexts = [watched(browser.new_context(viewport={"width": 1400, "height": 1000})) for _ in range(3)]
    pages = [context.new_page() for context in contexts]
    for page in pages:
        page.set_default_timeout(60_000)
    yield pages
    for context in contexts:
        context.close()


def sign_in(page: Page, app: str, user: str) -> None:
    page.goto(app)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("link", name=user).click()
    expect(page.get_by_text(f"Signed in as {user.capitalize()}")).to_be_visible()
    settled(page)


@pytest.mark.slow
def test_users_see_nothing_of_each_other_but_what_a_link_shares(login_app: str, browsers: list[Page]) -> None:
    anna, ben, home = browsers
    sign_in(anna, login_app, "anna")
    of_ben = files_of(ben)
    sign_in(ben, login_app, "ben")
    files = files_of(anna)
    address = brought(login_app, anna)
    home.goto(address)  # nobody yet
    expect(home.get_by_role("button", name="Sign in")).to_be_visible()
    assert SECRET not in all_said(home)
    nothing_reaches(login_app, anna, ben, address, files, tuple(of_ben))

    sign_in(home, login_app, "anna")  # at home she has what she brought at work
    home.goto(address)
    measured(home)

    anna.get_by_role("button", name="Share").click()
    anna.get_by_role("button", name="Make a link").click()
    link = anna.get_by_test_id("stCode").inner_text().strip()
    before = tuple(of_ben)
    ben.goto(link)
    measured(ben)
    expect(ben.get_by_text("Shared with you, read-only")).to_be_visible()
    assert SECRET in hover(ben, 0, 0)
    shared = {*of_ben} & {*files} - {*before}
    assert shared
    assert {ben.request.get(url).status for url in shared} == {200}
    anna.get_by_role("button", name="Revoke").click()
    expect(anna.get_by_test_id("stCode")).to_have_count(0)
    assert {ben.request.get(url).status for url in shared} == {404}
    ben.reload()
    expect(ben.get_by_text("This link was revoked")).to_be_visible()
    assert SECRET not in all_said(ben)
