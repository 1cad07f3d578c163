"""The words that people read: screens, captions, messages, command line and docs hold to one glossary."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

INSTEAD = {
    "told by": "represented by, relative to",
    "partner": "counterpart, ground-truth match",
    "partners": "counterparts, correspondences, matches",
    "find their partner first": "top-1 retrieval",
    "I know the pairing": "ground truth available",
    "not taken as converged": "rejected by the self-check",
    "to the letter": "Adam (Cannistraci et al. 2023)",
    "as the paper writes it": "Adam (Cannistraci et al. 2023)",
    "the paper's method": "Adam (Cannistraci et al. 2023)",
    "draw of anchors": "anchor sampling seed",
    "draws of anchors": "number of anchor samples",
    "seed of their draw": "sampling seed",
    "searched among all rows": "candidates: all rows",
    "fits and measures": "projection and metric settings",
    "each point minds": "effective number of neighbors",
    "seed of the map": "projection seed",
    "carried into": "translated, mapped",
    "carried over": "translated, mapped",
    "that pip carries": "bundled",
    "minus the anchor mean": "after centering on the anchors",
    "cosine to the truth": "cosine similarity to the target",
    "true place nearest of all": "rank 1 for the true counterpart",
    "prunings from different starts": "subspaces averaged (ω)",
    "how long the vectors are": "vector norms",
    "a head minds": "sensitivity to scale",
    "what is confused": "confusion matrix",
    "what a head says": "classifier prediction",
    "that trained nothing": "test images",
    "seed of the first": "seed, model 1",
    "likeness": "similarity",
    "a cancel is heard": "takes effect after this file",
    "it did not work": "failed",
    "did not work": "failed",
    "it is seen again": "open a recipe to restore its view",
    "decoders swapped": "decoder swap",
    "they say the same": "nearly collinear, redundant",
    "some of them say the same": "some are redundant",
    "by which encoders": "Encoders",
    "look at them": "Preview",
    "one text a line": "One text per line",
    "one less": "Remove encoder",
    "as the model has it": "model default",
    "Encode by": "Encode with",
    "the spaces at hand": "loaded embeddings",
    "where from": "Source",
    "put on the shelf": "add to shelf",
    "in it whole": "Includes your embeddings; demos are referenced by name.",
    "how alike are they": "Similarity metrics",
    "B in A's axes": "fitted on A, applied to B",
    "each alone": "fitted separately",
    "both together": "fitted jointly",
    "least distance": "min_dist",
    "show everything": "Reset view",
    "fitted together as one": "Link pan and zoom",
    "by place along the first axis": "Colored by PC1 of A",
    "more include fewer": "nested anchor sets",
    "counts among its own neighbors": "self-matches included",
    "no absolute control": "no absolute baseline",
    "what color says": "Color encoding",
    "how well they serve": "Anchor quality",
    "in proportion to the rows": "expected if proportional",
    "chance taken off": "chance-corrected",
    "% is asked for": "threshold",
    "tells another story": "The halves disagree",
    "cosine, plain": "Cosine (uncentered)",
    "beside the other methods": "Method comparison",
    "nothing (absolute)": "No translation (baseline)",
    "lands wrong": "is mistranslated",
    "what goes in": "Input",
    "0: as usual": "0 = default",
    "times as much": "36.2× higher",
    "× as much": "36.2× higher",
    "put the sliders back": "Reset",
    "in the middle by its mass": "centered by center of mass",
    "waiting for the device": "Queued",
    "on a graphics card": "Software rendering",
    "cancelled": "canceled",
}
"""Phrases of our own dialect, in any case, and how the field says it."""

BRITISH = (
    r"\b(?:colour|grey|centre|centring|neighbour|behaviour|licence|optimis|normalis|initialis|visualis)\w*"
)
THIN = r"\d[\u00a0\u2009\u202f ]\d{3}\b(?![\d.])"
SPACED = r"\d [%]"
CODE = re.compile(r"``[^`]*``|--\w+|\b\w+=|^ *[a-z_]+(?:, [a-z_]+)*$", re.MULTILINE)
"""Names in code within a text: quoted, options, and the parameters that a docstring lists."""
IN_DOCS = re.compile(r"^```.*?^```$|^\|.*?$|^ {4}.*?$|`[^`]*`", re.MULTILINE | re.DOTALL)
"""Code and tables of a document."""


def _read(text: str) -> Iterator[tuple[str, str]]:
    """Every phrase in a text that the glossary replaces, and what to say; names in code are left alone."""
    flat = " ".join(CODE.sub("", text).split())
    if " " not in flat:  # a name in code
        return
    small = flat.lower()
    for phrase, better in INSTEAD.items():
        if phrase.lower() in small and re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", flat, re.IGNORECASE):
            yield phrase, better
    for pattern, better in ((BRITISH, "American spelling"), (THIN, "1,906"), (SPACED, "45%")):
        if found := re.search(pattern, flat, re.IGNORECASE):
            yield found[0], better


def _literals(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and text of every string of a module; of one with braces, all that stands between them."""
    inner = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield (
                node.lineno,
                "".join(p.value if isinstance(p, ast.Constant) else "{}" for p in node.values),
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inner:
            yield node.lineno, node.value


def _texts() -> Iterator[tuple[str, str]]:
    """Where, and what, of all that people read."""
    for path in sorted([ROOT / "app.py", *(ROOT / "pages").rglob("*.py"), *(ROOT / "relviz").rglob("*.py")]):
        for line, text in _literals(ast.parse(path.read_text(encoding="utf-8"))):
            yield f"{path.relative_to(ROOT)}:{line}", text
    for path in [*sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md"]:
        for text in IN_DOCS.sub("", path.read_text(encoding="utf-8")).split("\n\n"):
            yield str(path.relative_to(ROOT)), text
    for path in sorted((ROOT / "relviz").rglob("*")):
        if path.suffix in (".js", ".html"):
            for line, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                yield f"{path.relative_to(ROOT)}:{line}", text
        elif path.suffix == ".json" and "figures" in path.parts:
            for line, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                yield f"{path.relative_to(ROOT)}:{line}", text.partition(": ")[2] or text.strip()


def test_nothing_that_people_read_is_said_in_a_dialect() -> None:
    """Each line names the place, the phrase, and what the field says instead."""
    wrong = [f"{place}: “{phrase}” → {better}" for place, text in _texts() for phrase, better in _read(text)]
    assert not wrong, "\n" + "\n".join(wrong)


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("Each row, told by\nits cosines", "told by"),
        ("Put on the shelf", "put on the shelf"),
        ("1 906 rows", "1 906"),
        ("45 % of them", "5 %"),
        ("In colour", "colour"),
    ],
)
def test_a_phrase_is_found_in_any_case_and_over_lines(text: str, phrase: str) -> None:
    assert [found for found, _ in _read(text)] == [phrase]


def test_a_word_that_only_holds_a_phrase_is_left_alone() -> None:
    assert not list(_read("The partnership, and what is toldby; 2023 rows, 3.906"))


def _raised(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and text of every string that a module raises an error with."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise) and node.exc is not None:
            yield from _literals(ast.Module([ast.Expr(node.exc)], []))


def test_errors_call_what_is_embedded_an_image() -> None:
    """A picture is what a story shows; a figure is for print; the map is a projection."""
    places = [path for path in (ROOT / "relviz").rglob("*.py") if "stories" not in path.parts]
    wrong = [
        f"{path.relative_to(ROOT)}:{line}: {text}"
        for path in places
        for line, text in _raised(ast.parse(path.read_text(encoding="utf-8")))
        if re.search(r"\bpictures?\b", re.sub(r"option pictures|as_pixels\(picture", "", text), re.IGNORECASE)
    ]
    assert not wrong, "\n" + "\n".join(wrong)
