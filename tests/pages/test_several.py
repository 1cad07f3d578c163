"""Several: the recorded run of the demo, one's own spaces matched, and what is said where they cannot be."""

import json
import threading
from collections.abc import Callable
from itertools import count
from typing import Any

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

import relviz
from relviz.bootstrapping import Bootstrap, Step
from relviz.results.several import several_task
from relviz.state.several_choices import USUAL
from relviz.state.sources import keep_space, open_space
from relviz.state.view import View
from relviz.ui.item_rows import TEXTS
from tests.ui.screen import PATIENCE, finished, opened, pressed, rows_of_items, said, went

N = 80


def own(name: str, seed: int, ids: bool = True) -> str:
    """A turned and shuffled copy of the same points, kept as an upload is."""
    points = np.random.default_rng(0).normal(size=(N, 8)) * np.linspace(2, 0.5, 8)
    rng = np.random.default_rng(seed)
    order, turn = rng.permutation(N), np.linalg.qr(rng.normal(size=(8, 8)))[0]
    rows = torch.tensor((points @ turn)[order], dtype=torch.float32)
    return keep_space(relviz.Space(rows, ids=[f"id{row}" for row in order] if ids else None, name=name))


def networks(at: AppTest) -> list[dict[str, Any]]:
    return [json.loads(shown.proto.spec)["series"][0] for shown in at.get("echarts_chart")]


def measures(network: dict[str, Any]) -> list[str]:
    return [link["label"]["formatter"] for link in network["links"]]


def test_the_demo_is_there_at_once_and_the_third_space_is_seen_to_help() -> None:
    at = opened("several")
    found = several_task([open_space(source) for source in USUAL], 0, 0).stored()
    assert found is not None
    alone, together = networks(at)
    for network in (alone, together):
        heights = [node["y"] for node in network["data"]]
        assert max(heights) - min(heights) > 100, "ECharts moves level lines by up to a unit of these"
    assert measures(alone) == [f"{two.alone.right:.0%} right" for two in found.pairs]
    assert measures(together) == [f"{two.together.right:.0%} right" for two in found.pairs]
    helped = found.most_helped()
    assert (helped.i, helped.j) == (1, 2)
    assert helped.together.right > max(0.65, helped.alone.right + 0.05)
    assert "**Pairwise**: 3 of 3 pairs pass the self-check" in said(at)
    assert "**Jointly**: 3 of 3 pairs pass the self-check" in said(at)
    looks = [look for look, _ in rows_of_items(at)]
    items = len(looks) // 3
    right = [looks[items * line :][:items].count("right") for line in (1, 2)]
    assert f"{right[0]} pairwise and {right[1]} jointly" in said(at)
    assert right[1] > right[0]


def test_others_are_drawn_and_another_pair_is_looked_at() -> None:
    at = opened("several")
    before = rows_of_items(at)
    after = rows_of_items(pressed(at, "resample"))
    assert before != after
    choice = next(one for one in at.selectbox if one.label == "Pair")
    assert choice.value == 2
    choice.set_value(0)
    at.run()
    assert "MiniLM (English names) → WordLlama (English names)" in choice.options[0]
    assert rows_of_items(at) != after


@pytest.mark.slow
def test_own_spaces_are_matched_and_their_matches_used_as_the_pairing() -> None:
    sources = [own(f"<b>{name}</b>", seed) for seed, name in enumerate("abc")]
    at = opened("several", {"se_spaces": "~".join(sources), "se_known": "8"})
    assert "3 pairs, one run each" in said(at)
    assert "share 80 ids" in said(at)
    assert measures(networks(at)[0]) == []
    at = finished(pressed(at, "match all"))
    assert all(float(one.split("%")[0]) > 90 for one in measures(networks(at)[1]))
    assert "8 known items." in said(at)
    at = pressed(at, "use as the pairing")
    view = at.session_state["relviz_view"]
    assert isinstance(view, View)
    assert len(relviz.Pair(open_space(view.a), open_space(view.b))) > 0.9 * N


@pytest.mark.slow
def test_a_run_shows_what_is_matched_and_what_is_being_matched(monkeypatch: pytest.MonkeyPatch) -> None:
    sources = [own(f"watched {seed}", seed) for seed in (7, 8, 9)]
    told, gate, runs = threading.Event(), threading.Event(), count()

    def held(*args: Any, on_step: Callable[[Step], object], **options: Any) -> Bootstrap:
        second = next(runs) == 1

        def heard(step: Step) -> None:
            on_step(step)
            if second:
                told.set()
                gate.wait(PATIENCE)

        return relviz.bootstrap(*args, on_step=heard, **options)

    monkeypatch.setattr("relviz.bootstrapping.several.bootstrap", held)
    at = opened("several", {"se_spaces": "~".join(sources), "se_known": "8"})
    at = pressed(at, "match all")
    assert told.wait(PATIENCE)
    at = went(at)
    (network,) = networks(at)
    right, searching = measures(network)
    assert right.endswith("% right")
    assert searching == "searching"
    assert network["links"][1]["lineStyle"]["type"] == "dotted"
    assert "**Pairwise, so far**: 1 of 1 pair passes the self-check" in said(at)
    texts = [text for _, text in rows_of_items(at)]
    assert len(texts) == 2 * TEXTS
    assert set(texts) <= {f"id{row}" for row in range(N)}
    gate.set()
    at = finished(at)
    assert [len(measures(one)) for one in networks(at)] == [3, 3]
    assert measures(networks(at)[0])[0] == right


@pytest.mark.slow
def test_without_ids_halves_are_shown_and_nothing_is_called_right() -> None:
    sources = [own(f"no ids {seed}", seed, ids=False) for seed in range(3)]
    at = opened("several", {"se_spaces": "~".join(sources)})
    at = finished(pressed(at, "match all"))
    values = measures(networks(at)[1])
    assert all(one.startswith("split-half 0.") or one == "split-half 1.00" for one in values)
    assert {look for look, _ in rows_of_items(at)} == {""}
    assert "right" not in said(at).lower()


def test_what_cannot_be_says_what_to_do() -> None:
    one = own("alone", 0)
    assert "Choose at least two spaces" in said(opened("several", {"se_spaces": one}))
    two = "~".join([one, own("no ids", 1, ids=False)])
    assert "share 0 ids. Choose 0." in said(opened("several", {"se_spaces": two, "se_known": "5"}))
    at = opened("several", {"se_spaces": f"{one}~space-{'0' * 32}"})
    assert "not loaded in this browser" in said(at)
    at = pressed(at, "show the emoji demo")
    assert len(networks(at)) == 2
