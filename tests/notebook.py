"""docs/notebook.ipynb, made of docs/notebook.md and run: ``python -m tests.notebook``."""

import ast
import base64
import io
import json
import os
import re
import tempfile
from contextlib import chdir, redirect_stdout
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parent.parent / "docs"
SOURCE, NOTEBOOK = DOCS / "notebook.md", DOCS / "notebook.ipynb"
CODE = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SHOWN = {"image/png": "_repr_png_", "text/markdown": "_repr_markdown_"}
"""What a notebook shows of a value, by the method that it asks for it."""


def cells() -> list[tuple[str, str]]:
    """Kind and text of each cell of the source, in their order."""
    parts = CODE.split(SOURCE.read_text(encoding="utf-8"))
    named = [("code" if place % 2 else "markdown", part.strip()) for place, part in enumerate(parts)]
    return [(kind, text) for kind, text in named if text]


def run(codes: list[str]) -> list[list[dict[str, Any]]]:
    """The outputs of cells that are run one after the other, as a notebook keeps them."""
    names: dict[str, Any] = {"__name__": "__main__"}
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        return [_outputs(code, names, number) for number, code in enumerate(codes, 1)]


def _outputs(code: str, names: dict[str, Any], number: int) -> list[dict[str, Any]]:
    tree = ast.parse(code)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    value = None
    with redirect_stdout(printed):
        exec(compile(tree, f"cell {number}", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), names)
    found: list[dict[str, Any]] = []
    if printed.getvalue():
        found.append({"output_type": "stream", "name": "stdout", "text": _lines(printed.getvalue())})
    if value is not None:
        data = _data(value)
        found.append(
            {"output_type": "execute_result", "execution_count": number, "metadata": {}, "data": data}
        )
    return found


def _data(value: Any) -> dict[str, Any]:
    found: dict[str, Any] = {"text/plain": _lines(repr(value))}
    for form, method in SHOWN.items():
        shown = getattr(value, method)() if hasattr(value, method) else None
        if isinstance(shown, bytes):
            found[form] = base64.b64encode(shown).decode() + "\n"
        elif shown is not None:
            found[form] = _lines(shown)
    return found


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def notebook() -> dict[str, Any]:
    """The notebook, run."""
    every = cells()
    outputs = iter(run([text for kind, text in every if kind == "code"]))
    made: list[dict[str, Any]] = []
    for place, (kind, text) in enumerate(every):
        cell: dict[str, Any] = {"cell_type": kind, "id": f"cell-{place}", "metadata": {}}
        cell["source"] = _lines(text)
        if kind == "code":
            number = 1 + sum(one["cell_type"] == "code" for one in made)
            cell |= {"execution_count": number, "outputs": next(outputs)}
        made.append(cell)
    about = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    return {"cells": made, "metadata": about, "nbformat": 4, "nbformat_minor": 5}


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as cache:
        os.environ["RELVIZ_CACHE"] = cache
        text = json.dumps(notebook(), indent=1, ensure_ascii=False, sort_keys=True)
    NOTEBOOK.write_text(text + "\n", encoding="utf-8")
