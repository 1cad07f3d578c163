"""The files of components in the browser: JavaScript modules, a page and a style, served as they lie.

Their address holds a digest of their content. So a browser keeps them for good, and asks anew after an
upgrade.
"""

import hashlib
from functools import cache
from os import PathLike, stat_result
from pathlib import Path

import streamlit as st
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount
from starlette.staticfiles import StaticFiles
from starlette.types import Scope
from streamlit.runtime import get_instance

from relviz.plotting.linked_map.page import ASSETS as FOLDER

LINKED_MAP, HOME, LEARN = "linked_map", "home", "learn"
"""The components that have such files."""
KEPT_SECONDS = 365 * 24 * 3600


class _Kept(StaticFiles):
    """Files that never change at their address."""

    def file_response(
        self, full_path: str | PathLike[str], stat_result: stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        response = super().file_response(full_path, stat_result, scope, status_code)
        response.headers["Cache-Control"] = f"public, max-age={KEPT_SECONDS}, immutable"
        return response


def asset_routes() -> list[BaseRoute]:
    """What the server gives beside Streamlit's own files; for ``st.App``."""
    return [Mount(assets_path(of), _Kept(directory=_folder(of))) for of in (LINKED_MAP, HOME, LEARN)]


def assets_path(of: str = LINKED_MAP) -> str:
    """The path under which this server gives the files of a component."""
    return based(f"/{of}/{_digest(of)}")


@cache
def loader() -> str:
    """The few lines that Streamlit carries in every message."""
    return (FOLDER / "loader.js").read_text("utf-8")


def served(content: bytes, mimetype: str, place: str) -> str:
    """The path at which this server gives some bytes to the browser, for as long as the page uses them.

    ``place`` names what they are for; new bytes take the place of the old.
    """
    return based(get_instance().media_file_mgr.add(content, mimetype, f"relviz.{place}"))


def _folder(of: str) -> Path:
    return FOLDER if of == LINKED_MAP else Path(__file__).parents[1] / of / "assets"


@cache
def _digest(of: str) -> str:
    digest = hashlib.sha256()
    for file in sorted(_folder(of).iterdir()):
        digest.update(file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:16]


def based(path: str) -> str:
    """A path of this server, below the folder that it answers in."""
    base = str(st.get_option("server.baseUrlPath")).strip("/")
    return f"/{base}{path}" if base else path
