"""README.md is true: its commands have the promised form, its code runs, and what it names exists."""

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [path for path in (ROOT / "README.md", ROOT / "THIRD-PARTY.md") if path.exists()]

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"`([^`\n]+)`")
NAMED_FILE = re.compile(r"(?!https?:)[\w.-]+(/[\w.-]+)*/?")


def prose(text: str) -> str:
    return FENCE.sub("", text)


def set_up_commands() -> list[str]:
    section = README.split("\n## Set up\n")[1].split("\n## ")[0]
    return [code for _, code in FENCE.findall(section)]


def looks_like_a_path(word: str) -> bool:
    """A word with a slash, or the name of a file of the kinds that lie beside README.md."""
    if not NAMED_FILE.fullmatch(word) or word.startswith(".venv/"):
        return False
    return "/" in word or Path(word).suffix in (".py", ".md", ".txt", ".toml")


def test_two_commands_of_one_line_set_everything_up() -> None:
    commands = set_up_commands()
    assert len(commands) == 2
    start, check = (command.strip() for command in commands)
    for command in (start, check):
        assert "\n" not in command
        assert command.startswith("python3 -m venv .venv && .venv/bin/pip install -r requirements.txt")
    assert start.endswith("&& .venv/bin/streamlit run app.py")
    assert check.endswith("-r tests/requirements.txt && .venv/bin/pytest -n auto")


def test_python_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    said: list[str] = []
    blocks = [code for language, code in FENCE.findall(README) if language == "python"]
    assert blocks
    for code in blocks:
        if ">>>" in code:
            example = doctest.DocTestParser().get_doctest(code, names, "README.md", "README.md", 0)
            runner.run(example, out=said.append, clear_globs=False)
            names = example.globs
        else:
            exec(compile(code, "README.md", "exec"), names)
    assert runner.failures == 0, "".join(said)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_and_pictures_exist(page: Path) -> None:
    targets = LINK.findall(prose(page.read_text(encoding="utf-8")))
    local = [target for target in targets if not re.match(r"https?:|mailto:|#", target)]
    missing = [target for target in local if not (ROOT / target.split("#")[0]).exists()]
    assert not missing


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_named_files_exist(page: Path) -> None:
    words = CODE.findall(prose(page.read_text(encoding="utf-8")))
    missing = [word for word in words if looks_like_a_path(word) and not (ROOT / word).exists()]
    assert not missing
