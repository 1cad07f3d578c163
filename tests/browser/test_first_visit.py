"""Compare as anyone sees it first: the emoji's two maps, with the figures that prove what they show."""

from playwright.sync_api import Page

from tests.browser.map_screen import hover, painted, state
from tests.browser.screen import Faults, measured, settled, shot

QUICK = "runs=1&queries=20"
FIGURES = '[data-testid="stMetric"]'


def test_the_maps_are_there_with_no_further_click_and_say_what_is_under_the_cursor(
    app: str, page: Page, faults: Faults
) -> None:
    page.goto(f"{app}/compare")
    settled(page)
    assert state(page)["drawn"] == [1906] * 2
    assert min(painted(page)) > 1000
    for pane in (0, 1):
        assert hover(page, pane)
    measured(page)
    page.get_by_role("tab", name="Metrics", exact=True).click()
    page.locator(FIGURES).nth(3).wait_for(timeout=60_000)
    settled(page)
    assert page.get_by_test_id("stTable").count() == 1
    shot(page, "compare")
    faults.assert_none()


def test_the_page_is_drawn_in_a_dark_scheme_too(app: str, page: Page, faults: Faults) -> None:
    page.emulate_media(color_scheme="dark")
    page.goto(f"{app}/compare?{QUICK}")
    settled(page)
    measured(page)
    lightness = page.evaluate(
        """() => ['stApp', 'stSidebar'].map(name => {
            const rgb = getComputedStyle(document.querySelector(`[data-testid=${name}]`)).backgroundColor;
            return rgb.match(/\\d+/g).slice(0, 3).reduce((sum, part) => sum + +part, 0) / 765;
        })"""
    )
    assert max(lightness) < 0.3
    assert min(painted(page)) > 1000
    shot(page, "compare dark")
    faults.assert_none()


def test_the_keyboard_reaches_every_control(small: str, page: Page, faults: Faults) -> None:
    page.goto(small.replace("/?", "/compare?"))
    settled(page)
    reached = []
    for _ in range(22):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("() => document.activeElement.ariaLabel ?? ''"))
    assert "Pair of spaces" in reached
    assert "Anchor selection" in "".join(reached)
    faults.assert_none()
