"""The linked map under fingers: one moves it, two pinch, a tap selects."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, expect

from tests.browser.map_screen import lasso, middle, pixel, state
from tests.browser.screen import settled, watched

Place = tuple[float, float]


@pytest.fixture(scope="module")
def touched(browser: Browser) -> Iterator[BrowserContext]:
    """The window of a screen that is touched."""
    context = watched(browser.new_context(viewport={"width": 1200, "height": 1000}, has_touch=True))
    context.new_page()  # stays open, and with it what the page before has compiled
    yield context
    context.close()


@pytest.fixture
def tablet(map_app: str, touched: BrowserContext) -> Iterator[Page]:
    """The map on a screen that is touched."""
    page = touched.new_page()
    page.goto(map_app)
    settled(page)
    state(page)
    yield page
    page.close()


def fingers(page: Page, *paths: list[Place]) -> None:
    """Put a finger at the start of each path, move all of them along, lift them."""
    session = page.context.new_cdp_session(page)
    for step in range(len(paths[0])):
        _touch(session, "touchMove" if step else "touchStart", [path[step] for path in paths])
    _touch(session, "touchEnd", [])
    session.detach()


def _touch(session: CDPSession, kind: str, places: list[Place]) -> None:
    points = [{"x": x, "y": y, "id": finger} for finger, (x, y) in enumerate(places)]
    session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def test_two_fingers_zoom_about_the_place_between_them(tablet: Page) -> None:
    x, y = middle(tablet, 0)
    x, y = x + 40, y - 20
    before = [pixel(tablet, 0, row) for row in (10, 20)]
    reach = [30 + 6 * step for step in range(11)]  # to three times as far apart
    fingers(tablet, [(x - r, y) for r in reach], [(x + r, y) for r in reach])
    found = state(tablet)
    assert found["views"][0]["zoom"] == pytest.approx(3, rel=0.02)
    assert found["views"][1]["zoom"] == 1  # fitted alone
    assert found["selected"] == []
    for row, (old_x, old_y) in zip((10, 20), before, strict=True):
        assert pixel(tablet, 0, row) == pytest.approx((x + 3 * (old_x - x), y + 3 * (old_y - y)), abs=3)
    fingers(tablet, [(x - r, y) for r in reach[::-1]], [(x + r, y) for r in reach[::-1]])
    assert state(tablet)["views"][0]["zoom"] == pytest.approx(1, rel=0.02)


def test_one_finger_moves_the_map_and_two_move_it_too(tablet: Page) -> None:
    x, y = middle(tablet, 2)
    start_x, start_y = pixel(tablet, 2, 5)
    fingers(tablet, [(x + 8 * step, y + 4 * step) for step in range(6)])
    assert pixel(tablet, 2, 5) == pytest.approx((start_x + 40, start_y + 20), abs=1)
    assert state(tablet)["views"][2] == state(tablet)["views"][3]  # fitted together
    aside = [(x + 8 * step, y) for step in range(6)]
    fingers(tablet, aside, [(place_x + 50, place_y) for place_x, place_y in aside])
    assert pixel(tablet, 2, 5) == pytest.approx((start_x + 80, start_y + 20), abs=2)
    assert state(tablet)["selected"] == []


def test_a_tap_selects_and_says_what_it_is(tablet: Page) -> None:
    tablet.touchscreen.tap(*pixel(tablet, 0, 4))
    assert state(tablet)["selected"] == [4]
    expect(tablet.locator(".tooltip .item")).to_be_visible()
    expect(tablet.get_by_text("selected 1 sum 4 clicked 4")).to_be_visible()


def test_a_finger_draws_a_lasso_and_a_second_one_makes_it_a_pinch(tablet: Page) -> None:
    lasso(tablet, 0)
    tablet.keyboard.press("Escape")
    x, y = middle(tablet, 0)
    corners = [(x - 50, y - 50), (x + 50, y - 50), (x + 50, y + 50), (x - 50, y + 50)]
    fingers(tablet, corners)
    assert state(tablet)["selected"]
    tablet.locator(".plot").first.press("Escape")
    reach = [30 + 6 * step for step in range(6)]
    fingers(tablet, [(x - r, y) for r in reach], [(x + r, y) for r in reach])
    assert state(tablet)["selected"] == []
    assert state(tablet)["views"][0]["zoom"] > 1.5
