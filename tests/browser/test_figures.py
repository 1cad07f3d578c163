"""From the screen into a paper and back: a figure, its recipe, and the recipe opened by somebody else."""

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.map_screen import sums
from tests.browser.screen import Faults, pick, settled, shot
from tests.plotting.pdf import text_of


def saved(page: Page, words: str, folder: Path) -> Path:
    """What a button of the open popover gives."""
    with page.expect_download() as download:
        page.get_by_role("button", name=words, exact=True).click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def test_a_figure_is_saved_and_its_recipe_shows_the_same_in_another_tab(
    small: str, page: Page, faults: Faults, tmp_path: Path
) -> None:
    page.goto(f"{small}&seed=3&similarity=l1")
    settled(page)
    pick(page, "First dimensions")
    seen = sums(page)
    page.get_by_role("button", name="Figure").click()
    settled(page)
    assert sums(page) == seen  # the map is not drawn anew for it
    caption = page.get_by_test_id("stCode").inner_text()
    assert "Manhattan" in caption or "L1" in caption.upper()
    pdf = saved(page, "PDF", tmp_path)
    assert pdf.name == "maps.pdf"
    assert "Encoder A · relative" in text_of(pdf.read_bytes())
    recipe = saved(page, "Recipe", tmp_path)
    faults.assert_none()

    theirs = page.context.new_page()
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
    theirs.close()


INK = "canvas => canvas.getContext('2d').getImageData(0, 0, 280, 280).data.filter(Boolean).length - 280 * 280"


def stroke(page: Page, points: list[tuple[float, float]]) -> None:
    """Draw a line on the pad."""
    box = page.locator(".pad canvas").bounding_box()
    assert box is not None
    for number, (x, y) in enumerate(points):
        page.mouse.move(box["x"] + x, box["y"] + y, steps=1 if number == 0 else 5)
        if number == 0:
            page.mouse.down()
    page.mouse.up()


def pictures(page: Page) -> list[str | None]:
    """What the pictures of a page are, in their order."""
    return [image.get_attribute("src") for image in page.get_by_test_id("stImage").locator("img").all()]


def opened(page: Page, app: str, recipe: Path) -> None:
    """The page of a recipe that is opened on the Data page."""
    page.goto(f"{app}/data")
    settled(page)
    page.get_by_text("Open a recipe").click()
    page.get_by_test_id("stFileUploaderDropzone").last.locator("input").set_input_files(recipe)


def test_a_drawing_comes_back_from_its_recipe_onto_the_pad(
    app: str, page: Page, faults: Faults, tmp_path: Path
) -> None:
    page.goto(f"{app}/decode?de_part=draw")
    settled(page)
    stroke(page, [(60, 40), (150, 40), (100, 170)])
    page.get_by_role("button", name="Figure").click()
    expect(page.get_by_test_id("stCode")).to_contain_text("A drawing, scaled like the digits of MNIST")
    settled(page)
    seen = pictures(page)
    recipe = saved(page, "Recipe", tmp_path)
    opened(page, app, recipe)
    expect(page.get_by_text("Input, scaled like the digits")).to_be_visible()
    settled(page)
    shot(page, "decode drawing of a recipe")
    assert pictures(page) == seen
    begun = page.locator(".pad canvas").evaluate(INK)
    assert begun > 10_000
    stroke(page, [(30, 190), (180, 190)])
    settled(page)
    assert page.locator(".pad canvas").evaluate(INK) > begun
    assert pictures(page)[0] != seen[0]
    page.get_by_role("button", name="Clear").click()
    expect(page.get_by_text("Draw on the black square")).to_be_visible()
    faults.assert_none()


def test_sliders_stand_where_a_recipe_has_them(app: str, page: Page, faults: Faults, tmp_path: Path) -> None:
    page.goto(f"{app}/decode?de_part=slide")
    settled(page)
    page.get_by_role("slider").first.press("Home")
    settled(page)
    page.get_by_role("button", name="Figure").click()
    expect(page.get_by_test_id("stCode")).to_contain_text("Edited by hand: 1 cosine,")
    settled(page)
    seen = pictures(page)
    shot(page, "decode sliders with a figure")
    recipe = saved(page, "Recipe", tmp_path)
    opened(page, app, recipe)
    expect(page.get_by_role("slider").first).to_have_value("-1")
    settled(page)
    assert pictures(page) == seen
    page.get_by_role("button", name="Reset").click()
    expect(page.get_by_role("slider").first).not_to_have_value("-1")
    settled(page)
    assert pictures(page) != seen
    faults.assert_none()
