"""What a visitor waits for in a real browser beside an empty page: pictures, and controls of stories.

python -m tests.benchmarks.first_five_minutes [--projections pca tsne umap]

A fresh server with nothing in its store. A page's seconds are from the request to its first picture; a
control's are from its move until the browser has drawn, or until the server's answer is on the screen.
"""

import argparse
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

from relviz.demos import demo_names, load_demo
from relviz.stories import Story, stories
from tests.browser.conftest import CHROMIUM_FLAGS
from tests.browser.map_screen import state
from tests.browser.server import served
from tests.browser.test_learn import at_step, moved

VISITS = 5
READING = 5.0
"""Seconds that somebody looks at Home before the first other page."""
PATIENCE_MS = 240_000
EMPTY = "import streamlit as st\n\nst.write('empty')\n"
SENTENCES = {"a fish that lives in rivers": "animal", "a large town by the sea": "location"}


def seconds(page: Page, address: str, seen: Callable[[], object]) -> float:
    """From a request until what is waited for is seen."""
    page.goto("about:blank")
    began = time.perf_counter()
    page.goto(address, wait_until="commit")
    seen()
    return time.perf_counter() - began


def controls(page: Page, app: str, story: Story) -> list[float]:
    """Milliseconds of every move of every control of a story, in the browser."""
    took = []
    for number in range(1, len(story.steps) + 1):
        page.goto(f"{app}/learn?story={story.name}&step={number}")
        at_step(page, story, number)
        page.get_by_role("button", name="Show the answer").click()
        page.wait_for_timeout(700)  # the controls move to the answer
        took += moved(page)
    return took


def answers(page: Page, app: str) -> list[float]:
    """Milliseconds until the server's heads have read a sentence; the first loads the encoder."""
    story = next(one for one in stories() if one.name == "stitching")
    page.goto(f"{app}/learn?story=stitching&step=1")
    at_step(page, story, 1)
    page.get_by_role("button", name="Show the answer").click()
    field, took = page.get_by_label("Your sentence"), []
    for sentence, kind in SENTENCES.items():
        field.fill(sentence)
        began = time.perf_counter()
        field.press("Enter")
        expect(page.locator(".opinion").first).to_contain_text(kind, timeout=PATIENCE_MS)
        took.append(1000 * (time.perf_counter() - began))
    return took


def main() -> None:
    """Print one line a page and a story."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--projections", nargs="*", default=["pca", "tsne", "umap"])
    asked = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        (folder / "empty").mkdir()
        script = folder / "empty.py"
        script.write_text(EMPTY, encoding="utf-8")
        play = stack.enter_context(sync_playwright())
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=CHROMIUM_FLAGS)
        stack.callback(browser.close)
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.set_default_timeout(PATIENCE_MS)
        blank = stack.enter_context(served(folder / "empty", script=str(script)))
        app = stack.enter_context(served(folder))

        def empty() -> float:
            return seconds(page, blank, lambda: page.get_by_text("empty", exact=True).wait_for())

        empty()
        nothing = statistics.median(empty() for _ in range(VISITS))
        print(f"{'an empty page':60}{nothing:6.2f} s", flush=True)

        def home() -> float:
            return seconds(page, app, page.locator('.home[data-ready="true"]').wait_for)

        print(f"{'Home, the first request to a server':60}{home():6.2f} s", flush=True)
        later = statistics.median(home() for _ in range(VISITS))
        print(f"{'Home, later':60}{later - nothing:6.2f} s beyond it", flush=True)
        time.sleep(READING)
        for name in demo_names():
            for a, b in load_demo(name).pairs:
                for shown in asked.projections:
                    view = f"{app}/compare?a={name}.{a}&b={name}.{b}&projection={shown}"
                    took = seconds(page, view, lambda: state(page)) - nothing
                    print(f"{f'Compare, {name}: {a}, {b}, {shown}':60}{took:6.2f} s beyond it", flush=True)
        for story in stories():
            moves = controls(page, app, story)
            said = f"{statistics.median(moves):6.1f} ms, slowest {max(moves):.0f} ms"
            print(f"{f'{story.title}, {len(moves)} moves':60}{said}", flush=True)
        first, later_ones = answers(page, app)
        print(f"{'A sentence is read, the first and the next':60}{first:6.0f} ms, {later_ones:.0f} ms")


if __name__ == "__main__":
    main()
