"""What a Plotly chart of the page shows, and where its points are on the screen."""

from typing import Any

from playwright.sync_api import Page, expect

CHART = ".js-plotly-plot"

DRAWN = """() => {
    const graph = document.querySelector('.js-plotly-plot');
    if (!graph || !graph._fullData) return {};
    const panes = {};
    for (const trace of graph._fullData) {
        if (!trace.customdata) continue;
        const pane = panes[trace.xaxis] ??= {points: 0, sum: 0, least: Infinity, most: -Infinity};
        for (let i = 0; i < trace.x.length; i++) {
            if (!isFinite(trace.x[i]) || !isFinite(trace.y[i])) continue;
            pane.points += 1;
            pane.sum += trace.x[i] * 3 + trace.y[i];
        }
        const [low, high] = graph._fullLayout[trace.xaxis.replace('x', 'xaxis')].range;
        Object.assign(pane, {least: low, most: high});
    }
    return panes;
}"""

PLACE = """([nth, pane]) => {
    const graph = document.querySelector('.js-plotly-plot');
    const trace = graph._fullData.filter(one => one.customdata && one.xaxis === pane)[0];
    const x = graph._fullLayout[trace.xaxis.replace('x', 'xaxis')];
    const y = graph._fullLayout[trace.yaxis.replace('y', 'yaxis')];
    const box = graph.getBoundingClientRect();
    return {
        x: box.left + x._offset + x.l2p(trace.x[nth]),
        y: box.top + y._offset + y.l2p(trace.y[nth]),
        text: trace.text[nth],
    };
}"""

PIXELS = """() => {
    const counts = {};
    for (const canvas of document.querySelectorAll('.js-plotly-plot canvas')) {
        const copy = document.createElement('canvas');
        [copy.width, copy.height] = [canvas.width, canvas.height];
        if (!copy.width || !copy.height) continue;
        const pen = copy.getContext('2d');
        pen.drawImage(canvas, 0, 0);
        const data = pen.getImageData(0, 0, copy.width, copy.height).data;
        const [w, h] = [copy.width, copy.height];
        for (let i = 3; i < data.length; i += 4) {
            if (!data[i]) continue;
            const at = (i - 3) / 4;
            const pane = `${(at / w | 0) < h / 2 ? 'upper' : 'lower'} ${at % w < w / 2 ? 'left' : 'right'}`;
            counts[pane] = (counts[pane] ?? 0) + 1;
        }
    }
    return counts;
}"""

PLAIN = "text => new DOMParser().parseFromString(text.replaceAll('<br>', ''), 'text/html').body.textContent"


def drawn(page: Page) -> dict[str, dict[str, float]]:
    """For each pane of the first chart: how many points it has, a checksum of them, and its limits."""
    page.locator(CHART).first.wait_for()
    panes: dict[str, dict[str, float]] = page.evaluate(DRAWN)
    return panes


def painted(page: Page) -> dict[str, int]:
    """How many pixels of the chart's canvases are painted, in each quarter."""
    quarters: dict[str, int] = page.evaluate(PIXELS)
    return quarters


def place_of(page: Page, nth: int = 0, pane: str = "x") -> dict[str, Any]:
    """Where on the screen a point of a pane's first class is, and its text."""
    place: dict[str, Any] = page.evaluate(PLACE, [nth, pane])
    return place


def hover(page: Page, nth: int = 0, pane: str = "x") -> str:
    """Move the cursor to a point of a pane's first class; gives the text that its label says then."""
    place = place_of(page, nth, pane)
    page.mouse.move(place["x"] + 40, place["y"] + 40)
    page.mouse.move(place["x"], place["y"])
    words = page.evaluate(PLAIN, place["text"])
    expect(page.locator(f"{CHART} .hoverlayer .hovertext").first).to_contain_text(words)
    return str(words)
