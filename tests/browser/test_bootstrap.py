"""A run in a real browser: it moves, pauses, steps, goes on, survives a reload, and is canceled."""

import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.map_screen import state, sums
from tests.browser.screen import Faults, settled

RUN = "ao_method=adam_warm&ao_options=lr%3D0.0002%2Csteps%3D100000%2Cwarm_up%3D2&ao_anchors=20&ao_seeds=8"
"""Steps so small that it moves, and steps so many that it goes on, however long a page takes to draw."""
CHART = '[data-testid="stEChartsChart"] canvas'
BAR = '[data-testid="stProgress"]'


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def steps(page: Page) -> int:
    """How many steps the run has taken, as the page says."""
    words = page.locator(BAR).inner_text()
    found = re.search(r"step (\d+) of", words, re.IGNORECASE)
    return int(found.group(1)) if found else 0


def until(page: Page, words: str, patience: int = 30_000) -> None:
    expect(page.locator(BAR)).to_contain_text(words, timeout=patience)


def goes_on(page: Page, taken: int) -> None:
    """Wait until the run has taken some steps more."""
    read = f"document.querySelector('{BAR}').innerText"
    page.wait_for_function(f"taken => +(/tep (\\d+) of/.exec({read}) ?? [0, 0])[1] > taken + 3", arg=taken)


def ink(page: Page) -> str:
    """What the first chart shows."""
    return page.locator(CHART).first.evaluate("canvas => canvas.toDataURL()")


@pytest.mark.slow
def test_a_run_is_watched_steered_found_again_and_canceled(small: str, page: Page, faults: Faults) -> None:
    page.goto(small.replace("/?", f"/bootstrap?{RUN}&"))
    settled(page)
    press(page, "Run")
    until(page, "Step", patience=240_000)  # the first worker compiles what it imports, behind all else
    page.get_by_role("tab", name="Curves").click()
    expect(page.locator(CHART).first).to_be_visible(timeout=30_000)
    expect(page.get_by_text(re.compile(r"· step \d+ of")).last).to_be_visible(timeout=30_000)
    goes_on(page, steps(page))  # by then the map of the empty page is gone
    expect(page.get_by_test_id("stBidiComponentIsolated")).to_have_count(1)
    before, curves, taken = sums(page), ink(page), steps(page)
    goes_on(page, taken)

    press(page, "Pause")
    until(page, "Paused")
    after = sums(page)
    assert after[0] == before[0]  # A stays
    assert after[1] != before[1]  # B moves
    assert ink(page) != curves
    page.get_by_label("Zoom in").click()
    zoom = state(page)["views"][0]["zoom"]
    taken = steps(page)
    press(page, "Step")
    until(page, f"step {taken + 1} of")
    until(page, "Paused")
    assert state(page)["views"][0]["zoom"] == zoom > 1

    page.get_by_text("Follow", exact=True).click()
    slider = page.get_by_role("slider", name="Step")
    expect(slider).to_be_enabled(timeout=20_000)
    slider.focus()
    slider.press("Home")
    expect(page.get_by_text("step 1 of 100000").last).to_be_visible(timeout=20_000)
    press(page, "Resume")
    goes_on(page, taken)
    expect(page.get_by_text("step 1 of 100000").last).to_be_visible()

    page.reload()
    until(page, "Step")
    second = page.context.new_page()
    second.goto(page.url)
    until(second, "Step")
    press(second, "Cancel")
    expect(second.get_by_text("Canceled after step")).to_be_visible(timeout=20_000)
    expect(page.get_by_text("Canceled after step")).to_be_visible(timeout=20_000)
    expect(page.get_by_role("button", name="Replay")).to_be_visible()
    second.close()
    faults.assert_none()


@pytest.mark.slow
def test_seeds_chosen_on_the_map_start_a_run_that_is_replayed_and_saved(
    small: str, page: Page, faults: Faults
) -> None:
    page.goto(small.replace("/?", "/bootstrap?ao_seeding=hand&ao_anchors=20&"))
    settled(page)
    for text, found, button in (("item 5", 10, "Make the"), ("family", 1, "Add to the")):
        page.get_by_placeholder("Find items").fill(text)
        page.keyboard.press("Enter")
        page.get_by_role("button", name=re.compile(f"^Make the {found} selected")).wait_for()
        page.get_by_role("button", name=re.compile(f"^{button}")).click()
        settled(page)
    hand = parse_qs(urlsplit(page.url).query)["ao_hand"][0]
    assert len(hand.split(".")) == 10 + 1  # items 50 to 59, and the family
    press(page, "Run")
    expect(page.get_by_text(re.compile(r"self-check|Converged")).first).to_be_visible(timeout=60_000)
    settled(page)
    expect(page.get_by_placeholder("Find items")).to_have_count(2)
    expect(page.get_by_placeholder("Find items").first).not_to_be_visible()  # the seeds' map has made room

    press(page, "Replay")
    press(page, "Stop replay")
    expect(page.get_by_role("button", name="Replay")).to_be_visible()
    settled(page)  # a file that is asked for while the page runs never comes
    page.get_by_role("button", name="Export").click()
    for words, begins in (
        ("Anchors, csv", b"row_a,"),
        ("Matched pairs, csv", b"row_a,"),
        ("Anchors and matches, npz", b"PK"),
    ):
        with page.expect_download() as kept:
            page.get_by_role("button", name=words).click()
        assert Path(kept.value.path()).read_bytes().startswith(begins)
    faults.assert_none()
