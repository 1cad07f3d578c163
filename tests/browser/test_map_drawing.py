"""How the linked map draws: with WebGL, without, emulated; moving to new places; stars, very many rows."""

from typing import Literal

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.map_screen import ROOT, hover, lasso, painted, pixel, pixels, places, state, within
from tests.browser.screen import Faults, choose, settled

NO_WEBGL = """const plain = HTMLCanvasElement.prototype.getContext;
HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
    return kind.startsWith("webgl") ? null : plain.call(this, kind, ...more);
};"""
COUNT_CONTEXTS = """window.contexts = new Set();
const plain = HTMLCanvasElement.prototype.getContext;
HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
    const context = plain.call(this, kind, ...more);
    if (kind.startsWith("webgl") && context) window.contexts.add(context);
    return context;
};"""
LIKE_A_CARD = """const plain = WebGL2RenderingContext.prototype.getExtension;
WebGL2RenderingContext.prototype.getExtension = function (name) {
    return name === "WEBGL_debug_renderer_info" ? null : plain.call(this, name);
};"""
"""The browser does not say that its WebGL is emulated, and is taken to have a graphics card."""
MANY = 300_000


def opened(page: Page, address: str, *scripts: str) -> Page:
    for script in scripts:
        page.add_init_script(script)
    page.goto(address)
    settled(page)
    state(page)
    return page


@pytest.mark.parametrize("scripts", [(), (LIKE_A_CARD,)], ids=["emulated", "card"])
def test_contexts_do_not_grow_over_twenty_updates(
    map_app: str, page: Page, faults: Faults, scripts: tuple[str, ...]
) -> None:
    opened(page, map_app, COUNT_CONTEXTS, *scripts)
    rows = page.get_by_label("rows", exact=True).first
    for update in range(20):  # browsers keep sixteen
        rows.fill(str(400 + update % 7 + 1))
        rows.press("Enter")
        page.wait_for_function(f"{ROOT}.state().drawn[0] === {400 + update % 7 + 1}")
    assert page.evaluate("window.contexts.size") == 1
    faults.assert_none()


def test_a_lost_context_comes_back(map_app: str, page: Page) -> None:
    opened(page, map_app, LIKE_A_CARD)
    frames = state(page)["frames"]
    page.evaluate(
        """async () => {
            const canvas = document.querySelector('[data-testid="stBidiComponentIsolated"]')
                .shadowRoot.querySelector('.points');
            const loss = canvas.getContext('webgl2').getExtension('WEBGL_lose_context');
            loss.loseContext();
            await new Promise(done => setTimeout(done, 100));
            loss.restoreContext();
            await new Promise(done => setTimeout(done, 300));
        }"""
    )
    assert state(page)["frames"] > frames
    assert min(painted(page)) > 500


@pytest.mark.parametrize("script", [NO_WEBGL, ""], ids=["none", "emulated"])
def test_without_a_graphics_card_it_draws_and_says_so(
    map_app: str, page: Page, faults: Faults, script: str
) -> None:
    opened(page, map_app, script)
    assert state(page)["renderer"] == "raster"
    expect(page.get_by_text("Software rendering")).to_be_visible()
    assert min(painted(page)) > 500
    lasso(page, 0)
    assert state(page)["selected"]
    faults.assert_none()


def test_with_and_without_a_graphics_card_it_is_the_same_picture(map_app: str, page: Page) -> None:
    pictures = []
    for script in ("", LIKE_A_CARD):
        opened(page, map_app, script)
        if page.locator(".legend button", has_text="anchors").first.get_attribute("aria-pressed") == "false":
            for name in ("anchors2", "discovered"):
                page.locator(".legend button", has_text=name).click()
        pictures.append(pixels(page, 0))
    assert state(page)["renderer"] == "webgl"
    one, other = pictures
    assert one.shape == other.shape
    strength = np.abs(one[..., 3].astype(int) - other[..., 3].astype(int))
    assert strength.mean() < 1.5
    both = (one[..., 3] > 60) & (other[..., 3] > 60)
    assert both.sum() > 0.8 * (one[..., 3] > 60).sum()
    assert np.abs(one[both][:, :3].astype(int) - other[both][:, :3].astype(int)).mean() < 8


@pytest.mark.parametrize("script", ["", LIKE_A_CARD], ids=["raster", "webgl"])
def test_anchors_are_full_stars_and_discovered_ones_hollow(map_app: str, page: Page, script: str) -> None:
    opened(page, f"{map_app}?panes=2", script)
    ink, paper = 49, 255  # red of the text color and of the page
    for name, row, middle, said in (
        ("anchors2", 1, ink, "anchor"),
        ("discovered anchors1", 3, paper, "discovered anchor"),
    ):
        button = page.locator(".legend button", has_text=name)
        expect(button).to_have_attribute("aria-pressed", "false")
        plain = np.array(pixels(page, 0))
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")
        starred = pixels(page, 0)
        plot = page.locator(".plot").first.bounding_box()
        assert plot is not None
        x, y = pixel(page, 0, row)
        column, line = round(x - plot["x"] - 1), round(y - plot["y"] - 1)
        assert abs(int(starred[line, column, 0]) - middle) < 40
        assert (starred[..., 3] > 128).sum() > (plain[..., 3] > 128).sum()
        hover(page, 0, row)
        assert page.locator(".tooltip .kind").inner_text().split(" · ")[-1] == said


def test_of_very_many_rows_each_is_drawn_and_found_and_crowds_show_how_dense_they_are(
    map_app: str, page: Page
) -> None:
    opened(page, f"{map_app}?rows={MANY}")
    assert state(page)["drawn"] == [MANY] * 4
    strength = pixels(page, 0)[..., 3]
    line, column = (side // 2 for side in strength.shape)
    middle = strength[line - 20 : line + 20, column - 20 : column + 20]
    assert 60 < middle.mean() < 240
    assert middle.max() > middle.mean() + 20
    search = page.get_by_label("Find items by their text and select them")
    search.fill(f"item {MANY - 1}")
    search.press("Enter")
    expect(page.get_by_text(f"selected 1 sum {MANY - 1} ")).to_be_visible()
    page.keyboard.press("Escape")
    corners = lasso(page, 0, radius=20)
    rows = state(page)["selected"]
    assert max(rows) > 0.9 * MANY
    assert within(places(page, 0, rows), corners).all()
    expect(page.get_by_text(f"selected {len(rows)} sum {sum(rows)} ")).to_be_visible()


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_points_move_to_new_places_unless_motion_is_unwanted(
    map_app: str, page: Page, motion: Literal["reduce", "no-preference"]
) -> None:
    page.emulate_media(reduced_motion=motion)
    opened(page, map_app)
    page.evaluate(
        f"""() => {{
            const map = {ROOT};
            window.seen = new Set();
            setInterval(() => window.seen.add(map.state().moving ? map.state().moved : -1), 5);
        }}"""
    )
    choose(page, "shape", "ring")
    settled(page)
    moved = [share for share in page.evaluate("[...window.seen]") if share >= 0]
    if motion == "reduce":
        assert moved == []
    else:
        assert len(moved) > 1
        assert all(0 <= share < 1 for share in moved)
        assert moved == sorted(moved)
    assert not state(page)["moving"]
