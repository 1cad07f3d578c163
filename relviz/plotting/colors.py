"""Colors of print figures: palettes, and what color stands for which class or number."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from relviz.errors import ShapeError
from relviz.wording import count

OKABE_ITO = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#56B4E9", "#F0E442", "#8C8C8C")
"""Okabe and Ito's palette, blue first; its black is a gray here, to be seen on dark pages too."""

# python -m tests.benchmarks.palette --search
CLASSES = ("#4171B6", "#FB9E2D", "#00A661", "#D28ABE", "#D7551C", "#6DD2FF", "#FBDF00", "#5D5D5D")
"""The hues of Okabe and Ito at lightnesses that are told apart in gray: any two differ by 5 L* or more."""
MORE_CLASSES = (
    *CLASSES,
    *("#7159D7", "#8EC665", "#A67DEB", "#FF759A", "#C25D8E", "#BECE96", "#9AF36D", "#825128"),
    *("#497951", "#71C6B2", "#799A39", "#8E9EE3", "#8279AE", "#F7B2DB", "#00FBC6", "#AE1482"),
)
"""Each eight of them, which have a shape of their own in print, have the same lightnesses again."""

REST = "#B0B0B0"
"""Color of classes beyond the palette, and of rows without a class."""


def class_colors(labels: Sequence[str]) -> dict[str, str]:
    """A color for each class, most frequent first; classes beyond the palette share one gray."""
    counts = Counter(labels)
    ordered = sorted(counts, key=lambda name: (-counts[name], name))
    palette = CLASSES if len(ordered) <= len(CLASSES) else MORE_CLASSES
    return {name: palette[i] if i < len(palette) else REST for i, name in enumerate(ordered)}


VIRIDIS = (
    *("#440154", "#482878", "#3E4A89", "#31688E", "#26828E"),
    *("#1F9E89", "#35B779", "#6DCD59", "#B4DE2C", "#FDE725"),
)
DIVERGING = (*("#2166AC", "#4393C3", "#92C5DE", "#C9C9C9", "#F4A582", "#D6604D", "#B2182B"),)
"""Blue below zero, red above, a gray in the middle that is seen on light and dark pages."""
STEPS = 65534
NOT_A_NUMBER = 65535
ALPHA = 0.75
MOST_NAMED = len(MORE_CLASSES)
MOST_CLASSES_OF_NUMBERS = 20
"""Of more different numbers, a scale says more than a color for each."""


LegendFacts = dict[str, Any]
"""What a legend says of the colors."""


@dataclass(frozen=True, eq=False)
class Colors:
    """Codes of all rows, and what the legend says about them."""

    codes: np.ndarray
    legend: LegendFacts

    def with_note(self, note: str) -> "Colors":
        """The same colors, with a sentence before the legend's own."""
        text = " ".join(filter(None, (note, self.legend["note"])))
        return Colors(self.codes, {**self.legend, "note": text})


def named_classes(colors: Colors, names: Mapping[str, str]) -> Colors:
    """The same colors; the legend shows classes by other names, and keeps their own.

    >>> named_classes(by_class(["cat", "dog"]), {"cat": "Cats"}).legend["shown"]
    ['Cats', 'dog']
    """
    legend = colors.legend
    if legend["kind"] != "class" or not names.keys() & set(legend["names"]):
        return colors
    return Colors(colors.codes, {**legend, "shown": [names.get(name, name) for name in legend["names"]]})


def by_class(labels: Sequence[str]) -> Colors:
    """A color for each class, most frequent first; those beyond the palette share one gray."""
    counts = Counter(labels)
    colors = class_colors(labels)
    named = [name for name in colors if colors[name] != REST][:MOST_NAMED]
    others = [name for name in colors if name not in set(named)]
    place = {name: i for i, name in enumerate(named)} | dict.fromkeys(others, len(named))
    codes = np.fromiter((place[label] for label in labels), np.uint8, len(labels))
    names, sizes = list(named), [counts[name] for name in named]
    note = ""
    if others:
        names.append(f"{count(len(others))} other class{'' if len(others) == 1 else 'es'}")
        sizes.append(sum(counts[name] for name in others))
        note = f"The {count(len(named))} most frequent classes are named; the rest are gray."
    palette = [*(colors[name] for name in named), *([REST] if others else [])]
    return Colors(codes, _legend("class", names=names, counts=sizes, palette=palette, note=note))


def by_label(labels: Sequence[str], title: str = "class") -> Colors:
    """Labels as classes; as numbers on a scale if they are numbers, and more than classes would be."""
    if len(set(labels)) > MOST_CLASSES_OF_NUMBERS:
        values = _numbers(labels)
        if values is not None:
            return by_number(values, title)
    return by_class(labels)


def by_number(
    values: np.ndarray,
    title: str,
    low: float | None = None,
    high: float | None = None,
    diverging: bool = False,
    note: str = "",
) -> Colors:
    """A scale from low to high: viridis, or one with a neutral middle at zero.

    NaN is a missing value and gray. Without ``low`` and ``high`` the scale spans the values; a
    diverging one spans as much below zero as above.
    """
    values = np.asarray(values, dtype=np.float64)
    known = values[np.isfinite(values)]
    low = float(known.min(initial=np.inf)) if low is None else low
    high = float(known.max(initial=-np.inf)) if high is None else high
    if not low <= high:
        low, high = 0.0, 1.0
    if diverging:
        high = max(abs(low), abs(high))
        low = -high
    span = high - low or 1.0
    scaled = np.clip((values - low) / span, 0, 1) * STEPS
    codes = np.where(np.isfinite(values), np.rint(np.nan_to_num(scaled)), NOT_A_NUMBER).astype("<u2")
    legend = _legend(
        "number",
        title=title,
        low=low,
        high=low + span,
        low_text=_figure(low),
        high_text=_figure(low + span),
        palette=list(DIVERGING if diverging else VIRIDIS),
        note=note,
    )
    return Colors(codes, legend)


def by_place(points: np.ndarray) -> Colors:
    """The order of ``(n, 2)`` points along the first axis, by which rows without classes can be followed."""
    order = points[:, 0].argsort(kind="stable").argsort(kind="stable")
    colored = by_number(order.astype(np.float64), "")
    note = "Colored by PC1 of A."
    return Colors(colored.codes, {**colored.legend, "kind": "none", "note": note})


def stepped(many: int) -> list[str]:
    """As many colors from the low end of the scale to the high one, for steps in order.

    >>> stepped(3)
    ['#440154', '#22908c', '#fde725']
    """
    stops = np.array([[int(color[at : at + 2], 16) for at in (1, 3, 5)] for color in VIRIDIS])
    places = np.linspace(0, len(VIRIDIS) - 1, many)
    mixed = [np.interp(places, np.arange(len(VIRIDIS)), stops[:, channel]) for channel in range(3)]
    return ["#" + "".join(f"{round(value):02x}" for value in color) for color in zip(*mixed, strict=True)]


def check_length(colors: Colors, n: int) -> None:
    """ShapeError unless there is one code for each of n rows."""
    if len(colors.codes) != n:
        raise ShapeError(f"There are {n} rows but {len(colors.codes)} colors; give one for each row.")


def _legend(kind: str, **facts: Any) -> LegendFacts:
    return {"kind": kind, "title": "", "missing": REST, "alpha": ALPHA, "note": "", **facts}


def _figure(value: float) -> str:
    return f"{value:.2g}" if abs(value) < 10 else f"{value:.0f}"


def _numbers(labels: Sequence[str]) -> np.ndarray | None:
    """The numbers that all labels are, an empty one being none; None if one is something else."""
    try:
        values = np.array([float(label) if label.strip() else np.nan for label in labels])
    except ValueError:
        return None
    return None if np.isinf(values).any() else values
