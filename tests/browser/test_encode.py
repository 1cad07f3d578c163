"""Own texts and pictures, from a file to the maps, in a real browser; the way back by a workspace."""

import csv
import io
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import FilePayload, Page, expect

import relviz
from relviz.items import items_of_demo
from tests.browser.map_screen import hover, state
from tests.browser.screen import MENU, Faults, choose, measured, settled, shot

ENCODED = 180_000
"""Milliseconds in which two networks have seen everything, on a machine with other work too."""
TRAP = "<img src=http://stranger.test/x.png> **bold** שלום 👩‍👩‍👧 $x$"


def sentences(many: int = 200) -> FilePayload:
    """Glosses as someone's own csv, with the first of them a trap."""
    space = relviz.load_demo("glosses").spaces["minilm"]
    raw = io.StringIO()
    lines = csv.writer(raw)
    lines.writerow(["word", "gloss", "kind"])
    items, labels = space.items or (), space.labels or ()
    for row in range(many):
        text = items[row].partition(": ")[2] if row else TRAP
        lines.writerow([f"w{row}", text, labels[row]])
    return {"name": "own.csv", "mimeType": "text/csv", "buffer": raw.getvalue().encode()}


def pictures(many: int = 100) -> FilePayload:
    """Emoji in folders by their class, a text and a name that leads elsewhere, as someone's own zip."""
    emoji = items_of_demo("emoji")["pictures"]
    labels, ids = emoji.labels or (), emoji.ids or ()
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as archive:
        for row in range(0, 19 * many, 19):
            archive.writestr(f"{labels[row]}/{ids[row]}.bmp", emoji.contents[row])
        archive.writestr("read me.txt", "no picture")
        archive.writestr("../elsewhere.png", "no picture either")
    return {"name": "own.zip", "mimeType": "application/zip", "buffer": raw.getvalue()}


def give(page: Page, file: FilePayload) -> None:
    page.get_by_test_id("stFileUploader").locator("input").set_input_files(file)
    page.get_by_role("button", name="Remove").first.wait_for()
    settled(page)


def encode_and_compare(page: Page) -> None:
    page.get_by_role("button", name="Encode with 2 encoders").click()
    page.get_by_role("button", name="Compare these two").click(timeout=ENCODED)
    page.wait_for_url("**b=space-*")
    measured(page)


@pytest.mark.slow
def test_own_sentences_are_encoded_and_compared_and_move_elsewhere(
    app: str, page: Page, faults: Faults, tmp_path: Path
) -> None:
    page.goto(f"{app}/encode")
    settled(page)
    give(page, sentences())
    for role, column in (("Texts", "gloss"), ("Ids", "word"), ("Classes", "kind")):
        expect(page.get_by_role("combobox", name=role, exact=True)).to_have_value(column)
    shot(page, "encode")
    encode_and_compare(page)
    assert state(page)["drawn"] == [200] * 2
    assert TRAP in hover(page, 0, 0)
    shot(page, "encoded texts")

    page.locator(MENU, has_text="Shelf").click()
    settled(page)
    assert page.get_by_text("WordLlama (own)").count() >= 1
    page.get_by_text("Workspace", exact=True).click()
    with page.expect_download() as saving:
        page.get_by_role("button", name="Save workspace").click()
    saving.value.save_as(tmp_path / "w.relviz")
    here = page.url
    page.goto(f"{app}/shelf")
    settled(page)
    assert "space-" not in page.url
    page.get_by_test_id("stFileUploader").locator("input").set_input_files(tmp_path / "w.relviz")
    page.wait_for_url("**b=space-*")
    settled(page)
    assert page.url == here
    shot(page, "shelf")

    page.locator(MENU, has_text="Stitch").click()
    settled(page)
    page.get_by_text("Probe", exact=True).click()
    settled(page)
    page.get_by_text("A sentence", exact=True).click()
    page.get_by_role("textbox", name="Sentence for MiniLM").fill("a city in Japan")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Its translation is nearest to")).to_be_visible()
    faults.assert_none()


@pytest.mark.slow
def test_own_pictures_are_encoded_compared_and_seen(app: str, page: Page, faults: Faults) -> None:
    page.goto(f"{app}/encode")
    settled(page)
    page.get_by_text("Images", exact=True).click()
    settled(page)
    give(page, pictures())
    expect(page.get_by_text("1 of 102 files is not an image")).to_be_visible()
    encode_and_compare(page)
    assert state(page)["drawn"] == [100] * 2
    shot(page, "encoded pictures")
    faults.assert_none()


@pytest.mark.slow
def test_an_encoder_that_is_not_here_is_said_and_a_cancel_keeps_nothing(
    app: str, page: Page, faults: Faults
) -> None:
    page.goto(f"{app}/encode")
    settled(page)
    page.get_by_text("Items of a demo", exact=True).click()
    settled(page)
    choose(page, "Encoder 1", "Other: a folder, or a model on the hub")
    field = page.get_by_role("textbox", name="Folder, file or hub id of encoder 1")
    field.fill("org/not-on-this-machine")
    field.press("Enter")
    expect(page.get_by_text("org/not-on-this-machine is not on this machine")).to_be_visible()
    field.fill("/etc")
    field.press("Enter")
    expect(page.get_by_text("outside the folders that relviz may read")).to_be_visible()

    choose(page, "Encoder 1", "EfficientNet-Lite0")
    choose(page, "Encoder 2", "EfficientNet-Lite0")
    page.get_by_role("button", name="Encode with 1 encoder").click()
    page.get_by_text("rows a second").or_(page.get_by_text("a second (")).first.wait_for()
    page.get_by_role("button", name="Cancel").first.click()
    expect(page.get_by_text("canceled")).to_be_visible()
    expect(page.get_by_role("button", name="Run again")).to_be_visible()
    assert not page.get_by_text("on the shelf.").count()
    shot(page, "encode canceled")
    faults.assert_none()
