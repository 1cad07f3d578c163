"""How long the Decode page takes in a real browser: first visit, a drawn digit, a slider, another image.

python -m tests.benchmarks.decode_page [--times 5]

A server of its own, so the very first visit pays for the imports too. Times are from the click or the
mouse to the pictures on the screen, in seconds.
"""

import argparse
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

from tests.browser.conftest import CHROMIUM_FLAGS
from tests.browser.screen import settled
from tests.browser.server import served

ROWS = "Encoder 2 → decoder 1 · MSE"


def opened(page: Page, address: str) -> float:
    """Open the page and wait for all its pictures."""
    began = time.perf_counter()
    page.goto(address)
    expect(page.get_by_text(ROWS)).to_have_count(3)
    took = time.perf_counter() - began
    settled(page)
    return took


def changed(page: Page, act: Callable[[], object]) -> float:
    """Do something and wait until the last picture is another."""
    last = page.locator('[data-testid="stImage"] img').last
    before = last.get_attribute("src") if page.get_by_text(ROWS).count() else None
    began = time.perf_counter()
    act()
    page.wait_for_function(
        """before => {
            const all = document.querySelectorAll('[data-testid="stImage"] img');
            return all.length > 4 && all[all.length - 1].src !== before && all[all.length - 1].complete;
        }""",
        arg=before,
        polling=10,
    )
    took = time.perf_counter() - began
    settled(page)
    return took


def draw(page: Page, far: int) -> Callable[[], object]:
    """All but the last move of a stroke is made; the answer is the last."""
    pad = page.locator(".pad canvas").bounding_box()
    assert pad is not None
    page.mouse.move(pad["x"] + 50, pad["y"] + 40)
    page.mouse.down()
    page.mouse.move(pad["x"] + 60 + far, pad["y"] + 160)
    return page.mouse.up


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--times", type=int, default=5)
    times = parser.parse_args(arguments).times
    chromium = shutil.which("chromium")
    if not chromium:
        parser.error("there is no chromium on the path")
    found: dict[str, list[float]] = {}
    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder)) as app,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_FLAGS)

        def note(what: str, took: float) -> None:
            found.setdefault(what, []).append(took)

        page = browser.new_page(viewport={"width": 1400, "height": 1000})
        page.set_default_timeout(60_000)
        note("the very first page of a server that was just started", opened(page, f"{app}/decode"))
        for number in range(times):
            other = browser.new_page(viewport={"width": 1400, "height": 1000})
            note("a first visit", opened(other, f"{app}/decode"))
            note("other images", changed(other, other.get_by_role("button", name="Resample").click))
            other.goto(f"{app}/decode?de_part=draw")
            other.locator(".pad canvas").wait_for()
            settled(other)
            note("a drawn digit", changed(other, draw(other, 10 * number)))
            other.close()
        browser.close()
    print("| what | times | median | largest |\n|---|---|---|---|")
    for what, took in found.items():
        print(f"| {what} | {len(took)} | {statistics.median(took):.2f} | {max(took):.2f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
