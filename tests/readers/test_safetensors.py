"""Tensors: every dtype, the header held against the file, and texts in the metadata."""

import json
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import save

import relviz
from tests.readers import made

TENSOR = torch.arange(12.0).reshape(4, 3)


def _raw(header: Any, data: bytes = b"") -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + data


@pytest.mark.parametrize(
    "dtype",
    [torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.int64, torch.int8, torch.uint8],
)
def test_every_dtype_is_read(dtype: torch.dtype) -> None:
    space = made.load(save({"x": TENSOR.to(dtype)}), "x.safetensors")
    assert torch.equal(space.vectors, TENSOR)


def test_texts_and_name_come_from_the_metadata() -> None:
    texts = {"ids": json.dumps(["a", "b", "c", "d"]), "labels": json.dumps([1, 2, 1, 2]), "name": "my space"}
    space = made.load(save({"x": TENSOR}, metadata=texts), "x.safetensors")
    assert (space.ids, space.labels, space.items) == (("a", "b", "c", "d"), ("1", "2", "1", "2"), None)
    assert space.name == "my space"
    assert made.load(save({"x": TENSOR}, metadata=texts), "x.safetensors", name="other").name == "other"


def test_metadata_that_is_no_list_or_too_short_is_left_out_and_said() -> None:
    texts = {"ids": "plain words", "labels": '["only one"]'}
    space = made.load(save({"x": TENSOR}, metadata=texts), "x.safetensors")
    assert (space.ids, space.labels) == (None, None)
    assert space.found.notes == (
        "metadata 'ids' is not a JSON list of texts: left out",
        "'labels' has 1 value for 4 rows: left out",
    )


def test_tensors_can_be_chosen_and_hold_classes() -> None:
    raw = save({"a": TENSOR, "b": TENSOR * 2, "label": torch.tensor([3, 1, 3, 1])})
    with pytest.raises(relviz.ReadError, match=r"2 tensors that could be the vectors: 'a' \(4 × 3, F32\)"):
        made.load(raw, "x.safetensors")
    space = made.load(raw, "x.safetensors", vectors="b")
    assert torch.equal(space.vectors, TENSOR * 2)
    assert space.labels == ("3", "1", "3", "1")


def test_other_dtypes_and_shapes_are_refused_in_words() -> None:
    with pytest.raises(
        relviz.ReadError, match="'x' holds F8_E4M3, not real numbers; save the vectors as float32"
    ):
        made.load(save({"x": TENSOR.to(torch.float8_e4m3fn)}), "x.safetensors")
    with pytest.raises(relviz.ReadError, match=r"'x' has 3 dimensions \(4 × 3 × 1\)"):
        made.load(save({"x": TENSOR[..., None].contiguous()}), "x.safetensors")


def _entry(**changes: Any) -> dict[str, Any]:
    return {"x": {"dtype": "F32", "shape": [4, 3], "data_offsets": [0, 48], **changes}}


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"tiny", "4 bytes long, too short"),
        (b"\xff" * 8 + b"{}", r"header of about 10\^19 bytes"),
        (_raw(b"[1, 2]"), "not a JSON object"),
        (_raw(b"not json"), "The header of x.safetensors cannot be read: it is not JSON"),
        ((1100).to_bytes(8, "little") + b"[" * 1100, "is nested 1,100 levels deep"),
        (_raw(b"[" * 100_000), "levels deep; the limit is 32"),
        (_raw({"x": 3}), "'x' lacks a dtype, a shape or a place"),
        (_raw(_entry(shape=[4, -3]), bytes(48)), "lacks"),
        (_raw(_entry(shape=[4, 3.0]), bytes(48)), "lacks"),
        (_raw(_entry(data_offsets=[0]), bytes(48)), "lacks"),
        (_raw(_entry(shape=[10**9, 3]), bytes(48)), r"declares 1,000,000,000 × 3 values of F32 in 48 bytes"),
        (_raw(_entry(), bytes(47)), r"'x' ends at byte \d+ and the file has \d+: it is cut off"),
        (_raw({"__metadata__": {}}), "holds no vectors"),
    ],
)
def test_a_header_is_held_against_the_file(raw: bytes, message: str) -> None:
    with pytest.raises(relviz.ReadError, match=message):
        made.load(raw, "x.safetensors")


def test_agrees_with_the_safetensors_library() -> None:
    random = torch.from_numpy(np.random.default_rng(1).normal(size=(7, 5)).astype(np.float32))
    assert torch.equal(made.load(save({"x": random}), "x.safetensors").vectors, random)


def _headed(header: bytes) -> bytes:
    return len(header).to_bytes(8, "little") + header + bytes(16)


def test_a_header_of_many_small_things_is_not_built() -> None:
    tensor = {"dtype": "F32", "shape": [2, 2], "data_offsets": [0, 16]}
    many = json.dumps({f"t{at}": tensor for at in range(20_001)}).encode()
    with pytest.raises(relviz.ReadError, match=r"holds 20,001 tensors; at most 20,000 are looked through"):
        made.load(_headed(many), "x.safetensors")
    dense = b'{"a":[' + b",".join([b"{}"] * 400_001) + b"]}"
    with pytest.raises(relviz.ReadError, match=r"it holds 800,003 values; the limit is 800,000"):
        made.load(_headed(dense), "x.safetensors")
    objects = json.dumps({"__metadata__": {"ids": "[{},{}]"}, "v": tensor}).encode()
    space = made.load(_headed(objects), "x.safetensors")
    assert (space.ids, space.found.notes) == (None, ("metadata 'ids' is not a JSON list of texts: left out",))
