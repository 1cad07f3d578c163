"""Texts as LaTeX that pdflatex sets with no package: escaped, Greek and signs as commands, accents too.

Letters of other scripts stay as they are, for XeLaTeX or a font encoding that has them. Signs that no text
font has, such as emoji, are named.
"""

import unicodedata

_SIGNS = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"$<$",
    ">": r"$>$",
    "|": r"$|$",
    '"': "''",
    **{sign: rf"\{sign}" for sign in "&%$#_{}"},
    **{"–": "--", "—": "---", "−": "$-$", "‐": "-", "‑": "-", "…": r"\dots{}", "·": r"$\cdot$"},
    **{"“": "``", "”": "''", "„": ",,", "‘": "`", "’": "'", "′": "$'$"},
    **{"±": r"$\pm$", "×": r"$\times$", "÷": r"$\div$", "√": r"$\surd$", "∞": r"$\infty$"},
    **{"→": r"$\to$", "←": r"$\leftarrow$", "↔": r"$\leftrightarrow$", "↑": r"$\uparrow$"},
    **{"↓": r"$\downarrow$", "⇒": r"$\Rightarrow$", "≥": r"$\geq$", "≤": r"$\leq$", "≠": r"$\neq$"},
    **{"≈": r"$\approx$", "∼": r"$\sim$", "∝": r"$\propto$", "∈": r"$\in$", "‖": r"$\|$"},
    **{"∑": r"$\sum$", "∂": r"$\partial$", "∇": r"$\nabla$", "⊤": r"$\top$", "ᵀ": r"$^{\top}$"},
    **{"°": r"$^\circ$", "µ": r"$\mu$", "§": r"\S{}", "©": r"\copyright{}", "£": r"\pounds{}"},
    **{"ß": r"\ss{}", "æ": r"\ae{}", "Æ": r"\AE{}", "œ": r"\oe{}", "Œ": r"\OE{}", "ø": r"\o{}"},
    **{"Ø": r"\O{}", "ł": r"\l{}", "Ł": r"\L{}", "ı": r"\i{}", "ȷ": r"\j{}"},
    **{
        "¿": "?`",
        "¡": "!`",
        "«": r"$\ll$",
        "»": r"$\gg$",
        "€": "EUR",
        "ʼ": "'",
        "⁺": "$^{+}$",
        "⁻": "$^{-}$",
    },
}
_ACCENTS = {
    **{"\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0304": "=", "\u0306": "u"},
    **{"\u0307": ".", "\u0308": '"', "\u030a": "r", "\u030b": "H", "\u030c": "v", "\u0323": "d"},
    **{"\u0327": "c", "\u0331": "b", "\u0326": "c", "\u0328": "c"},
}
_LIKE_LATIN = {
    **{"alpha": "A", "beta": "B", "epsilon": "E", "zeta": "Z", "eta": "H", "iota": "I", "kappa": "K"},
    **{"mu": "M", "nu": "N", "omicron": "O", "rho": "P", "tau": "T", "chi": "X"},
}
_UNSEEN = ("Cf", "Cc", "Mn", "Me")
_NAMED = ("So", "Sk", "Sm", "Sc", "Cn", "Co", "Cs", "Po")


def in_latex(text: str) -> str:
    r"""A text, on one line, as LaTeX sets it.

    >>> print(in_latex("δ = 0.8, 50% of Erdős’ words → B"))
    $\delta$ = 0.8, 50\% of Erd\H{o}s' words $\to$ B
    """
    return "".join(map(_sign, unicodedata.normalize("NFC", " ".join(text.split()))))


def _sign(sign: str) -> str:
    if sign in _SIGNS:
        return _SIGNS[sign]
    if sign.isascii():
        return sign
    kind, name = unicodedata.category(sign), unicodedata.name(sign, "")
    if name.startswith(("GREEK SMALL LETTER ", "GREEK CAPITAL LETTER ")) and " WITH " not in name:
        return _greek(name)
    whole = unicodedata.normalize("NFD", sign)
    if len(whole) == 2 and whole[0].isascii() and whole[1] in _ACCENTS:
        base = rf"\{whole[0]}" if whole[0] in "ij" and _ACCENTS[whole[1]] not in "dcb" else whole[0]
        return rf"\{_ACCENTS[whole[1]]}{{{base}}}"
    digit = unicodedata.normalize("NFKC", sign)
    if name.startswith(("SUPERSCRIPT ", "SUBSCRIPT ")) and digit.isascii():
        return f"${'^' if name.startswith('SUPER') else '_'}{{{digit}}}$"
    if kind in _UNSEEN:
        return ""
    if kind in _NAMED:
        return f"{{[}}{name.lower() or f'U+{ord(sign):04X}'}{{]}}"
    return " " if kind.startswith("Z") else sign


def _greek(name: str) -> str:
    letter = name.rpartition(" ")[2].lower().replace("lamda", "lambda")
    if name.startswith("GREEK SMALL"):
        if letter == "omicron":
            return "$o$"
        return r"$\varsigma$" if "FINAL" in name else rf"$\{letter}$"
    return _LIKE_LATIN.get(letter) or rf"$\{letter.capitalize()}$"
