"""What a notebook shows of a result: a table."""

from collections.abc import Iterable, Sequence
from html import escape


def table_html(head: Sequence[str], rows: Iterable[Sequence[str]], caption: str = "") -> str:
    """An HTML table; everything in it is text.

    >>> table_html(["a"], [["<1"]])
    '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>&lt;1</td></tr></tbody></table>'
    """
    caption_html = f"<caption>{escape(caption)}</caption>" if caption else ""
    top = "".join(f"<th>{escape(one)}</th>" for one in head)
    body = "".join(f"<tr>{''.join(f'<td>{escape(one)}</td>' for one in row)}</tr>" for row in rows)
    return f"<table>{caption_html}<thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def mean_and_sd(mean: float | None, sd: float | None) -> str:
    """``0.812 ± 0.010``; without the spread where there is none, and a dash where there is no figure.

    >>> mean_and_sd(0.8124, 0.01), mean_and_sd(0.5, None), mean_and_sd(None, None)
    ('0.812 ± 0.010', '0.500', '–')
    """
    if mean is None:
        return "–"
    return f"{mean:.3f}" if sd is None else f"{mean:.3f} ± {sd:.3f}"
