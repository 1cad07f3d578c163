"""Zips made to do harm: each is refused with figures, or loses what is wrong with it; nothing is written."""

import io
import os
import stat
import struct
import time
import tracemalloc
import zipfile
import zlib
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

import relviz
from relviz.items import PictureLimits, picture_files, read_pictures
from relviz.readers import pixels as picture_module
from tests.items import made
from tests.readers.made import here

GOOD = {"a.png": made.picture(1), "b.png": made.picture(2)}
END = struct.Struct("<4s4H2LH")
END64 = struct.Struct("<4sQ2H2L4Q")


def header(width: int, height: int) -> bytes:
    """A PNG that says how large it is, and holds next to nothing."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return (
            struct.pack(">L", len(content)) + kind + content + struct.pack(">L", zlib.crc32(kind + content))
        )

    head = chunk(b"IHDR", struct.pack(">2L5B", width, height, 8, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(b"\0" * 9)) + chunk(b"IEND", b"")


def bitmap(length: int) -> bytes:
    """A BMP of one color: it shrinks as nothing else does."""
    edge = int((length // 3) ** 0.5)
    file = io.BytesIO()
    Image.new("RGB", (edge, edge)).save(file, "BMP")
    return file.getvalue()


def named(name: str, content: bytes, **about: Any) -> tuple[zipfile.ZipInfo, bytes]:
    info = zipfile.ZipInfo("x")
    info.filename = name
    for what, value in about.items():
        setattr(info, what, value)
    return info, content


def member(raw: bytes, name: bytes, at: int, value: bytes) -> bytes:
    """Change a field in the list of members, counted from the entry's beginning."""
    entry = raw.rindex(name) - 46
    assert raw[entry:].startswith(b"PK\x01\x02")
    return raw[: entry + at] + value + raw[entry + at + len(value) :]


@pytest.mark.parametrize(
    "name", ["../../up.png", "/etc/root.png", "C:\\drive.png", "..\\up.png", "nul.png\0.png"]
)
def test_names_that_lead_out_are_left_out(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    if "\0" in name:
        raw = made.zipped([*GOOD.items(), ("nul.png?.png", made.picture(3))]).replace(b"png?", b"png\0")
    else:
        raw = made.zipped([*GOOD.items(), named(name, made.picture(3))])
    found = made.pictures(raw)
    assert found.ids == ("a", "b")
    assert found.notes == (f"1 of 3 files has a name that leads elsewhere and was left out: {name!r}",)
    assert not list(tmp_path.iterdir())


def test_links_and_encrypted_members_are_left_out() -> None:
    link = named("link.png", b"/etc/passwd", create_system=3, external_attr=(stat.S_IFLNK | 0o777) << 16)
    assert made.pictures(made.zipped([*GOOD.items(), link])).notes == (
        "1 of 3 files is a link and was left out: 'link.png'",
    )
    raw = member(made.zipped({**GOOD, "locked.png": made.picture(3)}), b"locked.png", 8, b"\1\0")
    assert made.pictures(raw).notes == ("1 of 3 files is encrypted and was left out: 'locked.png'",)
    alone = member(made.zipped({"locked.png": made.picture(3)}), b"locked.png", 8, b"\1\0")
    with pytest.raises(relviz.ReadError, match=r"x\.zip holds no images: 1 of 1 file is encrypted"):
        made.pictures(alone)


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_members_packed_otherwise_are_left_out(method: int) -> None:
    odd = named("odd.png", made.picture(3), compress_type=method)
    assert made.pictures(made.zipped([*GOOD.items(), odd])).notes == (
        "1 of 3 files is packed in a way that is not read and was left out: 'odd.png'",
    )


def test_of_repeated_names_the_last_is_kept() -> None:
    with pytest.warns(UserWarning, match="Duplicate name"):
        raw = made.zipped([("a.png", made.picture(9)), *GOOD.items()])
    found = made.pictures(raw)
    assert found.contents == tuple(GOOD.values())
    assert found.notes == ("1 of 3 files has the name of a later one and was left out: 'a.png'",)


def test_zips_in_a_zip_are_not_opened() -> None:
    inner = made.zipped({"c.png": made.picture(3)})
    assert made.pictures(made.zipped({**GOOD, "in.zip": inner, "in.png": inner})).notes == (
        "2 of 4 files are not images and were left out: 'in.png', 'in.zip'",
    )


def test_a_picture_of_a_billion_pixels_is_left_out() -> None:
    found = made.pictures(
        made.zipped({**GOOD, "wide.png": header(40_000, 25_000), "wider.png": header(9000, 9000)})
    )
    assert found.notes == (
        "2 of 4 files have more than 64,000,000 pixels, or 65,535 on a side, and were left out: 'wide.png', "
        "'wider.png'",
    )
    with pytest.raises(
        relviz.ReadError, match=r"have more than 700 pixels in total\. .*PictureLimits\(pixels="
    ):
        made.pictures(made.zipped(GOOD), limits=PictureLimits(pixels=700))


def test_blank_pictures_of_many_pixels_are_refused_together() -> None:
    file = io.BytesIO()
    Image.new("1", (7000, 7000)).save(file, "PNG")
    with pytest.raises(
        relviz.ReadError, match=r"have more than 147,000,000 pixels in \d+\.\d KiB, over 50 for each byte"
    ):
        made.pictures(made.zipped({f"{row}.png": file.getvalue() for row in range(4)}))


def test_a_picture_of_too_many_bytes_is_left_out_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("os.fork")
    monkeypatch.setattr(picture_files, "MAX_BYTES", 2000)
    large = made.picture(3, width=40, height=40)
    assert made.pictures(made.zipped({**GOOD, "large.png": large})).notes == (
        "1 of 3 files takes more than 50.0 MiB and was left out: 'large.png'",
    )
    assert picture_module.MAX_BYTES == 50 * 2**20


def test_a_bomb_is_refused_before_it_is_unpacked() -> None:
    block = bitmap(40_000_000)
    raw = made.zipped({f"{row}.bmp": block for row in range(4)}, compression=zipfile.ZIP_DEFLATED)
    assert len(raw) < 200_000
    tracemalloc.start()
    try:
        with pytest.raises(
            relviz.ReadError,
            match=r"unpack to 152 MiB, more than 200 times .* malicious.*ratio=\d+",
        ):
            made.pictures(raw)
        with pytest.raises(
            relviz.ReadError, match=r"x\.zip, unpacked, takes 152 MiB and the limit is 100 MiB"
        ):
            made.pictures(raw, limits=PictureLimits(memory=100 * 2**20, ratio=10_000))
        assert tracemalloc.get_traced_memory()[1] < 2**24
    finally:
        tracemalloc.stop()


def test_a_member_that_unpacks_to_more_than_it_says_is_damaged() -> None:
    raw = made.zipped({**GOOD, "liar.bmp": bitmap(30_000_000)}, compression=zipfile.ZIP_DEFLATED)
    lying = member(raw, b"liar.bmp", 24, struct.pack("<L", 1000))
    tracemalloc.start()
    try:
        found = made.pictures(lying)
        assert tracemalloc.get_traced_memory()[1] < 2**23
    finally:
        tracemalloc.stop()
    assert found.notes == ("1 of 3 files is a damaged image and was left out: 'liar.bmp'",)


def test_a_member_that_says_more_than_it_holds_is_counted_as_it_is() -> None:
    raw = made.zipped({**GOOD, "short.png": made.picture(3)}, compression=zipfile.ZIP_DEFLATED)
    found = made.pictures(member(raw, b"short.png", 24, struct.pack("<L", 40_000_000)))
    assert found.contents[-1] == made.picture(3)


def test_a_million_members_are_refused_before_they_are_listed() -> None:
    raw = made.zipped(GOOD)
    at = raw.rindex(b"PK\x05\x06")
    entry = raw[raw.index(b"PK\x01\x02") : at]
    many = raw[: at - len(entry)] + entry * 600_000
    begin = at - len(entry)
    honest = many + END.pack(b"PK\x05\x06", 0, 0, 65_535, 65_535, len(entry) * 600_000 & 0xFFFFFFFF, begin, 0)
    clock = time.process_time()
    with pytest.raises(
        relviz.ReadError, match=r"lists its files in \d+\.?\d* MiB and the limit is 32\.0 MiB"
    ):
        made.pictures(honest)
    with pytest.raises(
        relviz.ReadError, match=r"holds more than 200,000 files.*PictureLimits\(members=1200000\)"
    ):
        made.pictures(honest, limits=PictureLimits(directory=2**30))
    assert time.process_time() - clock < 2
    record = END64.pack(b"PK\x06\x06", 44, 45, 45, 0, 0, 10**6, 10**6, len(entry), begin)
    locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, begin + len(entry), 1)
    end = END.pack(b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)
    with pytest.raises(relviz.ReadError, match=r"holds more than 200,000 files.*members=1000000\)"):
        made.pictures(raw[:at] + record + locator + end)


def test_zip64_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zipfile, "ZIP_FILECOUNT_LIMIT", 1)
    raw = made.zipped(GOOD)
    assert b"PK\x06\x06" in raw
    assert made.pictures(raw).ids == ("a", "b")
    assert made.pictures(b"#!/bin/sh\n" + raw).ids == ("a", "b")


def test_a_directory_hidden_behind_a_false_zip64_locator_is_counted() -> None:
    raw = made.zipped(GOOD)
    at = raw.rindex(b"PK\x05\x06")
    locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, 0, 1)
    with pytest.raises(relviz.ReadError, match=r"lists its files in 1\d\d bytes and the limit is 1 byte"):
        made.pictures(raw[:at] + locator + raw[at:], limits=PictureLimits(directory=1))


@pytest.mark.parametrize("lost", [1, 10, 30, 200])
def test_a_zip_that_is_cut_off_is_refused(lost: int) -> None:
    with pytest.raises(relviz.ReadError, match=r"x\.zip (is truncated: the directory|cannot be read)"):
        made.pictures(made.zipped(GOOD)[:-lost])


def test_a_sparse_zip_is_refused_at_once(tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    path.write_bytes(made.zipped(GOOD))
    for size, message in [(2**40, "takes 1,024 GiB and the limit is 2.0 GiB"), (2**31, "is truncated")]:
        os.truncate(path, size)
        begin = time.perf_counter()
        with pytest.raises(relviz.ReadError, match=message):
            read_pictures(path)
        assert time.perf_counter() - begin < 1


PACKED = {
    method: made.zipped({**GOOD, "c/d.jpg": made.picture(3, "JPEG"), "e.txt": b"e"}, compression=method)
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
}


@settings(max_examples=200, deadline=None)
@given(data=st.data(), method=st.sampled_from([*PACKED]))
def test_damaged_zips_are_pictures_or_an_error_of_ours(data: st.DataObject, method: int) -> None:
    raw = bytearray(PACKED[method])
    # The list of members and what ends it are where damage does most.
    places = st.integers(0, len(raw) - 1) | st.integers(len(raw) - 300, len(raw) - 1)
    for place in data.draw(st.lists(places, min_size=1, max_size=6)):
        raw[place] = data.draw(st.integers(0, 255))
    with suppress(relviz.Error), here():
        found = made.pictures(bytes(raw[: len(raw) - data.draw(st.integers(0, 3))]))
        for side in (8, 300):
            assert found.pixels(range(len(found)), side).shape == (len(found), side, side, 3)
