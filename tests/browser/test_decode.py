"""Decode in a real browser: pictures at once, a digit that is drawn, latent spaces that light up together."""

from playwright.sync_api import Page, expect

from tests.browser.map_screen import hover, state
from tests.browser.screen import Faults, settled, shot


def test_pictures_are_there_at_once_and_a_drawn_digit_goes_through_all(
    app: str, page: Page, faults: Faults
) -> None:
    page.goto(f"{app}/decode")
    settled(page)
    expect(page.get_by_text("Encoder 1 → decoder 2 · MSE")).to_have_count(3)
    shot(page, "decode")
    page.get_by_text("Draw", exact=True).click()
    settled(page)
    expect(page.get_by_text("Draw on the black square")).to_be_visible()
    pad = page.locator(".pad canvas").bounding_box()
    assert pad is not None
    left, top = pad["x"], pad["y"]
    page.mouse.move(left + 60, top + 40)
    page.mouse.down()
    page.mouse.move(left + 150, top + 40, steps=6)
    page.mouse.move(left + 100, top + 170, steps=6)
    page.mouse.up()
    expect(page.get_by_text("Input, scaled like the digits")).to_be_visible()
    settled(page)
    expect(page.get_by_text("Encoder 2 → decoder 1 · MSE")).to_have_count(3)
    shot(page, "decode drawn")
    page.get_by_role("button", name="Clear").click()
    expect(page.get_by_text("Draw on the black square")).to_be_visible()
    faults.assert_none()


def test_a_digit_lights_up_in_every_training(app: str, page: Page, faults: Faults) -> None:
    page.goto(f"{app}/decode?de_part=spaces")
    settled(page)
    drawn = state(page)["drawn"]
    assert len(drawn) >= 2
    assert set(drawn) == {2000}
    assert hover(page, 0, 5).strip()[0] in "0123456789"
    shot(page, "decode spaces")
    faults.assert_none()
