"""The map in a file of its own, in Firefox, opened from disk with the network cut."""

import math
from pathlib import Path

import numpy as np
import pytest

from relviz.plotting.linked_map.page import page as map_page
from tests.browser.firefox import FIREFOX, Firefox, opened
from tests.browser.map_screen import within
from tests.plotting.scenes import scene

N = 300
MAP = "document.querySelector('#map')?.shadowRoot?.querySelector('.relviz-map')"
PROBE = f"{MAP}?.relvizMap"


def places(firefox: Firefox, pane: int) -> np.ndarray:
    """Where all rows are drawn on the page, ``(n, 2)``."""
    found = firefox.evaluate(f"Array.from({{ length: {N} }}, (_, row) => {PROBE}.pixel({pane}, row))")
    return np.array([[at["x"], at["y"]] for at in found])


def press(firefox: Firefox, selector: str) -> None:
    firefox.evaluate(f"{MAP}.querySelector(`{selector}`).click()")


@pytest.mark.skipif(
    not FIREFOX, reason="There is no Firefox on the path; on Debian: apt-get install firefox-esr"
)
def test_a_file_is_worked_in_firefox_without_a_network(tmp_path: Path) -> None:
    path, profile = tmp_path / "maps.html", tmp_path / "profile"
    path.write_bytes(map_page(scene(N), "A and B", "What it shows.", "Data: made up.", '{"kind": "maps"}'))
    profile.mkdir()
    with opened(path.as_uri(), profile) as firefox:
        firefox.wait_for(f"{PROBE} && {PROBE}.state().frames > 0 && !{PROBE}.state().moving")
        assert firefox.evaluate(f"{PROBE}.state().drawn") == [N] * 2
        assert min(firefox.evaluate(f"{PROBE}.painted()")) > 500

        before = places(firefox, 0)
        firefox.drag([tuple(before[7] + [3, 3]), tuple(before[7])], presses=False)
        pointed = firefox.evaluate(f"{PROBE}.state().pointed")
        assert np.linalg.norm(before[pointed] - before[7]) < 2
        firefox.wait_for(f"{MAP}.querySelector('.tooltip .item').textContent === 'item {pointed}'")

        press(firefox, "button[data-mode=lasso]")
        middle = before.mean(0)
        turns = [2 * math.pi * at / 24 for at in range(24)]
        corners = [
            (float(x), float(y))
            for x, y in np.round(middle + [[60 * math.cos(one), 60 * math.sin(one)] for one in turns])
        ]
        firefox.drag(corners)
        rows = np.flatnonzero(within(before, corners)).tolist()
        assert 5 < len(rows) < N
        assert firefox.evaluate(f"{PROBE}.state().marked") == [rows] * 2

        firefox.evaluate(f"{MAP}.querySelector('.search').focus()")
        firefox.write("item 29")
        firefox.wait_for(f"{PROBE}.state().selected.length === 11")
        assert firefox.evaluate(f"{PROBE}.state().selected") == [29, *range(290, 300)]

        firefox.evaluate("document.querySelector('#views button').click()")
        firefox.wait_for(f"!{PROBE}.state().moving")
        assert np.abs(places(firefox, 0) - before).max() > 20
        assert firefox.evaluate(f"{PROBE}.state().selected") == [29, *range(290, 300)]
        color = f"getComputedStyle({MAP}).backgroundColor"
        looks = {firefox.evaluate(color)}
        firefox.evaluate("document.querySelector('#theme').click()")
        assert len(looks | {firefox.evaluate(color)}) == 2
