"""What the demos' encoders were given, as far as the project carries it: for another encoder."""

import io
from functools import cache

import numpy as np
from PIL import Image

from relviz.demos import Demo, load_demo
from relviz.demos.contact_sheet import cut
from relviz.items.picture_files import CELL
from relviz.items.pictures import Pictures
from relviz.items.texts import Texts
from relviz.readers.pixels import as_pixels


def items_of_demo(name: str) -> dict[str, Texts | Pictures]:
    """The items of a demo by what they are, with its ids and labels: their vectors pair with its spaces.

    Raises
    ------
    ParameterError
        If there is no demo of that name; the message lists those there are.

    Examples
    --------
    >>> items_of_demo("glosses")["definitions"].texts[1]
    'a city of east central Honshu; a suburb of Tokyo'
    """
    return dict(_items(load_demo(name)))


@cache
def _items(demo: Demo) -> dict[str, Texts | Pictures]:
    match demo.name:
        case "emoji":
            pictures = _pictures(demo, "sprite cells of 32 pixels; the demo's spaces were made of 64")
            named = "names without the emoji; the demo's spaces were made of names and keywords"
            return {
                "pictures": pictures,
                "names": _texts(demo, "text_en_minilm", "English names", " ", named),
                "names_es": _texts(demo, "text_es_e5", "Spanish names", " ", named),
            }
        case "glosses":
            return {
                "definitions": _texts(demo, "minilm", "definitions", ": ", "definitions without the word")
            }
        case "words":
            return {"words": _texts(demo, "glove50", "words", "", "")}
        case _:
            return {"pictures": _pictures(demo, "white digits of 28 pixels on black")}


def _texts(demo: Demo, key: str, what: str, behind: str, note: str) -> Texts:
    """The items of a space, of each what stands behind the first of a mark."""
    space = demo.spaces[key]
    items = space.items or ()
    texts = [item.partition(behind)[2] for item in items] if behind else items
    notes = (note,) if note else ()
    return Texts(texts, space.ids, space.labels, f"{demo.title}: {what}", notes)


def _pictures(demo: Demo, note: str) -> Pictures:
    """The cells of a demo's sheet. As BMP, their bytes are the same wherever they are made."""
    space, sprite = next(iter(demo.spaces.values())), demo.sprite
    assert sprite is not None
    with Image.open(sprite.path, formats=["PNG"]) as sheet:
        # Of a palette, cells on white would be made 1,906 times.
        cells = cut(np.asarray(sheet.convert("RGBA")), len(space), sprite.cell, sprite.columns)
    contents = []
    thumbnails = []
    for cell in cells:
        image = Image.fromarray(as_pixels(Image.fromarray(cell), sprite.cell))
        file = io.BytesIO()
        image.save(file, "BMP")
        contents.append(file.getvalue())
        thumbnails.append(as_pixels(image, CELL))
    return Pictures(contents, np.stack(thumbnails), space.ids, space.labels, f"{demo.title}: images", (note,))
