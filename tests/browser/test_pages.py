"""Every page by its address: in the app's own frame, with named controls and without a serious fault."""

from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.axe import faults_in_light_and_dark, require_axe
from tests.browser.screen import MENU, Faults, settled
from tests.browser.server import ROOT, served

PAGES = sorted(path.stem for path in (ROOT / "pages").glob("*.py"))
PARTS = ("stitch?part=probe", "decode?de_part=draw", "decode?de_part=slide")
NAMELESS = """() => [...document.querySelectorAll('button, input, textarea, select, a, [role=button]')]
    .filter(one => one.checkVisibility({ visibilityProperty: true }) && !one.ariaHidden)
    .filter(one => one.type !== 'file')
    .filter(one => !(one.ariaLabel || one.innerText || one.title || one.labels?.[0]?.innerText))
    .map(one => one.outerHTML.slice(0, 200))"""
NOTE_MENUS = """window.menus = new Set();
new MutationObserver(() => document.querySelectorAll('[data-testid="stSidebarNavLink"]').forEach(
    one => one.querySelectorAll('[data-testid="stMarkdownContainer"]').forEach(
        text => window.menus.add(text.innerText)))
).observe(document, {childList: true, subtree: true, characterData: true});"""


def titles(page: Page, current: bool = False) -> list[str]:
    """Names of the pages in the menu, or of the one that it marks."""
    links = page.locator(MENU)
    if current:
        links = links.and_(page.locator('[aria-current="page"]'))
    return sorted(links.get_by_test_id("stMarkdownContainer").all_inner_texts())


@pytest.mark.parametrize("name", [*PAGES, *PARTS])
def test_a_page_opens_by_its_address_and_has_no_serious_fault(
    small: str, page: Page, faults: Faults, name: str
) -> None:
    app, _, pair = small.partition("/?")
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"{app}/{name}{'&' if '?' in name else '?'}{pair}")
    settled(page)
    assert titles(page, current=True) == [name.partition("?")[0].capitalize()]
    assert page.evaluate(NAMELESS) == []
    assert faults_in_light_and_dark(page) == {}
    faults.assert_none()
    require_axe()


def test_a_server_that_just_started_follows_a_link_and_never_shows_files_as_its_menu(
    page: Page, faults: Faults, tmp_path: Path
) -> None:
    # Streamlit runs a file of pages/ on its own, without app.py, until app.py has run once.
    with served(tmp_path) as address:
        page.add_init_script(NOTE_MENUS)
        for start in ("/data", "/"):
            page.goto(address + start)
            settled(page)
            assert titles(page) == [name.capitalize() for name in PAGES]
            seen = set(page.evaluate("[...window.menus]"))
            assert {"Compare", "Data"} <= seen
            assert {name for name in seen if name[:1].islower()} == set()
        faults.assert_none()
