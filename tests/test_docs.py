"""The docs are true: Python runs, commands parse or run, links lead somewhere, the site builds."""

import ast
import doctest
import importlib.util
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image

from relviz.cli.main import COMMANDS, main, parser

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
PAGES = [ROOT / f"{name}.md" for name in ("README", "CONTRIBUTING", "CHANGELOG", "THIRD-PARTY")]
PAGES += sorted(DOCS.glob("*.md"))

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INDENTED = re.compile(r"^    (?=\S)(.*)$", re.MULTILINE)
CODE = re.compile(r"`([^`\n]+)`")
NAMED_FILE = re.compile(r"(?!https?:)[\w.-]+(/[\w.-]+)*/?")
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)

RUN = (
    "relviz demo",
    "relviz figure --list",
    "relviz --version",
    "relviz compare glosses --runs 1 --queries 100",
)
"""Commands that are run. The others are only parsed: they take minutes, or read files of the reader."""

NOT_RUN = {
    ("notebook", ""): "run by tests/test_notebook.py",
    ("stitching", "Client("): "needs a Dask cluster; tests/stitching starts one",
    (
        "stitching",
        "layer_rescale",
    ): "loads MiniLM and runs it layer by layer, a minute; tests/stitching has a small one",
    ("encoders", "my-bert"): "encodes with a model of the reader; tests/encoders makes one",
    ("decoding", "train("): "trains two autoencoders, a minute; tests/autoencoders trains small ones",
}
"""Pages and words of Python blocks of which only the imports are run, each with the reason."""


def small_spaces() -> dict[str, Any]:
    """Three parallel spaces with classes, anchors, and known pairs: what the pages call x, y and so on."""
    import relviz

    rng = np.random.default_rng(0)
    x = torch.from_numpy(rng.normal(size=(400, 16)).astype("float32"))
    turn = torch.from_numpy(np.linalg.qr(rng.normal(size=(16, 16)))[0].astype("float32"))
    y = x @ turn
    anchors = relviz.select_anchors(x, 40, seed=0)
    known = anchors[:15]
    return {
        "relviz": relviz,
        "x": x,
        "y": y,
        "z": 2 * y.flip(1),
        "anchors": anchors,
        "xa": x[anchors],
        "ya": y[anchors],
        "sx": known,
        "sy": known,
        "labels": [str(number % 3) for number in range(400)],
    }


def table_of_names() -> dict[str, Any]:
    import pandas as pd

    return {"table": pd.DataFrame({"item": ["'=A1", "dog"]})}


def files_of_items() -> dict[str, Any]:
    """glosses.csv and photos.zip, in the folder where the page runs."""
    import zipfile

    import relviz

    rows = "\n".join(f"w{n},a thing of kind {n},c{n % 2}" for n in range(6))
    Path("glosses.csv").write_text("word,gloss,class\n" + rows + "\n", encoding="utf-8")
    with zipfile.ZipFile("photos.zip", "w") as packed:
        for number in range(64):
            Image.new("RGB", (16, 16), (number, 0, 0)).save("one.png")
            packed.write("one.png", f"{number % 2}/{number}.png")
    return {"relviz": relviz}


BEFORE: dict[str, Callable[[], dict[str, Any]]] = {
    "anchor-optimization": small_spaces,
    "translation": small_spaces,
    "stitching": small_spaces,
    "figures": table_of_names,
    "items": files_of_items,
}
"""What a page takes as given, made before its first block."""


def words(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def python_of(page: Path) -> list[str]:
    return [code for language, code in FENCE.findall(words(page)) if language == "python"]


def reason_not_to_run(page: Path, code: str) -> str:
    found = (why for (name, word), why in NOT_RUN.items() if name == page.stem and word in code)
    return next(found, "")


def commands_of(page: Path) -> list[str]:
    """Every command of a page that starts relviz or a module of the tests."""
    text = words(page)
    lines = [
        line
        for language, code in FENCE.findall(text)
        if language in ("bash", "text")
        for line in code.splitlines()
    ]
    lines += INDENTED.findall(FENCE.sub("", text)) + CODE.findall(FENCE.sub("", text))
    clean = [re.sub(r"^(\$ )?(\.venv/bin/)?", "", line.strip()) for line in lines]
    clean = [line.replace("python -m relviz", "relviz", 1) for line in clean if "…" not in line]
    return [line for line in clean if re.match(r"(relviz (?!COMMAND|recipe )[-\w]|python -m tests\.)", line)]


def slug(heading: str) -> str:
    plain = re.sub(r"[`*]|\]\([^)]*\)|\[", "", heading)
    return re.sub(r"[\s]+", "-", re.sub(r"[^\w\s-]", "", plain.lower()).strip())


@pytest.mark.slow
@pytest.mark.usefixtures("few_clusterings")
@pytest.mark.parametrize("page", [page for page in PAGES if python_of(page)], ids=lambda page: page.stem)
def test_python_blocks_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RELVIZ_CACHE", str(tmp_path))
    names: dict[str, Any] = BEFORE.get(page.stem, dict)()
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    said: list[str] = []
    for code in python_of(page):
        if ">>>" in code:
            example = doctest.DocTestParser().get_doctest(code, names, page.name, page.name, 0)
            runner.run(example, out=said.append, clear_globs=False)
            names = example.globs
            continue
        tree = ast.parse(code)
        if reason_not_to_run(page, code):
            tree.body = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
        exec(compile(tree, page.name, "exec"), names)
    assert runner.failures == 0, "".join(said)


def test_what_is_not_run_is_there() -> None:
    for name, word in NOT_RUN:
        assert any(word in code for code in python_of(DOCS / f"{name}.md")), (name, word)


@pytest.mark.parametrize("page", [page for page in PAGES if commands_of(page)], ids=lambda page: page.stem)
def test_commands_are_as_the_program_has_them(page: Path) -> None:
    for command in commands_of(page):
        program, *arguments = shlex.split(command)
        if program == "relviz":
            if not {"--version", "--help"} & {*arguments}:  # these end the program
                parser().parse_args(arguments)
        else:
            assert importlib.util.find_spec(arguments[1]), command


def test_every_command_is_listed_and_no_other() -> None:
    listed = re.findall(r"^\| `(\w+)` \|", words(DOCS / "command-line.md"), re.MULTILINE)
    assert sorted(listed) == sorted(one.__name__.rpartition(".")[2] for one in COMMANDS)


@pytest.mark.parametrize("command", RUN)
def test_quick_commands_run(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RELVIZ_CACHE", str(tmp_path))
    try:
        code = main(shlex.split(command)[1:])
    except SystemExit as left:
        code = int(left.code or 0)
    assert code == 0
    assert capsys.readouterr().out.strip()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_lead_somewhere(page: Path) -> None:
    dead = []
    for target in LINK.findall(FENCE.sub("", words(page))):
        if re.match(r"https?:|mailto:", target):
            continue
        file, _, anchor = target.partition("#")
        there = (page.parent / file) if file else page
        if not there.exists() or (
            anchor and anchor not in {slug(heading) for heading in HEADING.findall(words(there))}
        ):
            dead.append(target)
    assert not dead


@pytest.mark.slow
def test_the_site_builds_and_needs_no_other_machine(tmp_path: Path) -> None:
    import subprocess
    import sys

    if importlib.util.find_spec("mkdocs") is None:
        pytest.skip("mkdocs is not here: pip install -r docs/requirements.txt")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)]
    made = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stdout + made.stderr
    loads = re.compile(
        r'<(?:script|img|iframe)[^>]*\ssrc="(https?:[^"]*)"|<link[^>]*rel="stylesheet"[^>]*href="(https?:[^"]*)"'
    )
    for page in tmp_path.rglob("*.html"):
        assert not loads.findall(page.read_text(encoding="utf-8")), page.name
    assert (tmp_path / "search" / "search_index.json").exists()


def test_every_public_name_is_in_the_reference() -> None:
    import relviz

    named = set(re.findall(r"^::: relviz\.(\w+)$", words(DOCS / "api.md"), re.MULTILINE))
    assert named == set(relviz.__all__)


def looks_like_a_path(word: str) -> bool:
    """A word with a slash, or the name of a file of the kinds that lie beside README.md."""
    if not NAMED_FILE.fullmatch(word) or word.startswith(".venv/"):
        return False
    return "/" in word or Path(word).suffix in (".py", ".md", ".txt", ".toml")


def test_two_commands_of_one_line_set_everything_up() -> None:
    section = words(ROOT / "README.md").split("\n## Set up\n")[1].split("\n## ")[0]
    commands = [code for _, code in FENCE.findall(section)]
    assert len(commands) == 2
    start, check = (command.strip() for command in commands)
    made, run = "python3 -m venv .venv && .venv/bin/pip install", "&& .venv/bin"
    assert start == f"{made} -r requirements.txt {run}/streamlit run app.py"
    # What no test imports is not compiled: that is half of the installation's time.
    assert check == f"{made} --no-compile -r requirements.txt -r tests/requirements.txt {run}/pytest -n auto"


@pytest.mark.parametrize("page", [ROOT / "README.md", ROOT / "THIRD-PARTY.md"], ids=lambda page: page.stem)
def test_named_files_exist(page: Path) -> None:
    named = CODE.findall(FENCE.sub("", words(page)))
    assert not [word for word in named if looks_like_a_path(word) and not (ROOT / word).exists()]
