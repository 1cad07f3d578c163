"""From the screen into a paper and back: a figure, its recipe, and the recipe opened by somebody else."""

from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from tests.browser.map_screen import sums
from tests.browser.screen import Faults, choose, settled
from tests.figures.pdf import text_of


def saved(page: Page, words: str, folder: Path) -> Path:
    """What a button of the open popover gives."""
    with page.expect_download() as download:
        page.get_by_role("button", name=words, exact=True).click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def test_a_figure_is_saved_and_its_recipe_shows_the_same_to_somebody_else(
    small: str, browser: Browser, page: Page, faults: Faults, tmp_path: Path
) -> None:
    page.goto(f"{small}&seed=3&similarity=l1")
    settled(page)
    choose(page, "Map", "First two dimensions")
    seen = sums(page)
    page.get_by_role("button", name="Figure").click()
    settled(page)
    assert sums(page) == seen  # the map is not drawn anew for it
    caption = page.get_by_test_id("stCode").inner_text()
    assert "Manhattan" in caption or "L1" in caption.upper()
    pdf = saved(page, "PDF", tmp_path)
    assert pdf.name == "maps.pdf"
    assert "Encoder A · absolute" in text_of(pdf.read_bytes())
    recipe = saved(page, "Recipe", tmp_path)
    faults.assert_none()

    other = browser.new_context(viewport={"width": 1400, "height": 1000})
    theirs = other.new_page()
    watched = Faults(theirs)
    theirs.goto(f"{small.partition('?')[0]}data")
    settled(theirs)
    theirs.get_by_text("Open a recipe").click()
    theirs.get_by_test_id("stFileUploaderDropzone").last.locator("input").set_input_files(recipe)
    expect(theirs.get_by_role("combobox", name="Similarity")).to_have_value("L1 distance")
    settled(theirs)
    assert sums(theirs) == seen
    assert "seed=3" in theirs.url
    watched.assert_none()
    other.close()
