"""What the rounds of an annealed run start from."""

from enum import Enum, auto

FEWEST_TO_START = 3
"""Seeds from which they alone are a start, since two directions do not tell rows apart."""


class Source(Enum):
    """What a round starts from."""

    SEEDS = auto()
    POPULATIONS = auto()
    CONSENSUS = auto()


def sources(seeds: int, rounds: int) -> list[Source]:
    """What so many rounds with so many seeds start from, in order.

    Populations need no seeds. With at least three, these come first, which is quicker, and the consensus of
    annealings from them last.
    """
    if seeds < FEWEST_TO_START:
        return [Source.POPULATIONS] * rounds
    return [Source.SEEDS, Source.POPULATIONS, *[Source.CONSENSUS] * rounds][:rounds]
