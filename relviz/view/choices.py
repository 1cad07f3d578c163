"""A view: every choice a person has made, as one value that fits into a URL.

Nothing here touches Streamlit, so a link can be made or read by any script.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

CHOICES: dict[str, tuple[str, ...]] = {
    "method": ("uniform", "fps", "kmeans", "top", "per_class", "hand"),
    "similarity": ("cosine", "inner", "euclidean", "l1", "angular"),
    "projection": ("pca", "tsne", "umap", "first"),
    "colour": ("class", "cluster_a", "cluster_b", "agreement", "similarity_a", "similarity_b"),
    "fit_absolute": ("auto", "first", "joint", "independent", "procrustes"),
    "fit_relative": ("auto", "first", "joint", "independent", "procrustes"),
}
"""What each choice may be."""

RANGES: dict[str, tuple[float, float]] = {
    "count": (2, 5000),
    "seed": (0, 9999),
    "quantum": (0.0, 3.0),
    "perplexity": (2, 200),
    "neighbours": (2, 200),
    "map_seed": (0, 9999),
    "k": (1, 100),
    "clusters": (2, 100),
    "runs": (1, 20),
    "queries": (0, 1_000_000),
}
"""Least and greatest value of each number."""

MOST_PICKS = 2000


@dataclass(frozen=True)
class View:
    """What is compared, through which anchors, and how it is drawn and measured.

    ``a`` and ``b`` name the two spaces as relviz.view.sources understands them.
    """

    a: str = "emoji.image_lite0"
    b: str = "emoji.image_lite1"
    method: str = "uniform"
    count: int = 300
    seed: int = 0
    picks: tuple[int, ...] = ()
    similarity: str = "cosine"
    centre: bool = True
    quantum: float = 0.0
    projection: str = "pca"
    colour: str = "class"
    clusters: int = 8
    fit_absolute: str = "auto"
    fit_relative: str = "auto"
    perplexity: int = 30
    neighbours: int = 15
    map_seed: int = 0
    k: int = 10
    runs: int = 5
    queries: int = 2000

    def with_changes(self, **changes: Any) -> "View":
        """The same view with some choices changed."""
        return replace(self, **changes)

    def to_params(self) -> dict[str, str]:
        """The choices that differ from the defaults, as URL parameters."""
        default = View()
        changed = {f.name: getattr(self, f.name) for f in fields(self)}
        return {name: _encode(value) for name, value in changed.items() if value != getattr(default, name)}

    @staticmethod
    def from_params(params: Mapping[str, str]) -> tuple["View", list[str]]:
        """The view that URL parameters describe, and a sentence for each that had to be ignored."""
        view, notices = View(), []
        for f in fields(View):
            if f.name not in params:
                continue
            text = params[f.name]
            default = getattr(view, f.name)
            try:
                view = replace(view, **{f.name: _decode(f.name, text, default)})
            except ValueError as reason:
                notices.append(
                    f"The link asks for {f.name} = {text[:40]!r}, {reason}; showing {_encode(default)!r}."
                )
        return view, notices


def _encode(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ".".join(map(str, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def _decode(name: str, text: str, default: Any) -> Any:
    if name in CHOICES:
        if text not in CHOICES[name]:
            raise ValueError(f"which is not one of {', '.join(CHOICES[name])}")
        return text
    if isinstance(default, bool):
        if text not in ("yes", "no"):
            raise ValueError("which is neither yes nor no")
        return text == "yes"
    if name in RANGES:
        return _decode_number(name, text, type(default))
    if name == "picks":
        return _decode_picks(text)
    if len(text) > 200:
        raise ValueError("which is too long for a name")
    return text


def _decode_number(name: str, text: str, kind: type) -> Any:
    low, high = RANGES[name]
    try:
        number = kind(text)
    except ValueError:
        raise ValueError("which is not a number") from None
    if not low <= number <= high:
        raise ValueError(f"which does not lie between {low:g} and {high:g}")
    return number


def _decode_picks(text: str) -> tuple[int, ...]:
    parts = [part for part in text.split(".") if part]
    if len(parts) > MOST_PICKS or not all(part.isdecimal() and len(part) < 10 for part in parts):
        raise ValueError(f"which is not a list of at most {MOST_PICKS} row numbers")
    return tuple(dict.fromkeys(map(int, parts)))
