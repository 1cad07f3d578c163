"""A linked map on a page: what it shows, as numbers, and a hand that works it."""

import math
from base64 import b64decode
from collections.abc import Sequence
from typing import Any

import numpy as np
from playwright.sync_api import Page, expect

ROOT = """document.querySelector('[data-testid="stBidiComponentIsolated"], #map')?.shadowRoot
    ?.querySelector('.relviz-map')?.relvizMap"""
PAINTED = "await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));"
"""The map paints before the next frame what changed since the last."""


def state(page: Page) -> dict[str, Any]:
    """What the map says of itself once what was done to it is painted, and it rests."""
    page.evaluate(f"async () => {{ {PAINTED} }}")
    rests = f"{ROOT} && {ROOT}.state().frames > 0 && !{ROOT}.state().moving"
    page.wait_for_function(rests, polling=100)
    return page.evaluate(f"{ROOT}.state()")


def maps(page: Page) -> list[str]:
    """What there is of components on a page, for the report of a test that failed."""
    return page.evaluate("""() => Array.from(
        document.querySelectorAll('[data-testid="stBidiComponentIsolated"]'),
        ({ shadowRoot }) => {
            const map = shadowRoot?.querySelector('.relviz-map')?.relvizMap;
            const said = map ? JSON.stringify(map.state()) : `no map: ${shadowRoot?.innerHTML}`;
            return said.slice(0, 400);
        },
    )""")


def pixel(page: Page, pane: int, row: int) -> tuple[float, float]:
    """Where a row is drawn on the page."""
    at = page.evaluate(f"{ROOT}.pixel({pane}, {row})")
    return at["x"], at["y"]


def ways(page: Page, pane: int, rows: range) -> np.ndarray:
    """From where rows lie in the joined pane to where they lie in this one, on the page, ``(n, 2, 2)``."""
    grid = corner(page, ".relviz-map .grid")
    ends = page.evaluate(
        f"rows => rows.map(row => {ROOT}.way({pane}, row).map(({{ x, y }}) => [x, y]))", list(rows)
    )
    return np.array(ends) + grid


def corner(page: Page, what: str, place: int = 0) -> np.ndarray:
    """Left and top of an element on the page."""
    box = page.locator(what).nth(place).bounding_box()
    assert box is not None
    return np.array([box["x"], box["y"]])


def inked(page: Page, pane: int) -> np.ndarray:
    """Where something is drawn over the points of a pane, ``(height, width)`` of yes and no."""
    state(page)
    width, height, ink = page.evaluate(f"""async () => {{
        {PAINTED}
        const over = {ROOT.replace("?.relvizMap", "")}.querySelector('.over');
        const plot = over.getRootNode().querySelectorAll('.plot')[{pane}];
        const [left, top] = [plot.offsetLeft + 1, plot.offsetTop + 1];
        const {{ data }} = over.getContext('2d').getImageData(left, top, plot.clientWidth, plot.clientHeight);
        const ink = Array.from(data.filter((_, i) => i % 4 === 3), (alpha) => (alpha ? '#' : ' '));
        return [plot.clientWidth, plot.clientHeight, ink.join('')];
    }}""")
    return np.array(list(ink)).reshape(height, width) == "#"


def places(page: Page, pane: int, rows: Sequence[int]) -> np.ndarray:
    """Where rows are drawn on the page, ``(n, 2)``."""
    return np.array(
        page.evaluate(f"rows => rows.map(row => Object.values({ROOT}.pixel({pane}, row)))", list(rows))
    )


def within(points: np.ndarray, corners: list[tuple[float, float]]) -> np.ndarray:
    """Which points lie in a convex polygon, by the signs of cross products."""
    signs = []
    for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1], strict=True):
        signs.append((bx - ax) * (points[:, 1] - ay) - (by - ay) * (points[:, 0] - ax) > 0)
    return np.all(signs, axis=0)


def middle(page: Page, pane: int) -> tuple[float, float]:
    """The middle of a pane on the page."""
    box = page.locator(".plot").nth(pane).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def lasso(page: Page, pane: int, radius: float = 60, steps: int = 24) -> list[tuple[float, float]]:
    """Draw a circle about the middle of a pane; its corners."""
    page.get_by_label("Drag to select with a lasso").click()
    corners = circle(page, pane, radius, steps)
    drag(page, corners)
    return corners


def circle(page: Page, pane: int, radius: float = 60, steps: int = 24) -> list[tuple[float, float]]:
    """Places on the page, round the middle of a pane."""
    x, y = middle(page, pane)
    return [
        (x + radius * math.cos(2 * math.pi * i / steps), y + radius * math.sin(2 * math.pi * i / steps))
        for i in range(steps)
    ]


def drag(page: Page, path: list[tuple[float, float]]) -> None:
    """Press at the first place, go through the others, and let go."""
    page.mouse.move(*path[0])
    page.mouse.down()
    for place in path[1:]:
        page.mouse.move(*place)
    page.mouse.up()


def sums(page: Page) -> list[float]:
    """A number for each pane that stands for the places of its points."""
    return list(state(page)["sums"])


def painted(page: Page) -> list[int]:
    """How many pixels of each pane are painted."""
    state(page)
    return list(page.evaluate(f"{ROOT}.painted()"))


def pixels(page: Page, pane: int) -> np.ndarray:
    """What a pane is painted with, ``(height, width, 4)`` bytes."""
    state(page)
    width, height, text = page.evaluate(f"""() => {{
        const [width, height, ...raw] = {ROOT}.pixels({pane});
        let text = "";
        for (let from = 0; from < raw.length; from += 9999)
            text += btoa(String.fromCharCode(...raw.slice(from, from + 9999)));
        return [width, height, text];
    }}""")
    return np.frombuffer(b64decode(text), np.uint8).reshape(height, width, 4)


def hover(page: Page, pane: int, row: int = 0) -> str:
    """Point at a row in a pane; what the tooltip says of it, or of one that covers it, then."""
    state(page)
    page.mouse.move(*pixel(page, pane, row))
    tooltip = page.locator(".relviz-map .tooltip .item")
    expect(tooltip).to_be_visible()
    expect(tooltip).not_to_have_text("…")
    return tooltip.inner_text()
