"""The shipped unit: systemd understands it, and it agrees with the settings that ship beside it."""

import configparser
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from relviz.cli.main import parser
from relviz.ui.operations.lifecycle import CANCEL_SECONDS
from tests.browser.server import ROOT
from tests.deployment.nginx import replaced

SERVER = ROOT / "docs" / "server"
UNIT = SERVER / "relviz.service"
PROGRAM = "/opt/relviz/bin/relviz"
VERIFY = shutil.which("systemd-analyze")


@pytest.fixture
def service() -> configparser.SectionProxy:
    unit = configparser.ConfigParser(interpolation=None)
    unit.optionxform = str  # type: ignore[assignment, method-assign]  # names keep their case
    unit.read(UNIT, encoding="utf-8")
    return unit["Service"]


@pytest.mark.skipif(not VERIFY, reason="There is no systemd-analyze")
def test_systemd_understands_every_line(tmp_path: Path) -> None:
    unit = tmp_path / UNIT.name
    here = replaced(UNIT.read_text(encoding="utf-8"), {PROGRAM: sys.executable})
    unit.write_text(here, encoding="utf-8")
    found = subprocess.run([VERIFY, "verify", "--man=no", unit], capture_output=True, text=True)
    assert (found.returncode, found.stderr) == (0, "")
    unit.write_text(here.replace("PrivateTmp=yes", "PrivateTemp=yes"), encoding="utf-8")
    found = subprocess.run([VERIFY, "verify", "--man=no", unit], capture_output=True, text=True)
    assert "PrivateTemp" in found.stderr


def test_its_command_is_one_of_relviz(service: configparser.SectionProxy) -> None:
    program, *arguments = shlex.split(service["ExecStart"])
    assert program == PROGRAM
    options = parser().parse_args(arguments)
    assert (options.port, options.address, options.no_browser) == (8501, None, True)


def test_it_leaves_time_to_drain_and_a_store_to_write_to(service: configparser.SectionProxy) -> None:
    settings = tomllib.loads((SERVER / "relviz.toml").read_text(encoding="utf-8"))
    assert float(service["TimeoutStopSec"]) > settings["work"]["drain_seconds"] + CANCEL_SECONDS
    assert settings["store"]["folder"] == f"/var/lib/{service['StateDirectory']}"
    variables = dict(one.split("=") for one in service["Environment"].split())
    assert variables["RELVIZ_SETTINGS"] == "/etc/relviz/relviz.toml"
    assert Path(variables["RELVIZ_FOLDERS"]).is_relative_to(settings["store"]["folder"])
