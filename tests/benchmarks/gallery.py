"""Every shipped figure: what it shows, and the papers' figures beside ours, as Markdown tables.

python -m tests.benchmarks.gallery [--only NAME ...] [--pack]

Without --only about half an hour on one core, unless the store has what it takes. What is made is kept: the
Gallery page shows it at once. --pack writes them into the project, as the Gallery page of a new installation
shows them; with --only, the others stay as they were packed.
"""

import argparse
import sys
from collections.abc import Sequence

from relviz.figures.gallery import GROUPS, Card, card_task, cards, drawn
from relviz.figures.packed import pack
from relviz.figures.papers import HEAD, HEAD_COUNTED
from relviz.papers import LINKS


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a table of all figures, and one of all numbers that a paper has too."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", nargs="+", default=[])
    parser.add_argument("--pack", action="store_true")
    asked = parser.parse_args(arguments)
    wanted = asked.only
    beside: list[tuple[str, ...]] = []
    for paper, some in cards().items():
        print(f"\n### {GROUPS[paper]}{f' ({LINKS[paper]})' if paper in LINKS else ''}\n")
        print("| recipe | beside | what it shows |")
        print("|---|---|---|")
        for card in some:
            if wanted and card.name not in wanted:
                continue
            card_task(card).run()
            print(f"| `{card.name}` | {_place(card)} | {card.recipe.about} |", flush=True)
            beside += _beside(card)
    for head in (HEAD, HEAD_COUNTED):
        rows = [row for row in beside if len(row) == len(head) + 1]
        print(f"\n| figure | what | {' | '.join(head[1:])} |\n|---|---|{'---:|' * (len(head) - 1)}")
        print("\n".join(f"| {' | '.join(row)} |" for row in rows))
    if asked.pack:
        everyone = [card for some in cards().values() for card in some]
        chosen = [card for card in everyone if not wanted or card.name in wanted]
        pack(chosen, {card.name for card in everyone} - {card.name for card in chosen})
    return 0


def _place(card: Card) -> str:
    return card.recipe.paper.place if card.recipe.paper else "–"


def _beside(card: Card) -> list[tuple[str, ...]]:
    made = drawn(card)
    assert made is not None
    rows = made.beside.rows if made.beside else ()
    return [(f"`{card.name}`, {_place(card)}", *row) for row in rows]


if __name__ == "__main__":
    sys.exit(main())
