"""A paper bundle: what is in it, what it says was run, and that LaTeX takes it."""

import io
import json
import shutil
import zipfile
from pathlib import Path

import numpy as np
import pytest

from relviz.cli.main import main
from relviz.encoders import encoder_names
from relviz.errors import ParameterError
from relviz.figures.bundle import CITED, bundle
from relviz.figures.gallery import shipped_recipe
from relviz.figures.make import PrintFigure, make
from relviz.figures.methods import ENCODERS, OF_DEMOS, OF_NAMES, methods_of, references
from tests.benchmarks.paper import compiled, figures_of, own_pair, type_3, unpacked


@pytest.fixture
def made() -> list[PrintFigure]:
    return list(figures_of(own_pair(60, 8), ("maps", "translation"), "acl"))


def test_everything_of_each_figure_is_in_it_and_the_same_each_time(made: list[PrintFigure]) -> None:
    raw = bundle(made)
    assert raw == bundle(made)
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        names = set(archive.namelist())
        methods = archive.read("methods.txt").decode()
        bib = archive.read("references.bib").decode()
        recipe = json.loads(archive.read("recipes/translation.json"))
    assert {"main.tex", "figures/maps-1.pdf", "figures/maps-2.pdf", "tables/translation.tex"} <= names
    assert {"data/translation.csv", "recipes/maps-1.json", "README.txt"} <= names
    assert "encoder-base-uncased (8 dimensions)" in methods
    assert "60 items, matched by their ids" in methods
    assert "30 items, uniform, seed 0" in methods
    assert "[@" not in methods
    assert "@inproceedings{moschella2023relative," in bib
    assert "schonemann1966generalized" in bib
    assert "mcinnes2018umap" not in bib
    assert recipe["versions"]["python"]
    assert recipe["look"] == {"style": "acl"}


def test_figures_of_two_styles_are_no_paper(made: list[PrintFigure]) -> None:
    other = next(figures_of(own_pair(60, 8), ("maps",), "neurips"))
    with pytest.raises(ParameterError, match="several styles"):
        bundle([made[0], other])
    with pytest.raises(ParameterError, match="1 to 60"):
        bundle([])


def test_references_are_entries_by_their_keys() -> None:
    for key, entry in references().items():
        assert entry.startswith("@")
        assert entry.rstrip().endswith("}")
        assert f"{{{key}," in entry


def test_encoders_and_data_are_cited() -> None:
    methods = methods_of([make(shipped_recipe("rr-figure-2"))])
    assert "made of Twemoji [@twemoji]." in methods
    assert methods.count("is encoded by EfficientNet-Lite") == 2
    cited = {*CITED.findall(methods)}
    assert {"tan2019efficientnet", "twemoji"} <= cited
    known = {
        key for text in (*ENCODERS.values(), *OF_DEMOS.values(), OF_NAMES) for key in CITED.findall(text)
    }
    assert known | cited <= references().keys()
    assert ENCODERS.keys() == set(encoder_names())


@pytest.mark.skipif(not shutil.which("pdflatex"), reason="there is no pdflatex on the path")
def test_it_compiles_with_no_box_overfull_and_no_font_of_type_3(
    made: list[PrintFigure], tmp_path: Path
) -> None:
    folder = unpacked(made, tmp_path / "paper")
    found = compiled(folder)
    assert found.overfull == []
    if shutil.which("pdffonts"):
        assert type_3(folder / "main.pdf") == []


def test_commands_draw_what_the_app_shows(tmp_path: Path) -> None:
    relviz_pair = own_pair(60, 8)
    files = []
    for name, space in zip("ab", (relviz_pair.a, relviz_pair.b), strict=True):
        files.append(str(tmp_path / f"{name}.npz"))
        np.savez(files[-1], vectors=space.vectors, ids=np.array(space.ids), labels=np.array(space.labels))
    out = [str(tmp_path / name) for name in ("curve.csv", "maps.json", "agreement.csv", "paper.zip")]
    assert main(["curve", *files, "--runs", "2", "-o", out[0]]) == 0
    assert Path(out[0]).read_text().startswith("anchors,top1_a_to_b,")
    hide = ["--hide", "class 1", "--style", "acl", "--width", "3in", "--name", "a=BERT"]
    assert main(["compare", *files, "--anchors", "20", *hide, "-o", out[1]]) == 0
    recipe = json.loads(Path(out[1]).read_text())
    assert recipe["width_mm"] == pytest.approx(76.2)
    assert recipe["look"] == {"style": "acl", "names": {"a": "BERT"}, "hidden": ["class 1"]}
    asked = ["draw", "maps", *files, "--set", "color=agreement", "--set", "rows=relative", "-o", out[2]]
    assert main(asked) == 0
    assert "jaccard" in Path(out[2]).read_text()
    assert main(["bundle", out[1], "--data", files[0], "--data", files[1], "-o", out[3]]) == 0
    assert zipfile.is_zipfile(out[3])
    assert main(["draw", "maps", *files, "--set", "colour=red"]) == 1
