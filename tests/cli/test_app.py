"""`relviz app`: what it hands to Streamlit, and how it ends."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from relviz.cli import app
from relviz.cli.main import main
from relviz.compute import installation
from relviz.ui import server

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What was served, with which options, and the code of the end; nothing is."""
    seen: list[object] = []

    def serve(script: Path, options: Mapping[str, object]) -> None:
        seen.extend([script, dict(options)])

    monkeypatch.setattr(server, "serve", serve)
    monkeypatch.setattr(app, "_end", seen.append)
    return seen


def test_a_clone_serves_its_own_app(started: list[object]) -> None:
    assert main(["app"]) == 0
    assert started == [ROOT / "app.py", {}, 0]


def test_an_installed_copy_serves_the_app_within_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installation, "PACKAGE", tmp_path / "relviz")
    monkeypatch.setattr(app, "PACKAGE", tmp_path / "relviz")
    assert app.app_file() == tmp_path / "relviz" / "_app" / "app.py"


def test_it_says_where_to_answer(started: list[object]) -> None:
    main(["app", "--port", "8600", "--address", "0.0.0.0", "--no-browser"])
    assert started[1] == {"server.port": 8600, "server.address": "0.0.0.0", "server.headless": "true"}


@pytest.mark.parametrize("port", ["0", "65536", "-1", "http", ""])
def test_a_port_that_is_none_is_refused(
    port: str, started: list[object], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["app", f"--port={port}"])
    assert "from 1 to 65535" in capsys.readouterr().err
    assert not started


def test_ctrl_c_gives_130(
    started: list[object], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(server, "serve", interrupted)
    main(["app"])
    assert started == [130]
    assert capsys.readouterr().err == "Interrupted.\n"


def test_an_address_that_is_not_of_this_machine_is_named(
    started: list[object], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def unknown(*_: object) -> None:
        raise OSError(99, "Cannot assign requested address")

    monkeypatch.setattr(server, "serve", unknown)
    assert main(["app", "--address", "192.0.2.1"]) == 1
    assert "cannot listen on 192.0.2.1:8501" in capsys.readouterr().err
    assert not started
