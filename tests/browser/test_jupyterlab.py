"""A map in JupyterLab itself: shown, selected in with the lasso, read and set in Python."""

import json
from collections.abc import Iterator

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.map_screen import lasso, places, state, within
from tests.browser.notebooks import serving
from tests.browser.server import free_port

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
    folder, address = tmp_path_factory.mktemp("jupyterlab"), f"http://localhost:{(port := free_port())}"
    (folder / "map.ipynb").write_text(json.dumps(NOTEBOOK))
    options = ("--no-browser", "--allow-root", f"--port={port}", "--IdentityProvider.token=")
    with serving(folder, f"{address}/api", "jupyterlab", *options, f"--notebook-dir={folder}"):
        yield address


def run(page: Page, cell: int) -> None:
    page.locator(".jp-CodeCell .cm-content").nth(cell).click()
    page.keyboard.press("Control+Enter")


def test_a_map_is_shown_selected_in_and_read(jupyterlab: str, browser: Browser) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 1000})
    page.goto(f"{jupyterlab}/lab/tree/map.ipynb")
    expect(page.locator(".jp-CodeCell")).to_have_count(len(CELLS), timeout=90_000)
    page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]").wait_for(timeout=90_000)
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
