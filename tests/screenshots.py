"""The pictures of docs/, taken anew: ``python -m tests.screenshots [--only NAME] [--covers]``.

Each is a page of the app in a real Chromium, with an empty store and the bundled demos. With ``--covers``,
those of the stories on the Learn page.
"""

import argparse
import io
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageOps
from playwright.sync_api import FloatRect, Page, sync_playwright

import relviz
from tests.browser.conftest import CHROMIUM_FLAGS
from tests.browser.map_screen import pixel, state
from tests.browser.screen import settled
from tests.browser.server import served

DOCS = Path(__file__).resolve().parent.parent / "docs"
LEARN = DOCS.parent / "relviz" / "ui" / "learn" / "assets"
COLORS = 256
LONGEST = 600.0
"""Seconds that a page may take to finish its work, on a busy machine."""

SENTENCES = "id,sentence,label\n" + "\n".join(
    f"{label}-{number},{sentence},{label}"
    for label, sentences in {
        "animals": (
            "A dog barks at the gate.",
            "The cat sleeps on the chair.",
            "A crow steals a shiny coin.",
        ),
        "weather": (
            "Rain falls on the tin roof.",
            "The fog lifts before noon.",
            "Snow covers the parked cars.",
        ),
        "food": (
            "She bakes bread every Friday.",
            "The soup needs more salt.",
            "He peels an orange in one strip.",
        ),
    }.items()
    for number, sentence in enumerate(sentences, 1)
)


def _finished(page: Page) -> None:
    """Wait until the page is at rest and no progress bar is left on it."""
    settled(page, within=LONGEST)
    page.wait_for_function(
        """() => !document.querySelector('[data-testid="stProgress"]')""", timeout=LONGEST * 1000
    )
    settled(page, quiet=1.0, within=LONGEST)


def _map_at_rest(page: Page) -> None:
    _finished(page)
    state(page)


def _point_at_an_item(page: Page) -> None:
    _map_at_rest(page)
    emoji = relviz.load_demo("emoji").spaces["image_lite0"]
    kangaroo = next(row for row, text in enumerate(emoji.items or ()) if "kangaroo" in text)
    page.mouse.move(*pixel(page, 0, kangaroo))
    page.wait_for_timeout(800)


def _home_at_rest(page: Page) -> None:
    _finished(page)
    page.wait_for_selector('.home[data-ready="true"]')
    page.get_by_role("radio", name="Relative").click()
    page.wait_for_selector('.home[data-moving="false"][data-shows="relative"]')


def _answer(page: Page) -> None:
    _finished(page)
    page.get_by_role("button", name="Show the answer").click()
    page.get_by_role("slider", name="Replay").press("End")
    _finished(page)


def _upload_sentences(page: Page) -> None:
    settled(page)
    page.locator('input[type="file"]').first.set_input_files(
        {"name": "sentences.csv", "mimeType": "text/csv", "buffer": SENTENCES.encode()}
    )
    _finished(page)


def _measure_every_pair(page: Page) -> None:
    settled(page)
    page.get_by_role("button", name="Measure all pairs").click()
    page.wait_for_selector(".js-plotly-plot", timeout=LONGEST * 1000)
    _finished(page)


def _run(page: Page) -> None:
    settled(page)
    page.get_by_role("button", name="Run", exact=True).click()
    page.wait_for_selector('[data-testid="stProgress"]')
    _map_at_rest(page)


@dataclass(frozen=True)
class Picture:
    """A page at an address, in a window of this size, when ``ready`` has returned."""

    page: str
    view: str
    size: tuple[int, int]
    ready: Callable[[Page], None]


PICTURES = {
    "home": Picture("", "", (1280, 800), _home_at_rest),
    "learn": Picture("learn", "story=bootstrap&step=1", (1280, 800), _answer),
    "compare": Picture("compare", "", (1280, 800), _point_at_an_item),
    "encode": Picture("encode", "", (1280, 1000), _upload_sentences),
    "shelf": Picture(
        "shelf",
        "shelf=emoji.image_lite0~emoji.image_lite1~emoji.text_en_minilm~emoji.text_es_e5",
        (1280, 1000),
        _measure_every_pair,
    ),
    "bootstrap": Picture(
        "bootstrap",
        "a=emoji.text_en_minilm&b=emoji.text_en_wordllama&ao_seeds=5&ao_known=yes",
        (1280, 900),
        _run,
    ),
    "several": Picture("several", "", (1280, 800), _finished),
    "stitch": Picture("stitch", "", (1280, 900), _map_at_rest),
    "decode": Picture("decode", "", (1280, 800), _finished),
    "decode_unpaired": Picture("decode", "de_part=unpaired", (1280, 800), _finished),
    "gallery": Picture("gallery", "", (1280, 1000), _finished),
}


def take(picture: Picture, page: Page, address: str) -> bytes:
    """The picture as a PNG of few colors."""
    page.set_viewport_size({"width": picture.size[0], "height": picture.size[1]})
    page.goto(f"{address}/{picture.page}?{picture.view}")
    picture.ready(page)
    full = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    written = io.BytesIO()
    full.quantize(COLORS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(
        written, "PNG", optimize=True
    )
    return written.getvalue()


COVERS = {
    "pose": 1,
    "dictionary": 1,
    "encoders": 4,
    "maps": 1,
    "bootstrap": 1,
    "inverse": 1,
    "stitching": 3,
    "decoders": 1,
    "failure": 1,
}
"""The step of a story whose picture is on its card, with the question answered."""
COVER = (480, 270)
"""Pixels of a cover: a card is half as wide."""


def _drawn(page: Page) -> FloatRect:
    """Where a story's picture is drawn, without its captions; the whole picture where nothing is drawn."""
    parts = page.locator(".picture canvas:visible").all()
    boxes = [box for part in parts or [page.locator(".picture")] if (box := part.bounding_box())]
    left, top = min(box["x"] for box in boxes), min(box["y"] for box in boxes)
    right = max(box["x"] + box["width"] for box in boxes)
    bottom = max(box["y"] + box["height"] for box in boxes)
    return {"x": left, "y": top, "width": right - left, "height": bottom - top}


def covers(page: Page, address: str, name: str) -> Iterator[tuple[str, bytes]]:
    """Names and files of the light and the dark cover of a story, from the picture of one of its steps."""
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"{address}/learn?story={name}&step={COVERS[name]}&present=yes")
    _finished(page)
    page.get_by_role("button", name="Show the answer").click()
    page.wait_for_timeout(1500)
    for scheme, suffix in (("light", ""), ("dark", "-dark")):
        page.emulate_media(color_scheme=scheme)
        page.wait_for_timeout(500)
        _finished(page)
        shown = Image.open(io.BytesIO(page.screenshot(clip=_drawn(page)))).convert("RGB")
        written = io.BytesIO()
        ImageOps.fit(shown, COVER, Image.Resampling.LANCZOS).save(written, "webp", quality=80, method=6)
        yield f"cover-{name}{suffix}.webp", written.getvalue()


def main() -> None:
    """Take those that were asked for, all of them if none was."""
    parser = argparse.ArgumentParser("python -m tests.screenshots", description=__doc__)
    parser.add_argument("--only", metavar="NAME", action="append", choices=PICTURES, help="this one alone")
    parser.add_argument("--into", metavar="FOLDER", type=Path, default=DOCS, help="where they go (docs/)")
    parser.add_argument("--covers", action="store_true", help="covers of the stories, into the Learn page")
    asked = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder)) as address,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=CHROMIUM_FLAGS)
        for name in COVERS if asked.covers else ():
            page = browser.new_page()
            page.set_default_timeout(LONGEST * 1000)
            for file, webp in covers(page, address, name):
                (LEARN / file).write_bytes(webp)
                print(f"{file}  {len(webp) // 1000} kB")
            page.close()
        for name in asked.only or (() if asked.covers else PICTURES):
            context = browser.new_context()
            page = context.new_page()
            page.set_default_timeout(LONGEST * 1000)
            png = take(PICTURES[name], page, address)
            (asked.into / f"{name}.png").write_bytes(png)
            print(f"{name}.png  {len(png) // 1000} kB")
            context.close()
        browser.close()


if __name__ == "__main__":
    main()
