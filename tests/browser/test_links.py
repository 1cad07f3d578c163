"""A link to any page opens that page, in the app's own frame, whatever the server has served before."""

from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.screen import MENU, Faults, settled
from tests.browser.server import ROOT, served

PAGES = sorted(path.stem for path in (ROOT / "pages").glob("*.py"))


def titles(page: Page, current: bool = False) -> list[str]:
    """Names of the pages in the menu, or of the one that it marks."""
    links = page.locator(MENU)
    if current:
        links = links.and_(page.locator('[aria-current="page"]'))
    return sorted(links.get_by_test_id("stMarkdownContainer").all_inner_texts())


@pytest.mark.parametrize("name", PAGES)
def test_every_page_opens_by_its_address(app: str, page: Page, faults: Faults, name: str) -> None:
    page.goto(f"{app}/{name}")
    settled(page)
    assert titles(page, current=True) == [name.capitalize()]
    faults.assert_none()


def test_a_link_is_followed_by_a_server_that_just_started(page: Page, faults: Faults, tmp_path: Path) -> None:
    # Streamlit runs a file of pages/ on its own, without app.py, until app.py has run once.
    with served(tmp_path) as address:
        page.goto(f"{address}/data")
        settled(page)
        assert titles(page) == [name.capitalize() for name in PAGES]
        faults.assert_none()
