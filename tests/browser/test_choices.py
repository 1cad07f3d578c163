"""A choice is in the address: a link, a reload, a step back and another page all keep it."""

from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, expect

from tests.browser.map_screen import lasso, middle, state, sums
from tests.browser.screen import MENU, Faults, choose, pick, settled
from tests.ui.made import ROWS


def params(page: Page) -> dict[str, str]:
    """The choices in the address, without the pair."""
    found = {name: values[-1] for name, values in parse_qs(urlsplit(page.url).query).items()}
    return {name: value for name, value in found.items() if name not in ("a", "b")}


def number(page: Page, name: str) -> str:
    return page.get_by_label(name, exact=True).input_value()


def choose_number(page: Page, name: str, value: int) -> None:
    page.get_by_label(name, exact=True).fill(str(value))
    page.keyboard.press("Enter")
    page.wait_for_url(f"**={value}*")
    settled(page)


def open_menu(page: Page, name: str) -> None:
    page.locator(MENU, has_text=name).click()
    page.wait_for_url(f"**/{name.lower()}*")
    settled(page)


def test_a_copied_link_shows_the_same_in_another_tab(small: str, page: Page, faults: Faults) -> None:
    page.goto(small)
    settled(page)
    before = sums(page)
    choose_number(page, "Number of anchors", 25)
    choose(page, "Similarity", "L1 distance")
    pick(page, "First dimensions")
    assert params(page) == {"count": "25", "similarity": "l1", "projection": "first"}
    seen = sums(page)
    assert all(now != old for now, old in zip(seen, before, strict=True))

    copy = page.context.new_page()
    copy.goto(page.url)
    settled(copy)
    assert number(copy, "Number of anchors") == "25"
    assert copy.get_by_role("combobox", name="Similarity").input_value() == "L1 distance"
    assert sums(copy) == seen
    copy.close()

    page.reload()
    settled(page)
    assert number(page, "Number of anchors") == "25"
    assert sums(page) == seen
    faults.assert_none()


def test_back_and_forward_go_through_the_choices(small: str, page: Page, faults: Faults) -> None:
    page.goto(small)
    settled(page)
    choose_number(page, "Number of anchors", 30)
    choose_number(page, "Number of anchors", 31)
    page.go_back()
    settled(page)
    assert number(page, "Number of anchors") == "30"
    page.go_back()
    settled(page)
    assert number(page, "Number of anchors") == str(
        ROWS - 10
    )  # the default is more; some are left as queries
    assert params(page) == {}
    page.go_forward()
    settled(page)
    assert number(page, "Number of anchors") == "30"
    faults.assert_none()


def test_another_page_and_back_keeps_the_choices(small: str, page: Page, faults: Faults) -> None:
    page.goto(f"{small}&count=26&similarity=l1")
    settled(page)
    seen = sums(page)
    for name in ("Anchors", "Data", "Compare"):
        open_menu(page, name)
        assert params(page) == {"count": "26", "similarity": "l1"}
    assert number(page, "Number of anchors") == "26"
    assert sums(page) == seen
    faults.assert_none()


def test_a_step_back_to_another_page_keeps_the_choices(small: str, page: Page, faults: Faults) -> None:
    page.goto(small.replace("/?", "/anchors?count=27&"))
    settled(page)
    open_menu(page, "Data")
    pair = page.locator("h3").last.inner_text()
    page.go_back()
    settled(page)
    if "/data" in page.url:  # the address that the menu itself leaves behind, before the choices are in it
        assert page.locator("h3").last.inner_text() == pair
        page.go_back()
        settled(page)
    assert "/anchors" in page.url
    assert number(page, "Number of anchors") == "27"
    faults.assert_none()


def test_the_map_is_found_again_as_it_was_left(small: str, page: Page, faults: Faults) -> None:
    page.goto(small)
    settled(page)
    state(page)
    page.mouse.move(*middle(page, 0))
    page.mouse.wheel(0, -300)
    lasso(page, 1, radius=160)
    settled(page)
    left = state(page)
    assert len(left["selected"]) > 1
    assert left["views"][0]["zoom"] > 1.2
    open_menu(page, "Anchors")
    assert state(page)["selected"] == []  # another map
    open_menu(page, "Compare")
    found = state(page)
    assert (found["views"], found["selected"]) == (left["views"], left["selected"])
    expect(page.get_by_text(f"{len(left['selected'])} items selected")).to_be_visible()
    page.locator(".plot").first.press("Escape")
    settled(page)
    open_menu(page, "Anchors")
    open_menu(page, "Compare")
    assert state(page)["selected"] == []
    expect(page.get_by_text("items selected")).to_have_count(0)
    faults.assert_none()
