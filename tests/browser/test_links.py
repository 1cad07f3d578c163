"""A link to any page opens that page, in the app's own frame, whatever the server has served before."""

from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.screen import Faults, settled
from tests.browser.server import ROOT, served

PAGES = sorted(path.stem for path in (ROOT / "pages").glob("*.py"))
MENU = 'a[data-testid$="NavLink"]'


def titles(page: Page, links: str) -> list[str]:
    return sorted(page.locator(links).get_by_test_id("stMarkdownContainer").all_inner_texts())


@pytest.mark.parametrize("name", PAGES)
def test_every_page_opens_by_its_address(app: str, page: Page, faults: Faults, name: str) -> None:
    page.goto(f"{app}/{name}")
    settled(page)
    assert titles(page, MENU + '[aria-current="page"]') == [name.capitalize()]
    faults.assert_none()


def test_a_link_is_followed_by_a_server_that_just_started(page: Page, faults: Faults, tmp_path: Path) -> None:
    # Streamlit runs a file of pages/ on its own, without app.py, until app.py has run once.
    with served(tmp_path) as address:
        page.goto(f"{address}/data")
        settled(page)
        assert titles(page, MENU) == [name.capitalize() for name in PAGES]
        faults.assert_none()
