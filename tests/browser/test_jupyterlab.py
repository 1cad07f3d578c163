"""A map in JupyterLab itself: shown, selected in with the lasso, read and set in Python."""

import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.map_screen import lasso, places, state, within
from tests.browser.server import ROOT, free_port

pytest.importorskip("jupyterlab", reason="JupyterLab is not installed: pip install jupyterlab")
pytest.importorskip("anywidget", reason="anywidget is not installed: pip install 'relviz[notebook]'")

N = 300
CELLS = (
    f"""import numpy as np, relviz
x = np.random.default_rng(0).normal(size=({N}, 8))
maps = relviz.project([x, x[:, ::-1]], fit="independent")
shown = relviz.show(maps, items=[f"item {{i}}" for i in range({N})])
shown""",
    'print("read", *shown.selected.tolist())',
    "shown.selected = [3, 5]",
)
NOTEBOOK = {
    "cells": [
        {
            "cell_type": "code",
            "id": f"c{at}",
            "metadata": {},
            "outputs": [],
            "execution_count": None,
            "source": cell,
        }
        for at, cell in enumerate(CELLS)
    ],
    "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
    "nbformat": 4,
    "nbformat_minor": 5,
}


@pytest.fixture(scope="module")
def jupyterlab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a JupyterLab whose folder has the notebook, and whose kernels import relviz."""
    folder, port = tmp_path_factory.mktemp("jupyterlab"), free_port()
    (folder / "map.ipynb").write_text(json.dumps(NOTEBOOK))
    places_of = {
        name: str(folder / name.lower()) for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR", "HOME")
    }
    environment = os.environ | places_of | {"PYTHONPATH": str(ROOT), "RELVIZ_CACHE": str(folder / "cache")}
    options = (
        "--no-browser",
        "--allow-root",
        f"--port={port}",
        "--IdentityProvider.token=",
        f"--notebook-dir={folder}",
    )
    with (folder / "log.txt").open("w") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "jupyterlab", *options],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    address = f"http://localhost:{port}"
    try:
        _wait_for(f"{address}/api", process)
        yield address
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(30)


def _wait_for(address: str, process: subprocess.Popen[bytes], patience: float = 90.0) -> None:
    end = time.monotonic() + patience
    while process.poll() is None and time.monotonic() < end:
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except OSError:
            time.sleep(0.2)
    pytest.fail("JupyterLab did not start.")


def run(page: Page, cell: int) -> None:
    page.locator(".jp-CodeCell .cm-content").nth(cell).click()
    page.keyboard.press("Control+Enter")


def test_a_map_is_shown_selected_in_and_read(jupyterlab: str, browser: Browser) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 1000})
    page.goto(f"{jupyterlab}/lab/tree/map.ipynb")
    expect(page.locator(".jp-CodeCell")).to_have_count(len(CELLS), timeout=90_000)
    run(page, 0)
    widget = page.locator(".relviz-widget > div:last-child")
    widget.wait_for(timeout=90_000)
    widget.evaluate("host => { host.id = 'map'; }")
    assert state(page)["drawn"] == [N] * 2

    page.wait_for_timeout(1000)  # the notebook scrolls to what has come
    before = places(page, 0, range(N))
    rows = np.flatnonzero(within(before, lasso(page, 0, radius=60))).tolist()
    assert 5 < len(rows) < N
    assert state(page)["marked"] == [rows] * 2
    run(page, 1)
    said = page.locator(".jp-CodeCell").nth(1).locator(".jp-OutputArea-output")
    expect(said).to_have_text(f"read {' '.join(map(str, rows))}", timeout=60_000)

    run(page, 2)
    expect(page.get_by_text(f"2 of {N} selected")).to_be_visible(timeout=60_000)
    assert state(page)["marked"] == [[3, 5]] * 2
    page.close()
