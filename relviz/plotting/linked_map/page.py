"""A linked map as one HTML file: it opens from a disk, asks no server, and looks as it does in the app.

The JavaScript is that of the app, its modules without their doc comments, which tell types to the checker.
They, the points, the texts and the pictures are in the file as deflated bytes in base64; the browser links
the modules by themselves (``link.js``).
"""

import base64
import html
import json
import re
import zlib
from functools import cache
from pathlib import Path

from relviz.plotting.linked_map.scene import Scene

ASSETS = Path(__file__).parent / "assets"
NOT_ALONE = ("loader.js",)
"""What only a server's page needs."""
OWN_FILES = {"style": "page.css", "link": "link.js"}
"""What stands in the file as it lies."""
TALLEST = 900
DOC_COMMENT = re.compile(r"^ */\*\*(?:(?!\*/).)*\*/\n", re.MULTILINE | re.DOTALL)
"""One that has its lines for itself."""


@cache
def modules() -> str:
    """The sources of all modules by their names, and the map's page and style, as JSON."""
    sources = {
        path.name: DOC_COMMENT.sub("", path.read_text("utf-8"))
        for path in sorted(ASSETS.glob("*.js"))
        if path.name not in NOT_ALONE
    }
    return json.dumps(sources | {"template": template()}, ensure_ascii=False)


@cache
def module() -> str:
    """One module that shows a map to whoever imports it: the widget of a notebook."""
    link = (ASSETS / "link.js").read_text("utf-8")
    return (
        f"{link}\nconst {{ template, ...sources }} = {modules()};\n"
        'const widget = import(linked(sources)("widget.js"));\n'
        "export default { render: async (given) => (await widget).render(given, template) };\n"
    )


@cache
def template() -> str:
    """Page and style of a map."""
    page, style = ((ASSETS / f"linked_map.{ending}").read_text("utf-8") for ending in ("html", "css"))
    return f"<style>{style}</style>{page}"


def page(scene: Scene, title: str, caption: str, credits: str, recipe: str) -> bytes:
    """The file.

    Parameters
    ----------
    title, caption
        What it shows, in a line and in full.
    credits
        Where the data are from, and their license.
    recipe
        JSON that reproduces it; the file offers it.
    """
    parts = {
        "modules": modules().encode(),
        "message": scene.message("page", TALLEST),
        "texts": scene.text_file[0],
        "sprite": scene.pictures,
    }
    texts = {"title": title, "caption": caption, "credits": credits, "recipe": recipe}
    own = {name: (ASSETS / file).read_text("utf-8") for name, file in OWN_FILES.items()}
    filled = {
        **{name: _packed(content) for name, content in parts.items()},
        **{name: html.escape(text) for name, text in texts.items()},
        **own,
    }
    start, *others = (ASSETS / "page.html").read_text("utf-8").split("<!--%")
    pieces = [start]
    for other in others:
        name, _, rest = other.partition("%-->")
        pieces += [filled[name], rest]
    return "".join(pieces).encode("utf-8", "replace")


def _packed(content: bytes) -> str:
    """Bytes as text that no markup is in: deflated, in base64."""
    return base64.b64encode(zlib.compress(content, 9)).decode()
