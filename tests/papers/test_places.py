"""The papers' numbers against a second list, typed from the papers' tables anew; and all that quotes them."""

import json
import re
from pathlib import Path

import pytest

from relviz.errors import ParameterError
from relviz.figures.gallery import shipped_recipes
from relviz.figures.papers import UNSHOWN, shown_places
from relviz.papers import PAPERS, place_of, places, quote

ROOT = Path(__file__).resolve().parents[2]
PRINTED = re.compile(r"\d+(\.\d+)?(±\d+\.\d+)?")
COUNTS = {"RR figure": 11, "RR table": 18, "AO table": 7, "IRP figure": 7, "IRP table": 2}

TYPED = """
RR figure 3 | all models | Pearson | 0.955
RR figure 7 | absolute | score | 3.30
RR figure 7 | quantized, t = 1.5 | score | 1.09
RR table 1 | absolute | Word2Vec → FastText, cosine | 0.01 0.00
RR table 1 | relative | FastText → Word2Vec, Jaccard | 0.34 0.01
RR table 1 | relative | Word2Vec → FastText, MRR | 0.98 0.00
RR table 2 | relative | MNIST | 97.91 0.07
RR table 2 | absolute | MNIST | 97.95 0.10
RR table 2 | absolute | CIFAR-100 | 68.88 0.14
RR table 2 | relative | CiteSeer | 0.77 0.03
RR table 3 | AE, absolute, own decoder | MNIST | 0.66 0.02
RR table 3 | AE, absolute, stitched | F-MNIST | 120.54 6.81
RR table 3 | AE, relative, stitched | CIFAR-100 | 18.03 12.46
RR table 3 | VAE, absolute, stitched | MNIST | 98.51 1.49
RR table 3 | VAE, relative, own decoder | mean | 5.22 0.14
RR table 4 | en ← ja | translated anchors, F1 | 65.72 0.55
RR table 4 | en ← en | absolute, MAE | 0.08 0.01
RR table 5 | absolute, stitched | DBpedia | 6.96 1.46
RR table 5 | relative, stitched | Amazon fine | 33.24 7.21
RR table 5 | relative, own | TREC | 88.08 1.37
RR table 6 | ViT-B ← ViT-R50 | CIFAR-100 coarse, relative | 81.42 0.38
RR table 6 | ViT-R50 ← ViT-B | ImageNet1k, absolute | 0.08 0.04
RR table 6 | ViT-S ← rexnet | ImageNet1k, relative | 37.58 0.44
RR table 7 | uniform | Word2Vec → FastText, Jaccard | 0.39 0.00
RR table 7 | fps | FastText → Word2Vec, cosine | 0.81 0.00
RR table 7 | fps | Word2Vec → FastText, Jaccard | 0.41 0.00
RR table 7 | kmeans | FastText → Word2Vec, Jaccard | 0.35 0.00
RR table 7 | top1000 | FastText → Word2Vec, MRR | 0.84 0.01
RR table 7 | top5000 | Word2Vec → FastText, Jaccard | 0.38 0.00
RR table 7 | top10000 | Word2Vec → FastText, Jaccard | 0.39 0.01
RR table 8 | uniform | ViT-base → ViT-small, MRR | 0.27 0.01
RR table 8 | fps | ViT-small → ViT-base, MRR | 0.39 0.01
RR table 8 | kmeans | ViT-small → ViT-base, Jaccard | 0.10 0.00
RR table 15 | es ← en | absolute, F1 | 33.23 1.00
RR table 15 | fr ← ja | Wikipedia anchors, F1 | 62.79 0.27
RR table 15 | ja ← es | translated anchors, F1 | 70.37 6.94
RR table 15 | ja ← ja | Wikipedia anchors, MAE | 0.19 0.01
RR table 16 | en ← es | translated anchors, MAE | 0.62 0.01
RR table 16 | es ← fr | absolute, F1 | 29.02 0.85
RR table 16 | ja ← fr | Wikipedia anchors, F1 | 36.68 3.14
RR table 17 | en ← ja | relative, F1 | 48.47 2.67
RR table 17 | fr ← es | absolute, F1 | 56.87 3.79
RR table 17 | ja ← ja | relative, MAE | 0.51 0.01
RR table 18 | ViT-B ← ViT-R50 | relative | 66.65 1.79
RR table 18 | rexnet ← rexnet | absolute | 72.77 0.19
RR table 18 | ViT-S ← ViT-S | relative | 83.24 0.13
AO table 1 | AO | FastText → Word2Vec, MRR | 0.99 0.00
AO table 2 | en ← es | AO, F1 | 0.48 0.01
AO table 3 | steps | stitching | 125
AO table 3 | learning rate | retrieval | 0.02
AO table 4 | true anchors | Word2Vec → FastText, Jaccard | 0.39 0.00
AO table 4 | seeds only | FastText → Word2Vec, Jaccard | 0.06 0.01
AO table 4 | seeds only | Word2Vec → FastText, MRR | 0.15 0.02
AO table 4 | AO | FastText → Word2Vec, Jaccard | 0.52 0.00
AO table 4 | AO | Word2Vec → FastText, Jaccard | 0.50 0.01
AO table 5 | AO | FastText → Word2Vec, Jaccard | 0.49 0.00
AO table 5 | AO | Word2Vec → FastText, cosine | 0.93 0.00
AO table 6 | en ← es | true anchors, F1 | 0.51 0.01
AO table 6 | es ← en | seeds only, F1 | 0.41 0.01
AO table 6 | es ← es | AO, MAE | 0.44 0.01
AO table 6 | es ← en | AO, F1 | 0.46 0.01
AO table 7 | true anchors | ViT-small → ViT-base, MRR | 0.28 0.01
AO table 7 | seeds only | ViT-small → ViT-base, cosine | 0.96 0.00
AO table 7 | AO | ViT-base → ViT-small, MRR | 0.23 0.03
AO table 7 | AO | ViT-small → ViT-base, MRR | 0.28 0.01
IRP figure 2 | unscaled | accuracy | 0.92
IRP figure 6 | similarity and accuracy | Pearson | 0.7
IRP figure 6 | condition number and number of anchors | Pearson | 0.93
IRP figure 7 | RoBERTa | accuracy | 0.76
IRP figure 7 | RexNet | accuracy | 0.42
IRP table 1 | XLM-R, English | cosine of different sentences | 0.98 0.03
"""
LINES = [tuple(part.strip() for part in line.split("|")) for line in TYPED.strip().splitlines()]


def test_the_second_list_is_long_enough() -> None:
    assert len(set(LINES)) == len(LINES) >= 60


@pytest.mark.parametrize(("place", "row", "column", "typed"), LINES)
def test_a_number_is_the_one_of_the_second_list(place: str, row: str, column: str, typed: str) -> None:
    assert quote(place, row, column).split("±") == typed.split()


def test_every_numbered_figure_and_table_is_there_once_and_whole() -> None:
    for kind, most in COUNTS.items():
        assert [name for name in places() if name.startswith(f"{kind} ")] == [
            f"{kind} {number}" for number in range(1, most + 1)
        ]
    assert len(places()) == sum(COUNTS.values())
    for place in places().values():
        assert place.section
        assert place.shows.endswith(".")
        for cells in place.rows.values():
            assert len(cells) == len(place.columns)
            assert all(cell is None or PRINTED.fullmatch(cell) for cell in cells)


def test_ratios_of_table_3_are_those_of_its_errors() -> None:
    place = place_of("RR table 3")
    for kind in ("AE, absolute", "AE, relative", "VAE, absolute", "VAE, relative"):
        rows = [place.rows[f"{kind}, {what}"] for what in ("own decoder", "stitched", "ratio")]
        for own, stitched, ratio in zip(*rows, strict=True):
            assert own
            assert stitched
            assert ratio
            assert float(stitched.partition("±")[0]) / float(own.partition("±")[0]) == pytest.approx(
                float(ratio), abs=0.06
            )


def test_the_card_of_table_3_says_the_ranges_of_its_ratios() -> None:
    paper = shipped_recipes()["rr-table-3"].paper
    assert paper is not None
    place, ranges = place_of("RR table 3"), []
    for kind in ("AE, relative", "AE, absolute", "VAE, relative", "VAE, absolute"):
        ratios = [float(cell or "nan") for cell in place.rows[f"{kind}, ratio"][:4]]
        ranges.append((min(ratios), max(ratios)))
    numbers = [float(one) for one in re.findall(r"\d+(?:\.\d+)?", paper.says)]
    wanted = [one if one < 10 else round(one) for pair in ranges for one in pair]
    assert numbers == wanted


def test_what_is_not_printed_is_refused_by_name() -> None:
    for place, row, column in (
        ("RR table 99", "uniform", "MNIST"),
        ("RR table 2", "uniform", "MNIST"),
        ("RR table 2", "relative", "uniform"),
        ("RR table 6", "rexnet ← ViT-B", "CIFAR-100 coarse, absolute"),
    ):
        with pytest.raises(ParameterError, match=place):
            quote(place, row, column)


def test_every_place_has_a_recipe_or_a_reason() -> None:
    rows = shown_places(shipped_recipes()).rows
    assert [row[0] for row in rows] == list(places())
    without = [name for name, _, shown in rows if shown.startswith("–")]
    assert without == list(UNSHOWN)


def test_every_recipe_names_a_place_or_a_section_of_a_paper() -> None:
    for recipe in shipped_recipes().values():
        if recipe.paper is None:
            continue
        paper, kind, *numbers = recipe.paper.place.split()
        assert paper in PAPERS
        assert kind in ("figure", "figures", "table", "tables", "section")
        if kind != "section":
            assert all(f"{paper} {kind.removesuffix('s')} {n}" in places() for n in numbers if n != "and")


def test_no_number_of_a_table_is_typed_elsewhere() -> None:
    """Recipes hold references; a long number of the papers stands in their file and nowhere else."""
    long = {
        cell.partition("±")[0]
        for name, place in places().items()
        for cells in place.rows.values()
        for cell in cells
        if name != "AO table 3" and cell and len(cell.partition("±")[0]) >= 5
    }
    for path in (ROOT / "relviz").rglob("*.py"):
        found = long & set(re.findall(r"\d+\.\d+", path.read_text(encoding="utf-8")))
        assert not found, (path, found)
    for path in (ROOT / "relviz" / "figures" / "recipes").glob("*.json"):
        paper = json.loads(path.read_text(encoding="utf-8")).get("paper", {})
        assert not [one for one in paper.get("comparison", ()) if "theirs" in one]
