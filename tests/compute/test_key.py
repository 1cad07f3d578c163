"""A key names everything that a result depends on, and is safe as the name of a file."""

import numpy as np
import pytest
import torch

from relviz.compute import key
from relviz.compute.key import check_key, is_key, kind_of, result_key
from relviz.errors import ParameterError

PLAIN = {"kind": "umap", "inputs": ["aa", "bb"], "parameters": {"k": 15, "metric": "cosine"}, "seed": 0}


def with_(**changes):
    return result_key(**{**PLAIN, **changes})


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "tsne"},
        {"inputs": ["bb", "aa"]},
        {"inputs": ["aa"]},
        {"inputs": ["aab", "b"]},
        {"parameters": {"k": 16, "metric": "cosine"}},
        {"parameters": {"k": "15", "metric": "cosine"}},
        {"parameters": {}},
        {"seed": 1},
        {"seed": None},
    ],
)
def test_whatever_a_result_depends_on_changes_its_key(change):
    assert with_(**change) != with_()


def test_the_code_that_makes_it_changes_its_key(monkeypatch):
    before = with_()
    monkeypatch.setattr(key, "code_version", lambda: "another")
    assert with_() != before


@pytest.mark.parametrize(
    "same",
    [
        {"parameters": {"metric": "cosine", "k": 15}},
        {"parameters": {"k": np.int64(15), "metric": np.str_("cosine")}},
        {"inputs": ("aa", "bb")},
        {"seed": np.int32(0)},
    ],
)
def test_what_says_the_same_gives_the_same_key(same):
    assert with_(**same) == with_()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"kind": "../umap"}, "lower-case word"),
        ({"kind": ""}, "lower-case word"),
        ({"inputs": "aabb"}, "list of content digests"),
        ({"inputs": [torch.ones(2)]}, "list of content digests"),
        ({"parameters": {"anchors": torch.ones(2)}}, r"parameters\['anchors'\] must be .* a Tensor"),
        ({"parameters": {"score": print}}, "builtin_function"),
    ],
)
def test_what_cannot_be_named_is_refused(change, said):
    with pytest.raises(ParameterError, match=said):
        with_(**change)


def test_a_key_is_its_kind_and_32_digits():
    made = with_(kind="head-scores_2")
    assert is_key(made)
    assert kind_of(made) == "head-scores_2"
    assert len(made) == len("head-scores_2-") + 32


DIGITS = "0123456789abcdef" * 2


@pytest.mark.parametrize(
    "text",
    [
        "",
        DIGITS,
        f"umap-{DIGITS[1:]}",
        f"umap-{DIGITS}0",
        f"Umap-{DIGITS}",
        f"umap-{DIGITS.upper()}",
        f"umap-{DIGITS}\n",
    ]
    + [
        f"{path}-{DIGITS}"
        for path in ("../umap", "/umap", "a/b", "a\\b", "a\0b", ".umap", "c:umap", "ümap", "a" * 65)
    ],
)
def test_nothing_else_is_a_key(text):
    assert not is_key(text)
    with pytest.raises(ParameterError, match="32 hex digits"):
        check_key(text)
