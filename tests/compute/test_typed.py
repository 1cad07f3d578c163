"""Typed results: what comes back from the store is what was put there, and keys see every argument."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from relviz.compute.entry import result
from relviz.compute.job import Ticket
from relviz.compute.task import depends, task
from relviz.compute.typed import pack, unpack
from relviz.errors import ParameterError
from relviz.space import Space


@dataclass(frozen=True)
class Inner:
    points: np.ndarray
    name: str
    share: float | None = None


@dataclass(frozen=True)
class Outer:
    first: Inner
    runs: tuple[Inner, ...]
    by_name: dict[str, Inner]
    tensor: torch.Tensor
    absent: np.ndarray | None
    bytes: NDArray[np.uint8] | None
    counts: tuple[int, ...]
    pairs: list[tuple[str, float]]


points = st.integers(0, 4).map(lambda n: np.arange(2.0 * n).reshape(n, 2))
inner = st.builds(Inner, points, st.text(max_size=5), st.none() | st.floats(0, 1))


@given(
    st.builds(
        Outer,
        inner,
        st.lists(inner, max_size=3).map(tuple),
        st.dictionaries(st.text("ab", min_size=1, max_size=3), inner, max_size=2),
        st.just(torch.arange(3)),
        st.none() | points,
        st.none() | st.binary(max_size=3).map(lambda raw: np.frombuffer(raw, np.uint8)),
        st.lists(st.integers(0, 9)).map(tuple),
        st.lists(st.tuples(st.text(max_size=3), st.floats(0, 1)), max_size=3),
    )
)
def test_what_is_packed_comes_back(made: Outer) -> None:
    back = unpack(Outer, result(*pack(made)))
    for one, other in [
        (made.first, back.first),
        *zip(made.runs, back.runs, strict=True),
        *((made.by_name[name], back.by_name[name]) for name in made.by_name),
    ]:
        assert np.array_equal(one.points, other.points)
        assert (one.name, one.share) == (other.name, other.share)
    assert torch.equal(made.tensor, back.tensor)
    assert (made.absent is None) == (back.absent is None)
    assert (made.bytes is None) == (back.bytes is None)
    if made.bytes is not None:
        np.testing.assert_array_equal(made.bytes, back.bytes)
    assert made.counts == back.counts
    assert made.pairs == [tuple(pair) for pair in back.pairs]


def test_what_is_no_dataclass_is_refused() -> None:
    with pytest.raises(ParameterError, match="A result is a dataclass; this is a dict"):
        pack({"a": 1})


@dataclass(frozen=True)
class Total:
    total: float


@dataclass(frozen=True)
class Options:
    scale: float = 1.0
    names: tuple[str, ...] = ()


@task("total", "Adding {count} numbers of {name}")
def total(ticket: Ticket, x: np.ndarray, options: Options, *, count: int = 2, name: str = "x") -> Total:
    ticket.report(1.0)
    assert name
    return Total(float(x[:count].sum()) * options.scale)


X = np.arange(5.0)


@pytest.mark.parametrize(
    "other",
    [
        lambda: total(X + 1, Options()),
        lambda: total(X.astype(np.float32), Options()),
        lambda: total(X, Options(scale=2.0)),
        lambda: total(X, Options(names=("a",))),
        lambda: total(X, Options(), count=3),
        lambda: total(X, Options(), name="y"),
    ],
)
def test_every_argument_counts_toward_the_key(other) -> None:
    assert other().key != total(X, Options()).key


def test_defaults_and_the_order_of_names_do_not() -> None:
    assert total(X, Options(), name="x", count=2).key == total(X.copy(), options=Options()).key


def test_it_is_made_once_and_read_back_typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RELVIZ_CACHE", str(tmp_path))
    made = total(X, Options(2.0))
    assert made.title == "Adding 2 numbers of x"
    assert made.stored() is None
    assert made.run() == Total(2.0)
    assert made.stored() == Total(2.0)


def test_what_has_a_digest_counts_by_it() -> None:
    space = Space(torch.eye(3))
    assert depends(space, "space") == {"Space": space.digest}


def test_what_has_none_cannot_be_part_of_a_key() -> None:
    with pytest.raises(TypeError, match="x is a object"):
        total(object(), Options())  # type: ignore[arg-type]
