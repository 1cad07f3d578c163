"""What is given to encoders: texts and pictures, read from files. Nothing here loads an encoder."""

from relviz.items.columns import Choice
from relviz.items.limits import PICTURE_LIMITS, TEXT_LIMITS, PictureLimits
from relviz.items.lines import pasted
from relviz.items.of_demo import items_of_demo
from relviz.items.pictures import Pictures, read_pictures
from relviz.items.text_files import TEXT_SUFFIXES, Column, TextContents, look_texts, read_texts
from relviz.items.texts import Texts

Items = Texts | Pictures

__all__ = [
    "PICTURE_LIMITS",
    "TEXT_LIMITS",
    "TEXT_SUFFIXES",
    "Choice",
    "Column",
    "Items",
    "PictureLimits",
    "Pictures",
    "TextContents",
    "Texts",
    "items_of_demo",
    "look_texts",
    "pasted",
    "read_pictures",
    "read_texts",
]
