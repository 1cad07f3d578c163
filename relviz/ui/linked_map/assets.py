"""The JavaScript of the linked map: modules that are joined into one when Python starts.

They import each other by name in one folder, so that each can be read and tested alone; joined, they
need no build step and one request.
"""

import json
import re
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent / "assets"
_IMPORT = re.compile(r"^import [^;]*;\n", re.MULTILINE)
_EXPORT = re.compile(r"^export (?=function|const|class)", re.MULTILINE)
_WANTED = re.compile(r'^import .*? from "\./(\w+)\.js";$', re.MULTILINE | re.DOTALL)


@cache
def loader() -> str:
    """The few lines that Streamlit carries in every message."""
    return (FOLDER / "loader.js").read_text("utf-8")


@cache
def bundle() -> bytes:
    """The whole map as one module that exports ``mount``."""
    style = f"<style>{(FOLDER / 'linked_map.css').read_text('utf-8')}</style>"
    page = (FOLDER / "linked_map.html").read_text("utf-8")
    parts = {"template": f"const TEMPLATE = {json.dumps(style + page)};\n"}
    _join("linked_map", parts)
    return ("\n".join(parts.values()) + "\nexport { mount };\n").encode()


def _join(name: str, parts: dict[str, str]) -> None:
    """Add a module to the parts, after those that it imports."""
    if name in parts:
        return
    source = (FOLDER / f"{name}.js").read_text("utf-8")
    for wanted in _WANTED.findall(source):
        _join(wanted, parts)
    parts[name] = _EXPORT.sub("", _IMPORT.sub("", source))
