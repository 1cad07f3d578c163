"""What a source names: a demo's space, or an upload kept in the store."""

import pytest
import torch

import relviz
from relviz.state import View
from relviz.state.sources import keep_space, open_pair, open_space


def test_the_default_view_opens() -> None:
    view = View()
    pair = open_pair(view.a, view.b)
    assert len(pair) == 1906
    assert (pair.a.dimension, pair.b.dimension) == (1280, 1280)


def test_an_upload_comes_back_whole() -> None:
    space = relviz.Space(
        torch.randn(5, 3, generator=torch.Generator().manual_seed(0)),
        ids=list("abcde"),
        labels=["x", "y", "x", "y", "x"],
        items=["<b>one</b>", "two", "שלום", "👩‍👩‍👧", '"five"'],
        name="mine",
    )
    back = open_space(keep_space(space))
    assert torch.equal(back.vectors, space.vectors)
    assert (back.ids, back.labels, back.items, back.name) == (space.ids, space.labels, space.items, "mine")


@pytest.mark.parametrize("source", ["emoji.nothing", "nothing.at_all", "space-" + "0" * 32, "", "space-../x"])
def test_a_source_that_is_not_there_is_a_clear_error(source: str) -> None:
    with pytest.raises(relviz.Error):
        open_space(source)
