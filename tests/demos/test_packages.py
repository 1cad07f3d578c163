"""Packages are fetched once, checked by digest, and the registry's complaints are passed on."""

import hashlib
import sys
import tarfile
from pathlib import Path

import pytest

from relviz.demos.sources import packages
from relviz.demos.sources.packages import Package, check, fetch, importable, installed
from relviz.errors import ReadError


def fake_registry(tmp_path: Path, monkeypatch, digest: str | None = None) -> Package:
    """A package whose download is a copy of a tiny archive."""
    (tmp_path / "hello.py").write_text("WORD = 'hello'")
    archive = tmp_path / "hello.tgz"
    with tarfile.open(archive, "w:gz") as opened:
        opened.add(tmp_path / "hello.py", "package/hello.py")
    package = Package("npm", "hello", "1.0", digest or hashlib.sha256(archive.read_bytes()).hexdigest())
    monkeypatch.setattr(packages, "_download", lambda _, inbox: ["cp", str(archive), str(inbox)])
    return package


def test_a_package_is_fetched_once_and_can_be_imported(tmp_path, monkeypatch):
    package = fake_registry(tmp_path, monkeypatch)
    folder = fetch(package, tmp_path / "kept")
    assert folder == tmp_path / "kept" / "npm-hello-1.0"
    with importable(folder / "package"):
        assert installed("hello", "hello").WORD == "hello"
    assert str(folder / "package") not in sys.path
    monkeypatch.setattr(packages, "_download", lambda *_: ["false"])
    assert fetch(package, tmp_path / "kept") == folder
    assert [path.name for path in (tmp_path / "kept").iterdir()] == ["npm-hello-1.0"]


def test_packages_may_be_kept_in_a_relative_folder(tmp_path, monkeypatch):
    package = fake_registry(tmp_path, monkeypatch)
    monkeypatch.chdir(tmp_path)
    assert (fetch(package, Path("kept")) / "package" / "hello.py").is_file()


def test_another_archive_than_the_one_expected_is_refused(tmp_path, monkeypatch):
    package = fake_registry(tmp_path, monkeypatch, digest="0" * 64)
    with pytest.raises(ReadError, match=r"npm hello 1\.0 has the SHA-256"):
        fetch(package, tmp_path / "kept")
    assert list((tmp_path / "kept").iterdir()) == []


def test_one_archive_is_expected(tmp_path):
    package = Package("pypi", "hello", "1.0", "")
    with pytest.raises(ReadError, match="gave 0 files"):
        check(tmp_path, package)


def test_a_client_that_fails_or_is_missing_is_named(tmp_path, monkeypatch):
    package = Package("npm", "hello", "1.0", "")
    monkeypatch.setattr(packages, "_download", lambda *_: ["ls", "/no/such/folder"])
    with pytest.raises(ReadError, match=r"ls could not fetch npm hello 1.0: .*No such file"):
        fetch(package, tmp_path)
    monkeypatch.setattr(packages, "_download", lambda *_: ["no-such-program"])
    with pytest.raises(ReadError, match="needs the program no-such-program"):
        fetch(package, tmp_path)


@pytest.mark.parametrize(
    ("registry", "words"),
    [
        ("pypi", ["pip", "download", "--no-deps", "--only-binary=:all:", "hello==1.0"]),
        ("npm", ["npm", "pack", "--ignore-scripts", "hello@1.0"]),
        ("debian", ["apt-get", "download", "hello=1.0"]),
    ],
)
def test_no_client_is_asked_to_run_code_of_the_package(tmp_path, registry, words):
    command = packages._download(Package(registry, "hello", "1.0", ""), tmp_path)
    assert [word for word in command if word in words] == words


def test_a_missing_module_is_named_with_what_to_install():
    with pytest.raises(ReadError, match=r"needs no_such_module: pip install no-such==1"):
        installed("no_such_module", "no-such==1")
