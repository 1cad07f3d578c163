"""The counts of ``python -m tests.structure`` on a small tree whose counts are known."""

import subprocess
from pathlib import Path

import pytest

from tests.structure import (
    ROOT,
    STORED,
    File,
    anys,
    counts,
    main,
    source,
    string_accesses,
    take_the_view,
    with_one_importer,
)

FILES = {
    "app.py": "import relviz.ui.page\n",
    "pages/one.py": "from relviz.ui import page\nfrom relviz import kernel\n",
    "relviz/__init__.py": "",
    "relviz/kernel.py": "from typing import Any\n\n\ndef _read(x: Any) -> Any: ...\n",
    "relviz/ui/__init__.py": "from .table import show\n",
    "relviz/ui/page.py": "def draw(view): ...\n\n\ndef plain(x: int, *, views: int) -> None: ...\n",
    "relviz/ui/table.py": """from relviz.kernel import _read as other
from relviz.ui import page


def _read(first: int, state: "View | None" = None): ...


class Shown:
    def draw(self, *, state: page.View): ...


def show(made):
    return made.meta["rows"], made.arrays["x"], made.arrays["y"], made.meta[0], made.other["rows"]
""",
    "relviz/table.py": "x = 1\n" * 70,
    "tests/test_one.py": "import relviz.kernel\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


def test_the_counts_of_a_small_tree(root: Path) -> None:
    found = counts(root)
    assert list(found.values()) == [
        *("8", "95", "3", "7", "70 (relviz/table.py)"),
        *("1", "1", "`table.py` 2", "1", "`_read` 2"),
        *("3", "3 (meta 1, arrays 2)", "1", "2", "2 (relviz/ui/table.py)", "1", "1"),
    ]


def test_who_imports_and_who_takes_the_view(root: Path) -> None:
    files = source(root, "relviz", "pages", "app.py")
    assert with_one_importer(files) == ["relviz.ui.table"]
    assert sorted(take_the_view(files)) == [
        "relviz.ui.page.draw",
        "relviz.ui.table._read",
        "relviz.ui.table.draw",
    ]


def test_a_revision_stands_beside_what_is_there_now(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"]):
        subprocess.run([*git, *command], cwd=root, check=True)
    (root / "relviz/more.py").write_text("", encoding="utf-8")
    main(["--root", str(root), "--against", "HEAD"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "|  | HEAD | now |"
    assert lines[2] == "| Python files | 8 | 9 |"


MOST_WITH_THE_VIEW = 20
"""Functions that may take the whole view: it is resolved once, and everything else takes what it uses."""
MOST_BY_NAME = 10
"""Accesses to parts of stored results by their names: results are typed."""
MOST_ANYS, MOST_ANYS_ON_SCREEN = 150, 20
"""Uses of ``Any`` in all, and in figures and on screen."""


@pytest.fixture(scope="module")
def files() -> list[File]:
    """The library and its pages."""
    return source(ROOT, "relviz", "pages", "app.py")


def test_few_functions_take_the_whole_view(files: list[File]) -> None:
    found = take_the_view(files)
    assert len(found) < MOST_WITH_THE_VIEW, found


def test_few_parts_of_stored_results_are_asked_for_by_name(files: list[File]) -> None:
    found = [string_accesses(files, name) for name in STORED]
    assert sum(sum(one.values()) for one in found) < MOST_BY_NAME, found


def test_code_says_what_it_holds(files: list[File]) -> None:
    assert anys(files) < MOST_ANYS
    on_screen = [one for one in files if one.path.startswith(("relviz/figures/", "relviz/ui/", "pages/"))]
    assert anys(on_screen) < MOST_ANYS_ON_SCREEN
