"""A map in a notebook: what is selected is read and set in Python; what is no map is an error."""

import builtins
import json
from typing import Any

import numpy as np
import pytest

import relviz
from relviz.plotting.linked_map import widget
from tests.ui.made import spaces


@pytest.fixture
def maps() -> relviz.Projection:
    a, b = (space.vectors for space in spaces())
    return relviz.project([a, b], fit="independent")


def test_without_anywidget_the_error_says_what_to_install(
    maps: relviz.Projection, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = builtins.__import__

    def absent(name: str, *rest: Any) -> Any:
        if name == "anywidget":
            raise ImportError(name)
        return real(name, *rest)

    widget._kind.cache_clear()
    monkeypatch.setattr(builtins, "__import__", absent)
    with pytest.raises(relviz.Error, match=r"relviz\[notebook\]"):
        relviz.show(maps)


def test_what_does_not_fit_is_an_error(maps: relviz.Projection) -> None:
    with pytest.raises(relviz.ShapeError, match="labels"):
        relviz.show(maps, labels=["a"])
    pair = relviz.Pair(*spaces())
    with pytest.raises(relviz.ParameterError, match="not a map"):
        relviz.show(pair, "measures", anchors=5)  # type: ignore[arg-type]
    with pytest.raises(relviz.ParameterError, match="of its own"):
        relviz.show(pair, labels=["a"])


def test_maps_of_three_dimensions_go_to_the_browser_whole() -> None:
    pytest.importorskip("anywidget")
    a, b = (space.vectors for space in spaces())
    shown = relviz.show(relviz.project([a, b], fit="independent", dim=3))
    length = int.from_bytes(shown.message[:4], "little")  # type: ignore[attr-defined]
    panes = json.loads(shown.message[4 : 4 + length])["panes"]  # type: ignore[attr-defined]
    assert [pane["space"][1] for pane in panes] == [3 * len(a)] * 2


def test_the_pair_of_a_demo_brings_its_pictures() -> None:
    pytest.importorskip("anywidget")
    demo = relviz.load_demo("emoji")
    pair = demo.pair()
    assert relviz.show(pair).sprite == demo.sprite.path.read_bytes()  # type: ignore[attr-defined, union-attr]
    assert relviz.figure(pair, "maps").recipe.view.a == "emoji.image_lite0"
    fewer = relviz.Pair(pair.a.take(range(900)), pair.b.take(range(900)))
    assert relviz.figure(fewer, "maps", anchors=20).recipe.view.a.startswith("space-")


def test_a_selection_is_read_and_set(maps: relviz.Projection) -> None:
    pytest.importorskip("anywidget")
    shown = relviz.show(maps)
    assert shown.selected.tolist() == []
    shown.selected = np.array([5, 2, 5])
    assert shown.selected.tolist() == [2, 5]
    assert shown.clicked is None
    shown.selected = []
    assert shown.selected.tolist() == []
