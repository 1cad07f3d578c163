"""Archives are unpacked into their folder and nowhere else."""

import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from relviz.demos.sources.unpack import unpack
from relviz.errors import ReadError


def make_zip(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def make_tar(path: Path, files: dict[str, bytes], **fields) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            for field, value in fields.items():
                setattr(member, field, value)
            archive.addfile(member, io.BytesIO(content))
    return path


both_kinds = pytest.mark.parametrize("make", [make_zip, make_tar])


@pytest.fixture
def inner(tmp_path):
    folder = tmp_path / "a" / "inner"
    folder.mkdir(parents=True)
    return folder


def files_under(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


@both_kinds
def test_files_come_out_as_they_are(tmp_path, inner, make):
    archive = make(tmp_path / "x", {"package/a.txt": b"one", "package/deep/b.bin": bytes(range(256))})
    unpack(archive, inner)
    assert files_under(inner) == ["package/a.txt", "package/deep/b.bin"]
    assert (inner / "package/deep/b.bin").read_bytes() == bytes(range(256))


@both_kinds
@pytest.mark.parametrize(
    "name", ["../out.txt", "a/../../out.txt", "/relviz-out.txt", "a\\..\\out.txt", "C:/out.txt"]
)
def test_names_that_lead_out_are_refused(tmp_path, inner, make, name):
    archive = make(tmp_path / "x", {name: b"bad"})
    with pytest.raises(ReadError, match="leads out"):
        unpack(archive, inner)
    assert files_under(tmp_path) == ["x"]
    assert not Path("/relviz-out.txt").exists()


@both_kinds
def test_too_many_bytes_are_refused_before_they_are_written(tmp_path, inner, make):
    archive = make(tmp_path / "x", {"a": bytes(600), "b": bytes(600)})
    with pytest.raises(ReadError, match="more than 1000 bytes"):
        unpack(archive, inner, max_bytes=1000)
    assert files_under(inner) == ["a"]
    unpack(archive, tmp_path / "whole", max_bytes=1200)
    assert files_under(tmp_path / "whole") == ["a", "b"]


def test_a_size_that_lies_is_refused(tmp_path, inner):
    archive = make_zip(tmp_path / "x", {"a": bytes(5000)})
    content = archive.read_bytes()
    archive.write_bytes(content.replace((5000).to_bytes(4, "little"), (10).to_bytes(4, "little")))
    with pytest.raises(ReadError, match="cannot be unpacked"):
        unpack(archive, inner, max_bytes=1000)
    assert sum(path.stat().st_size for path in inner.rglob("*")) <= 1000


@both_kinds
def test_too_many_files_are_refused(tmp_path, inner, make):
    archive = make(tmp_path / "x", {"a": b"", "b": b"", "c": b""})
    with pytest.raises(ReadError, match="more than 2 files"):
        unpack(archive, inner, max_files=2)


@both_kinds
@pytest.mark.filterwarnings("ignore:Duplicate name:UserWarning")
def test_no_file_is_written_twice(tmp_path, inner, make):
    archive = make(tmp_path / "x", {"a": b"one", "./a": b"two"})
    with pytest.raises(ReadError, match="cannot be unpacked"):
        unpack(archive, inner)
    assert (inner / "a").read_bytes() == b"one"


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE])
def test_links_and_devices_are_refused(tmp_path, inner, kind):
    archive = make_tar(tmp_path / "x", {"a": b""}, type=kind, linkname="/etc/passwd")
    with pytest.raises(ReadError, match="no regular file"):
        unpack(archive, inner)
    assert files_under(inner) == []


def test_nothing_becomes_executable(tmp_path, inner):
    unpack(make_tar(tmp_path / "x", {"a": b"#!/bin/sh"}, mode=0o4777), inner)
    assert (inner / "a").stat().st_mode & 0o7111 == 0


@pytest.mark.parametrize("content", [b"", b"no archive", b"PK\x03\x04 broken"])
def test_what_is_no_archive_is_refused(tmp_path, inner, content):
    (tmp_path / "x").write_bytes(content)
    with pytest.raises(ReadError, match="cannot be unpacked"):
        unpack(tmp_path / "x", inner)


def test_half_an_archive_is_refused(tmp_path, inner):
    archive = make_tar(tmp_path / "x", {"a": bytes(range(256)) * 100})
    archive.write_bytes(archive.read_bytes()[:-60])
    with pytest.raises(ReadError, match="cannot be unpacked"):
        unpack(archive, inner)
