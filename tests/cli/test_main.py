"""The command line: what it says, what it writes, and what it gives back to scripts."""

import hashlib
import io
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from relviz.cli import files as progress
from relviz.cli.main import main
from relviz.figures.open_recipe import recipe_of
from relviz.figures.recipe import read_recipe
from relviz.state import View
from relviz.state.sources import forget_opened
from tests.ui.made import CLASSES, ROWS, spaces

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.usefixtures("few_clusterings")


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Two files of the same items, and a store of their own."""
    monkeypatch.setenv("RELVIZ_CACHE", str(tmp_path / "cache"))
    forget_opened()
    monkeypatch.chdir(tmp_path)
    for name, space in zip("ab", spaces(), strict=True):
        texts = {what: np.array(getattr(space, what)) for what in ("ids", "labels")}
        np.savez(f"{name}.npz", allow_pickle=False, vectors=space.vectors.numpy(), **texts)
    return ["a.npz", "b.npz"]


def said(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


def test_compare_measures_and_writes(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    out = ["-o", "maps.pdf", "-o", "maps.json", "-o", "maps.csv", "--table", "table.tex"]
    asked = ["compare", *files, "--anchors", "12", "--runs", "2", "-k", "3"]
    assert main([*asked, *out, "--json"]) == 0
    found = said(capsys)
    assert found["rows"] == ROWS
    assert found["a"]["name"] == "a"
    assert {one["metric"] for one in found["measures"]} >= {"jaccard", "mrr_at_k", "cosine", "top1"}
    assert Path("maps.pdf").read_bytes().startswith(b"%PDF")
    assert "tabular" in Path("table.tex").read_text()
    assert Path("maps.csv").read_text().count("\n") == ROWS + 1
    recipe = read_recipe(Path("maps.json").read_bytes())
    assert (recipe.kind, recipe.view.count) == ("maps", 12)
    assert main(["figure", "maps.json", "-o", "again.pdf"]) == 0
    assert Path("again.pdf").read_bytes() == Path("maps.pdf").read_bytes()
    assert main(asked) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("A: a (6 dimensions)")


def test_a_recipe_finds_its_files_again(
    files: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (
        main(["compare", *files, "--anchors", "12", "--runs", "1", "-o", "maps.json", "-o", "one.svg"]) == 0
    )
    monkeypatch.setenv("RELVIZ_CACHE", "empty")
    forget_opened()
    assert main(["figure", "maps.json"]) == 1
    assert "--data FILE" in capsys.readouterr().err
    assert main(["figure", "maps.json", "--data", "a.npz", "--data", "b.npz", "-o", "two.svg"]) == 0
    assert Path("one.svg").read_bytes() == Path("two.svg").read_bytes()
    assert capsys.readouterr().err == ""


@pytest.fixture
def recipe(files: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """A recipe of the two files, and files of other content beside them."""
    assert (
        main(["compare", *files, "--anchors", "12", "--runs", "1", "-o", "maps.json", "-o", "one.svg"]) == 0
    )
    with np.load("b.npz") as held:
        other = {name: held[name] for name in held.files}
    other["vectors"] = np.random.default_rng(5).normal(size=other["vectors"].shape)
    np.savez("other.npz", **other)
    capsys.readouterr()
    return "maps.json"


def nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RELVIZ_CACHE", "empty")
    forget_opened()


def test_a_renamed_file_is_the_data_of_its_recipe(
    recipe: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    nothing_kept(monkeypatch)
    Path("a.npz").rename("renamed.npz")
    assert main(["figure", recipe, "--data", "renamed.npz", "--data", "b.npz", "-o", "two.csv"]) == 0
    assert main(["compare", "renamed.npz", "b.npz", "--anchors", "12", "--runs", "1", "-o", "one.csv"]) == 0
    assert Path("one.csv").read_bytes() == Path("two.csv").read_bytes()
    assert capsys.readouterr().err == ""


def test_a_recipe_has_what_any_program_computes_of_its_files(recipe: str) -> None:
    said = json.loads(Path(recipe).read_text())["data"].values()
    assert [one["sha256"] for one in said] == [
        hashlib.sha256(Path(name).read_bytes()).hexdigest() for name in ("a.npz", "b.npz")
    ]


@pytest.mark.parametrize("given", [["a.npz", "other.npz"], ["other.npz"], ["a.npz", "b.npz", "other.npz"]])
@pytest.mark.parametrize("kept", [True, False])
def test_other_data_than_the_recipe_s_is_refused_whatever_is_kept(
    given: list[str],
    kept: bool,
    recipe: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if not kept:
        nothing_kept(monkeypatch)
    assert main(["figure", recipe, *(part for name in given for part in ("--data", name))]) == 1
    assert "other.npz is not the data of the recipe" in capsys.readouterr().err


def test_two_files_take_the_place_of_a_demo_s_spaces(recipe: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("demo.json").write_text(recipe_of(View(count=12, runs=1), "maps").to_json())
    assert main(["figure", "demo.json", "--data", "a.npz", "--data", "b.npz", "-o", "two.csv"]) == 0
    told = capsys.readouterr()
    assert "A and B are a and b, instead of emoji.image_lite0 and emoji.image_lite1." in told.err
    assert "a (" in told.out
    assert Path("two.csv").read_text().count("\n") == ROWS + 1
    assert recipe


@pytest.mark.parametrize(
    ("name", "given", "why"),
    [
        ("rr-anchors", ["a.npz"], "--data names 1. Give two files"),
        ("rr-anchors", ["a.npz", "b.npz", "a.npz"], "--data names 3"),
        ("rr-figure-5", ["a.npz", "b.npz"], "it does not take --data"),
    ],
)
def test_data_that_a_demo_s_recipe_cannot_use_is_refused(
    name: str, given: list[str], why: str, files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert files
    assert main(["figure", name, *(part for one in given for part in ("--data", one))]) == 1
    assert why in capsys.readouterr().err


def test_bootstrap_finds_and_writes(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["bootstrap", *files, "--anchors", "12", "--seeds", "6", "--method", "adam_warm"]
    asked += ["--options", "steps=8,warm_up=3"]
    assert main([*asked, "--found", "f.csv", "--matches", "m.csv", "-o", "run.png", "--json"]) == 0
    found = said(capsys)
    assert set(found) >= {"converged", "matches_right", "measured", "evidence"}
    assert Path("m.csv").read_text().count("\n") >= ROWS
    assert Path("run.png").read_bytes().startswith(b"\x89PNG")
    assert main([*asked, "--found", "f.npz"]) == 0
    assert "are matched correctly" in capsys.readouterr().out
    with np.load("f.npz") as held:
        assert held["anchors_b"].shape == (12, 6)
    assert main([*asked, "--matches", "m.exe"]) == 1


@pytest.mark.usefixtures("files")
def test_bootstrap_matches_what_nothing_else_matches(capsys: pytest.CaptureFixture[str]) -> None:
    with np.load("b.npz") as held:
        np.savez(
            "c.npz", vectors=held["vectors"][::-1][:50], ids=np.array([f"other{row}" for row in range(50)])
        )
    Path("known.csv").write_text("".join(f"id{59 - row}, other{row}\n" for row in range(12)))
    assert main(["bootstrap", "a.npz", "c.npz", "--known", "known.csv", "--matches", "m.csv", "--json"]) == 0
    assert isinstance(said(capsys)["converged"], bool)
    assert Path("m.csv").read_text().splitlines()[0] == "row_a,item_a,row_b,item_b,similarity,has_counterpart"
    asked = ["bootstrap", "a.npz", "c.npz", "--known", "known.csv"]
    assert main([*asked, "--found", "x.csv"]) == 1
    assert main([*asked, "-o", "p.csv", "-o", "p.json"]) == 0
    assert main(["figure", "p.json", "-o", "again.csv", "-o", "again.json"]) == 0
    assert Path("p.csv").read_bytes() == Path("again.csv").read_bytes()
    assert json.loads(Path("p.json").read_text()) == json.loads(Path("again.json").read_text())
    Path("known.csv").write_text("id0, nobody\n")
    assert main(["bootstrap", "a.npz", "c.npz", "--known", "known.csv"]) == 1
    assert "nobody" in capsys.readouterr().err


@pytest.mark.usefixtures("files")
def test_bootstrap_takes_hints_where_nothing_matches(capsys: pytest.CaptureFixture[str]) -> None:
    with np.load("b.npz") as held:
        vectors = held["vectors"][::-1][:50]
    kinds = np.array([f"kind {row % 3}" for row in range(ROWS)])
    with np.load("a.npz") as held:
        np.savez("x.npz", vectors=held["vectors"], labels=kinds, ids=[f"id{row}" for row in range(ROWS)])
    np.savez("y.npz", vectors=vectors, labels=kinds[::-1][:50], items=[f"other{row}" for row in range(50)])
    Path("groups.txt").write_text("id59, id58 | other0, other1, other2\n")
    Path("apart.txt").write_text("id59, other1\n")
    asked = [
        "bootstrap",
        "x.npz",
        "y.npz",
        "--classes",
        "--groups",
        "groups.txt",
        "--non-matches",
        "apart.txt",
    ]
    assert main([*asked, "--matches", "m.csv", "--json"]) == 0
    said(capsys)
    rows = [line.split(",") for line in Path("m.csv").read_text().splitlines()[1:]]
    found = {row[1]: row[3] for row in rows}
    assert found["id59"] in ("other0", "other2")
    assert found["id58"] in ("other0", "other1", "other2")
    same = [row for row in rows if kinds[int(row[0])] == kinds[::-1][int(row[2])]]
    assert len(same) > 0.9 * len(rows)
    for more, why in (
        (["--names"], "no item name in common"),
        (["-o", "p.pdf"], "do not support hints"),
    ):
        assert main([*asked, *more]) == 1
        assert why in capsys.readouterr().err
    assert main(["bootstrap", "a.npz", "b.npz", "--classes"]) == 1
    assert "paired already" in capsys.readouterr().err


def test_a_pairing_by_position_is_called_assumed_and_can_be_set_aside(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    x = rng.normal(size=(ROWS, 6)).astype(np.float32)
    np.save("x.npy", x)
    np.save("y.npy", 2 * x[rng.permutation(ROWS)])
    few = ["--anchors", "10"]
    assert main(["compare", "x.npy", "y.npy", *few, "--runs", "1"]) == 0
    told = capsys.readouterr().out
    assert "Rows are assumed to be paired by position. The pairing looks random" in told
    assert "bootstrap A B --unpaired" in told
    assert main(["stitch", "x.npy", "y.npy", *few, "--translation", "--json"]) == 0
    assert said(capsys)["pairing"]["verdict"] == "random"
    Path("known.csv").write_text("row 1, row 1\n")
    assert main(["bootstrap", "x.npy", "y.npy", "--known", "known.csv"]) == 1
    assert "ignore the pairing with --unpaired" in capsys.readouterr().err
    assert main(["bootstrap", "x.npy", "y.npy", "--unpaired", "--known", "known.csv", "--json"]) == 0
    assert isinstance(said(capsys)["converged"], bool)
    np.save("other.npy", rng.normal(size=(ROWS, 6)))
    assert main(["bootstrap", "x.npy", "other.npy", "--unpaired", "--seed", "4"]) == 0
    assert "Try other starts (--seed 5), or a few known pairs (--known FILE)." in capsys.readouterr().out
    assert main(["compare", "x.npy", "x.npy", *few, "--runs", "1"]) == 0
    assert "The pairing is plausible" in capsys.readouterr().out


def test_stitch_stitches_all_that_is_given(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    np.savez(
        "c.npz",
        vectors=np.random.default_rng(0).normal(size=(ROWS, 5)),
        ids=np.array([f"id{row}" for row in range(ROWS)]),
        labels=np.array(CLASSES),
    )
    assert (
        main(["stitch", *files, "c.npz", "--anchors", "10", "-o", "m.pdf", "--table", "m.md", "--json"]) == 0
    )
    found = said(capsys)
    assert {cell["encoder"] for cell in found["cells"]} == {"a", "b", "c"}
    assert Path("m.pdf").exists()
    assert "|" in Path("m.md").read_text()


def test_demos_are_listed_and_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--json"]) == 0
    assert set(said(capsys)) == {"emoji", "glosses", "words", "digits"}
    assert main(["demo", "glosses", "-o", str(tmp_path / "new"), "--json"]) == 0
    assert len(said(capsys)["files"]) == len(list((tmp_path / "new").iterdir())) == 3
    import relviz

    kept = relviz.load_space(tmp_path / "new" / "glosses.e5.npz")
    assert (len(kept), kept.dimension, len(set(kept.labels or ()))) == (1500, 384, 12)


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (["compare", "nowhere.npz", "b.npz"], "no file 'nowhere.npz'"),
        (["compare", "/secret/folder/x.npz", "b.npz"], "no file 'x.npz'"),
        (["compare", "digits"], "is only one space"),
        (["compare", "emoji.nothing", "b.npz"], "no file"),
        (["compare", "a.npz", "b.npz", "--anchors", "1"], "--anchors 1 does not lie between 2 and 5000"),
        (["compare", "a.npz", "b.npz", "-k", "0"], "-k 0 does not lie between 1 and 100"),
        (["bootstrap", "a.npz", "b.npz", "--held-out", "0.9"], "--held-out 0.9 does not lie between 0 and"),
        (["stitch", "a.npz", "b.npz", "--seed", "-1"], "--seed -1 does not lie between 0 and 9999"),
        (["stitch", "a.npz", "b.npz", *(f"{row}.npy" for row in range(15))], "the limit is 16"),
        (["compare", "a.npz", "b.npz", "--anchors", "5", "-o", "x.exe"], "cannot be written as .exe"),
        (["compare", "a.npz", "b.npz", "--anchors", "5", "-o", "no/such/x.pdf"], "No such file"),
        (["compare", "a.npz", "b.npz", "--vectors", "zz"], "zz"),
        (["compare", "text.csv", "b.npz"], "text.csv"),
        (["compare", "a.npz", "b.npz", "--width", "3", "-o", "x.pdf"], "3 mm"),
        (["stitch", "plain.npy", "plain.npy"], "no classes"),
        (["figure", "gone.json"], "no recipe 'gone.json'"),
        (["figure", "text.csv"], "This recipe cannot be read"),
        (["figure", "rr-table-99"], "rr-table-1"),
    ],
)
def test_what_goes_wrong_is_one_line_and_a_1(
    asked: list[str], why: str, files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert files
    Path("text.csv").write_text("hello\n")
    np.save("plain.npy", np.random.default_rng(0).normal(size=(30, 4)))
    for row in range(15):
        np.save(f"{row}.npy", np.random.default_rng(row).normal(size=(30, 4)))
    assert main(asked) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("relviz: ")
    assert told.err.count("\n") == 1
    assert why in told.err
    assert "Traceback" not in told.err
    assert "/secret" not in told.err


@pytest.mark.parametrize("asked", [[], ["dance"], ["compare"], ["compare", "emoji", "--width", "wide"]])
def test_a_wrong_command_is_a_2(asked: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(asked)
    assert left.value.code == 2
    assert "usage" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["figure", "demo", "compare", "bootstrap", "stitch"])
def test_help_teaches_by_examples(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main([name, "--help"])
    assert left.value.code == 0
    told = capsys.readouterr().out
    assert told.count(f"python -m relviz {name}") >= 3
    assert "--json" in told


def test_help_calls_the_program_as_it_was_called(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["/opt/relviz/bin/relviz"])
    for asked in (["--help"], ["compare", "--help"]):
        with pytest.raises(SystemExit):
            main(asked)
        told = capsys.readouterr().out
        assert told.startswith(f"usage: {' '.join(['relviz', *asked[:-1]])} [-h]")
        assert "  relviz compare emoji" in told
        assert "python -m" not in told


def test_an_interrupt_is_a_130(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("relviz.cli.demo.run", interrupted)
    assert main(["demo"]) == 130
    assert "Traceback" not in capsys.readouterr().err


def test_a_bar_is_drawn_on_a_terminal_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    seen = Terminal()
    monkeypatch.setattr(sys, "stderr", seen)
    with progress.bar("Working") as ticket:
        assert ticket is not None
        for _ in range(1000):  # it is drawn anew ten times a second at most
            ticket.report(0.5, "step 1")
            if "50%" in seen.getvalue():
                break
            time.sleep(0.001)
    assert "Working |" in seen.getvalue()
    assert "50%, step 1" in seen.getvalue()
    assert not seen.getvalue().rpartition("\r")[2]
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with progress.bar("Working") as nothing:
        assert nothing is None


def test_it_runs_as_a_program_without_streamlit_and_minds_no_reader_who_has_enough() -> None:
    listed = """import sys; from relviz.__main__ import main; ended = main(["figure", "--list", "--json"])
sys.exit(ended or 'streamlit' in sys.modules or 'plotly' in sys.modules)"""
    command = [sys.executable, "-c", listed]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
        assert program.stdout is not None
        program.stdout.close()  # as head does once it has its lines
        assert program.stderr is not None
        assert program.stderr.read() == b""
    assert program.returncode == 0
