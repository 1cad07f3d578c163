"""The Gallery without a browser: nothing is made unasked, what is made is shown with its files."""

from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from relviz.compute.jobs import jobs
from relviz.figures import gallery, packed
from relviz.figures.gallery import GROUPS, cards
from tests.ui.screen import finished, opened, pressed, said, turned, went

QUICK = "rr-between"
"""A figure of models that are carried."""


def unmade(at) -> set[str]:
    return {button.key for button in at.button if button.key.startswith("make_")}


def make_button(name: str, at):
    return next(button for button in at.button if button.key == f"make_{name}")


def ours(at: AppTest) -> set[str]:
    """All our figures that stand beside a paper's."""
    tables = [table.value for table in at.table]
    return {value for one in tables for name in one if name.startswith("ours") for value in one[name]}


@pytest.mark.usefixtures("own_cache")
def test_the_first_visit_shows_every_card_and_makes_none() -> None:
    at = opened("gallery")
    every = [card for some in cards().values() for card in some]
    assert unmade(at) == {f"make_{card.name}" for card in every}
    assert not jobs().running()
    text = said(at)
    assert all(card.recipe.paper.place in text for card in every if card.recipe.paper)
    assert [heading.value.partition(" · ")[0] for heading in at.subheader] == list(GROUPS.values())
    assert len(at.table) == sum(card.without_ours() is not None for card in every)
    pictures = [one.proto.imgs[0].url for one in at.get("image")]
    assert len(pictures) == len(every)
    assert all(url.startswith("data:image/webp;base64,") for url in pictures)  # as it was packed
    assert "–" not in ours(at)
    assert "0.94±0.00" in {value for table in at.table for value in table.value["the paper"]}


@pytest.mark.usefixtures("own_cache")
def test_what_was_packed_of_another_recipe_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    others = {name: replace(entry, recipe="another") for name, entry in packed._entries().items()}
    monkeypatch.setattr(packed, "_entries", lambda: others)
    at = opened("gallery")
    assert not at.get("image")
    assert ours(at) == {"–"}


@pytest.mark.usefixtures("own_cache")
def test_the_papers_are_told_apart() -> None:
    at = opened("gallery")
    at.button_group(key="gallery_paper").set_value("AO")
    went(at)
    assert [heading.value for heading in at.subheader] == [f"{GROUPS['AO']} · arXiv 2303.00721"]
    assert unmade(at) == {f"make_{card.name}" for card in cards()["AO"]}


def test_a_figure_is_made_when_asked_and_is_there_on_the_next_visit(own_cache: Path) -> None:
    at = opened("gallery")
    make_button(QUICK, at).click()
    at = finished(went(at))
    assert f"make_{QUICK}" not in unmade(at)
    labels = [button.proto.label for button in at.get("download_button")]
    assert labels == ["PDF", "SVG", "PNG", "Data, csv", "Caption, txt", "Recipe"]
    turned(at, "decode")
    again = opened("gallery")
    assert f"make_{QUICK}" not in unmade(again)
    assert not jobs().running()
    assert any(own_cache.rglob("figure-*"))


def test_a_figure_that_is_made_can_be_canceled(own_cache: Path) -> None:
    at = opened("gallery")
    make_button("rr-table-2", at).click()
    at = went(at)
    (job,) = jobs().running()
    job.cancel()
    assert job.wait(60)
    assert "canceled" in said(went(at))
    assert not any(own_cache.rglob("figure-*"))
    pressed(at, "Run again")
    (job,) = jobs().running()
    job.cancel()
    assert job.wait(60)


@pytest.mark.slow
def test_a_figure_that_was_damaged_can_be_made_again(own_cache: Path) -> None:
    card = next(card for some in cards().values() for card in some if card.name == QUICK)
    card.task.run()
    (kept,) = own_cache.rglob("figure-*")
    kept.write_bytes(kept.read_bytes()[:-100])
    gallery._drawn.cache_clear()  # as in another process
    at = opened("gallery")
    make_button(QUICK, at).click()
    assert f"make_{QUICK}" not in unmade(finished(went(at)))


@pytest.mark.usefixtures("own_cache")
def test_a_figure_can_be_opened_on_its_page() -> None:
    at = opened("gallery")
    at.button(key=f"open_{QUICK}").click()
    went(at)
    assert at.title[0].value == "Decode"
    assert at.query_params["de_part"] == "between"
