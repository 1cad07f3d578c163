"""The notebook is its source, its outputs are what running it gives, and a figure in it is small."""

import base64
import json
import re
from typing import Any

import pytest

from tests.notebook import NOTEBOOK, cells, run

KEPT = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
LARGEST = 300_000
NUMBER = re.compile(r"\d+(?:\.\d+)?")


def said(outputs: list[dict[str, Any]]) -> list[str]:
    """What was printed, and values and tables as text; no pictures."""
    found = []
    for output in outputs:
        for form, text in sorted(output.get("data", {"": output.get("text")}).items()):
            if form != "image/png":
                found.append("".join(text))
    return found


def numbers(outputs: list[dict[str, Any]]) -> list[float]:
    """The numbers in it, whose last digits another machine may have otherwise."""
    return [float(number) for text in said(outputs) for number in NUMBER.findall(text)]


def test_the_notebook_has_the_cells_of_its_source() -> None:
    assert [(cell["cell_type"], "".join(cell["source"])) for cell in KEPT["cells"]] == cells()
    assert (KEPT["nbformat"], KEPT["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in KEPT["cells"]}) == len(KEPT["cells"])


@pytest.mark.slow
def test_its_code_runs_and_says_what_is_kept() -> None:
    kept = [cell["outputs"] for cell in KEPT["cells"] if cell["cell_type"] == "code"]
    made = run([text for kind, text in cells() if kind == "code"])
    for now, then in zip(made, kept, strict=True):
        assert [NUMBER.sub("#", text) for text in said(now)] == [NUMBER.sub("#", text) for text in said(then)]
        assert numbers(now) == pytest.approx(numbers(then), rel=0.05, abs=0.02)
    pictures = [
        base64.b64decode(output["data"]["image/png"])
        for outputs in kept
        for output in outputs
        if "image/png" in output.get("data", {})
    ]
    assert len(pictures) == 1
    assert pictures[0].startswith(b"\x89PNG")
    assert NOTEBOOK.stat().st_size < LARGEST
