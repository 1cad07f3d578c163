"""The JavaScript of the linked map: modules that are joined into one when Python starts.

They import each other by name in one folder, so that each can be read and tested alone; joined, they
need no build step and one request.
"""

import json
import re
from functools import cache
from pathlib import Path

import streamlit as st
from streamlit.runtime import get_instance

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


def served(content: bytes, mimetype: str, place: str) -> str:
    """The path at which this server gives some bytes to the browser, for as long as the page uses them.

    ``place`` names what they are for; new bytes take the place of the old.
    """
    path = get_instance().media_file_mgr.add(content, mimetype, f"relviz.{place}")
    base = str(st.get_option("server.baseUrlPath")).strip("/")
    return f"/{base}{path}" if base else path
