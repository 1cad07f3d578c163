"""The files of the linked map in the browser: what is served under which address."""

import re
from pathlib import Path

import pytest
import streamlit as st
from starlette.applications import Starlette
from starlette.testclient import TestClient

from relviz.plotting.linked_map.page import ASSETS as FOLDER
from relviz.results.stories import KINDS
from relviz.ui.linked_map import assets as module
from relviz.ui.linked_map.assets import HOME, LEARN, _folder, asset_routes, assets_path, loader

OF_LEARN = _folder(LEARN)
MODULES = sorted((*FOLDER.glob("*.js"), *_folder(HOME).glob("*.js"), *_folder(LEARN).glob("*.js")))
IMPORTED = re.compile(r'^(?:import|export) .*? from "(.*?)";$', re.MULTILINE | re.DOTALL)


@pytest.fixture
def based(monkeypatch: pytest.MonkeyPatch) -> str:
    """A server that answers below a folder of its own."""
    monkeypatch.setattr(st, "get_option", {"server.baseUrlPath": "lab/maps"}.get)
    return "/lab/maps"


@pytest.mark.parametrize(
    ("name", "kind"),
    [("linked_map.js", "javascript"), ("linked_map.css", "css"), ("linked_map.html", "html")],
)
def test_files_are_given_as_they_lie_and_kept_by_the_browser(name: str, kind: str) -> None:
    got = TestClient(Starlette(routes=asset_routes())).get(f"{assets_path()}/{name}")
    assert got.content == (FOLDER / name).read_bytes()
    assert kind in got.headers["content-type"]
    assert "immutable" in got.headers["cache-control"]


def test_each_component_has_its_own_files() -> None:
    client = TestClient(Starlette(routes=asset_routes()))
    assert client.get(f"{assets_path(LEARN)}/learn.js").content == (OF_LEARN / "learn.js").read_bytes()
    assert client.get(f"{assets_path(LEARN)}/linked_map.js").status_code == 404


def test_every_kind_of_picture_is_drawn() -> None:
    listed = (OF_LEARN / "pictures.js").read_text("utf-8").partition("PICTURES = {")[2]
    assert set(re.findall(r"^  (\w+): \w+,$", listed, re.MULTILINE)) == set(KINDS)


def test_nothing_beside_the_files_is_given() -> None:
    client = TestClient(Starlette(routes=asset_routes()))
    for path in ("", "/", "/absent.js", "/../assets.py", "/%2e%2e/assets.py"):
        assert client.get(f"{assets_path()}{path}").status_code == 404


def test_the_address_changes_with_the_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = assets_path()
    (tmp_path / "linked_map.js").write_text("export const changed = true;\n")
    monkeypatch.setattr(module, "FOLDER", tmp_path)
    module._digest.cache_clear()
    try:
        assert assets_path() != before
    finally:
        monkeypatch.undo()
        module._digest.cache_clear()
    assert assets_path() == before


def test_a_server_below_a_folder_gives_them_there(based: str) -> None:
    assert assets_path().startswith(f"{based}/linked_map/")
    got = TestClient(Starlette(routes=asset_routes())).get(f"{assets_path()}/linked_map.js")
    assert got.status_code == 200


@pytest.mark.parametrize("file", MODULES, ids=lambda file: f"{file.parents[1].name} {file.stem}")
def test_a_module_imports_what_is_there_asks_no_other_machine_and_writes_no_markup(file: Path) -> None:
    code = file.read_text("utf-8")
    wanted = IMPORTED.findall(code)
    assert len(wanted) == len(re.findall(r"^import\b", code, re.MULTILINE))
    assert [name for name in wanted if not (file.parent / name).is_file()] == []
    assert "http://" not in code.replace("http://www.w3.org", "")
    assert ".innerHTML" not in code


def test_the_loader_is_sent_as_text_and_imports_nothing_beforehand() -> None:
    assert loader() == (FOLDER / "loader.js").read_text("utf-8")
    assert not IMPORTED.findall(loader())
