"""Fonts within an SVG: the letters that it has, cut from the fonts that it names."""

import base64
import io
import re
from functools import lru_cache

from fontTools import subset
from fontTools.ttLib import TTFont
from matplotlib.font_manager import FontProperties, fontManager

_TEXT = re.compile(r'<text style="([^"]*)"[^>]*>(.*?)</text>', re.DOTALL)
_FAMILY = re.compile(r"font(?:-family)?:[^;]*?'([^']+)'")


def with_fonts(svg: bytes) -> bytes:
    """An SVG whose fonts are in it, each with the letters that are used."""
    source = svg.decode("utf-8")
    used: dict[tuple[str, str], set[str]] = {}
    for style, text in _TEXT.findall(source):
        family = _FAMILY.search(style)
        if family is not None:
            weight = "bold" if re.search(r"\b(bold|700)\b", style) else "normal"
            used.setdefault((family[1], weight), set()).update(_unescaped(text))
    faces = [
        _face(family, weight, "".join(sorted(signs))) for (family, weight), signs in sorted(used.items())
    ]
    if not faces:
        return svg
    style = f'<style type="text/css">{"".join(faces)}</style>'
    return source.replace("<defs>", f"<defs>\n  {style}", 1).encode("utf-8")


def _unescaped(text: str) -> str:
    return re.sub(r"<[^>]*>", "", text).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


@lru_cache(maxsize=64)
def _face(family: str, weight: str, signs: str) -> str:
    font = TTFont(fontManager.findfont(FontProperties(family=family, weight=weight)), recalcTimestamp=False)
    options = subset.Options(layout_features=[], hinting=False, notdef_outline=True, recalc_timestamp=False)
    options.drop_tables += ["FFTM"]
    cut = subset.Subsetter(options)
    cut.populate(text=signs)
    cut.subset(font)
    raw = io.BytesIO()
    font.flavor = "woff"
    font.save(raw)
    data = base64.b64encode(raw.getvalue()).decode()
    return (
        f"@font-face{{font-family:'{family}';font-weight:{weight};"
        f"src:url(data:font/woff;base64,{data}) format('woff');}}"
    )
