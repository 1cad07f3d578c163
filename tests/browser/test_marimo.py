"""A map in marimo: what the lasso selects on it reaches the cells that read it."""

from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, expect

from tests.browser.map_screen import lasso, within
from tests.browser.notebooks import serving
from tests.browser.server import free_port

pytest.importorskip("marimo", reason="marimo is not installed: pip install marimo")
pytest.importorskip("anywidget", reason="anywidget is not installed: pip install 'relviz[notebook]'")

N = 300
NOTEBOOK = f"""
import marimo

app = marimo.App()


@app.cell
def _():
    import marimo as mo
    import numpy as np
    import relviz

    x = np.random.default_rng(0).normal(size=({N}, 8))
    maps = relviz.project([x, x[:, ::-1]], fit="independent")
    shown = mo.ui.anywidget(relviz.show(maps, items=[f"item {{i}}" for i in range({N})]))
    shown
    return mo, shown


@app.cell
def _(mo, shown):
    mo.md("read " + " ".join(map(str, shown.selected)))
    return


if __name__ == "__main__":
    app.run()
"""
MAP = "host => host.shadowRoot.querySelector('.relviz-map').relvizMap"


def test_cells_follow_what_is_selected_on_the_map(tmp_path: Path, browser: Browser) -> None:
    address = f"http://localhost:{(port := free_port())}"
    (tmp_path / "map.py").write_text(NOTEBOOK)
    options = ("--headless", "--no-token", f"--port={port}")
    with serving(tmp_path, address, "marimo", "run", "map.py", *options):
        page = browser.new_page(viewport={"width": 1280, "height": 1000})
        page.goto(address)
        widget = page.locator(".relviz-widget > div:last-child")
        widget.wait_for(timeout=90_000)
        page.wait_for_timeout(1000)  # what is below comes in, and the page may scroll
        read = f"Array.from({{ length: {N} }}, (_, row) => Object.values(({MAP})(host).pixel(0, row)))"
        before = np.array(widget.evaluate(f"host => {read}"))
        ring = lasso(page, 0, radius=60)
        rows = np.flatnonzero(within(before, ring)).tolist()
        assert 5 < len(rows) < N
        expect(page.get_by_text(f"read {' '.join(map(str, rows))}", exact=True)).to_be_visible(timeout=60_000)
        page.close()
