"""Tables as they are printed: the best, even decimals, other forms, and that they fit and compile."""

import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from relviz.errors import ParameterError
from relviz.figures.latex_table import Setting, latex, latex_as_formed
from relviz.figures.table_form import Form, formed
from relviz.plotting.venues import VENUES
from relviz.sheet import Sheet, html_table, markdown
from tests.benchmarks.paper import compiled

SHEET = Sheet(
    ("method", "cosine similarity to the target", "error", "chance"),
    (
        ("Least squares", "0.518 ± 0.010", "-0.25", "0.0002"),
        ("Procrustes", "0.531 ± 0.012", "1.5", "0.100"),
        ("IRP+", "0.580 ± 0.009", "0.75", "0.200"),
        ("chance", "0.900", "0.1", "0.300"),
    ),
    "δ of every method",
    ranked="columns",
    apart=("chance",),
    lower=("error",),
    short={"cosine similarity to the target": "cosine"},
)


def test_the_best_and_the_second_are_found_among_those_that_compete() -> None:
    _, marks = formed(SHEET, Form())
    assert marks == {(2, 1): "best", (1, 1): "second", (0, 2): "best", (2, 2): "second"}
    tied = replace(SHEET, rows=(("a", "0.5", "", ""), ("b", "0.5", "", ""), ("c", "0.4", "", "")))
    assert formed(tied, Form())[1] == {(0, 1): "best", (1, 1): "best"}


def test_decimals_are_even_and_minus_signs_real() -> None:
    even, _ = formed(SHEET, Form(decimals=1))
    assert [row[1] for row in even.rows] == ["0.5 ± 0.0", "0.5 ± 0.0", "0.6 ± 0.0", "0.9"]
    assert even.rows[0][2:] == ("−0.2", "< 0.1")
    assert formed(SHEET, Form())[0].rows[0][3] == "< 0.001"
    assert "$-$0.25" in latex(formed(SHEET, Form())[0])


def test_rows_and_columns_are_chosen_and_turned_with_their_marks() -> None:
    form = Form(rows=("IRP", "Procr"), columns=("cosine",), transposed=True, short=True)
    turned, marks = formed(SHEET, form)
    assert turned.head[1:] == ("IRP+", "Procrustes")
    assert turned.rows == (("cosine", "0.580 ± 0.009", "0.531 ± 0.012"),)
    assert marks == {(0, 1): "best"}
    with pytest.raises(ParameterError, match="no column 'speed'; it has cosine"):
        formed(SHEET, Form(columns=("speed",)))


def test_every_format_marks_the_same_cells() -> None:
    less, marks = formed(SHEET, Form())
    assert r"\textbf{0.580} $\pm$ 0.009" in latex(less, marks=marks)
    assert r"\underline{0.531} $\pm$ 0.012" in latex(less, marks=marks)
    assert "**0.580 ± 0.009**" in markdown(less, marks)
    assert "<b>0.580 ± 0.009</b>" in html_table(less, marks)


@pytest.mark.parametrize("style", ["acl", "neurips"])
def test_a_table_spans_both_columns_only_where_there_are_two(style: str) -> None:
    venue = VENUES[style]
    assert latex(SHEET, Setting(venue.column, venue)).startswith(r"\begin{table}[t]")
    assert latex(SHEET, Setting(venue.text, venue)).startswith(
        r"\begin{table*}" if style == "acl" else r"\begin{table}"
    )


@pytest.mark.skipif(not shutil.which("pdflatex"), reason="there is no pdflatex on the path")
def test_tables_of_any_size_fit_the_column_and_compile(tmp_path: Path) -> None:
    venue = VENUES["acl"]
    names = [f"sentence-transformers/all-MiniLM-L{at}-v2 → intfloat/e5" for at in range(4)]
    wide = Sheet(
        ("encoder → head", *(f"a rather long name of method {at}" for at in range(9))),
        tuple((name, *(f"{0.1 * at:.3f} ± 0.012" for at in range(9))) for name in names),
        "A caption that names sentence-transformers/paraphrase-multilingual-mpnet-base-v2 in a column.",
        ranked="rows",
    )
    words = Sheet(("item", "counterpart", "cosine"), (("a word " * 9, "another " * 8, "0.5"),), words=2)
    tables = [
        latex_as_formed(sheet, Setting(width, venue, f"tab:{at}", siunitx), Form(transposed=turned))
        for at, (sheet, width, siunitx, turned) in enumerate(
            [
                (SHEET, venue.column, False, False),
                (SHEET, venue.column, False, True),
                (wide, venue.column, False, False),
                (wide, venue.text, False, False),
                (words, venue.column, False, False),
            ]
        )
    ]
    lines = [
        r"\documentclass[10pt,twocolumn]{article}\usepackage{booktabs}",
        rf"\setlength{{\textwidth}}{{{venue.text}mm}}\setlength{{\columnsep}}{{6mm}}\begin{{document}}",
        *tables,
        r"See \ref{tab:0}.\end{document}",
    ]
    (tmp_path / "main.tex").write_text("\n".join(lines), "utf-8")
    found = compiled(tmp_path)
    assert found.overfull == []
    assert not re.search("undefined", found.log)
