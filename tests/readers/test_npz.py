"""Zips of arrays: which one, and zips that are traps."""

import io
import zipfile

import numpy as np
import pytest

import relviz
from relviz.readers import Limits
from tests.readers import made


def _zip(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, raw in members.items():
            archive.writestr(name, raw)
    return file.getvalue()


def test_of_several_matrices_one_must_be_chosen() -> None:
    raw = made.npz(a=made.VECTORS, b=made.VECTORS[:, :2], word=np.array(made.WORDS))
    with pytest.raises(
        relviz.ReadError, match=r"2 arrays .*'a' \(12 × 4, float32\), 'b' \(12 × 2.*vectors='a'"
    ):
        made.load(raw, "x.npz")
    space = made.load(raw, "x.npz", vectors="b")
    assert (space.dimension, space.ids) == (2, tuple(made.WORDS))
    contents = made.peek(raw, "x.npz")
    assert (contents.rows, contents.choice, contents.can_be_vectors) == (12, None, ("a", "b"))
    assert "Choose one" in contents.reason


def test_whole_numbers_and_bytes_can_be_texts() -> None:
    raw = made.npz(x=made.VECTORS, label=np.arange(12, dtype=np.uint8))
    space = made.load(raw, "x.npz")
    assert list(space.labels or ()) == [str(row) for row in range(12)]
    raw = made.npz(x=made.VECTORS, key=np.array([word.encode() for word in made.WORDS]))
    assert list(made.load(raw, "x.npz").ids or ()) == made.WORDS


def test_texts_of_another_length_are_left_out_and_said() -> None:
    space = made.load(made.npz(x=made.VECTORS, ids=np.array(["a", "b"])), "x.npz")
    assert space.ids is None
    assert space.found.notes == ("'ids' has 2 values for 12 rows: left out",)
    with pytest.raises(relviz.ReadError, match="'ids' has 2 values for 12 rows; ids need one for each"):
        made.load(made.npz(x=made.VECTORS, ids=np.array(["a", "b"])), "x.npz", ids="ids")


def test_a_matrix_deeper_than_two_says_how_to_flatten() -> None:
    with pytest.raises(relviz.ReadError, match=r"'image' has 3 dimensions \(4 × 2 × 2\)"):
        made.load(made.npz(image=np.ones((4, 2, 2)), label=np.arange(4)), "x.npz")


def test_a_zip_without_arrays_is_refused() -> None:
    with pytest.raises(relviz.ReadError, match="holds no arrays"):
        made.load(_zip({"readme.md": b"hello"}), "x.npz")
    with pytest.raises(relviz.ReadError, match="holds no arrays"):
        made.load(_zip({}), "x.npz")


def test_a_cut_zip_says_that_it_is_cut() -> None:
    raw = made.FILES["plain.npz"]
    with pytest.raises(relviz.ReadError, match="truncated: the directory"):
        made.load(raw[: len(raw) // 2], "x.npz")


def test_a_member_must_be_as_long_as_its_header_says() -> None:
    with pytest.raises(relviz.ReadError, match=r"declares 12 × 4 values of float32, 192 bytes, but .* 191"):
        made.load(_zip({"x.npy": made.npy(made.VECTORS)[:-1]}), "x.npz")


def test_a_zip_that_lies_about_a_size_is_refused() -> None:
    honest = _zip({"x.npy": made.npy(np.zeros((1000, 100)))})
    info = zipfile.ZipFile(io.BytesIO(honest)).getinfo("x.npy")
    size = info.file_size.to_bytes(4, "little")
    lying = honest.replace(size, (2**31).to_bytes(4, "little"))
    with pytest.raises(relviz.ReadError, match=r"2\.0 GiB from .* more than 1,032 times.*malicious"):
        made.load(lying, "x.npz")
    shorter = honest.replace(size, (info.file_size // 2).to_bytes(4, "little"))
    with pytest.raises(relviz.ReadError, match="It is damaged"):
        made.load(shorter, "x.npz")


def test_a_bomb_stops_at_the_limit() -> None:
    bomb = _zip({"x.npy": made.npy(np.zeros((50_000, 100), np.float32))})
    assert len(bomb) < 30_000
    with pytest.raises(relviz.ReadError, match=r"20 \d+ KiB|19\.\d MiB.*limit is 1\.0 MiB"):
        made.load(bomb, "x.npz", limits=Limits(memory=2**20))
    texts = _zip({"x.npy": made.npy(made.VECTORS), "word.npy": made.npy(np.zeros(12, "U100000"))})
    with pytest.raises(relviz.ReadError, match=r"'word' takes .* and the limit"):
        made.load(texts, "x.npz", limits=Limits(memory=2**20))


def test_a_long_list_of_members_is_refused_before_it_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("os.fork")
    monkeypatch.setattr("relviz.readers.npz._DIRECTORY_BYTES", 100)
    with pytest.raises(relviz.ReadError, match=r"lists its members in \d+ bytes"):
        made.load(made.FILES["plain.npz"], "x.npz")


def test_other_packings_are_refused() -> None:
    with pytest.raises(relviz.ReadError, match=r"uses a compression that np\.savez does not"):
        made.load(_zip({"x.npy": made.npy(made.VECTORS)}, zipfile.ZIP_LZMA), "x.npz")


def test_a_header_that_claims_gigabytes_is_not_read() -> None:
    claim = b"\x93NUMPY\2\0" + (3_500_000_000).to_bytes(4, "little") + b" " * 1000
    with pytest.raises(
        relviz.ReadError, match=r"declares a header of 3,500,000,000 bytes; .* at most 10,000"
    ):
        made.load(_zip({"x.npy": claim}), "x.npz")


def test_what_members_declare_is_held_against_the_size_of_the_file() -> None:
    """Each may be as large as that; together they are not."""
    many = _zip({f"x{at}.npy": made.npy(np.zeros((4_000_000, 2), np.float32)) for at in range(5)})
    with pytest.raises(relviz.ReadError, match=r"KiB and declares 152 MiB unpacked, more than 40 times that"):
        made.load(many, "x.npz", vectors="x0")
    assert made.peek(many, "x.npz", limits=Limits(ratio=1100)).can_be_vectors == (
        "x0",
        "x1",
        "x2",
        "x3",
        "x4",
    )
