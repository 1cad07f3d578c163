"""The map as a notebook imports it: one module and a model, which selections go to and come from."""

import base64
import json
from collections.abc import Iterator

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from relviz.plotting.linked_map.encoding import decode
from relviz.plotting.linked_map.page import module
from relviz.plotting.linked_map.scene import Scene
from tests.browser.map_screen import lasso, pixel, places, state, within
from tests.plotting.scenes import scene

N = 200
MODEL = """async ([code, content]) => {
    const bytes = (text) => {
        const raw = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
        return new DataView(raw.buffer);
    };
    const held = { marked: { number: 0 }, chosen: {} };
    for (const [name, text] of Object.entries(content)) held[name] = bytes(text);
    const heard = {};
    window.model = {
        get: (name) => held[name],
        set: (name, value) => { held[name] = value; heard[`change:${name}`]?.(); },
        save_changes: () => { window.saved = (window.saved ?? 0) + 1; },
        on: (name, call) => { heard[name] = call; },
        off: (name) => { delete heard[name]; },
    };
    const address = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
    const { default: widget } = await import(address);
    const el = document.body.appendChild(document.createElement("div"));
    window.leave = await widget.render({ model: window.model, el });
    el.querySelector(".relviz-widget > div:last-child").id = "map";
}"""


@pytest.fixture
def shown() -> Scene:
    return scene(N)


@pytest.fixture
def notebook(browser: Browser, shown: Scene) -> Iterator[Page]:
    """A page that stands for a notebook with the widget in it."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.set_offline(True)
    page = context.new_page()
    parts = {"message": shown.message("widget", 560), "texts": shown.text_file[0], "sprite": shown.pictures}
    page.evaluate(MODEL, [module(), {name: base64.b64encode(raw).decode() for name, raw in parts.items()}])
    state(page)
    yield page
    context.close()


def test_a_selection_goes_to_the_model_and_comes_from_it(notebook: Page, shown: Scene) -> None:
    corners = lasso(notebook, 0, radius=60)
    rows = np.flatnonzero(within(places(notebook, 0, range(N)), corners))
    assert 5 < len(rows) < N
    notebook.wait_for_function("window.saved > 0")
    sent = json.loads(notebook.evaluate("JSON.stringify(model.get('chosen'))"))
    np.testing.assert_array_equal(decode(sent, N, shown.identity).selected, rows)

    marked = {"number": 1, "identity": shown.identity, "rows": [3, 5]}
    notebook.evaluate("marked => model.set('marked', marked)", marked)
    assert state(notebook)["marked"] == [[3, 5]] * 2
    notebook.mouse.click(*pixel(notebook, 0, 9))
    clicked = state(notebook)["selected"]
    notebook.get_by_role("button", name="Original").click()
    assert state(notebook)["selected"] == clicked
    expect(notebook.locator(".pane h3").first).to_have_text("A · absolute")
    notebook.evaluate("leave()")
    assert notebook.locator(".relviz-map").count() == 0
