"""Home: two encoders' pictures of the same emoji, absolute and relative, moved in the browser."""

import json
from functools import lru_cache

import numpy as np
import streamlit as st

from relviz.demos import load_demo
from relviz.demos.demo import Demo
from relviz.results.home import Home, home
from relviz.ui.job_view import result_or_progress
from relviz.ui.linked_map.assets import HOME, assets_path, loader, served
from relviz.ui.names import names

DEMO = "emoji"
KEY = "home_picture"
_component = st.components.v2.component("relviz_home", js=loader())
_STYLE = """<style>
[data-testid="stMainBlockContainer"] { padding: 0.5rem 1.5rem 0.4rem; max-width: none; }
[data-testid="stMainBlockContainer"] > [data-testid="stVerticalBlock"] { gap: 0.4rem; }
[data-testid="stHeader"] { background: transparent; pointer-events: none; }
[data-testid="stHeader"] button { pointer-events: auto; }
:root:has([data-testid="stExpandSidebarButton"]) { --home-left: 40px; }
@media (max-width: 640px) { [data-testid="stMainBlockContainer"] { padding: 0.5rem 0.75rem; } }
</style>"""
LINKS = {
    "pages/learn.py": ("Learn", ":material/school:"),
    "pages/data.py": ("Compare your own encoders", ":material/compare:"),
    "pages/stitch.py": ("Stitch", ":material/conversion_path:"),
    "pages/gallery.py": ("Make a figure", ":material/photo_library:"),
}


def show_home(pages: tuple[str, ...] = tuple(LINKS)) -> None:
    """Show the picture, and links to the other ``pages``."""
    st.html(_STYLE)
    demo = load_demo(DEMO)
    made = result_or_progress("home", home(demo.pair()))
    if made is not None:
        about, body = _message(made, demo)
        sprite = demo.sprite
        assert sprite is not None
        url = served(sprite.path.read_bytes(), "image/png", "home.sheet")
        about |= {
            "assets": assets_path(HOME),
            "component": HOME,
            "sheet": {"url": url, "cell": sprite.cell, "columns": sprite.columns},
        }
        _component(key=KEY, data=message(about, body))
    with st.container(horizontal=True, key="home_links"):
        for page in pages:
            words, icon = LINKS[page]
            st.page_link(page, label=words, icon=icon, width="content")


def message(about: dict[str, object], body: bytes) -> bytes:
    """What the browser is told: the length of the head, the head as JSON, then the arrays."""
    head = json.dumps(about, ensure_ascii=False).encode()
    return len(head).to_bytes(4, "little") + head + body


@lru_cache(maxsize=2)
def _names(demo: Demo) -> list[str]:
    return [item.partition(" ")[2] for item in demo.pair().items]


def _message(made: Home, demo: Demo) -> tuple[dict[str, object], bytes]:
    pair, chosen = demo.pair(), names()
    arrays = (made.places, made.nearest, made.anchors)
    return {
        "rows": len(pair),
        "counts": made.counts,
        "found": made.found,
        "queries": made.queries,
        "examples": made.examples,
        "models": [chosen.get(one.name, one.name.partition(" (")[0]) for one in (pair.a, pair.b)],
        "names": _names(demo),
    }, b"".join(np.ascontiguousarray(one, "<u2").tobytes() for one in arrays)
