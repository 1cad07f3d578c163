"""The message of a linked map and the answer to it: what is sent is what was given, and little of it."""

import base64
import json
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import relviz
from relviz.plotting.colors import NOT_A_NUMBER, REST, by_class, by_label, by_number, by_place
from relviz.plotting.linked_map.encoding import ANCHOR, BLOCK, FIELD_END, ROW_END, decode, encode, text_file
from relviz.plotting.pane import Pane


def read(message: bytes) -> tuple[dict[str, Any], bytes]:
    """Header and body, as the browser reads them."""
    length = int.from_bytes(message[:4], "little")
    assert length % 4 == 0
    return json.loads(message[4 : 4 + length]), message[4 + length :]


def array(body: bytes, place: list[int], dtype: str) -> np.ndarray:
    assert place[0] % 4 == 0
    return np.frombuffer(body, dtype, place[1], place[0])


def message(points: list[np.ndarray | None], **options: Any) -> bytes:
    n = next(len(p) for p in points if p is not None)
    panes = [Pane(f"pane {i}", p, group=options.get("group")) for i, p in enumerate(points)]
    colors = by_class(["a", "b"] * (n // 2) + ["a"] * (n % 2))
    flags = np.zeros(n, np.uint8)
    flags[:2] = ANCHOR
    return encode(panes, n, colors, flags, {"identity": "x", "texts": {}})


def test_points_come_back_to_within_a_step_of_their_box() -> None:
    points = np.random.default_rng(0).normal(size=(501, 2)) * [1, 1e-3] + [5, -7]
    header, body = read(message([points]))
    pane = header["panes"][0]
    sent = array(body, pane["positions"], "<u2").reshape(-1, 2) / 65535
    low, high = np.array(pane["box"][:2]), np.array(pane["box"][2:])
    assert np.all(np.abs(low + sent * (high - low) - points) <= 0.51 * (high - low) / 65535)
    np.testing.assert_array_equal(array(body, header["codes"], "u1"), [0, 1] * 250 + [0])
    np.testing.assert_array_equal(np.flatnonzero(array(body, header["flags"], "u1")), [0, 1])


def test_points_in_space_come_back_about_a_middle_that_a_group_shares() -> None:
    rng = np.random.default_rng(0)
    a = rng.uniform(-1, 1, size=(400, 3)) * [5, 2, 1] + [3, 0, 0]
    b = a[:, [1, 0, 2]]
    header, body = read(message([a, b], group=1))
    low, high = np.quantile(np.concatenate([a, b]), [0.01, 0.99], axis=0)
    for pane, points in zip(header["panes"], (a, b), strict=True):
        assert pane["positions"] is None
        sent = array(body, pane["space"], "<u2").reshape(-1, 3) / 65535
        reach = pane["reach"]
        back = (2 * sent - 1) * reach + (low + high) / 2
        np.testing.assert_allclose(back, points, atol=1.01 * reach / 65535)
        assert pane["half"] == pytest.approx((high - low).max() / 0.81 / 2)
    alone = [pane["half"] for pane in read(message([a, a / 2]))[0]["panes"]]
    assert alone[0] == pytest.approx(2 * alone[1])


@pytest.mark.parametrize("panes", [1, 2, 4])
def test_a_point_takes_at_most_eight_bytes_a_pane_and_none_is_left_out(panes: int) -> None:
    n = 20_000
    points = [np.random.default_rng(pane).normal(size=(n, 2)) for pane in range(panes)]
    assert len(message(points)) - len(message([p[:2] for p in points])) <= 8 * n * panes
    many = np.random.default_rng(0).normal(size=(150_000, 2))
    header, _ = read(message([many]))
    assert (header["n"], header["panes"][0]["positions"][1]) == (150_000, 300_000)


def test_panes_of_a_group_share_their_home_and_others_do_not() -> None:
    near = np.random.default_rng(0).uniform(size=(50, 2))
    far = near + np.array([100, 0])
    alone = [pane["home"] for pane in read(message([near, far]))[0]["panes"]]
    assert alone[0] != alone[1]
    together = [pane["home"] for pane in read(message([near, far], group=1))[0]["panes"]]
    assert together[0] == together[1]
    assert together[0][0] < 1 < 100 < together[0][2]


def test_the_digest_of_a_pane_is_that_of_its_places() -> None:
    points = np.random.default_rng(0).normal(size=(50, 2))
    first, same, moved = (read(message([p]))[0] for p in (points, points.copy(), points[::-1]))
    assert first == same
    assert first["panes"][0]["digest"] != moved["panes"][0]["digest"]


def test_what_cannot_be_drawn_is_refused() -> None:
    points = np.zeros((5, 2))
    with pytest.raises(relviz.ShapeError, match=r"\(4, 2\)"):
        message([points, points[:4]])
    bad = points.copy()
    bad[3, 1] = np.nan
    with pytest.raises(relviz.ParameterError, match="1 of 5 points"):
        message([points, bad])
    with pytest.raises(relviz.ShapeError, match=r"\(4, 3\); the map needs \(5, 3\)"):
        message([points, np.zeros((4, 3))])
    header, _ = read(message([points, None]))
    assert header["panes"][1]["positions"] is None


def test_texts_are_cut_into_blocks_and_cannot_forge_their_ends() -> None:
    items = [f"item {row}" for row in range(100)]
    items[5] = f"a{ROW_END}b{FIELD_END}c <b>é👩‍👧</b> שלום"
    items[70] = "x" * 700
    file, starts = text_file(items, ["k"] * 100)
    assert len(starts) == -(-100 // BLOCK) + 1
    records = [
        record.split(FIELD_END)
        for start, end in pairwise(starts)
        for record in file[start:end].decode().split(ROW_END)
    ]
    odd = {5: "a b c <b>é👩‍👧</b> שלום", 70: f"{'x' * 600}…"}
    assert records == [[odd.get(row, item), "k"] for row, item in enumerate(items)]
    plain, _ = text_file(items[:3], None)
    assert plain.decode() == ROW_END.join(f"item {row}{FIELD_END}" for row in range(3))


def test_classes_beyond_the_palette_share_one_gray_and_it_says_so() -> None:
    labels = [f"class {i:02}" for i in range(40) for _ in range(50 - i)]
    colors = by_class(labels)
    assert len(colors.legend["names"]) == 25
    assert colors.legend["names"][-1] == "16 other classes"
    assert colors.legend["palette"][-1] == REST
    assert sum(colors.legend["counts"]) == len(labels)
    assert "24 most frequent" in colors.legend["note"]
    assert (colors.codes == 24).sum() == colors.legend["counts"][-1]


def test_numbers_span_the_scale_and_missing_ones_are_marked() -> None:
    colors = by_number(np.array([2.0, np.nan, 3.0, 4.0]), "n")
    assert colors.codes.tolist() == [0, NOT_A_NUMBER, 32767, 65534]
    signed = by_number(np.array([-0.5, 0.0, 0.25]), "cosine", diverging=True)
    assert (signed.legend["low"], signed.legend["high"]) == (-0.5, 0.5)
    assert signed.codes.tolist() == [0, 32767, round(0.75 * 65534)]
    assert by_place(np.array([[3.0, 0], [1, 0], [2, 0]])).codes.tolist() == [65534, 0, 32767]
    assert by_number(np.full(3, np.nan), "none").codes.tolist() == [NOT_A_NUMBER] * 3


@pytest.mark.parametrize(
    ("labels", "kind"),
    [
        ([str(i) for i in range(21)], "number"),
        ([f"{i / 7:.3e}" for i in range(30)] + ["", " "], "number"),
        ([str(i % 10) for i in range(100)], "class"),
        ([*map(str, range(30)), "unknown"], "class"),
        ([*map(str, range(30)), "inf"], "class"),
    ],
)
def test_classes_that_are_many_numbers_are_a_scale(labels: list[str], kind: str) -> None:
    colors = by_label(labels)
    assert colors.legend["kind"] == kind
    if kind == "number":
        assert colors.codes[0] == 0
        assert colors.codes[: len(labels)][-1] == (NOT_A_NUMBER if not labels[-1].strip() else 65534)


def sent(rows: list[int], n: int, kind: str, **more: Any) -> dict[str, Any]:
    """What the browser sends for drawn rows."""
    if kind == "bits":
        marks = np.zeros(n, np.uint8)
        marks[rows] = 1
        raw = np.packbits(marks, bitorder="little").tobytes()
    else:
        raw = np.array(rows, "<u4").tobytes()
    return {
        "identity": "x",
        "n": n,
        "kind": kind,
        "data": base64.b64encode(raw).decode(),
        "clicked": -1,
        **more,
    }


@pytest.mark.parametrize("kind", ["bits", "rows"])
def test_a_selection_comes_back_as_rows_of_the_data(kind: str) -> None:
    event = decode(sent([1, 4, 19], 20, kind, clicked=4), 20, "x")
    assert event.selected.tolist() == [1, 4, 19]
    assert event.clicked == 4


@pytest.mark.parametrize(
    "bad",
    [
        None,
        "text",
        {},
        sent([1], 20, "rows", identity="another"),
        sent([1], 21, "rows"),
        sent([1], 20, "rows", data="%%%"),
        sent([1], 20, "rows", data=None),
        sent([1], 20, "rows", data="AAA="),
        sent([25], 20, "rows"),
        sent([1], 20, "bits", data="AAAAAAAA"),
        sent(list(range(20)) * 2, 20, "rows"),
    ],
)
def test_what_makes_no_sense_selects_nothing(bad: Any) -> None:
    event = decode(bad, 20, "x")
    assert event.selected.tolist() == []
    assert event.clicked is None
