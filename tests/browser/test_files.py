"""Two files through the real file fields, and slow maps of what they hold: run, watched, canceled."""

from csv import reader
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import FilePayload, Page, expect

from tests.browser.map_screen import hover, lasso, painted, state, sums
from tests.browser.screen import MENU, Faults, measured, pick, settled, shot
from tests.ui.made import CLASSES, ROWS, TEXTS, csv, spaces

IDS = [f"id{row}" for row in range(ROWS)]
TRAP = "![x](http://stranger.test/x.png) <img src=http://stranger.test/y.png> **b** $x$ :material/home:"


def table(name: str, vectors: np.ndarray, **columns: list[str]) -> FilePayload:
    rows = zip(IDS, *columns.values(), vectors.tolist(), strict=True)
    header = ["id", *columns, *(f"d{at}" for at in range(vectors.shape[1]))]
    raw = csv(header, [[*texts, *numbers] for *texts, numbers in rows])
    return {"name": name, "mimeType": "text/csv", "buffer": raw}


def give(page: Page, side: str, file: FilePayload) -> None:
    page.get_by_role("tab", name="Your files").click()
    field = page.get_by_test_id("stFileUploader").filter(has_text=f"encoder {side}")
    field.locator("input").set_input_files(file)
    field.get_by_role("button", name="Remove").wait_for()
    settled(page)


def test_two_files_become_the_pair(app: str, page: Page, faults: Faults) -> None:
    a, b = (space.vectors.numpy() for space in spaces())
    page.goto(f"{app}/data")
    settled(page)
    texts = [*TEXTS[:2], TRAP, *TEXTS[3:]]
    give(page, "A", table("**left** ![x](y).csv", a, label=CLASSES, text=texts))
    give(page, "B", table("right.csv", b))
    page.get_by_role("button", name="Compare these").click()
    page.wait_for_url("**a=space-*")
    settled(page)
    shot(page, "data")
    assert not page.locator('[data-testid="stMain"] img').count()
    page.locator(MENU, has_text="Compare").click()
    measured(page)
    settled(page)
    assert state(page)["drawn"] == [ROWS] * 2
    assert "![x](http://stranger.test/x.png)" in hover(page, 0, texts.index(TRAP))
    shot(page, "compare files")
    page.locator(MENU, has_text="Anchors").click()
    settled(page)
    page.get_by_text("Anchor quality").first.wait_for()
    shot(page, "anchors files")
    assert not page.locator('[data-testid="stMain"] img').count()
    faults.assert_none()


def test_a_bad_file_is_said_and_the_pair_stays(app: str, page: Page, faults: Faults) -> None:
    page.goto(f"{app}/data")
    settled(page)
    give(page, "A", {"name": "cut.npz", "mimeType": "application/zip", "buffer": b"PK\x03\x04cut"})
    expect(page.get_by_role("alert")).to_have_count(1)
    assert page.get_by_test_id("stDataFrame").count() == 1
    shot(page, "data with a bad file")
    faults.assert_none()


@pytest.mark.slow
def test_a_slow_map_replaces_pca_when_it_is_there(small: str, page: Page, faults: Faults) -> None:
    page.goto(f"{small}&count=20&spaces=both")
    settled(page)
    before = sums(page)
    pick(page, "t-SNE")
    expect(page.get_by_text("preserves neighborhoods")).to_be_visible()
    expect(page.get_by_text("in place of the t-SNE")).to_have_count(0, timeout=60_000)
    expect(page.get_by_role("progressbar")).to_have_count(0, timeout=60_000)
    settled(page)
    assert state(page)["drawn"] == [ROWS] * 4
    assert all(after != old for after, old in zip(sums(page), before, strict=True))
    assert min(painted(page)) > 100
    shot(page, "compare t-SNE")
    faults.assert_none()


def test_a_slow_map_can_be_canceled(app: str, page: Page, faults: Faults) -> None:
    page.goto(f"{app}/?runs=1&queries=20&count=20&spaces=both&perplexity=31")
    measured(page)
    expect(page.get_by_role("button", name="Cancel")).to_have_count(0, timeout=60_000)
    settled(page)
    before = sums(page)
    pick(page, "t-SNE")
    cancel = page.get_by_role("button", name="Cancel")
    expect(cancel).to_have_count(2, timeout=30_000)
    shot(page, "compare running")
    for left in (2, 1):
        expect(cancel).to_have_count(left, timeout=30_000)
        cancel.last.click()
        expect(page.get_by_role("button", name="Run again")).to_have_count(3 - left, timeout=30_000)
    settled(page)
    assert sums(page) == before
    shot(page, "compare canceled")
    faults.assert_none()


def test_the_selected_items_are_saved_as_csv(small: str, page: Page, faults: Faults) -> None:
    page.goto(f"{small}&count=20&spaces=both")
    settled(page)
    state(page)
    lasso(page, 2)
    settled(page)
    with page.expect_download() as kept:
        page.get_by_role("button", name="Export as csv").click()
    with Path(kept.value.path()).open(encoding="utf-8", newline="") as file:
        rows = list(reader(file))
    assert len(rows) - 1 == len(state(page)["selected"]) > 0
    assert {row[0] for row in rows[1:]} <= set(TEXTS)
    faults.assert_none()
