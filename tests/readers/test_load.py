"""The door: every format comes in by path and by file object, and everything else is a ReadError."""

import io
from pathlib import Path

import numpy as np
import pytest

import relviz
from relviz.readers import SUFFIXES, Limits, load_space, look
from tests.readers import made


@pytest.mark.parametrize("filename", made.FILES)
def test_every_format_gives_the_space_that_was_written(filename: str) -> None:
    space = made.load(made.FILES[filename], filename)
    exact = 2e-3 if filename == "half.npy" else 1e-6
    np.testing.assert_allclose(space.vectors, made.VECTORS, atol=exact)
    assert space.name == filename.split(".")[0]
    if not filename.endswith(".npy"):
        assert list(space.ids or ()) == made.WORDS
    if filename.endswith((".npz", ".csv", ".parquet", ".safetensors")):
        assert list(space.labels or ()) == made.CLASSES
    else:
        assert space.labels is None


@pytest.mark.parametrize("filename", made.FILES)
def test_a_path_gives_the_same_as_a_file_object(filename: str, tmp_path: Path) -> None:
    path = tmp_path / filename
    path.write_bytes(made.FILES[filename])
    by_path, by_object = load_space(path), made.load(made.FILES[filename], filename)
    assert by_path.content_digest == by_object.content_digest
    assert by_path.found == by_object.found
    assert load_space(str(path), name="mine").name == "mine"


@pytest.mark.parametrize("filename", made.FILES)
def test_look_foretells_what_load_space_takes(filename: str) -> None:
    contents = made.peek(made.FILES[filename], filename)
    assert contents.choice == made.load(made.FILES[filename], filename).found
    assert contents.rows == made.ROWS
    assert contents.reason == ""


def test_every_suffix_is_tried_here() -> None:
    assert {Path(name).suffix for name in made.FILES} == set(SUFFIXES)


def test_a_file_object_is_read_whole_and_left_where_it_stood() -> None:
    file = io.BytesIO(made.FILES["half.npy"])
    file.name = "uploaded.NPY"
    file.seek(7)
    assert load_space(file).name == "uploaded"
    assert file.tell() == 7
    assert not file.closed


def test_no_temporary_file_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    made.load(made.FILES["headless.txt"], "x.txt")
    made.load(made.FILES["binary.bin"], "x.bin")
    assert list(tmp_path.iterdir()) == []


def test_a_path_is_never_taken_for_an_address_or_an_archive(tmp_path: Path) -> None:
    folder = tmp_path / "a#b?c %20"
    folder.mkdir()
    path = folder / "words.gz"
    path.write_bytes(made.FILES["text.vec"])
    assert len(load_space(path, filename="words.vec")) == made.ROWS


def test_found_says_it_in_a_sentence() -> None:
    assert made.load(made.FILES["table.csv"], "t.csv").found.sentence() == (
        "csv: 12 rows, dimension 4 (columns d0 … d3); ids from 'word', classes from 'kind'"
    )
    assert made.load(made.FILES["plain.npz"], "t.npz").found.sentence() == (
        "npz: 12 rows, dimension 4 (array 'v'); ids from 'word', classes from 'label'"
    )
    assert made.load(made.FILES["half.npy"], "t.npy").found.sentence() == "npy: 12 rows, dimension 4"


def test_names_can_be_chosen_and_refused() -> None:
    raw = made.FILES["plain.npz"]
    space = made.load(raw, "t.npz", ids="label", labels="", items="word")
    assert (space.ids, space.labels, space.items) == (tuple(made.CLASSES), None, tuple(made.WORDS))
    with pytest.raises(relviz.ReadError, match=r"no array 'nothing'; it has 'v' \(12 × 4, float32\)"):
        made.load(raw, "t.npz", vectors="nothing")
    with pytest.raises(relviz.ReadError, match=r"'v' .* cannot be ids"):
        made.load(raw, "t.npz", ids="v")
    with pytest.raises(relviz.ParameterError, match="names of arrays or columns"):
        made.load(raw, "t.npz", vectors=3)
    with pytest.raises(relviz.ParameterError, match="each once"):
        made.load(made.FILES["table.csv"], "t.csv", vectors=["d0", "d0"])
    with pytest.raises(relviz.ParameterError, match="each once"):
        made.load(made.FILES["table.csv"], "t.csv", vectors=[])


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        (Limits(memory=100), r"12 rows of dimension 4, which take 192 bytes.*limit is 100 bytes"),
        (Limits(file=50), r"takes \d+.* and the limit is 50 bytes"),
        (Limits(rows=11), "12 rows and the limit is 11"),
        (Limits(columns=3), "4 columns and the limit is 3|6 columns and the limit is 3"),
    ],
)
@pytest.mark.parametrize("filename", made.FILES)
def test_limits_hold_for_every_format(filename: str, limits: Limits, message: str) -> None:
    with pytest.raises(relviz.ReadError, match=message):
        made.load(made.FILES[filename], filename, limits=limits)


def test_limits_are_positive() -> None:
    with pytest.raises(relviz.ParameterError, match="'rows' must be at least 1; it is 0"):
        Limits(rows=0)


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.npy").touch()
    (tmp_path / "x.docx").write_bytes(b"x")
    for path, message in [
        (tmp_path, "is a folder"),
        (tmp_path / "none.npy", "no file"),
        (tmp_path / "\0.npy", "no file"),
        (tmp_path / ("n" * 5000), "cannot be read"),
        (Path("/dev/null"), "not a plain file"),
        (tmp_path / "empty.npy", r"empty \(0 bytes\)"),
        (tmp_path / "x.docx", r"does not read .docx .*\.npy, \.npz"),
    ]:
        with pytest.raises(relviz.ReadError, match=message):
            load_space(path)
        with pytest.raises(relviz.ReadError, match=message):
            look(path)


def test_what_is_no_binary_file_object_is_refused() -> None:
    with pytest.raises(relviz.ParameterError, match=r"a bytes.*BytesIO"):
        load_space(b"abc", filename="x.npy")  # type: ignore[arg-type]
    with pytest.raises(relviz.ReadError, match="yields text; open it in binary"):
        load_space(io.StringIO("a,b"), filename="x.csv")  # type: ignore[arg-type]
    with pytest.raises(relviz.ParameterError, match="give the format: filename="):
        load_space(io.BytesIO(b"abc"))


@pytest.mark.parametrize("there", ["half.npy", "plain.npz", "columns.parquet"])
@pytest.mark.parametrize("promised", [".csv", ".safetensors", ".vec", ".npy", ".npz", ".parquet"])
def test_a_wrong_ending_is_named(there: str, promised: str) -> None:
    if there.endswith(promised):
        return
    with pytest.raises(relviz.ReadError, match=rf"looks like a {Path(there).suffix} file. Rename it"):
        made.load(made.FILES[there], f"x{promised}")
