"""What is shown of a figure before it is computed: of every shipped one, as its recipe is now, and small."""

import io
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from relviz.figures import packed as packing
from relviz.figures.gallery import Card, drawn, shipped_recipes
from relviz.figures.packed import FOLDER, WIDEST, pack, packed

CARDS = [Card(name, recipe) for name, recipe in shipped_recipes().items()]
QUICK = next(card for card in CARDS if card.name == "rr-between")
ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.name)
def test_every_shipped_figure_is_packed_as_its_recipe_is_now(card: Card) -> None:
    shown = packed(card)
    assert shown is not None
    assert not shown.suffixes
    with Image.open(io.BytesIO(shown.picture)) as picture:
        assert picture.format == "WEBP"
        assert 300 < picture.width <= WIDEST
    unmade = card.without_ours()
    assert (shown.comparison is None) == (unmade is None)
    if shown.comparison is not None and unmade is not None:
        assert [row[:2] for row in shown.comparison.rows] == [row[:2] for row in unmade.rows]
        assert all(float(row[2]) >= 0 for row in shown.comparison.rows)


def test_nothing_else_is_packed_and_all_of_it_is_small() -> None:
    files = list((ROOT / "relviz" / "figures" / FOLDER).iterdir())
    assert sorted(file.stem for file in files if file.suffix == ".webp") == [card.name for card in CARDS]
    assert sum(file.stat().st_size for file in files) < 3_000_000


def test_a_figure_is_packed_as_it_was_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "_folder", lambda: tmp_path / "packed")
    for memory in (packing._entries, packing._packed):
        memory.cache_clear()
    try:
        with pytest.raises(LookupError, match="rr-between has not been made"):
            pack([QUICK])
        QUICK.task.run()
        pack([QUICK])
        made, shown = drawn(QUICK), packed(QUICK)
        assert made is not None
        assert shown is not None
        assert (shown.caption, shown.table, shown.comparison) == (made.caption, made.table, made.comparison)
        other = replace(QUICK.recipe, width=100.0)
        assert packed(Card(QUICK.name, other)) is None
        for kept in ({QUICK.name}, set()):
            pack([], kept)
            assert (packed(QUICK) is not None) == bool(kept)
    finally:
        for memory in (packing._entries, packing._packed):
            memory.cache_clear()
