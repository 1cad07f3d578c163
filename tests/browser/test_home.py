"""Home in a real browser: the switch, the slider, pointing, the keyboard; whole on the first screen."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.screen import Faults, settled, shot

HOME = ".home"


@pytest.fixture
def home(app: str, page: Page) -> Page:
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(app)
    page.locator(f'{HOME}[data-ready="true"]').wait_for()
    settled(page)
    return page


def at_rest(page: Page, shows: str) -> None:
    page.locator(f'{HOME}[data-moving="false"][data-shows="{shows}"]').wait_for()


def found(page: Page) -> int:
    return int(page.locator(".meter b").inner_text().rstrip("%"))


def test_one_switch_moves_every_picture_and_the_meter(home: Page, faults: Faults) -> None:
    assert found(home) == 0
    before = home.locator("canvas.map").screenshot()
    home.get_by_role("radio", name="Relative").click()
    at_rest(home, "relative")
    assert 42 <= found(home) <= 52
    assert home.locator("canvas.map").screenshot() != before
    shot(home, "home")
    home.get_by_role("radio", name="Absolute").click()
    at_rest(home, "absolute")
    assert found(home) == 0
    faults.assert_none()


def test_more_anchors_find_more(home: Page, faults: Faults) -> None:
    slider = home.get_by_role("slider", name="Number of anchors")
    slider.focus()
    home.keyboard.press("Home")
    at_rest(home, "relative")
    expect(home.locator("output")).to_have_text("2 anchors")
    few = found(home)
    home.keyboard.press("End")
    at_rest(home, "relative")
    expect(home.locator("output")).to_have_text("1,500 anchors")
    assert few <= 2
    assert found(home) > 40
    home.get_by_role("button", name="Play more and more anchors").click()
    expect(home.locator("output")).to_have_text("10 anchors")
    home.get_by_role("button", name="Play more and more anchors").click()
    faults.assert_none()


def test_pointing_says_what_b_finds(home: Page, faults: Faults) -> None:
    home.get_by_role("radio", name="Relative").click()
    at_rest(home, "relative")
    box = home.locator("canvas.map").bounding_box()
    home.mouse.move(box["x"] + box["width"] / 4, box["y"] + box["height"] / 3)
    spoken = home.locator(".spoken")
    expect(spoken).to_have_text(re.compile("through 300 anchors, B finds"))
    home.locator("td button").nth(1).hover()
    assert home.locator("td.pointed").count() == 3
    faults.assert_none()


def test_the_keyboard_is_enough(home: Page, faults: Faults) -> None:
    home.locator("td button").first.focus()
    first = home.locator(HOME).get_attribute("data-pointed")
    assert int(first) >= 0
    home.locator("canvas.map").focus()
    seen = set()
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "ArrowLeft"):
        home.keyboard.press(key)
        seen.add(home.locator(HOME).get_attribute("data-pointed"))
    assert len(seen) >= 3
    home.keyboard.press(" ")
    at_rest(home, "relative")
    home.keyboard.press("Escape")
    assert home.locator(HOME).get_attribute("data-pointed") == "-1"
    tree = home.get_by_test_id("stMain").aria_snapshot()
    for words in (
        "Can two models understand each other?",
        'radio "Relative"',
        "Number of anchors",
        "A shows",
    ):
        assert words in tree
    faults.assert_none()


def test_the_picture_is_whole_without_scrolling(home: Page, faults: Faults) -> None:
    for width, height in ((1280, 800), (1920, 1080), (390, 844)):
        home.set_viewport_size({"width": width, "height": height})
        settled(home)
        box = home.locator("canvas.map").bounding_box()
        assert box["y"] + box["height"] <= height
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["width"] * box["height"] > 0.5 * width * height
    faults.assert_none()


def test_who_wants_no_motion_sees_none(home: Page, faults: Faults) -> None:
    home.emulate_media(reduced_motion="reduce")
    home.get_by_role("radio", name="Relative").click()
    at_rest(home, "relative")
    faults.assert_none()
