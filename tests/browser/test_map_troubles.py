"""What a person sees when the server does not give what the linked map asks for."""

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.map_screen import lasso, pixel, state
from tests.browser.screen import settled

CODE = "**/linked_map/**"


def test_texts_that_cannot_be_fetched_are_said_to_be_missing_and_come_later(map_app: str, page: Page) -> None:
    broken = True

    def answer(route: Route) -> None:
        if broken and route.request.headers.get("range"):
            route.fulfill(status=404, body="gone")
        else:
            route.continue_()

    page.route("**/media/*", answer)
    page.goto(map_app)
    settled(page)
    state(page)
    page.mouse.move(*pixel(page, 0, 7))
    expect(page.locator(".tooltip .item")).to_have_text("The text could not be fetched.")
    lasso(page, 0, radius=40)  # nothing else is lost
    assert state(page)["selected"]
    broken = False
    page.wait_for_timeout(5100)
    page.mouse.move(*pixel(page, 1, 8))
    expect(page.locator(".tooltip .item")).to_have_text("item 8")


def test_a_server_that_is_gone_leaves_the_map_and_says_why_nothing_is_found(shown: Page) -> None:
    shown.route("**/media/*", lambda route: route.abort())
    search = shown.get_by_label("Find items by their text and select them")
    search.fill("item 39")
    search.press("Enter")
    expect(shown.locator(".notice")).to_have_text("The texts could not be fetched.")
    shown.mouse.move(*pixel(shown, 0, 200))
    expect(shown.locator(".tooltip .item")).to_have_text("The text could not be fetched.")
    shown.unroute("**/media/*")
    search.press("Enter")
    expect(shown.get_by_text("11 of 400 selected")).to_be_visible()


def test_code_that_never_comes_is_asked_for_again(map_app: str, page: Page) -> None:
    held: list[Route] = []

    def answer(route: Route) -> None:
        if route.request.resource_type == "script" and not held:
            held.append(route)
        else:
            route.continue_()

    page.route(CODE, answer)
    page.goto(map_app)
    settled(page)
    assert state(page)["frames"] > 0
    assert held


def test_code_that_is_missed_at_first_is_asked_for_again(map_app: str, page: Page) -> None:
    missed: list[str] = []

    def answer(route: Route) -> None:
        if route.request.resource_type == "script" and len(missed) < 2:
            missed.append(route.request.url)
            route.fulfill(status=404, body="gone")
        else:
            route.continue_()

    page.route(CODE, answer)
    page.goto(map_app)
    settled(page)
    assert state(page)["frames"] > 0
    assert len(missed) == 2


@pytest.mark.parametrize("part", ["views.js", "linked_map.css"])
def test_a_part_that_is_missed_at_first_is_asked_for_again(map_app: str, page: Page, part: str) -> None:
    missed: list[str] = []

    def answer(route: Route) -> None:
        if not missed:
            missed.append(route.request.url)
            route.fulfill(status=404, body="gone")
        else:
            route.continue_()

    page.route(f"{CODE}/{part}*", answer)
    page.goto(map_app)
    settled(page)
    assert state(page)["frames"] > 0
    assert missed


def test_a_map_whose_code_does_not_come_says_so_where_it_would_be(map_app: str, page: Page) -> None:
    page.route(CODE, lambda route: route.abort())
    page.goto(map_app)
    settled(page)
    said = page.get_by_text("The map could not be loaded")
    expect(said).to_be_visible(timeout=20_000)  # after it tried again
