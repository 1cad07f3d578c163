"""The code's version changes with every source that makes results, and with nothing else."""

import re
import sys
from importlib import metadata

import pytest

from relviz.compute import version
from relviz.compute.version import code_version


@pytest.fixture
def root(tmp_path):
    for name, text in {
        "a.py": "one",
        "room/b.py": "two",
        "ui/page.py": "x",
        "demos/sources/x.py": "x",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def asked_anew(root):
    code_version.cache_clear()
    version.installed.cache_clear()
    return code_version(root)


def test_it_is_the_same_for_the_same_sources_and_32_hex_digits(root):
    assert asked_anew(root) == asked_anew(root)
    assert re.fullmatch("[0-9a-f]{32}", asked_anew(root))


@pytest.mark.parametrize(
    "change",
    [
        lambda root: (root / "a.py").write_text("One"),
        lambda root: (root / "room/b.py").write_text("two "),
        lambda root: (root / "room/c.py").write_text(""),
        lambda root: (root / "room/b.py").unlink(),
        lambda root: (root / "a.py").rename(root / "aa.py"),
        lambda root: ((root / "a.py").write_text("oneroom/b.pytwo"), (root / "room/b.py").unlink()),
        lambda root: ((root / "a.py").write_text("two"), (root / "room/b.py").write_text("one")),
    ],
)
def test_it_changes_with_a_source(root, change):
    before = asked_anew(root)
    change(root)
    assert asked_anew(root) != before


@pytest.mark.parametrize("name", ["ui/page.py", "demos/sources/x.py", "demos/build.py", "room/notes.txt"])
def test_what_makes_no_results_does_not_count(root, name):
    before = asked_anew(root)
    (root / name).write_text("changed")
    assert asked_anew(root) == before


@pytest.mark.parametrize("package", ["torch", "numpy", "scikit-learn", "umap-learn", "openTSNE"])
def test_it_changes_with_the_version_of_a_numerical_package(root, monkeypatch, package):
    before, installed = asked_anew(root), metadata.version
    monkeypatch.setattr(version, "version", lambda name: "0.0" if name == package else installed(name))
    assert asked_anew(root) != before


def test_a_package_that_is_not_installed_is_no_error(root, monkeypatch):
    before = asked_anew(root)
    absent = {"no-such-package-anywhere": "nothing"}
    monkeypatch.setattr(version, "NUMERICAL", version.NUMERICAL | absent)
    assert asked_anew(root) != before


def test_of_the_library_itself_it_is_found_once_and_without_importing_anything():
    code_version.cache_clear()
    loaded = set(sys.modules)
    first = code_version()
    assert code_version() is first
    assert set(sys.modules) == loaded


def test_every_place_that_does_not_count_is_there():
    library = version.PACKAGE
    missing = [str(place) for place in version._WITHOUT_RESULTS if not (library / place).exists()]
    assert missing in ([], ["_app"])
