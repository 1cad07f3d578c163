"""One file of the store: read back bit for bit, or known to be damaged."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as nps

from relviz.compute import entry
from relviz.compute.entry import DamagedError
from relviz.errors import ParameterError, ShapeError

KEY = "toy-" + "0" * 32
DTYPES = st.one_of(
    nps.floating_dtypes(sizes=(16, 32, 64)),
    nps.integer_dtypes(),
    nps.unsigned_integer_dtypes(),
    nps.boolean_dtypes(),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return tmp_path_factory.mktemp("entries") / f"{KEY}.safetensors"


def there_and_back(path, arrays, meta=None):
    entry.write(path, entry.pack(KEY, entry.result(arrays, meta or {})))
    return entry.read(path, KEY)


@given(
    x=nps.arrays(DTYPES, nps.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4)),
    meta=st.dictionaries(st.text(), JSON, max_size=3),
)
def test_arrays_and_meta_come_back_as_they_were(path, x, meta):
    found = there_and_back(path, {"x": x, "other": np.arange(3)}, meta)
    back = found.arrays["x"]
    assert (back.dtype, back.shape) == (x.dtype.newbyteorder("="), x.shape)
    assert back.tobytes() == x.astype(back.dtype).tobytes()  # bits, so that NaN counts too
    assert found.meta == meta


def test_what_put_hands_out_is_what_get_will():
    given = {
        "n": np.int64(3),
        "nan": float("nan"),
        "inf": np.float32("-inf"),
        "yes": np.True_,
        "pair": (1, "é\ud800"),
    }
    meta = entry.result({}, given).meta
    assert math.isnan(meta.pop("nan"))
    assert meta == {"n": 3, "inf": -math.inf, "yes": True, "pair": [1, "é\ud800"]}
    assert type(meta["n"]) is int
    assert type(meta["yes"]) is bool


def test_nan_and_infinities_survive_the_file(path):
    found = there_and_back(path, {}, {"x": [float("nan"), float("inf")]}).meta["x"]
    assert math.isnan(found[0])
    assert found[1] == math.inf


def test_a_result_holds_arrays_of_its_own(path):
    x = np.zeros(3)
    made = entry.result({"x": x}, {})
    x[0] = 1
    assert made.arrays["x"][0] == 0
    there_and_back(path, {"x": x}).arrays["x"][0] = 9
    assert entry.read(path, KEY).arrays["x"][0] == 1


def test_tensors_are_taken_wherever_they_come_from():
    leaf = torch.ones(2, requires_grad=True)
    made = entry.result(
        {"graph": leaf * 2, "half": torch.ones(2, dtype=torch.bfloat16), "t": torch.eye(2)[:, :1].T}, {}
    )
    assert made.arrays["graph"].tolist() == [2, 2]
    assert made.arrays["half"].dtype == np.float32
    assert made.arrays["t"].flags.c_contiguous


@pytest.mark.parametrize(
    "x",
    [np.array(["a"]), np.array([None]), np.array([1j]), np.array([1], "M8[s]"), np.ones(1, np.longdouble)],
)
def test_what_is_not_numbers_is_refused(x):
    with pytest.raises(ShapeError, match=r"'x' must hold numbers.* its dtype is"):
        entry.result({"x": x}, {})


@pytest.mark.parametrize(
    ("meta", "said"),
    [
        ({"a": [1, {2}]}, r"meta\['a'\]\[1\] must be .* a set"),
        ({"a": {1: 2}}, r"keys of meta\['a'\].* 1"),
        ({"a": np.ones(2)}, "ndarray"),
    ],
)
def test_what_json_cannot_hold_is_refused(meta, said):
    with pytest.raises(ParameterError, match=said):
        entry.result({}, meta)


@pytest.mark.parametrize("name", ["__metadata__", 3])
def test_a_name_that_the_format_cannot_hold_is_refused(name):
    with pytest.raises(ParameterError, match="cannot be named"):
        entry.result({name: np.ones(1)}, {})


def test_every_single_flipped_bit_is_noticed(path):
    there_and_back(path, {"x": np.arange(4, dtype=np.float32), "y": np.array([True])}, {"note": "ä"})
    raw = path.read_bytes()
    for place in range(len(raw)):
        flipped = bytearray(raw)
        flipped[place] ^= 1 << place % 8
        path.write_bytes(flipped)
        with pytest.raises(DamagedError):
            entry.read(path, KEY)


@pytest.mark.parametrize("size", [0, 4, 8, 50, -1])
def test_a_truncated_file_is_noticed(path, size):
    there_and_back(path, {"x": np.arange(4)})
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(DamagedError, match="cannot be read"):
        entry.read(path, KEY)


def test_a_file_under_the_name_of_another_is_noticed(path):
    there_and_back(path, {"x": np.arange(4)})
    with pytest.raises(DamagedError, match="not what was written under that name"):
        entry.read(path, "toy-" + "1" * 32)


def test_a_header_that_promises_more_than_the_file_holds_takes_no_memory(path):
    header = b'{"x":{"dtype":"F32","shape":[1099511627776],"data_offsets":[0,4398046511104]}}'
    path.write_bytes(len(header).to_bytes(8, "little") + header + bytes(16))
    with pytest.raises(DamagedError):
        entry.read(path, KEY)
