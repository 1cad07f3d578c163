"""The Stitch page in a real browser: a slider moves the map, cells are clicked, items found by typing."""

from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from relviz.state import View
from tests.browser.map_screen import corner, inked, lasso, places, state, sums, ways, within
from tests.browser.screen import Faults, settled, shot
from tests.ui.made import ROWS, TEXTS

CELL = ("Encoder", "Head", "Method")


@pytest.fixture
def stitch(small: str) -> str:
    """The address of Stitch with the small pair and 20 anchors, to which further choices can be added."""
    return small.replace("/?", "/stitch?") + "&count=20"


def params(page: Page) -> dict[str, str]:
    return {name: values[-1] for name, values in parse_qs(urlsplit(page.url).query).items()}


def finished(page: Page) -> Page:
    """The page when no job is left, and nothing moves any more."""
    settled(page)
    expect(page.get_by_test_id("stProgress")).to_have_count(0, timeout=30_000)
    return settled(page)


def figure(page: Page, name: str) -> Locator:
    return page.get_by_test_id("stMetric").filter(has_text=name).get_by_test_id("stMetricValue")


def listed(page: Page, name: str) -> str:
    return page.get_by_role("combobox", name=name, exact=True).input_value()


def cell(page: Page, title: str, column: str, row: str) -> tuple[float, float]:
    """The middle of a cell of the heat map with that title, on the page."""
    x, y = page.locator(".js-plotly-plot").first.evaluate(
        """(chart, [title, column, row]) => {
            const maps = chart._fullData.filter(({ type }) => type === 'heatmap');
            const map = maps[chart.layout.annotations.findIndex(({ text }) => text === title)];
            const { left, top } = chart.getBoundingClientRect();
            const axis = (name) => chart._fullLayout[name.replace(/^./, '$&axis')];
            const place = (axis, name) => axis._offset + axis.c2p(axis._categories.indexOf(name));
            return [left + place(axis(map.xaxis), column), top + place(axis(map.yaxis), row)];
        }""",
        [title, column, row],
    )
    return x, y


def test_a_slider_moves_the_map_and_leaves_its_zoom(stitch: str, page: Page, faults: Faults) -> None:
    page.goto(stitch + "&translate=irp&delta=0.3")
    page.get_by_role("tab", name="Scores").click()
    finished(page)
    page.locator(".relviz-map").get_by_label("Zoom in").click()
    before, landed, near = (
        state(page),
        sums(page),
        figure(page, "Cosine similarity to the target").inner_text(),
    )
    assert before["views"][0]["zoom"] > 1.2
    slider = page.get_by_role("slider", name="δ, pruning")
    slider.focus()
    for delta in ("0.31", "0.32", "0.33", "0.34"):
        slider.press("ArrowRight")
        expect(slider).to_have_value(delta)
    page.wait_for_url("**delta=0.34*")
    settled(page)
    expect(figure(page, "Cosine similarity to the target")).not_to_have_text(near)
    expect(slider).to_be_focused()
    moved = sums(page)
    assert moved[0] == landed[0]  # the target stays
    assert moved[1] != landed[1]
    assert state(page)["views"] == before["views"]
    assert state(page)["frames"] > before["frames"]  # the same map, not another in its place
    faults.assert_none()
    shot(page, "stitch_translate")


def test_lines_lead_from_the_true_place_to_where_an_item_lands(
    stitch: str, page: Page, faults: Faults
) -> None:
    page.goto(stitch)
    finished(page)
    state(page)
    plots = [corner(page, ".plot", pane) for pane in (0, 1)]
    drawn = ways(page, 1, range(ROWS))
    true, landed = (places(page, pane, range(ROWS)) for pane in (0, 1))
    np.testing.assert_allclose(drawn[:, 0] - plots[1], true - plots[0], atol=0.01)
    np.testing.assert_allclose(drawn[:, 1], landed, atol=0.01)
    all_ways = inked(page, 1)
    assert not inked(page, 0).any()

    corners = lasso(page, 0, radius=130)
    settled(page)
    rows = np.flatnonzero(within(true, corners)).tolist()
    assert 30 < len(rows) < ROWS  # too many for labels, which would be drawn in both panes
    assert state(page)["marked"] == [rows, rows]
    ink = inked(page, 1)
    assert not inked(page, 0).any()
    assert ink.sum() > all_ways.sum() > 0  # of those selected more are drawn than of all
    for row in rows:
        for x, y in _along(drawn[row] - plots[1], ink.shape):
            assert ink[y - 2 : y + 3, x - 2 : x + 3].any(), row
    expect(page.get_by_text(f"{len(rows)} items selected.")).to_be_visible()
    settled(page)
    shot(page, "stitch_selected")
    page.get_by_role("button", name="Probe the first item").click()
    expect(page.get_by_role("combobox", name="Item")).to_have_value(TEXTS[rows[0]])
    faults.assert_none()


def _along(ends: np.ndarray, shape: tuple[int, ...]) -> list[tuple[int, int]]:
    """Pixels at the ends of a line and between, so far as they lie in a plot of that shape."""
    found = [np.round(ends[0] + share * (ends[1] - ends[0])).astype(int) for share in (0, 0.3, 0.7, 1)]
    return [(x, y) for x, y in found if 2 < x < shape[1] - 3 and 2 < y < shape[0] - 3]


def test_a_click_on_a_cell_says_what_it_confuses(stitch: str, page: Page, faults: Faults) -> None:
    page.set_viewport_size({"width": 2000, "height": 1000})  # cells are far wider than their marks
    page.goto(stitch + "&part=heads")
    said = page.get_by_text("weighted F1")
    said.wait_for()
    settled(page)
    assert [listed(page, name) for name in CELL] == ["Encoder A", "Encoder B", "Relative"]
    for method in ("IRP", "Ridge", "IRP"):  # a second click on the first
        before = said.inner_text()
        x, y = cell(page, method, "A", "Encoder B · B")
        page.mouse.click(x + 60, y + 20)
        expect(said).not_to_have_text(before)
        settled(page)
        assert [listed(page, name) for name in CELL] == ["Encoder B", "Encoder A", method]
    page.mouse.click(*cell(page, "Affine", "A", "Encoder A · A"))
    expect(page.get_by_role("combobox", name="Method")).to_have_value("Native")
    settled(page)
    assert [listed(page, name) for name in CELL] == ["Encoder A", "Encoder A", "Native"]

    encoder = page.get_by_role("combobox", name="Encoder", exact=True)
    encoder.focus()
    encoder.press("ArrowDown")
    encoder.press("ArrowDown")
    encoder.press("Enter")
    expect(page.get_by_role("combobox", name="Method")).to_have_value("Relative")
    settled(page)
    assert [listed(page, name) for name in CELL] == ["Encoder B", "Encoder A", "Relative"]
    faults.assert_none()
    shot(page, "stitch_heads")


def test_a_cell_of_the_sweep_becomes_the_translation(stitch: str, page: Page, faults: Faults) -> None:
    page.goto(stitch + "&part=sweep&translate=ridge")
    page.get_by_text("Highest cosine similarity to the target at").wait_for()
    settled(page)
    for delta, omega in (("0.4", "16"), ("0.5", "4")):
        page.mouse.click(*cell(page, "cosine similarity to the target", omega, delta))
        button = page.get_by_role("button", name=f"Translate with δ {delta} and ω {omega}")
        button.wait_for()
        settled(page)
    shot(page, "stitch_sweep")
    button.click()
    page.wait_for_url("**omega=4*")
    settled(page)
    state(page)
    view = View.from_params(params(page))[0]
    assert (view.part, view.translate, view.delta, view.omega) == ("translate", "irp", 0.5, 4)
    expect(page.get_by_role("slider", name="δ, pruning")).to_have_value("0.5")
    faults.assert_none()


def test_an_item_is_found_by_typing_and_a_step_back_leads_to_the_one_before(
    stitch: str, page: Page, faults: Faults
) -> None:
    page.goto(stitch + "&part=probe&translate=ridge")
    verdict = page.get_by_test_id("stAlert").filter(has_text="translated")
    item = page.get_by_role("combobox", name="Item", exact=True)
    said = []
    for row in (30, 41):
        item.fill(f"item {row}")
        item.press("Enter")
        page.wait_for_url(f"**item={row}*")
        expect(verdict).to_contain_text(f"item {row}")
        settled(page)
        said.append(verdict.inner_text())
    page.go_back()
    expect(verdict).to_contain_text("item 30")
    settled(page)
    assert verdict.inner_text() == said[0]
    assert item.input_value() == "item 30"
    faults.assert_none()
    shot(page, "stitch_probe")


def test_scale_shows_how_long_vectors_are_and_whether_heads_mind(
    stitch: str, page: Page, faults: Faults
) -> None:
    page.goto(stitch + "&part=scale")
    expect(page.get_by_text("standard deviation")).to_have_count(2)
    expect(page.locator(".js-plotly-plot")).to_have_count(2, timeout=180_000)  # heads are trained first
    settled(page)
    faults.assert_none()
    shot(page, "stitch_scale")
