"""Colours of classes: Okabe-Ito to eight, a colour-blind safe Glasbey continuation beyond."""

from collections import Counter
from collections.abc import Sequence

OKABE_ITO = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#56B4E9", "#F0E442", "#8C8C8C")
"""Okabe and Ito's palette, blue first; its black is a grey here, to be seen on dark pages too."""

# glasbey.extend_palette(OKABE_ITO[:7], 24, colorblind_safe=True, lightness_bounds=(35, 80),
#                        chroma_bounds=(20, 80)) of the package glasbey
GLASBEY = (
    *OKABE_ITO[:7],
    *("#6D7100", "#DF45E7", "#866179", "#AA9A69", "#41B614", "#AA08D2", "#397969", "#698AFF", "#FFAAFF"),
    *("#B6DFCE", "#C692D2", "#14F3FB", "#FFBA8A", "#009696", "#00C6B6", "#00DB8A", "#BE00A6"),
)

REST = "#B0B0B0"
"""Colour of classes beyond the palette, and of rows without a class."""


def class_colours(labels: Sequence[str]) -> dict[str, str]:
    """A colour for each class, most frequent first; classes beyond the palette share one grey."""
    counts = Counter(labels)
    ordered = sorted(counts, key=lambda name: (-counts[name], name))
    palette = OKABE_ITO if len(ordered) <= len(OKABE_ITO) else GLASBEY
    return {name: palette[i] if i < len(palette) else REST for i, name in enumerate(ordered)}
