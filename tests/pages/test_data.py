"""Data: every demo and any two of its spaces, the audit of the pair, and a table of its items."""

import pytest

import relviz
from relviz.state.sources import keep_space
from tests.ui.made import CLASSES, TEXTS, small_pair
from tests.ui.screen import finished, maps, opened, said, turned, went

DEMOS = [name for name in relviz.demo_names() if relviz.load_demo(name).pairs]


@pytest.mark.parametrize("name", DEMOS)
def test_every_demo_can_be_chosen(name: str) -> None:
    at = opened("data", small_pair())
    demo = at.radio(key="choice_demo")
    assert demo.value is None
    went(demo.set_value(name).run())
    pair = relviz.load_demo(name).pair()
    assert len(at.dataframe[0].value) == len(pair)
    assert list(at.dataframe[0].value["item"])[:5] == list(pair.items)[:5]
    assert [f"A: {pair.a.name}", f"B: {pair.b.name}"] == list(at.table[0].value)[1:]
    assert opened("data", at.query_params).radio(key="choice_demo").value == name


def test_any_two_spaces_of_a_demo_can_be_chosen() -> None:
    at = opened("data")
    at.selectbox(key="choice_side_a").set_value("emoji.text_es_e5")
    went(at)
    at.selectbox(key="choice_side_b").set_value("emoji.text_en_minilm")
    went(at)
    assert at.query_params == {"a": "emoji.text_es_e5", "b": "emoji.text_en_minilm"}
    names = [relviz.load_demo("emoji").spaces[key].name for key in ("text_es_e5", "text_en_minilm")]
    assert list(at.table[0].value)[1:] == [f"A: {names[0]}", f"B: {names[1]}"]
    assert [len(points) for points in maps(turned(at, "compare"))] == [1906] * 2


def test_a_space_can_be_compared_with_itself() -> None:
    source = small_pair()["a"]
    at = finished(opened("compare", {"a": source, "b": source, "count": "20"}))
    assert {metric.value for metric in at.metric} == {"1.000"}


def test_the_items_are_listed_verbatim() -> None:
    table = opened("data", small_pair()).dataframe[0].value
    assert list(table["item"]) == TEXTS
    assert list(table["class"]) == CLASSES


def test_the_audit_tells_what_was_left_out() -> None:
    a = relviz.Space([[1, 2], [3, 4], [5, 6], [0, 0]], ids=list("abcd"), name="left")
    b = relviz.Space([[1, 2], [2, 1], [5, 6], [7, 7], [0, 1]], ids=list("dcbxx"), name="right")
    at = opened("data", {"a": keep_space(a), "b": keep_space(b)})
    assert "3 rows" in said(at)
    assert "different order" in said(at)
    table = at.table[0].value.set_index("").T
    assert list(table["rows"]) == ["4", "5"]
    assert list(table["without a counterpart"]) == ["1", "1"]
    assert list(table["repeated ids"]) == ["0", "1"]
    assert list(table["all zero"]) == ["1", "0"]
    assert list(table["constant"]) == ["0", "1"]
