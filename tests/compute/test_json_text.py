"""JSON of others is measured before it is built."""

import json
import time

import pytest

from relviz.compute.json_text import DEEPEST, JsonError, read_json


@pytest.mark.parametrize(
    "text",
    ["{}", '{"a": [1, "]]]", {"b": null}]}', '"[[[[[["', '["\\"[", "\\\\"]', b'{"\xc3\xa9": 1.5}', "3"],
)
def test_what_is_json_is_read(text) -> None:
    assert read_json(text, 1000) == json.loads(text)


@pytest.mark.parametrize("bracket", ["[", '{"a":', '["[",', "[{"])
@pytest.mark.parametrize("levels", [DEEPEST + 1, 900, 1_100, 300_000])
def test_what_is_deep_is_refused_in_words(bracket: str, levels: int) -> None:
    with pytest.raises(JsonError, match=r"nested .* levels deep; the limit is 32"):
        read_json(bracket * levels, 10**7)
    deep = "[" * levels + "]" * levels
    with pytest.raises(JsonError, match=f"{levels:,} levels"):
        read_json(deep, 10**7)


def test_brackets_within_texts_are_no_depth() -> None:
    assert read_json('["' + "[" * 5000 + '"]', 10**6) == ["[" * 5000]
    assert read_json('["\\\\", ' + "[" * 30 + "]" * 30 + "]", 10**6)


def test_a_text_that_never_ends_is_read_once() -> None:
    begun = time.perf_counter()
    with pytest.raises(JsonError):
        read_json('"' + '\\"' * 2_000_000, 10**7)
    assert time.perf_counter() - begun < 5


@pytest.mark.parametrize("text", ["", "{", "no", b"\xff\xfe", "[1,]", "9" * 6000, '"\ud800', '{"a": 1} {'])
def test_what_is_no_json_is_said_in_a_clause(text) -> None:
    with pytest.raises(JsonError, match="not JSON"):
        read_json(text, 10_000)


def test_what_is_long_is_refused() -> None:
    with pytest.raises(JsonError, match="has 11 bytes; the limit is 10"):
        read_json("[1,2,3,4,5]", 10)
