"""The linked map in a real browser: panes select together, nothing is lost by updates, texts stay texts."""

import numpy as np
from playwright.sync_api import Page, expect

from tests.browser.map_app_texts import ODD
from tests.browser.map_screen import ROOT, drag, lasso, middle, pixel, places, state, within
from tests.browser.screen import Faults, choose, settled


def test_a_lasso_in_one_pane_marks_its_rows_in_all_and_in_python(shown: Page, faults: Faults) -> None:
    corners = lasso(shown, 0, radius=30)
    rows = np.flatnonzero(within(places(shown, 0, range(400)), corners))
    assert 5 < len(rows) < 300
    found = state(shown)
    assert found["selected"] == rows.tolist()
    assert found["drawn"] == [400] * 4
    assert found["marked"] == [rows.tolist()] * 4
    expect(shown.get_by_text(f"selected {len(rows)} sum {rows.sum()} clicked None")).to_be_visible()
    expect(shown.get_by_text(f"{len(rows)} of 400 selected")).to_be_visible()
    faults.assert_none()


def test_zoom_and_selection_outlive_colors_places_and_panes(shown: Page, faults: Faults) -> None:
    shown.mouse.move(*middle(shown, 0))
    shown.mouse.wheel(0, -300)
    shown.mouse.move(*middle(shown, 2))
    shown.mouse.wheel(0, -200)
    lasso(shown, 0)
    shown.get_by_label("Texts", exact=True).click()
    settled(shown)
    before = state(shown)
    assert before["marks"] == "texts"
    assert before["views"][0]["zoom"] > 1.2
    assert before["views"][1]["zoom"] == 1  # fitted alone
    assert before["views"][2] == before["views"][3]  # fitted together
    assert before["views"][2]["zoom"] > 1.2
    for label, option in (("color", "number"), ("shape", "ring"), ("color", "class"), ("shape", "round")):
        choose(shown, label, option)
        settled(shown)
        after = state(shown)
        assert after["views"] == before["views"]
        assert after["selected"] == before["selected"]
        assert after["marks"] == "texts"
    faults.assert_none()


def test_maps_fitted_together_move_together_unless_the_switch_is_off(shown: Page) -> None:
    switch = shown.get_by_label("Link pan and zoom")
    for linked in (True, False):
        assert (switch.get_attribute("aria-pressed") == "true") == linked
        shown.mouse.move(*middle(shown, 2))
        shown.mouse.wheel(0, -300)
        shown.wait_for_function(f"{ROOT}.state().views[2].zoom > 1.2")
        views = state(shown)["views"]
        assert (views[2] == views[3]) == linked
        assert views[0]["zoom"] == views[1]["zoom"] == 1
        shown.get_by_label("Reset view").click()
        switch.click()


def test_other_rows_start_anew(shown: Page) -> None:
    lasso(shown, 0)
    shown.mouse.wheel(0, -300)
    shown.get_by_text("other rows").click()
    settled(shown)
    found = state(shown)
    assert found["selected"] == []
    assert found["views"] == [{"x": 0, "y": 0, "zoom": 1}] * 4
    expect(shown.get_by_text("selected 0 sum 0 clicked None")).to_be_visible()


def test_a_selection_is_told_once(shown: Page) -> None:
    before = int(shown.get_by_text("runs ", exact=False).inner_text().split()[1])
    lasso(shown, 1)
    settled(shown, quiet=1)
    assert int(shown.get_by_text("runs ", exact=False).inner_text().split()[1]) == before + 1


def test_clicks_shift_and_escape(shown: Page) -> None:
    shown.mouse.click(*pixel(shown, 0, 4))
    assert state(shown)["selected"] == [4]
    expect(shown.get_by_text("selected 1 sum 4 clicked 4")).to_be_visible()
    shown.keyboard.down("Shift")
    shown.mouse.click(*pixel(shown, 1, 2))
    shown.keyboard.up("Shift")
    assert state(shown)["selected"] == [2, 4]
    shown.locator(".plot").nth(1).press("Escape")
    assert state(shown)["selected"] == []
    expect(shown.get_by_text("selected 0 sum 0")).to_be_visible()


def test_hovering_is_seen_in_every_pane_and_texts_stay_texts(shown: Page, faults: Faults) -> None:
    for row, text in enumerate(ODD):
        shown.mouse.move(*pixel(shown, row % 2, row))
        expect(shown.locator(".tooltip .item")).to_have_text(text)
        assert state(shown)["pointed"] == row
    titles = shown.locator(".pane h3").all_inner_texts()
    assert titles[0] == "<i>Pane</i> 0"
    assert "<u>third</u>\n133" in shown.locator(".legend button").all_inner_texts()
    assert shown.evaluate("window.hacked") is None
    assert shown.locator(".relviz-map img, .relviz-map u, .relviz-map i i").count() == 0
    faults.assert_none()


def test_keys_walk_from_item_to_item(shown: Page) -> None:
    plot = shown.locator(".plot").first
    plot.press("ArrowRight")
    first = state(shown)["pointed"]
    plot.press("ArrowRight")
    second = state(shown)["pointed"]
    assert first != second
    assert pixel(shown, 0, second)[0] > pixel(shown, 0, first)[0]
    plot.press("Enter")
    assert state(shown)["selected"] == [second]
    expect(shown.locator(".spoken")).to_contain_text("item")
    names = [
        button.get_attribute("aria-label") or button.inner_text()
        for button in shown.locator(".relviz-map button").all()
    ]
    assert all(names)


def test_a_search_selects_and_the_legend_hides(shown: Page) -> None:
    search = shown.get_by_label("Find items by their text and select them")
    search.fill("ITEM 39")
    search.press("Enter")
    expect(shown.get_by_text("selected 11")).to_be_visible()
    assert state(shown)["selected"] == [39, *range(390, 400)]
    shown.locator(".legend button").first.click()
    found = state(shown)
    assert found["hidden"] == ["even"]
    assert found["drawn"][0] == 400 - len(range(0, 400, 3))
    lasso(shown, 0)
    assert all(row % 3 for row in state(shown)["selected"])


def test_a_box_drags_and_a_drag_pans(shown: Page) -> None:
    x, y = middle(shown, 0)
    drag(shown, [(x, y), (x + 10, y + 5), (x + 30, y + 15)])
    assert state(shown)["views"][0]["x"] < 0 < state(shown)["views"][0]["y"]
    shown.get_by_label("Drag to select a box").click()
    corners = [(x - 50, y - 40), (x + 50, y - 40), (x + 50, y + 40), (x - 50, y + 40)]
    drag(shown, [corners[0], (x, y), corners[2]])
    assert state(shown)["selected"] == np.flatnonzero(within(places(shown, 0, range(400)), corners)).tolist()


def test_rows_that_a_page_marks_are_selected_once(shown: Page) -> None:
    shown.get_by_text("mark three").click()
    settled(shown)
    expect(shown.get_by_text("selected 3 sum 96 clicked None")).to_be_visible()
    assert state(shown)["marked"] == [[30, 31, 35]] * 4
    shown.mouse.click(*pixel(shown, 0, 4))
    settled(shown)
    assert state(shown)["selected"] == [4]
    choose(shown, "color", "number")
    assert state(shown)["selected"] == [4]
