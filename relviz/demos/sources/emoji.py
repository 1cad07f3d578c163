"""The emoji demo: Twemoji pictures and CLDR names of the same 1,906 emoji."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from relviz.demos.catalog import entry
from relviz.demos.contact_sheet import tile
from relviz.demos.sources.e5 import e5
from relviz.demos.sources.packages import Package, fetch
from relviz.demos.sources.rows import spread
from relviz.demos.space_file import write_space
from relviz.encoders import as_pixels, load_encoder
from relviz.space import Space

TWEMOJI = Package(
    "npm",
    "emoji-datasource-twitter",
    "16.0.0",
    "f64a530c63bca463bd8317fdc4615ce63a53a0c65018e4ce2d848aaba7a28877",
)
CLDR = Package(
    "npm",
    "cldr-annotations-full",
    "48.2.0",
    "28576e51225deb51e3ddd734b0f824a0079682cb5d8c27faa9f68149317a14d1",
)
CLDR_DERIVED = Package(
    "npm",
    "cldr-annotations-derived-full",
    "48.2.0",
    "4be946ff5815f806ec78b50363d577a769f2fbfb90c6380a44e161a92436996e",
)
_VARIATION_SELECTOR = "\ufe0f"

Annotation = Mapping[str, Sequence[str]]


def build(out: Path, packages: Path, rows: int | None) -> None:
    """Write the demo's spaces and its sprite into ``out``; names and keywords are joined as encoded then."""
    twemoji = fetch(TWEMOJI, packages) / "package"
    listed = json.loads((twemoji / "emoji.json").read_text("utf-8"))
    # Components (skin tones, hair) are parts of emoji.
    emoji = spread([one for one in listed if one["category"] != "Component"], rows)
    glyphs = [glyph(one["unified"]) for one in emoji]
    english, spanish = (annotations(language, packages) for language in ("en", "es"))
    images = [Image.open(twemoji / "img/twitter/64" / one["image"]).convert("RGBA") for one in emoji]
    names_en, names_es = named(glyphs, english), named(glyphs, spanish)
    texts_en, texts_es = described(glyphs, english), described(glyphs, spanish)
    pictures = np.stack([as_pixels(image) for image in images])
    spaces = {
        "image_lite0": (names_en, load_encoder("efficientnet_lite0").encode(pictures)),
        "image_lite1": (names_en, load_encoder("efficientnet_lite1").encode(pictures)),
        "text_en_minilm": (names_en, load_encoder("minilm").encode(texts_en)),
        "text_en_wordllama": (names_en, load_encoder("wordllama").encode(texts_en)),
        "text_es_e5": (names_es, e5(texts_es, packages)),
    }
    about = entry("emoji")
    for key, (items, vectors) in spaces.items():
        ids, labels = [one["unified"] for one in emoji], [one["category"] for one in emoji]
        write_space(out / f"{key}.safetensors", Space(vectors, ids, labels, items, about.spaces[key]))
    if about.sheet:
        write_sprite(out / about.sheet[0], images, *about.sheet[1:])


def glyph(unified: str) -> str:
    """The characters of an emoji from its code: ``"1F600"``, ``"0023-FE0F-20E3"``."""
    return "".join(chr(int(code, 16)) for code in unified.split("-"))


def annotations(language: str, packages: Path) -> dict[str, Annotation]:
    """CLDR's names ("tts") and keywords ("default") of every character of a language.

    Flags and keycaps are in a package of their own, because CLDR derives their names.
    """
    found: dict[str, Annotation] = {}
    for package, what in ((CLDR_DERIVED, "annotationsDerived"), (CLDR, "annotations")):
        file = fetch(package, packages) / "package" / what / language / "annotations.json"
        content: Any = json.loads(file.read_text("utf-8"))
        found |= content[what]["annotations"]
    return found


def annotation(glyph: str, known: Mapping[str, Annotation]) -> Annotation:
    """CLDR lists an emoji with or without its variation selectors."""
    return known[glyph] if glyph in known else known[glyph.replace(_VARIATION_SELECTOR, "")]


def named(glyphs: Sequence[str], known: Mapping[str, Annotation]) -> list[str]:
    """What a person sees: the emoji and its name."""
    return [f"{glyph} {annotation(glyph, known)['tts'][0]}" for glyph in glyphs]


def described(glyphs: Sequence[str], known: Mapping[str, Annotation]) -> list[str]:
    """What is encoded: the name and the keywords, without the emoji itself."""
    found = [annotation(glyph, known) for glyph in glyphs]
    return [f"{one['tts'][0]}: {', '.join(one['default'])}" for one in found]


def write_sprite(path: Path, images: Sequence[Image.Image], cell: int, columns: int) -> None:
    """Write all pictures as one PNG of 256 colors with transparency."""
    cells = [np.asarray(image.resize((cell, cell), Image.Resampling.LANCZOS)) for image in images]
    sheet = Image.fromarray(tile(np.stack(cells), columns))
    path.parent.mkdir(parents=True, exist_ok=True)
    sheet.quantize(256).save(path, "PNG", optimize=True)
