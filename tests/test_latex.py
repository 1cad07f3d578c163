"""Tables in LaTeX: every sign is one that pdflatex sets, and where there is a pdflatex, it does."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from relviz.figures.gallery import shipped_recipes
from relviz.figures.latex_table import latex
from relviz.figures.packed import _entries
from relviz.latex import in_latex
from relviz.sheet import Sheet

GREEK = "αβγδεζηθικλμνξοπρσςτυφχψωΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ"
LETTERS = "áàâäãåāăéèêëēěíìîïīóòôöõőōúùûüůűūýÿçñšžčřťďňşțłøæœßıÁÉÍÓÚÄÖÜÅÇÑŠŽŁØÆŒ"
SIGNS = '±×→←↔–—−…·“”„‘’≥≤≠≈∞∈‖°µ§⁺⁻⁰¹²³₀₁₂ᵀ\u00a0\u2009\u200d\ufe0f<>|"~^\\&%$#_{}«»€'
EMOJI = "🐑 👩‍👩‍👧 🇬🇧 ☀️ ★"
CAPTION = "Inverse relative projection δ = 0.8, ω = 8; IRP⁺ ≥ “Procrustes” – 15 × 300, 50% ± 1 … Erdős"


def test_greek_signs_and_quotes_are_commands() -> None:
    assert in_latex(CAPTION) == (
        r"Inverse relative projection $\delta$ = 0.8, $\omega$ = 8; IRP$^{+}$ $\geq$ ``Procrustes'' -- "
        r"15 $\times$ 300, 50\% $\pm$ 1 \dots{} Erd\H{o}s"
    )


@pytest.mark.parametrize("text", [GREEK, LETTERS, SIGNS, EMOJI])
def test_nothing_but_ascii_is_left_of_what_pdflatex_lacks(text: str) -> None:
    assert in_latex(text).isascii()
    assert in_latex(text).count("{") - in_latex(text).count(r"\{") == in_latex(text).count("}") - in_latex(
        text
    ).count(r"\}")


def test_letters_of_other_scripts_stay() -> None:
    assert in_latex("мир שלום 世界") == "мир שלום 世界"


def sheets() -> list[Sheet]:
    """Every text that stands beside a shipped figure, as tables."""
    shown = [Sheet(("what",), ((one.caption,),), one.caption) for one in _entries().values()]
    shown += [
        Sheet(("a", "b"), tuple(map(tuple, one.comparison))) for one in _entries().values() if one.comparison
    ]
    return shown + [
        Sheet((one.title, one.about), (), one.paper.says if one.paper else "")
        for one in shipped_recipes().values()
    ]


def test_every_shipped_table_is_ascii() -> None:
    for sheet in sheets():
        assert latex(sheet).isascii(), re.findall(r"[^\x00-\x7f]", latex(sheet))


@pytest.mark.skipif(not shutil.which("pdflatex"), reason="there is no pdflatex on the path")
def test_pdflatex_sets_them_all(tmp_path: Path) -> None:
    tables = [Sheet(("item",), tuple((text,) for text in (GREEK, LETTERS, SIGNS, EMOJI)), CAPTION), *sheets()]
    body = "\n\\clearpage\n".join(latex(_narrow(one)) for one in tables)
    rules = r"\let\toprule\hline\let\midrule\hline\let\bottomrule\hline"  # as booktabs, which may be absent
    source = rf"\documentclass{{article}}{rules}\begin{{document}}{body}\end{{document}}"
    (tmp_path / "all.tex").write_text(source, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "all.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]


def _narrow(sheet: Sheet) -> Sheet:
    """As many columns as the head has, whatever the rows of this test have."""
    wide = max([len(sheet.head), *map(len, sheet.rows)])
    return Sheet(sheet.head + ("",) * (wide - len(sheet.head)), sheet.rows, sheet.caption)
