"""A workspace goes into a file and comes back in another store; a damaged one is refused with a reason."""

import json
import tracemalloc
from contextlib import suppress

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.numpy import save

import relviz
from relviz.readers.limits import Limits
from relviz.state import View
from relviz.state.owners import Origin
from relviz.state.sources import (
    forget_opened,
    keep_space,
    open_pair,
    open_space,
    origin_of,
    thumbnails_of,
)
from relviz.state.view import Names
from relviz.state.workspace import open_workspace, save_workspace
from relviz.state.workspace_file import FORMAT
from tests.readers.made import here
from tests.ui.made import small_pair, spaces


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """Call it to be on another machine: nothing is kept there yet."""

    def go() -> None:
        monkeypatch.setenv("RELVIZ_CACHE", str(tmp_path / "other"))
        forget_opened()

    yield go
    monkeypatch.undo()
    forget_opened()


def test_spaces_and_choices_open_elsewhere(elsewhere) -> None:
    third = spaces(8)[1]
    cells = np.arange(60 * 4 * 4 * 3, dtype=np.uint8).reshape(60, 4, 4, 3)
    source = keep_space(third, Origin("encoded by X", "minilm", 3, "cls"), cells)
    view = View(**small_pair(), shelf=Names([source, "emoji.image_lite0"]), count=17, projection="umap")
    raw = save_workspace(view)
    elsewhere()
    with pytest.raises(relviz.Error, match="no longer stored"):
        open_space(view.a)
    opened, notices = open_workspace(raw)
    assert (opened, notices) == (view, [])  # a name is made of the content, so it is the same there
    back = open_space(source)
    assert torch.equal(back.vectors, third.vectors)
    assert (back.ids, back.labels, back.items) == (third.ids, third.labels, third.items)
    assert origin_of(source) == Origin("encoded by X", "minilm", 3, "cls")
    np.testing.assert_array_equal(thumbnails_of(source), cells)
    assert len(open_pair(opened.a, opened.b)) == 60


def test_demos_are_named_and_not_carried() -> None:
    assert len(save_workspace(View())) < 1000
    assert open_workspace(save_workspace(View(count=9))) == (View(count=9), [])


def test_what_is_no_longer_kept_is_left_out() -> None:
    gone = "space-" + "0" * 32
    view = View(shelf=Names([gone]))
    assert open_workspace(save_workspace(view))[0] == view
    assert gone not in json.loads(_header(save_workspace(view))["spaces"])


def test_a_choice_that_cannot_be_is_noticed() -> None:
    view, notices = open_workspace(with_header(view=json.dumps({"count": "1", "k": "7"})))
    assert view == View(k=7)
    (notice,) = notices
    assert notice.sentence("The workspace") == (
        "The workspace asks for count = '1', which does not lie between 2 and 5000; showing '300'."
    )


def _header(raw: bytes) -> dict[str, str]:
    length = int.from_bytes(raw[:8], "little")
    return json.loads(raw[8 : 8 + length])["__metadata__"]


def with_header(**said: str) -> bytes:
    return save({"x": np.zeros(2, np.float32)}, {"format": FORMAT, "view": "{}", "spaces": "{}", **said})


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"PK\x03\x04 a zip",
        b"\xff" * 100,
        (50).to_bytes(8, "little") + b"[" * 50,
        (10**7).to_bytes(8, "little") + b"[" * 10**7,
        save({"x": np.zeros(2, np.float32)}),
        with_header(view="[1]"),
        with_header(view="no json"),
        with_header(spaces='{"space-1": {}}'),
        with_header(spaces='{"x": {"name": "n", "origin": {}}}'),
        with_header(spaces="3"),
    ],
)
def test_what_is_no_workspace_is_refused(raw: bytes) -> None:
    with pytest.raises(relviz.Error, match="workspace cannot be opened"):
        open_workspace(raw)


def test_a_workspace_of_another_format_says_which() -> None:
    with pytest.raises(relviz.Error, match="relviz workspace 2"):
        open_workspace(with_header(format="relviz workspace 2"))


def test_a_large_one_is_refused_by_its_size() -> None:
    with pytest.raises(relviz.Error, match="limit is 100"):
        open_workspace(save_workspace(View(**small_pair())), Limits(file=100))


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_a_damaged_one_is_an_error_or_opens(data: st.DataObject) -> None:
    raw = bytearray(save_workspace(View(**small_pair())))
    for _ in range(data.draw(st.integers(1, 4))):
        raw[data.draw(st.integers(0, min(len(raw), 1500) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(raw)))
    for some in (bytes(raw), bytes(raw[:cut])):
        with suppress(relviz.Error), here():
            open_workspace(some)


@pytest.mark.parametrize("what", ["view", "spaces"])
@pytest.mark.parametrize("levels", [40, 900, 1_100, 100_000])
def test_one_that_is_nested_deep_is_refused_in_words(what: str, levels: int) -> None:
    deep = '{"a":' * levels + "1" + "}" * levels
    with pytest.raises(relviz.ReadError, match=rf"nested {levels:,} levels deep; the limit is 32"):
        open_workspace(with_header(**{what: deep}))


def test_texts_that_claim_more_than_the_file_take_no_memory() -> None:
    n, source = 300_000, "space-" + "3" * 32
    arrays = {
        f"{source}/vectors": np.zeros((n, 2), np.float32),
        f"{source}/ids.bytes": np.zeros(n, np.uint8),
        f"{source}/ids.ends": np.array([n, 0] * (n // 2), np.int64),
    }
    said = {source: {"name": "x", "origin": {}}}
    raw = save(arrays, {"format": FORMAT, "view": "{}", "spaces": json.dumps(said)})
    tracemalloc.start()
    with pytest.raises(relviz.ReadError, match=r"workspace cannot be opened\. The ids do not lie one after"):
        open_workspace(raw)
    assert tracemalloc.get_traced_memory()[1] < 10 * len(raw)
    tracemalloc.stop()


def test_small_pictures_of_another_shape_are_refused() -> None:
    source = keep_space(spaces()[0])
    arrays = {
        f"{source}/vectors": np.zeros((3, 2), np.float32),
        f"{source}/thumbnails": np.zeros((3, 900, 900, 3), np.uint8),
    }
    said = {source: {"name": "x", "origin": {}}}
    raw = save(arrays, {"format": FORMAT, "view": "{}", "spaces": json.dumps(said)})
    with pytest.raises(relviz.Error, match="small images"):
        open_workspace(raw)


def test_arrays_that_share_their_bytes_are_refused() -> None:
    """A header of some kilobytes could have the same bytes written over and over."""
    entry = {"dtype": "F32", "shape": [50, 2], "data_offsets": [0, 400]}
    header = {f"space-{at}/vectors": entry for at in range(30)}
    said = {f"space-{at}": {"name": "x", "origin": {}} for at in range(30)}
    header |= {"__metadata__": {"format": FORMAT, "view": "{}", "spaces": json.dumps(said)}}
    raw = json.dumps(header).encode()
    with pytest.raises(
        relviz.ReadError, match=r"arrays take 12,000 bytes together and the file has \d,\d\d\d"
    ):
        open_workspace(len(raw).to_bytes(8, "little") + raw + bytes(400))
