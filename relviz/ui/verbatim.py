"""Texts from files inside Markdown and charts."""

import html
import re

_MARKUP = re.compile(r"[\\`*_\[\]<>$~#|]|:(?=[\w+-])")


def verbatim(text: object) -> str:
    """Markdown that shows a text letter by letter, on one line: no picture, link or formula comes of it.

    >>> verbatim("![x](http://example.org) costs $1")
    '!\\\\[x\\\\](http://example.org) costs \\\\$1'
    """
    return _MARKUP.sub(r"\\\g<0>", " ".join(str(text).split()))


def in_figure(text: object) -> str:
    """A text as plotly shows it letter by letter: no tag in it is one.

    >>> in_figure("<b>bold")
    '&lt;b&gt;bold'
    """
    return html.escape(str(text), quote=False)
