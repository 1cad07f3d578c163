"""The map in a file of its own: opened from disk with the network cut, it does what the app's map does."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from relviz.plotting.colors import by_label
from relviz.plotting.linked_map.page import page as map_page
from relviz.plotting.linked_map.scene import Scene
from relviz.plotting.pane import Pane
from tests.browser.map_screen import ROOT, drag, hover, lasso, middle, painted, pixel, places, state, within
from tests.browser.screen import Faults
from tests.plotting.scenes import scene

N = 300
RECIPE = '{"kind": "maps"}'


def islands() -> Scene:
    """Maps that were fitted alone, the second mirrored, with some points far off."""
    points = np.random.default_rng(1).normal(size=(N, 2)) * [3, 1]
    points[:2] = [0, 60]
    sides = ["left" if x < 0 else "right" for x in points[:, 0]]
    sides[-3:] = ["left"] * 3
    panes = [Pane("A", points, alone=0), Pane("B", points @ [[0, 1], [1, 0]], alone=0)]
    return replace(scene(N), views={"Original": panes}, colors=by_label(sides), opens="")


def solids() -> Scene:
    """Points in space, fitted together; the second map is another side of the first."""
    points = np.random.default_rng(2).normal(size=(N, 3)) * [3, 1, 2]
    panes = [Pane("A", points, group=0), Pane("B", points[:, [2, 1, 0]], group=0)]
    return replace(scene(N), views={"Space": panes}, opens="")


def steps() -> Scene:
    """B in ten steps, each further to the right of A."""
    points = np.random.default_rng(3).normal(size=(N, 2))
    still = Pane("A", points, group=0)
    views = {f"Step {at + 1}": [still, Pane("B", points + np.array([at, 0]), group=0)] for at in range(10)}
    return replace(scene(N), views=views, opens="Step 10")


@pytest.fixture
def opened(browser: Browser, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Page]:
    """The file in a browser without a network."""
    path = tmp_path / "maps.html"
    shown = getattr(request, "param", scene)
    path.write_bytes(
        map_page(
            shown(N) if shown is scene else shown(), "A and B", "What it shows.", "Data: made up.", RECIPE
        )
    )
    context = browser.new_context(viewport={"width": 1280, "height": 800}, color_scheme="dark")
    context.set_offline(True)
    page = context.new_page()
    page.faults = Faults(page)  # type: ignore[attr-defined]
    page.goto(path.as_uri())
    state(page)
    yield page
    context.close()


def test_a_file_is_worked_without_a_network(opened: Page) -> None:
    found = state(opened)
    assert found["drawn"] == [N] * 2
    assert min(painted(opened)) > 500
    assert hover(opened, 0, 7) == f"item {state(opened)['pointed']}"
    red = """tooltip => tooltip.querySelector('.picture').getContext('2d').getImageData(48, 48, 1, 1).data"""
    assert opened.locator(".tooltip").evaluate(red) == [255, 0, 0, 255]

    corners = lasso(opened, 0, radius=60)
    rows = np.flatnonzero(within(places(opened, 0, range(N)), corners))
    assert 5 < len(rows) < N
    assert state(opened)["marked"] == [rows.tolist()] * 2

    search = opened.get_by_label("Find items by their text and select them")
    search.press_sequentially("ITEM 29")
    search.press("Enter")
    expect(opened.get_by_text(f"11 of {N} selected")).to_be_visible()
    assert state(opened)["selected"] == [29, *range(290, 300)]

    before = pixel(opened, 0, 3)
    opened.get_by_role("button", name="Original").click()
    assert opened.locator(".pane h3").all_inner_texts() == ["A · absolute", "B · absolute"]
    assert state(opened)["selected"] == [29, *range(290, 300)]
    assert pixel(opened, 0, 3) != before
    opened.get_by_role("button", name="2 × 2").click()
    assert state(opened)["drawn"] == [N] * 4
    opened.locator(".legend button").first.click()
    assert state(opened)["drawn"] == [N / 2] * 4
    opened.faults.assert_none()  # type: ignore[attr-defined]
    assert opened.faults.errors == opened.faults.strangers == []  # type: ignore[attr-defined]


def test_a_file_has_two_looks_its_caption_and_its_recipe(opened: Page, tmp_path: Path) -> None:
    paper = f"{ROOT.replace('?.relvizMap', '')}"
    color = f"getComputedStyle({paper}).backgroundColor"
    assert opened.evaluate(color) == "rgb(14, 17, 23)"
    opened.get_by_role("button", name="Light or dark").click()
    assert opened.evaluate(color) == "rgb(255, 255, 255)"
    expect(opened.get_by_text("What it shows.")).to_be_visible()
    expect(opened.get_by_text("Data: made up.")).to_be_visible()
    opened.get_by_text("Recipe", exact=True).click()
    with opened.expect_download() as download:
        opened.locator("#recipe a").click()
    download.value.save_as(tmp_path / "recipe.json")
    assert (tmp_path / "recipe.json").read_text() == RECIPE


@pytest.mark.parametrize("opened", [islands], indirect=True)
def test_what_lies_outside_comes_into_view_and_maps_are_turned(opened: Page) -> None:
    outside = opened.get_by_role("button", name="2 outside")
    expect(outside).to_have_count(2)
    outside.first.click()
    assert state(opened)["views"][0]["zoom"] < 0.5
    assert state(opened)["views"][1]["zoom"] == 1
    assert len(places(opened, 0, range(2))) == 2
    box = opened.locator(".plot").first.bounding_box()
    assert box is not None
    assert (places(opened, 0, range(2))[:, 1] > box["y"]).all()
    opened.get_by_label("Reset view").click()

    opened.get_by_label("Turn B onto A").click()
    expect(
        opened.get_by_text("mirrored and turned onto the first map (Procrustes correlation 1.00)")
    ).to_be_visible()
    a, b = (places(opened, pane, range(N)) for pane in (0, 1))
    np.testing.assert_allclose(a - a.mean(0), b - b.mean(0), atol=0.5)
    expect(opened.get_by_label("Center each map on its points")).to_be_hidden()


def test_items_stand_on_the_map_as_pictures_and_texts_and_classes_by_name(opened: Page) -> None:
    pictures = opened.get_by_label("Pictures", exact=True)
    assert state(opened)["items"] == [[], []]
    pictures.focus()
    opened.keyboard.press("Enter")
    expect(pictures).to_have_attribute("aria-pressed", "true")
    items = state(opened)["items"]
    assert all(10 < len(rows) < N for rows in items)
    row = items[1][-1]
    assert hover(opened, 1, row) == f"item {row}"
    opened.get_by_role("button", name="Original").click()
    assert state(opened)["marks"] == "pictures"
    before = len(state(opened)["items"][0])
    for _ in range(3):
        opened.get_by_label("Zoom in").click()
    corner = opened.locator(".plot").first.bounding_box()
    assert corner is not None
    left, top = corner["x"], corner["y"]
    right, bottom = left + corner["width"], top + corner["height"]
    frame = [(left, top), (right, top), (right, bottom), (left, bottom)]
    in_sight = within(places(opened, 0, range(N)), frame).sum()
    assert len(state(opened)["items"][0]) / in_sight > before / N

    opened.get_by_label("Reset view").click()
    opened.get_by_label("Texts", exact=True).click()
    opened.wait_for_function(f"{ROOT}.state().items[0].length > 10")
    opened.get_by_label("Dots", exact=True).click()
    opened.locator(".legend button").first.click()
    assert state(opened)["items"] == [[], []]
    opened.faults.assert_none()  # type: ignore[attr-defined]


@pytest.mark.parametrize("opened", [islands], indirect=True)
def test_classes_that_lie_together_are_named(opened: Page) -> None:
    names = opened.get_by_label("Names of classes")
    names.click()
    expect(names).to_have_attribute("aria-pressed", "true")
    assert state(opened)["names"] == [["left", "right"]] * 2
    opened.locator(".legend button").first.click()
    assert state(opened)["names"] == [["right"]] * 2


@pytest.mark.parametrize("opened", [solids], indirect=True)
def test_points_in_space_are_orbited_together_and_selected_where_they_are_seen(opened: Page) -> None:
    before = places(opened, 0, range(N))
    assert state(opened)["side"] == {"yaw": 0, "pitch": 0}
    x, y = middle(opened, 0)
    drag(opened, [(x, y), (x + 60, y), (x + 120, y + 40)])
    side = state(opened)["side"]
    assert side["yaw"] == pytest.approx(1.08)
    assert side["pitch"] == pytest.approx(0.36)
    after = places(opened, 0, range(N))
    assert np.abs(after - before).max() > 30

    corners = lasso(opened, 0, radius=60)
    rows = np.flatnonzero(within(after, corners))
    assert 5 < len(rows) < N
    assert state(opened)["marked"] == [rows.tolist()] * 2
    opened.get_by_label("Reset view").click()
    assert state(opened)["side"] == {"yaw": 0, "pitch": 0}
    np.testing.assert_allclose(places(opened, 0, range(N)), before, atol=0.1)

    opened.locator(".plot").nth(1).focus()
    for _ in range(4):
        opened.keyboard.press("Shift+ArrowRight")
    assert state(opened)["side"]["yaw"] == pytest.approx(np.pi / 2)
    turned = places(opened, 1, range(N))
    assert np.corrcoef(before[:, 0], turned[:, 0])[0, 1] > 0.98  # the third axis of B is the first of A
    assert min(painted(opened)) > 500
    opened.faults.assert_none()  # type: ignore[attr-defined]


@pytest.mark.parametrize("opened", [steps], indirect=True)
def test_steps_are_gone_through_with_a_slider_and_played(opened: Page) -> None:
    slider = opened.get_by_role("slider", name="Step")
    expect(opened.get_by_text("Step 10", exact=True)).to_be_visible()
    assert slider.input_value() == "9"
    still, last = places(opened, 0, range(N)), places(opened, 1, range(N))
    slider.focus()
    for _ in range(3):
        opened.keyboard.press("ArrowLeft")
    expect(slider).to_have_attribute("aria-valuetext", "Step 7")
    shift = last - places(opened, 1, range(N))
    np.testing.assert_allclose(shift, [[shift[0, 0], 0]] * N, atol=0.6)
    assert shift[0, 0] > 5
    np.testing.assert_array_equal(places(opened, 0, range(N)), still)
    opened.get_by_role("button", name="Play").click()
    expect(slider).to_have_value("9", timeout=20_000)
    expect(opened.get_by_role("button", name="Play")).to_be_visible()
    np.testing.assert_allclose(places(opened, 1, range(N)), last, atol=0.1)
    opened.faults.assert_none()  # type: ignore[attr-defined]
