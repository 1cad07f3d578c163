"""The linked map beside other maps: the same points, two panes, the same Chromium.

    python -m tests.benchmarks.linked_map [--rivals FOLDER] [--sizes 10000 100000] [--markdown]

For each number of points: megabytes that reach the browser when they are drawn in place of 1,000 points,
seconds until all is drawn, frames a second while both panes are dragged, milliseconds from letting go of a
lasso until all marks are drawn, and by how many megabytes the memory of all processes of the browser has
grown. Medians. Drawing is over when the page has made no draw call for six frames, and the last one is done.

``map`` is the map alone, as in a notebook or an HTML file; ``in the app``, with a text for every row, and
``plotly`` (``st.plotly_chart``, scattergl, shared axes) are pages of Streamlit, where the points come through
its server. In FOLDER, ``npm install --legacy-peer-deps regl-scatterplot embedding-atlas@0.23.0 esbuild`` adds
these two; each has two views that are linked by the page, and takes its points as columns of floats. Of
Embedding Atlas it is the view without its database (which ``--legacy-peer-deps`` leaves out), in the last
version that draws without WebGPU; rows in a lasso are found by the page, with our own code.
"""

import argparse
import math
import shutil
import statistics
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import astuple, dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, Error, Page, Playwright, sync_playwright

from relviz.plotting.colors import OKABE_ITO, by_class
from relviz.plotting.linked_map.page import ASSETS, template
from relviz.plotting.linked_map.scene import Scene
from relviz.plotting.pane import Pane
from tests.benchmarks.linked_map_app import CLASSES, classes, points
from tests.browser.conftest import CHROMIUM_FLAGS
from tests.browser.screen import settled
from tests.browser.server import served

SIZES = (10_000, 100_000, 1_000_000)
FEW = 1000
PANES = 2
PAGES = Path(__file__).parent / "map_pages"
ALONE, OTHERS, IN_STREAMLIT = "map", ("regl", "atlas"), ("in the app", "plotly")
MOVES = 40
LONGEST_DRAG = 8.0
PATIENCE = 60_000
PLOTS = {"plotly": ".nsewdrag", "regl": "canvas", "atlas": ".panes > div"}


@dataclass(frozen=True)
class Figures:
    """What was measured of one map with so many points; NaN where it could not be had."""

    megabytes: float
    drawn: float
    rate: float
    lasso: float
    memory: float


HEAD = ("MB", "s to drawn", "frames/s", "ms lasso to marks", "MB of memory")


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


def write_pages(folder: Path, sizes: Sequence[int], rivals: Path | None) -> list[str]:
    """Fill a folder with pages and points; the kinds of maps that there are pages of."""
    kinds = [ALONE, *(OTHERS if rivals else ())]
    (folder / "assets").symlink_to(ASSETS)
    (folder / "template.html").write_text(template(), "utf-8")
    for kind in kinds:
        palette = f"<script>window.palette = {list(OKABE_ITO)};</script>"
        page = (PAGES / "page.html").read_text("utf-8").replace("KIND", kind)
        (folder / f"{kind}.html").write_text(page.replace("<body>", f"<body>{palette}"), "utf-8")
        if kind == ALONE:
            shutil.copy(PAGES / "map.js", folder)
        else:
            _bundle(rivals, kind, folder)
    for n in sizes:
        places = [points(n, pane) for pane in range(PANES)]
        panes = [Pane(f"pane {at}", place, group=0) for at, place in enumerate(places)]
        rows = [f"item {row}" for row in range(n)]
        scene = Scene({"Maps": panes}, by_class(classes(n)), rows, rows)
        (folder / f"message-{n}.bin").write_bytes(scene.message("map", 760))
        reach = max(float(np.abs(place).max()) for place in places)
        columns = [place[:, axis] / reach for place in places for axis in (0, 1)]
        codes = (np.arange(n) % CLASSES).astype(np.uint8)
        raw = np.concatenate(columns).astype("<f4").tobytes() + codes.tobytes()
        (folder / f"columns-{n}.bin").write_bytes(raw)
    return kinds


def _bundle(rivals: Path | None, kind: str, folder: Path) -> None:
    assert rivals is not None
    for file in (PAGES / f"{kind}.js", PAGES / "columns.js", ASSETS / "picking.js"):
        shutil.copy(file, rivals)  # modules of packages are looked for from where a page lies
    (rivals / "absent.cjs").write_text("module.exports = {};\n")
    subprocess.run(
        [
            rivals / "node_modules/.bin/esbuild",
            *(rivals / f"{kind}.js", "--bundle", "--format=esm", "--minify", "--log-level=error"),
            *("--alias:@uwdata/mosaic-core=./absent.cjs", "--alias:@uwdata/mosaic-sql=./absent.cjs"),
            *("--target=es2022", f"--outfile={folder / f'{kind}.js'}"),
        ],
        check=True,
        cwd=rivals,
    )


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def folder_served(folder: Path) -> Iterator[str]:
    """The address of a server of the files of a folder."""
    server = ThreadingHTTPServer(("localhost", 0), partial(_Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://localhost:{server.server_port}"
    finally:
        server.shutdown()


@contextmanager
def opened(playwright: Playwright, address: str) -> Iterator[tuple[Browser, Page]]:
    """A browser of its own, on a page whose drawing is watched."""
    browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=CHROMIUM_FLAGS)
    context = browser.new_context(viewport={"width": 1440, "height": 960}, reduced_motion="reduce")
    context.add_init_script(path=PAGES / "watch.js")
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(address)
    yield browser, page
    browser.close()


def memory(browser: Browser) -> float:
    """Megabytes of all processes of a browser; what they share counts once."""
    found = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    total = 0
    for process in found:
        lines = Path(f"/proc/{int(process['id'])}/smaps_rollup").read_text().splitlines()
        total += next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total / 1000


def draw(page: Page, kind: str, n: int) -> float:
    """Seconds until so many points are drawn."""
    if kind not in IN_STREAMLIT:
        return float(page.evaluate("n => watched.time(() => draw(n))", n)) / 1000
    page.get_by_label("points").first.click()
    option = page.get_by_role("option", name=str(n), exact=True)
    option.wait_for()
    took = page.evaluate(
        "async option => watched.time(() => option.click())",
        option.element_handle(),
    )
    settled(page, within=PATIENCE / 1000)
    return float(took) / 1000


def mode(page: Page, kind: str, name: str) -> None:
    """Have a drag move the map, or draw a lasso."""
    if kind in (ALONE, IN_STREAMLIT[0]):
        said = {"pan": "Drag to pan", "lasso": "Drag to select with a lasso"}[name]
        page.get_by_label(said).click()
    elif kind == "plotly":
        if name == "lasso":  # it is dragged as it opens
            button = page.locator('.modebar-btn[data-val="lasso"]').first
            button.evaluate("button => button.click()", timeout=10_000)
    else:
        page.evaluate("name => mode(name)", name)
    page.wait_for_timeout(300)


def middle(page: Page, kind: str) -> tuple[float, float]:
    """The middle of the first pane."""
    box = page.locator(PLOTS.get(kind, ".plot")).first.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag_rate(page: Page, kind: str) -> float:
    """Frames a second while the panes are dragged."""
    mode(page, kind, "pan")
    x, y = middle(page, kind)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 8, y)
    page.evaluate("watched.count()")
    end = time.monotonic() + LONGEST_DRAG
    for at in range(MOVES):
        page.mouse.move(x + 10 + 2 * at, y + at)
        if time.monotonic() > end:
            break
    rate = float(page.evaluate("watched.rate()"))
    page.mouse.up()
    page.wait_for_timeout(500)
    return rate


def lasso_time(page: Page, kind: str, radius: float = 150.0) -> float:
    """Milliseconds from letting go of a lasso until all marks are drawn."""
    mode(page, kind, "lasso")
    x, y = middle(page, kind)
    turns = [2 * math.pi * at / 40 for at in range(40)]
    path = [(x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns]
    page.mouse.move(*path[0])
    page.mouse.down()
    for place in path[1:]:
        page.mouse.move(*place)
    page.wait_for_timeout(1000)  # a person stops before letting go, and what was dragged is drawn
    page.evaluate("watched.release()")
    page.mouse.up()
    return float(page.evaluate("watched.released"))


def measured(playwright: Playwright, address: str, kind: str, n: int, shots: Path | None) -> Figures:
    """One map, in a browser of its own, which has drawn a few points before."""
    with opened(playwright, address) as (browser, page):
        if kind in IN_STREAMLIT:
            settled(page)
            page.wait_for_function("watched.draws() > 0")
        else:
            page.wait_for_function("window.ready")
            draw(page, kind, FEW)
        page.wait_for_timeout(500)
        before = memory(browser)
        wire = Wire(page)
        drawn = draw(page, kind, n)
        page.wait_for_timeout(1500)
        megabytes, grown = wire.bytes / 1e6, memory(browser) - before
        rate, lasso = (_or_nothing(act, page, kind) for act in (drag_rate, lasso_time))
        if shots:
            page.screenshot(path=shots / f"{kind}-{n}.png")
    return Figures(megabytes, drawn, rate, lasso, grown)


def _or_nothing(act: Callable[[Page, str], float], page: Page, kind: str) -> float:
    """What an act gives; NaN, and a word on why, where the page does not let it."""
    try:
        return act(page, kind)
    except Error as reason:
        print(f"{kind}: {reason.message.splitlines()[0]}", flush=True)
        return math.nan


def lines(found: dict[tuple[int, str], Figures], markdown: bool) -> Iterator[str]:
    """The table."""
    if markdown:
        yield f"| points a pane | map | {' | '.join(HEAD)} |"
        yield f"|---:|---|{'---:|' * len(HEAD)}"
    else:
        yield f"{'points':>9}  {'map':10}" + "".join(f"{name:>19}" for name in HEAD)
    for (n, kind), figures in found.items():
        cells = [
            "–" if math.isnan(one) else f"{one:,.2f}" if one < 10 else f"{one:,.0f}"
            for one in astuple(figures)
        ]
        if markdown:
            yield f"| {n:,} | {kind} | {' | '.join(cells)} |"
        else:
            yield f"{n:9,}  {kind:10}" + "".join(f"{cell:>19}" for cell in cells)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--rivals", type=Path, help="Folder with regl-scatterplot, embedding-atlas and esbuild."
    )
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="Points in each pane.")
    parser.add_argument("--kinds", nargs="+", help="Only these maps.")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--shots", type=Path, help="Folder for a picture of each page after the lasso.")
    parser.add_argument("--markdown", action="store_true")
    args = parser.parse_args()
    found: dict[tuple[int, str], Figures] = {}
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        (folder / "pages").mkdir()
        pages = write_pages(folder / "pages", (FEW, *args.sizes), args.rivals)
        alone = stack.enter_context(folder_served(folder / "pages"))
        app = stack.enter_context(served(folder, script="tests/benchmarks/linked_map_app.py"))
        playwright = stack.enter_context(sync_playwright())
        addresses = {kind: f"{alone}/{kind}.html" for kind in pages}
        addresses |= {kind: f"{app}/?kind={kind}&panes={PANES}" for kind in IN_STREAMLIT}
        for n in args.sizes:
            for kind, address in addresses.items():
                if args.kinds and kind not in args.kinds:
                    continue
                tries = []
                for _ in range(args.repeats):
                    try:
                        tries.append(astuple(measured(playwright, address, kind, n, args.shots)))
                    except Error as reason:
                        print(f"{kind}, {n:,}: {reason.message.splitlines()[0]}", flush=True)
                if tries:
                    found[n, kind] = Figures(
                        *(statistics.median(column) for column in zip(*tries, strict=True))
                    )
                    print(*lines({(n, kind): found[n, kind]}, False), sep="\n", flush=True)
    print("\n".join(lines(found, args.markdown)))


if __name__ == "__main__":
    main()
