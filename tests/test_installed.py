"""The wheel: it holds the whole library and its app, and works from any folder without the clone."""

import importlib.util
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterator
from email.parser import Parser
from pathlib import Path

import pytest

import relviz
from relviz.compute.version import code_version

ROOT = Path(__file__).resolve().parent.parent
APP = ["app.py", ".streamlit/config.toml"]
MOST_BYTES = 40_000_000
PATIENCE = 60.0
"""Seconds that an installed program may take."""

pytestmark = pytest.mark.skipif(
    not all(map(importlib.util.find_spec, ("pip", "hatchling", "hatch_requirements_txt"))),
    reason="what builds the wheel is not here; pip install -r tests/requirements.txt",
)


def pip(*words: str) -> None:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", *words, "--no-deps", "--no-index"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    pip("wheel", ".", "--no-build-isolation", "--wheel-dir", str(folder))
    (made,) = folder.iterdir()
    return made


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds the library, and its command in ``bin``."""
    folder = tmp_path_factory.mktemp("installed")
    pip("install", str(wheel), "--target", str(folder))
    return folder


@pytest.fixture
def elsewhere(installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current folder; programs started from it find the installed copy and a cache of their own."""
    others = [
        path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path and path != str(ROOT)
    ]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(installed), *others]))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user"))
    monkeypatch.delenv("RELVIZ_CACHE")
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    return tmp_path / "empty"


def ran(*command: str) -> str:
    """What a program says; its failure is shown."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    return done.stdout


def tracked(*folders: str) -> set[str]:
    """The clone's own files in some folders, those that git does not know yet among them."""
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", *folders]
    found = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    return {name for name in found if (ROOT / name).exists()}


def test_it_holds_the_library_and_the_app_and_nothing_else(wheel: Path) -> None:
    origins = {name: name for name in tracked("relviz")}
    origins |= {f"relviz/_app/{name}": name for name in (*APP, *tracked("pages"))}
    with zipfile.ZipFile(wheel) as held:
        names = {name for name in held.namelist() if ".dist-info/" not in name}
        assert names == set(origins)
        changed = [name for name in names if held.read(name) != (ROOT / origins[name]).read_bytes()]
    assert not changed
    assert "relviz/py.typed" in names
    assert wheel.stat().st_size < MOST_BYTES


def test_it_needs_what_the_requirements_list(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as held:
        (name,) = (name for name in held.namelist() if name.endswith(".dist-info/METADATA"))
        said = Parser().parsestr(held.read(name).decode())

    def packages(lines: list[str]) -> list[str]:
        names = [re.split(r"[^\w.-]", line)[0] for line in lines]
        return sorted(re.sub(r"[-_.]+", "-", name).lower() for name in names)

    assert said["Version"] == relviz.__version__
    needed = [line for line in said.get_all("Requires-Dist", []) if "extra ==" not in line]
    assert packages(needed) == packages((ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines())


DRAWN = """
import json, os
from streamlit.testing.v1 import AppTest
from relviz.cli.app import app_file
from relviz.cli.main import main
from relviz.compute.version import code_version
page = AppTest.from_file(str(app_file()), default_timeout=60).run()
main(["figure", "--list"])
main(["compare", "glosses", "--anchors", "50", "--runs", "1"])
said = {"exceptions": [shown.value for shown in page.exception], "maps": len(page.get("bidi_component"))}
print(json.dumps(said | {"version": code_version()}), flush=True)
os._exit(0)  # what is computed in the background is not waited for
"""


@pytest.mark.slow
def test_its_commands_and_first_map_are_those_of_the_clone_s_code_from_any_folder(elsewhere: Path) -> None:
    *listed, said = ran(sys.executable, "-P", "-c", DRAWN).splitlines()
    assert any("rr-table-1" in line for line in listed)
    assert any("1,450 queries" in line for line in listed)
    assert list((elsewhere.parent / "user" / "relviz").glob("*.safetensors"))
    assert not list(elsewhere.iterdir())
    assert json.loads(said) == {"exceptions": [], "maps": 1, "version": code_version()}


@pytest.fixture
def app(installed: Path, elsewhere: Path) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """The installed app, and its port; started where another app's configuration opens to everybody."""
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        port = probe.getsockname()[1]
    (elsewhere / ".streamlit").mkdir()
    (elsewhere / ".streamlit" / "config.toml").write_text('[server]\naddress = "0.0.0.0"\n')
    command = [sys.executable, str(installed / "bin" / "relviz"), "app", "--port", str(port), "--no-browser"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        until = time.monotonic() + PATIENCE
        while not answers("localhost", port):
            assert process.poll() is None
            assert time.monotonic() < until
            time.sleep(0.2)
        yield process, port
    finally:
        process.kill()
        process.wait()


def answers(host: str, port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://{host}:{port}/_stcore/health", timeout=2) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, TimeoutError):
        return False


def test_its_app_answers_to_this_machine_alone_and_ends_at_ctrl_c(
    app: tuple[subprocess.Popen[bytes], int],
) -> None:
    process, port = app
    assert not answers("127.0.0.2", port)  # where a server that listens everywhere would answer
    process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE) in (0, 130)  # 0 where Streamlit hears of it first
