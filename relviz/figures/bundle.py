"""Everything of some figures and tables that a paper needs, in one zip that compiles."""

import io
import re
import zipfile
from collections.abc import Sequence

from relviz.errors import ParameterError
from relviz.figures.make import PrintFigure
from relviz.figures.methods import methods_of, references
from relviz.latex import in_latex
from relviz.plotting.venues import VENUES, Venue

MOST = 60
A4 = 210.0
"""Millimeters."""
DATE = (1980, 1, 1, 0, 0, 0)
"""Of every file in the zip: the same figures give the same bytes."""
CITED = re.compile(r"\[@(\w+)\]")
ABOUT = """\
Written by relviz. main.tex includes all of it: pdflatex main, bibtex main, pdflatex main, pdflatex main.

figures/   each figure at its exact width: \\includegraphics without a size
tables/    each table, for \\input; the package booktabs is needed
data/      every number, as csv
recipes/   python -m relviz figure recipes/NAME.json --data FILE makes each again, byte for byte
methods.tex, methods.txt, references.bib
"""


def bundle(made: Sequence[PrintFigure]) -> bytes:
    """A zip of figures and tables, in this order, with a document that includes them.

    Raises
    ------
    ParameterError
        If there is none, too many, or they are of several styles.
    """
    if not 1 <= len(made) <= MOST:
        raise ParameterError(f"A bundle holds 1 to {MOST} figures and tables; {len(made)} are given.")
    styles = {one.recipe.look.style for one in made}
    if len(styles) > 1:
        raise ParameterError(f"The figures are of several styles ({', '.join(sorted(styles))}); give one.")
    venue = VENUES[styles.pop()]
    names = _names(made)
    found: dict[str, bytes] = {}
    shown = []
    for name, one in zip(names, made, strict=True):
        if one.drawn:
            found[f"figures/{name}.pdf"] = one.file("pdf")
            shown.append(_figure(name, one, venue))
        if one.content.sheets:
            found[f"tables/{name}.tex"] = one.file("tex").replace(
                f"tab:{one.recipe.kind.replace('_', '-')}".encode(), f"tab:{name}".encode()
            )
            shown.append(rf"\input{{tables/{name}}}")
        found[f"data/{name}.csv"] = one.file("csv")
        found[f"recipes/{name}.json"] = one.file("json")
    methods = methods_of(made)
    entries = references()
    keys = list(dict.fromkeys(CITED.findall(methods)))
    siunitx = any(one.recipe.look.siunitx for one in made)
    found["methods.txt"] = (CITED.sub("", methods).replace("  ", " ").replace(" .", ".") + "\n").encode()
    found["methods.tex"] = (_cited(methods) + "\n").encode()
    found["references.bib"] = "\n\n".join(entries[key] for key in keys).encode() + b"\n"
    found["main.tex"] = _document(shown, venue, siunitx).encode()
    found["README.txt"] = ABOUT.encode()
    return _zipped(found)


def _names(made: Sequence[PrintFigure]) -> list[str]:
    """A name for each: its kind, numbered where there are several."""
    kinds = [one.recipe.kind.replace("_", "-") for one in made]
    return [
        f"{kind}-{kinds[:at].count(kind) + 1}" if kinds.count(kind) > 1 else kind
        for at, kind in enumerate(kinds)
    ]


def _figure(name: str, one: PrintFigure, venue: Venue) -> str:
    kind = "figure*" if venue.spans(one.recipe.width) else "figure"
    lines = [
        rf"\begin{{{kind}}}[t]",
        r"\centering\sloppy",
        rf"\includegraphics{{figures/{name}.pdf}}",
        rf"\caption{{{in_latex(one.caption)}}}",
        rf"\label{{fig:{name}}}",
        rf"\end{{{kind}}}",
    ]
    return "\n".join(lines)


def _cited(methods: str) -> str:
    parts = CITED.split(methods)
    return "".join(rf"\cite{{{part}}}" if at % 2 else _spaced(part) for at, part in enumerate(parts))


def _spaced(part: str) -> str:
    """A part between two citations, with the space at its end, which may break no line."""
    text = in_latex(part)
    return f"{' ' if part.startswith(' ') else ''}{text}{'~' if part.endswith(' ') else ''}"


def _document(shown: Sequence[str], venue: Venue, siunitx: bool) -> str:
    two = venue.column < venue.text
    gap, left = venue.text - 2 * venue.column, max(10.0, (A4 - venue.text) / 2)
    body = "\n\n\\clearpage\n".join("\n\n".join(shown[at : at + 4]) for at in range(0, len(shown), 4))
    lines = [
        rf"\documentclass[10pt{',twocolumn' if two else ''}]{{article}}",
        r"\usepackage{graphicx}",
        r"\usepackage{booktabs}",
        *([r"\usepackage{siunitx}"] if siunitx else []),
        r"\providecommand{\url}[1]{\texttt{#1}}",
        rf"\setlength{{\textwidth}}{{{venue.text:.3f}mm}}",
        *([rf"\setlength{{\columnsep}}{{{gap:.3f}mm}}"] if two else []),
        rf"\setlength{{\hoffset}}{{-1in}}\setlength{{\oddsidemargin}}{{{left:.1f}mm}}",
        r"\setlength{\voffset}{-1in}\setlength{\topmargin}{15mm}\setlength{\textheight}{245mm}",
        *([r"\setlength{\belowcaptionskip}{6pt}"] if venue.above else []),
        r"\setlength{\headheight}{0pt}\setlength{\headsep}{0pt}",
        r"\begin{document}",
        r"\section*{Methods}",
        r"{\sloppy\input{methods}\par}",
        body,
        r"\bibliographystyle{plain}",
        r"\bibliography{references}",
        r"\end{document}",
    ]
    return "\n".join(lines) + "\n"


def _zipped(found: dict[str, bytes]) -> bytes:
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted(found.items()):
            archive.writestr(zipfile.ZipInfo(name, DATE), content, zipfile.ZIP_DEFLATED)
    return raw.getvalue()
