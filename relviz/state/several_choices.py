"""The choices of the Several page."""

from dataclasses import dataclass
from typing import ClassVar

from relviz.state.choice import Choices, Names, number, source_names

MOST_SPACES = 6
"""Spaces that are matched at once: 15 pairs, each of which takes a run."""


@dataclass(frozen=True)
class Several(Choices):
    """Spaces of the same items that are matched at once.

    Attributes
    ----------
    spaces
        What names them, as ``relviz.state.sources`` has it; the demo's if there are none.
    known
        Of how many items the rows are known in all spaces.
    seed
        Of which these are, and of every random choice.
    """

    prefix: ClassVar[str] = "se_"

    spaces: Names = source_names("Spaces", "Two to six embeddings of the same items, at least in part.")
    known: int = number(
        0,
        0,
        300,
        "Known items",
        "Items whose row is known in every space. They are sampled from the ids that all spaces share.",
    )
    seed: int = number(0, 0, 9999, "Seed", "Seed of the known items, the anchors and the solver.")

    @property
    def sources(self) -> Names:
        """The spaces, those of the demo where none are chosen."""
        return Names(self.spaces[:MOST_SPACES]) or USUAL


USUAL = Names(("emoji.text_en_minilm", "emoji.text_en_wordllama", "emoji.text_es_e5"))
"""Emoji's names as three encoders have them; the last two are not matched without the first."""
