"""Texts from files and links inside sentences that Streamlit reads as Markdown."""

import re

_MARKUP = re.compile(r"[\\`*_\[\]<>$~#|]|:(?=[\w+-])")


def verbatim(text: object) -> str:
    """Markdown that shows a text letter by letter, on one line: no picture, link or formula comes of it.

    >>> verbatim("![x](http://example.org) costs $1")
    '!\\\\[x\\\\](http://example.org) costs \\\\$1'
    """
    return _MARKUP.sub(r"\\\g<0>", " ".join(str(text).split()))
