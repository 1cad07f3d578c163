"""Arrays: dtypes, orders, headers that do not tell the truth."""

import numpy as np
import pytest

import relviz
from tests.readers import made


@pytest.mark.parametrize("dtype", ["f2", "<f4", ">f4", "f8", "g", "i1", ">u2", "i8", "?"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_every_real_dtype_and_order_is_read(dtype: str, order: str) -> None:
    array = np.asarray(np.arange(10).reshape(5, 2) % 3, dtype=dtype, order=order)  # type: ignore[call-overload]
    np.testing.assert_array_equal(made.load(made.npy(array), "x.npy").vectors, array.astype(np.float32))


def test_blocks_join_to_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("os.fork")
    monkeypatch.setattr("relviz.readers.source.BLOCK_BYTES", 40)
    for array in (made.VECTORS, np.asfortranarray(made.VECTORS)):
        np.testing.assert_array_equal(made.load(made.npy(array), "x.npy").vectors, made.VECTORS)


def test_numbers_past_float32_become_infinite() -> None:
    space = made.load(made.npy(np.array([[1e300, 1], [np.nan, 2]])), "x.npy")
    assert space.vectors[0, 0] == np.inf
    assert space.vectors[1, 0].isnan()


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.ones(5), r"x.npy has the shape \(5\), not rows × columns"),
        (np.ones((2, 3, 4)), r"x.npy has 3 dimensions \(2 × 3 × 4\); flatten"),
        (np.array(7.0), "a single value"),
        (np.ones((2, 2), complex), "complex128, not real numbers; save the vectors as float32"),
        (np.array([["a", "b"]]), "holds text, not real numbers"),
        (np.ones((0, 3)), "0 rows and 3 columns"),
    ],
)
def test_what_is_no_matrix_is_refused_in_words(array: np.ndarray, message: str) -> None:
    with pytest.raises(relviz.ReadError, match=message):
        made.load(made.npy(array), "x.npy")
    assert made.peek(made.npy(array), "x.npy").choice is None


@pytest.mark.parametrize("array", [np.ones((1, 5)), np.ones((5, 1))])
def test_one_row_or_column_is_refused_by_the_files_name(array: np.ndarray) -> None:
    with pytest.raises(relviz.ShapeError, match=r"at least 2 rows and 2 columns; solo has \d × \d"):
        made.load(made.npy(array), "solo.npy")


class _Armed:
    def __reduce__(self) -> tuple[object, ...]:
        return pytest.fail, ("a pickle was loaded",)


def test_objects_are_never_loaded() -> None:
    raw = made.npy(np.array([[_Armed(), 1], [2, 3]], dtype=object), allow_pickle=True)
    with pytest.raises(
        relviz.ReadError, match="Python objects, which relviz never loads; save it as float32"
    ):
        made.load(raw, "x.npy")
    with pytest.raises(relviz.ReadError, match="Python objects"):
        made.load(made.npz(np.savez, v=np.array([[_Armed()]], dtype=object)), "x.npz")


def test_a_header_is_held_against_the_file() -> None:
    raw = made.npy(made.VECTORS)
    with pytest.raises(
        relviz.ReadError, match=r"cut off: 12 × 4 values of float32 .* take 320 bytes.*has 319"
    ):
        made.load(raw[:-1], "x.npy")
    for shape in (b"(99999999999, 4)", b"(-3, 4), }      "):
        lying = raw.replace(b"(12, 4), }      ", shape.ljust(16))
        with pytest.raises(relviz.ReadError):
            made.load(lying, "x.npy")
    with pytest.raises(relviz.ReadError, match=r"format 3\.0; relviz reads 1\.0 and 2\.0"):
        made.load(raw[:6] + b"\x03" + raw[7:], "x.npy")
