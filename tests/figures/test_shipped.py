"""The figures that ship: each names data that is here; each is made from the command line, fit for print."""

import json
import re
from pathlib import Path

import pytest

from relviz.cli.main import main
from relviz.demos import demo_names, load_demo
from relviz.figures.gallery import GROUPS, Card, shipped_recipe, shipped_recipes
from relviz.figures.open_recipe import changes_of, page_of
from relviz.figures.packed import packed
from relviz.figures.papers import HEAD
from relviz.figures.recipe import Recipe, read_recipe
from relviz.figures.registry import KINDS
from relviz.plotting.style import SMALL, WIDEST
from tests.benchmarks import gallery
from tests.plotting.pdf import fonts_of, size_mm, sizes_of, text_of

NAMES = tuple(shipped_recipes())
QUICK = ("rr-figure-1", "rr-between", "irp-landing")
"""Made in a few seconds even where nothing is kept; the others take up to minutes each."""
FIGURE = r"\d+(\.\d+)?"
"""The last digits of one may be others on another machine, or with another number of threads."""
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store that these tests share: several figures show the same results."""
    return tmp_path_factory.mktemp("figures")


@pytest.mark.parametrize("name", NAMES)
def test_it_is_read_and_its_data_is_here(name: str) -> None:
    recipe = shipped_recipe(name)
    assert read_recipe(recipe.to_json()) == recipe
    assert recipe.title
    assert recipe.about
    assert Card(name, recipe).paper in GROUPS
    assert (ROOT / "pages" / f"{page_of(recipe)}.py").exists()
    for source, data in recipe.data.items():
        demo, _, space = source.partition(".")
        assert demo in demo_names()
        assert load_demo(demo).spaces[space].content_digest == data.digest
    assert set(KINDS[recipe.kind].sources or (recipe.view.a, recipe.view.b)) <= recipe.data.keys()
    assert changes_of(recipe) == []


def test_every_paper_is_there_and_what_stands_beside_is_a_number_that_it_prints() -> None:
    found = {Card(name, recipe).paper for name, recipe in shipped_recipes().items()}
    assert found == set(GROUPS)
    quoted = [one for recipe in shipped_recipes().values() if recipe.paper for one in recipe.paper.comparison]
    assert len(quoted) > 20
    assert all(re.fullmatch(r"\d+(\.\d+)?(±\d+(\.\d+)?)?", one.printed) for one in quoted)


def test_the_docs_name_every_one_of_them_and_no_other() -> None:
    docs = (ROOT / "docs" / "figures.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([\w-]+)` \|", docs.partition("## What ships")[2], re.MULTILINE)
    assert sorted(rows) == sorted(NAMES)


def test_the_docs_have_what_the_cards_say(capsys: pytest.CaptureFixture[str]) -> None:
    """Tables of docs/figures.md: every numbered place, what each card shows, and the numbers beside."""
    docs = (ROOT / "docs" / "figures.md").read_text(encoding="utf-8")
    gallery.summary()
    every = [Card(name, recipe) for name, recipe in shipped_recipes().items()]
    lines = [gallery.line(card) for card in every]
    beside = [
        row for card in every if (shown := packed(card)) for row in gallery.comparison_lines(card, shown)
    ]
    wanted = [*capsys.readouterr().out.splitlines(), *lines, *(gallery.in_markdown(row) for row in beside)]
    assert len(beside) > 100
    assert not [line for line in wanted if line not in docs.splitlines()]


@pytest.mark.slow
@pytest.mark.parametrize("name", QUICK)
def test_a_quick_one_is_made_from_the_command_line(
    name: str, kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    check(name, kept, tmp_path, monkeypatch, capsys)
    svg = (tmp_path / f"{name}.svg").read_bytes()
    assert main(["figure", name, "-o", str(tmp_path / "again.svg")]) == 0
    assert (tmp_path / "again.svg").read_bytes() == svg


@pytest.mark.figures
@pytest.mark.parametrize("name", [name for name in NAMES if name not in QUICK])
def test_it_is_made_from_the_command_line(
    name: str, kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    check(name, kept, tmp_path, monkeypatch, capsys)


def check(
    name: str, kept: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RELVIZ_CACHE", str(kept))
    recipe = shipped_recipe(name)
    files = [str(folder / f"{name}.{suffix}") for suffix in ("pdf", "svg", "csv", "txt", "json")]
    asked = [word for path in files for word in ("-o", path)]
    assert main(["figure", name, *asked, "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["changes"] == []
    beside = said.get("paper", {}).get("comparison", [])
    ours = [number for row in beside for column, number in row.items() if column.startswith(HEAD[2])]
    assert "–" not in ours
    shown = packed(Card(name, recipe))
    assert shown is not None
    assert re.sub(FIGURE, "#", shown.caption) == re.sub(FIGURE, "#", said["caption"])
    packed_ones = (
        [float(number) for row in shown.comparison.rows for number in row[2:]] if shown.comparison else []
    )
    assert [float(one) for one in ours] == pytest.approx(packed_ones, rel=0.05, abs=0.02)
    check_print((folder / f"{name}.pdf").read_bytes(), recipe)
    assert (folder / f"{name}.txt").read_text(encoding="utf-8").strip() == said["caption"]
    assert (folder / f"{name}.csv").read_text(encoding="utf-8").count("\n") > 1
    again = read_recipe((folder / f"{name}.json").read_bytes())
    assert (again.kind, again.view, again.options) == (recipe.kind, recipe.view, recipe.options)


def check_print(raw: bytes, recipe: Recipe) -> None:
    """The width to the millimeter, a height that fits a page, letters that are letters, fonts in the file."""
    wide, tall = size_mm(raw)
    assert wide == pytest.approx(recipe.width, abs=0.1)
    assert tall < WIDEST
    words = text_of(raw)
    assert len(words.split()) > 5
    assert "\ufffd" not in words
    described, embedded = fonts_of(raw)
    assert described == embedded > 0
    assert min(sizes_of(raw)) >= SMALL - 0.01
