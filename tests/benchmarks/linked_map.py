"""The linked map against `st.plotly_chart` with scattergl on the same points, in Chromium.

`python -m tests.benchmarks.linked_map` prints, for two panes and for four: bytes that reach the browser
when the points change, time until they can be read back from the screen, the time from letting go of a
lasso until the script of the page sees its marks drawn, and until Chromium has shown them, and frames a
second while all panes are dragged. Medians of three; the code of both is loaded before.
"""

import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.conftest import CHROMIUM_FLAGS
from tests.browser.map_screen import ROOT, circle, lasso, middle
from tests.browser.screen import settled
from tests.browser.server import served

SIZES = (5_000, 20_000, 100_000)
REPEATS = 3

DRAWN = {
    "map": f"n => {ROOT}?.state().drawn[0] === n && {ROOT}.painted().every(pixels => pixels > 100)",
    "plotly": """n => {
        const graph = document.querySelector('.js-plotly-plot');
        if (!graph?._fullData?.length || graph._fullData.some(trace => trace.x.length !== n)) return false;
        return [...graph.querySelectorAll('canvas.gl-canvas-context')].some(canvas => {
            const copy = document.createElement('canvas');
            [copy.width, copy.height] = [canvas.width, canvas.height];
            const pen = copy.getContext('2d');
            pen.drawImage(canvas, 0, 0);
            const { data } = pen.getImageData(0, 0, copy.width, copy.height);
            let painted = 0;
            for (let i = 3; i < data.length; i += 4) painted += data[i] > 0;
            return painted > 200;
        });
    }""",
}

WATCH = f"""() => {{
    window.marksAfter = undefined;
    const before = {ROOT}.frames();
    window.addEventListener('pointerup', () => {{
        const began = performance.now();
        const look = () => {{
            const marked = {ROOT}.frames() > before && {ROOT}.selectedCount() > 0;
            if (marked) window.marksAfter = performance.now() - began;
            else requestAnimationFrame(look);
        }};
        look();
    }}, {{ capture: true, once: true }});
}}"""


SHOWN = """() => {
    window.shownAfter = undefined;
    window.shown?.disconnect();
    window.shown = new PerformanceObserver(list => {
        const entry = list.getEntriesByName('pointerup').at(-1);
        if (entry) window.shownAfter = entry.duration;
    });
    window.shown.observe({ type: 'event', durationThreshold: 16 });
}"""

PAN = """([x, y]) => new Promise(done => {
    const map = document.querySelector('[data-testid="stBidiComponentIsolated"]').shadowRoot;
    const plot = map.querySelector('.plot');
    plot.setPointerCapture = () => {};
    const send = (kind, dx) => plot.dispatchEvent(
        new PointerEvent(kind, { pointerId: 1, button: 0, clientX: x + dx, clientY: y, bubbles: true }));
    const times = [];
    send('pointerdown', 0);
    const step = time => {
        times.push(time);
        send('pointermove', 10 + 3 * times.length);
        if (times.length < 25) return requestAnimationFrame(step);
        send('pointerup', 100);
        return done(1000 * 20 / (times.at(-1) - times.at(-21)));
    };
    requestAnimationFrame(step);
})"""


class Wire:
    """Bytes that a page receives by its web socket and by requests."""

    def __init__(self, page: Page) -> None:
        self.bytes = 0
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        session.on("Network.webSocketFrameReceived", self._frame)
        session.on("Network.loadingFinished", self._loaded)

    def _frame(self, event: dict) -> None:
        response = event["response"]
        text = response["payloadData"]
        self.bytes += len(text) * 3 // 4 if response["opcode"] == 2 else len(text)

    def _loaded(self, event: dict) -> None:
        self.bytes += int(event["encodedDataLength"])


@contextmanager
def opened(browser: Browser, address: str, kind: str, panes: int) -> Iterator[Page]:
    """A page that shows 1,000 points, so that all code is loaded."""
    context = browser.new_context(viewport={"width": 1400, "height": 1000}, reduced_motion="reduce")
    page = context.new_page()
    page.goto(f"{address}/?kind={kind}&panes={panes}")
    settled(page)
    page.wait_for_function(DRAWN[kind], arg=1000)
    yield page
    context.close()


def draw(page: Page, kind: str, n: int) -> tuple[float, float]:
    """Megabytes received and seconds until n points are on the screen."""
    wire = Wire(page)
    page.get_by_label("points").first.click()
    option = page.get_by_role("option", name=str(n), exact=True)
    option.wait_for()
    wire.bytes = 0
    began = time.perf_counter()
    option.click()
    page.wait_for_function(DRAWN[kind], arg=n, timeout=120_000)
    seconds = time.perf_counter() - began
    settled(page)
    return wire.bytes / 1e6, seconds


def delay(page: Page) -> tuple[float, float]:
    """Milliseconds from letting go of a lasso until its marks are drawn, and until they are shown."""
    lasso(page, 1)  # the button is pressed, and the code warm
    page.keyboard.press("Escape")
    settled(page)
    path = circle(page, 0)
    page.mouse.move(*path[0])
    page.mouse.down()
    for place in path[1:]:
        page.mouse.move(*place)
    page.wait_for_timeout(400)  # a person stops before letting go, and what was dragged is on the screen
    page.evaluate(WATCH)
    page.evaluate(SHOWN)
    page.mouse.up()
    page.wait_for_function("() => window.marksAfter !== undefined && window.shownAfter !== undefined")
    drawn, shown = page.evaluate("[window.marksAfter, window.shownAfter]")
    page.keyboard.press("Escape")
    settled(page)
    return float(drawn), float(shown)


def frame_rate(page: Page) -> float:
    """Frames a second while all panes are dragged."""
    page.get_by_label("Drag to pan").click()
    settled(page)
    return float(page.evaluate(PAN, list(middle(page, 0))))


def main() -> None:
    """Print one line for each number of panes and of points."""
    with (
        tempfile.TemporaryDirectory() as folder,
        sync_playwright() as playwright,
        served(Path(folder), script="tests/benchmarks/linked_map_app.py") as address,
    ):
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=CHROMIUM_FLAGS)
        print(f"{'':14}|{'':25}|{'':25}| lasso to marks, ms | dragged,")
        print(
            "panes  points |  MB: map  plotly  ratio |  s: map  plotly  ratio |   drawn      shown | frames/s"
        )
        for panes in (2, 4):
            for n in SIZES:
                found: dict[str, list[tuple[float, float]]] = {"map": [], "plotly": []}
                delays, rates = [], []
                for _ in range(REPEATS):
                    for kind, results in found.items():
                        with opened(browser, address, kind, panes) as page:
                            results.append(draw(page, kind, n))
                            if kind == "map":
                                delays.append(delay(page))
                                rates.append(frame_rate(page))
                (mb, seconds), (other_mb, other_seconds) = (
                    [statistics.median(column) for column in zip(*results, strict=True)]
                    for results in found.values()
                )
                drawn, shown = (statistics.median(column) for column in zip(*delays, strict=True))
                print(
                    f"{panes:5} {n:7} | {mb:8.2f} {other_mb:7.2f} {mb / other_mb:6.2f} "
                    f"| {seconds:7.2f} {other_seconds:7.2f} {seconds / other_seconds:6.2f} "
                    f"| {drawn:7.0f} {shown:10.0f} | {statistics.median(rates):8.0f}",
                    flush=True,
                )
        browser.close()


if __name__ == "__main__":
    main()
