"""Every widget of a declared choice has its label, help and range from the declaration."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import relviz
from relviz.state.view import View
from relviz.ui import controls
from tests.state.made_choices import DECLARED

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted([*(ROOT / "relviz" / "ui").rglob("*.py"), *(ROOT / "pages").glob("*.py")])
WIDGETS = {
    *("selectbox", "multiselect", "radio", "segmented_control", "pills", "select_slider"),
    *("number_input", "slider", "toggle", "checkbox", "text_input", "text_area"),
}
KEYS = {f"choice_{of.prefix}{name}": choice for of, name, choice in DECLARED}
LABELS = {choice.label for _, _, choice in DECLARED}
NAMES = {name for _, name, _ in DECLARED}


def calls(text: str) -> Iterator[tuple[str, ast.Call]]:
    """Every method that is called in a source, and how."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            yield node.func.attr, node


def literal(node: ast.expr | None) -> object:
    return node.value if isinstance(node, ast.Constant) else None


def own_words(text: str) -> list[str]:
    """Widgets that say anew what is declared: by its label, or by its key and a text of their own."""
    found = []
    for method, call in calls(text):
        if method not in WIDGETS:
            continue
        given = {one.arg: one.value for one in call.keywords}
        label = literal(call.args[0] if call.args else given.get("label"))
        mine = literal(given.get("key")) in KEYS
        if label in LABELS or (mine and (label is not None or literal(given.get("help")) is not None)):
            found.append(f"{call.lineno}: {ast.unparse(call)[:80]}")
    return found


def unknown(text: str) -> list[str]:
    """Names of choices that nothing declares."""
    return [
        ast.unparse(call)
        for method, call in calls(text)
        if method in ("choose", "segments") and ast.unparse(call.func).startswith("controls.")
        if isinstance(call.args[1], ast.Constant) and call.args[1].value not in NAMES
    ]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_widget_says_anew_what_is_declared(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not own_words(text)
    assert not unknown(text)


@pytest.mark.parametrize(
    "text",
    [
        'st.selectbox("Similarity", options, key="mine")',
        'column.slider("How many", 2, 50, key="choice_count")',
        'st.multiselect(choice.label, rows, help="Pick some.", key="choice_picks")',
    ],
)
def test_a_widget_that_does_is_found(text: str) -> None:
    assert own_words(text)
    assert unknown('controls.choose(view, "colour")')


@pytest.mark.parametrize(
    ("name", "why"), [("picks", "no widget of its own"), ("colour", "no choice 'colour'")]
)
def test_what_has_no_widget_says_so(name: str, why: str) -> None:
    with pytest.raises(relviz.ParameterError, match=why):
        controls.choose(View(), name)
