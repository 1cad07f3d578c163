"""A random pairing finds nothing, however many anchors there are, in Python and on the command line."""

import json
from functools import cache

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import relviz
from relviz.cli.main import main

ROWS = 400
DEMOS = ("emoji", "glosses", "words")
SLACK = 4.0
"""Standard deviations of a shuffled pairing. One query's step is added: few queries have coarse metrics."""


@cache
def shuffled(demo: str) -> tuple[torch.Tensor, torch.Tensor]:
    """Some rows of a demo's pair, those of B in another order."""
    pair = relviz.load_demo(demo).pair()
    order = torch.randperm(ROWS, generator=torch.Generator().manual_seed(11))
    return pair.a.vectors[:ROWS], pair.b.vectors[:ROWS][order]


def within_null(value: float, null: float, sd: float, queries: int) -> bool:
    return abs(value - null) <= SLACK * sd + 1 / queries


@settings(max_examples=12, deadline=None, derandomize=True)
@given(demo=st.sampled_from(DEMOS), anchors=st.integers(2, ROWS - 10), seed=st.integers(0, 50))
def test_in_python(demo, anchors, seed):
    table = relviz.anchor_retrieval(*shuffled(demo), anchors, seed=seed, n_draws=1, similarity="cosine")
    for record in table.records():
        assert within_null(record["mean"], record["null"], record["null_sd"], record["queries"]), record


@pytest.mark.parametrize("anchors", [2, ROWS - 10])
def test_on_the_command_line(anchors, tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("RELVIZ_CACHE", str(tmp_path / "cache"))
    for name, side in zip("ab", shuffled("emoji"), strict=True):
        np.save(tmp_path / f"{name}.npy", side.numpy())
    files = [str(tmp_path / f"{name}.npy") for name in "ab"]
    assert main(["compare", *files, "--anchors", str(anchors), "--runs", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["pairing"]["verdict"] == "random"
    for one in told["measures"]:
        assert within_null(one["mean"], one["null"], one["null_sd"], one["queries"]), one
