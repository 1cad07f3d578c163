"""How well the colors of classes are told apart: in gray, and by those who do not see red, green or blue.

    python -m tests.benchmarks.palette
    python -m tests.benchmarks.palette --search

Prints, for the first classes of a palette, the smallest difference of lightness (L*) of any two, and the
smallest difference in CIELAB (ΔE*ab) as seen by all, and as Machado, Oliveira and Fernandes (2009) simulate
full protanopia, deuteranopia and tritanopia. ``--search`` looks for a palette: for each class a hue and a
lightness are given, and its color is the one of these that differs most from the others.
"""

import argparse
from collections.abc import Sequence
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from relviz.figures.look import PALETTES
from relviz.plotting.colors import CLASSES, MORE_CLASSES, OKABE_ITO

Array = NDArray[np.float64]
SIGHTS: dict[str, Array] = {
    "normal": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
WHITE = TO_XYZ.sum(1)
COUNTS = (2, 3, 4, 5, 6, 7, 8, 16, 24)
SHAPE = 8
"""Classes that have a shape in common: of more, lightness is compared within each so many."""
LIGHTNESS = (47, 73.5, 60, 67, 53.5, 80, 88, 40)
"""Of the first classes, whose hues are those of Okabe and Ito's: any two of the first three differ by 15 or
more, of all by 7."""
NEAR_HUE, NEAR_CHROMA, NEAR_LIGHTNESS, STEPS = 12.0, (0.95, 1.25), 0.8, 64
COLORFUL = (30.0, 75.0)
"""Chroma of more classes."""


def linear(colors: Sequence[str]) -> Array:
    """Light of sRGB colors ``(n, 3)``, 0 to 1."""
    parts = np.array([[int(one[at : at + 2], 16) for at in (1, 3, 5)] for one in colors]) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def lab(light: Array) -> Array:
    """CIELAB ``(n, 3)`` of light."""
    ratio = np.clip(light, 0, 1) @ TO_XYZ.T / WHITE
    root = np.where(ratio > 216 / 24389, np.cbrt(ratio), (24389 / 27 * ratio + 16) / 116)
    x, y, z = root.T
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=1)


def seen(light: Array) -> Array:
    """CIELAB of light as each of ``SIGHTS`` sees it, ``(4, n, 3)``."""
    return np.stack([lab(light @ matrix.T) for matrix in SIGHTS.values()])


def lightness_gap(colors: Sequence[str]) -> float:
    """The smallest difference of lightness of any two that have one shape."""
    lightness = lab(linear(colors))[:, 0].tolist()
    each = [sorted(lightness[at : at + SHAPE]) for at in range(0, len(lightness), SHAPE)]
    return min(high - low for values in each for low, high in pairwise(values))


def distances(colors: Sequence[str]) -> dict[str, float]:
    """The smallest ΔE*ab of any two, by each of ``SIGHTS``."""
    return {
        name: min(float(np.linalg.norm(one - other)) for one, other in combinations(places, 2))
        for name, places in zip(SIGHTS, seen(linear(colors)), strict=True)
    }


def candidates() -> tuple[list[str], Array]:
    """Colors of sRGB in even steps, and what each of ``SIGHTS`` sees of them."""
    axis = [round(255 * at / (STEPS - 1)) for at in range(STEPS)]
    colors = [f"#{r:02X}{g:02X}{b:02X}" for r in axis for g in axis for b in axis]
    return colors, seen(linear(colors))


def search() -> list[str]:
    """The first classes by hue and lightness; then more, of the same lightness, that differ most from all."""
    colors, places = candidates()
    lightness, (a, b) = places[0, :, 0], places[0, :, 1:].T
    chroma, hue = np.hypot(a, b), np.degrees(np.arctan2(b, a)) % 360
    chosen: list[int] = []

    def best(allowed: Array, others: Sequence[int]) -> int:
        rows = np.flatnonzero(allowed)
        far = np.linalg.norm(places[:, rows, None] - places[:, None, list(others)], axis=3)
        return int(rows[far.min((0, 2)).argmax()]) if others else int(rows[chroma[rows].argmax()])

    at_level = [np.abs(lightness - level) <= NEAR_LIGHTNESS for level in LIGHTNESS]
    allowed = [at_level[-1] & (chroma < 1)]
    for level, (_, a, b) in zip(at_level[:-1], lab(linear(OKABE_ITO[:-1])).tolist(), strict=True):
        turned = (hue - np.degrees(np.arctan2(b, a)) + 180) % 360 - 180
        share = chroma / np.hypot(a, b)
        like = (np.abs(turned) <= NEAR_HUE) & (share >= NEAR_CHROMA[0]) & (share <= NEAR_CHROMA[1])
        allowed.insert(-1, level & like)
    assert all(one.any() for one in allowed), [int(one.sum()) for one in allowed]
    for one in allowed:
        chosen.append(best(one, chosen))
    for _ in range(4):
        for at, one in enumerate(allowed):
            chosen[at] = best(one, chosen[:at] + chosen[at + 1 :])
    for _ in range(2):
        for level in at_level:
            chosen.append(best(level & (chroma >= COLORFUL[0]) & (chroma <= COLORFUL[1]), chosen))
    return [colors[at] for at in chosen]


def main() -> None:
    """Measure, or search."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--search", action="store_true")
    if parser.parse_args().search:
        print(search())
        return
    several = {
        "before: Okabe-Ito, with a gray": OKABE_ITO,
        "Okabe-Ito": PALETTES["okabe-ito"],
        "Tol bright": PALETTES["tol-bright"],
        "default": CLASSES,
        "default, more": MORE_CLASSES,
    }
    print(f"| palette | classes | gray, ΔL* | {', ΔE | '.join(SIGHTS)}, ΔE |\n|---|{'---:|' * 6}")
    for name, palette in several.items():
        for count in (one for one in COUNTS if one <= len(palette)):
            if name == "default, more" and count <= len(CLASSES):
                continue
            some = palette[:count]
            found = " | ".join(f"{value:.0f}" for value in distances(some).values())
            print(f"| {name} | {count} | {lightness_gap(some):.1f} | {found} |")


if __name__ == "__main__":
    main()
