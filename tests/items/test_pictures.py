"""Pictures of zips, folders and lists: the same files are the same pictures."""

import io
import os
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

import relviz
from relviz.demos import load_demo
from relviz.demos.contact_sheet import cut
from relviz.encoders import as_pixels
from relviz.items import PictureLimits, read_pictures
from relviz.items.members import Member
from relviz.items.picture_files import picture_files
from relviz.items.pictures import MOST_SIDE
from relviz.readers.pixels import FORMATS
from tests.items import made
from tests.readers.made import here

FILES = {f"{kind}/img{row}.png": made.picture(row) for row, kind in [(10, "cat"), (2, "cat"), (1, "dog")]}
ORDERED = sorted(FILES, key=["cat/img2.png", "cat/img10.png", "dog/img1.png"].index)
HIDDEN = {".DS_Store": b"x", "__MACOSX/cat/._img2.png": b"x", "cat/Thumbs.db": b"x"}


def unpacked(folder: Path, files: dict[str, bytes]) -> Path:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


def test_zip_folder_and_list_hold_the_same_pictures(tmp_path: Path) -> None:
    every = {**FILES, **HIDDEN}
    path = tmp_path / "mine.zip"
    path.write_bytes(made.zipped(every, compression=zipfile.ZIP_DEFLATED))
    inner = {f"packed/{name}": content for name, content in reversed(every.items())}
    for found, name in [
        (read_pictures(path), "mine"),
        (read_pictures(str(unpacked(tmp_path / "folder", every))), "folder"),
        (read_pictures(list(every.items())), "Pictures"),
        (made.pictures(made.zipped(inner), "inner.zip"), "inner"),
    ]:
        assert found.ids == ("cat/img2", "cat/img10", "dog/img1")
        assert found.labels == ("cat", "cat", "dog")
        assert (found.name, found.notes, found.modality, len(found)) == (name, (), "image", 3)
        assert found.contents == tuple(FILES[name] for name in ORDERED)
        assert found.digest == read_pictures(path, name="other").digest
    assert read_pictures(path, name="other").name == "other"


def test_pixels_are_those_that_encoders_are_given() -> None:
    found = made.pictures(made.zipped(FILES))
    wanted = [as_pixels(FILES[name], 128) for name in ORDERED]
    np.testing.assert_array_equal(found.pixels([2, 0], 128), [wanted[2], wanted[0]])
    np.testing.assert_array_equal(found.pixels(np.array([1]), 20), [np.asarray(made.noise(10))])
    np.testing.assert_array_equal(found.thumbnails(), found.pixels(range(3), 32))
    assert found.thumbnails(8).shape == (3, 8, 8, 3)
    assert found.pixels([], 8).shape == (0, 8, 8, 3)
    assert not found.thumbnails().flags.writeable


def test_rows_and_sides_are_checked() -> None:
    found = made.pictures(made.zipped(FILES))
    for row in (-1, 3):
        with pytest.raises(relviz.ParameterError, match=f"There is no image {row}; there are 3"):
            found.pixels([row], 8)
    for side in (0, MOST_SIDE + 1):
        with pytest.raises(relviz.ParameterError, match=f"between 1 and 2048 pixels; it is {side}"):
            found.pixels([0], side)


def test_many_threads_get_the_same_pixels(tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    path.write_bytes(made.zipped({f"{row}.png": made.picture(row, width=90, height=50) for row in range(24)}))
    found = read_pictures(path)
    path.unlink()
    alone = found.pixels(range(24), 64)
    with ThreadPoolExecutor(8) as threads:
        parts = threads.map(lambda row: found.pixels([row % 24], 64)[0], range(240))
    np.testing.assert_array_equal(np.stack(list(parts)), np.concatenate([alone] * 10))


@pytest.mark.parametrize("kind", FORMATS)
def test_every_kind_is_known_by_its_content(kind: str) -> None:
    found = made.pictures(made.zipped({"no ending": made.picture(3, kind)}))
    assert (len(found), found.ids, found.labels) == (1, ("no ending",), None)


def test_one_picture_is_a_collection_of_one(tmp_path: Path) -> None:
    path = tmp_path / "cat.png"
    path.write_bytes(made.picture(1))
    assert read_pictures(path).ids == ("cat",)
    with pytest.raises(relviz.ReadError, match=r"x\.rar is neither a \.zip nor an image\. Give"):
        made.pictures(b"Rar!", "x.rar")
    with pytest.raises(relviz.ParameterError, match=r"a list of \(name, bytes\); one of them is a str"):
        read_pictures(["a.png"])  # type: ignore[list-item]


CHARACTER = st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="/\\:")


@settings(max_examples=50, deadline=None)
@given(
    files=st.dictionaries(
        st.tuples(st.sampled_from(["", "a/", "b/c/"]), st.text(CHARACTER, max_size=8)).map(
            lambda parts: f"{parts[0]}x{parts[1]}.png"
        ),
        st.integers(0, 5),
        min_size=1,
        max_size=6,
    ),
    method=st.sampled_from([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED]),
)
def test_what_is_packed_is_read(files: dict[str, int], method: int) -> None:
    packed = {name: made.picture(seed, width=4, height=4) for name, seed in files.items()}
    with here():
        found = made.pictures(made.zipped(packed, compression=method))
        given_in = read_pictures(list(packed.items()))
    assert (found.digest, found.ids, found.labels) == (given_in.digest, given_in.ids, given_in.labels)
    kept = len(packed) - sum("have the name" in note or "has the name" in note for note in found.notes)
    assert len(found) <= len(packed)
    assert len(set(found.ids or ())) == len(found) >= min(kept, 1)
    assert {*found.contents} == {*packed.values()}


def test_what_is_no_picture_is_left_out_and_named() -> None:
    rest = {f"{row}.txt": b"text" for row in range(5)} | {"in.zip": made.zipped(FILES)}
    rest |= {"z.png": made.picture()[:200], "s.wav": b"RIFF0000WAVE"}
    found = made.pictures(made.zipped({**FILES, **rest}))
    assert len(found) == 3
    assert found.notes == (
        "7 of 11 files are not images and were left out: '0.txt', '1.txt', '2.txt', …",
        "1 of 11 files is a damaged image and was left out: 'z.png'",
    )
    with pytest.raises(
        relviz.ReadError,
        match=r"x\.zip holds no images: 1 of 1 file is not an image .*'a'\. Give PNG, .* or BMP files",
    ):
        made.pictures(made.zipped({"a": b"text"}))
    with pytest.raises(relviz.ReadError, match=r"x\.zip holds no images: there are no files in it"):
        made.pictures(made.zipped({}))


def test_progress_is_told_and_may_stop() -> None:
    class Enough(Exception):
        pass

    told: list[float] = []
    made.pictures(made.zipped(FILES), on_progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 1.0

    def stop(_: float) -> None:
        raise Enough

    for source in (io.BytesIO(made.zipped(FILES)), list(FILES.items())):
        with pytest.raises(Enough):
            read_pictures(source, filename="x.zip", on_progress=stop)


def test_links_are_not_followed(tmp_path: Path) -> None:
    folder = unpacked(tmp_path / "in", FILES)
    outside = unpacked(tmp_path / "out", {"secret.png": made.picture(7)})
    (folder / "link.png").symlink_to(outside / "secret.png")
    (folder / "linked").symlink_to(outside)
    (folder / "round").symlink_to(folder)
    os.mkfifo(folder / "pipe.png")
    found = read_pictures(folder)
    assert len(found) == 3
    assert found.notes == ("3 of 6 files are links and were left out: 'link.png', 'linked', 'round'",)


def test_a_deep_folder_is_read(tmp_path: Path) -> None:
    here = os.open(tmp_path, os.O_RDONLY)
    try:
        for _ in range(300):
            os.mkdir("d", dir_fd=here)
            below = os.open("d", os.O_RDONLY, dir_fd=here)
            os.close(here)
            here = below
        file = os.open("a.png", os.O_WRONLY | os.O_CREAT, dir_fd=here)
        os.write(file, made.picture())
        os.close(file)
    finally:
        os.close(here)
    assert read_pictures(tmp_path).ids == ("a",)


def test_limits_of_a_folder(tmp_path: Path) -> None:
    unpacked(tmp_path, FILES)
    with pytest.raises(relviz.ReadError, match=r"holds more than 3 files.*limits=PictureLimits\(members=4\)"):
        read_pictures(tmp_path, limits=PictureLimits(members=3))
    with pytest.raises(
        relviz.ReadError, match=r"holds 3 images and the limit is 2\. .*PictureLimits\(rows=3\)"
    ):
        read_pictures(tmp_path, limits=PictureLimits(rows=2))
    with pytest.raises(relviz.ReadError, match=r"unpacked, takes .* KiB and the limit is 2\.0 KiB"):
        read_pictures(tmp_path, limits=PictureLimits(memory=2048))


def test_what_is_really_there_is_counted() -> None:
    grown = [Member(f"{row}.png", 1, lambda: io.BytesIO(made.picture())) for row in range(3)]
    with pytest.raises(relviz.ReadError, match=r"The list, unpacked, takes .* and the limit is 2\.0 KiB"):
        picture_files(grown, PictureLimits(memory=2048), "The list", io.BytesIO(), lambda _: None)


def test_the_emoji_come_back_from_a_zip() -> None:
    demo = load_demo("emoji")
    space, sprite = demo.spaces["image_lite0"], demo.sprite
    assert sprite is not None
    assert space.ids is not None
    sheet = np.asarray(Image.open(sprite.path).convert("RGBA"))
    cells = cut(sheet, len(space), sprite.cell, sprite.columns)[:300]
    files = {}
    for name, cell in zip(space.ids, cells, strict=False):
        file = io.BytesIO()
        Image.fromarray(cell).save(file, "PNG")
        files[f"emoji/{name}.png"] = file.getvalue()
    found = made.pictures(made.zipped(files))
    assert found.ids is not None
    assert {*found.ids} == {*space.ids[:300]}
    wanted = [as_pixels(Image.fromarray(cells[space.ids.index(name)]), 32) for name in found.ids]
    np.testing.assert_array_equal(found.thumbnails(), wanted)
