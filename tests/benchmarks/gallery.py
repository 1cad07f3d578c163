"""Every shipped figure: what it shows, and the papers' figures beside ours, as Markdown tables.

python -m tests.benchmarks.gallery [--only NAME ...] [--pack]
python -m tests.benchmarks.gallery --summary

Without --only about half an hour on one core, unless the store has what it takes. What is made is kept: the
Gallery page shows it at once. --pack writes them into the project, as the Gallery page of a new installation
shows them; with --only, the others stay as they were packed. --summary prints a line for every numbered
figure and table of the papers, from what is packed; nothing is computed.
"""

import argparse
import sys
from collections.abc import Sequence

from relviz.figures.gallery import GROUPS, Card, Drawn, cards, drawn
from relviz.figures.packed import pack, packed
from relviz.figures.papers import HEAD, HEAD_COUNTED, UNSHOWN, names_of
from relviz.papers import LINKS, places


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a table of all figures, and one of all numbers that a paper has too."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", nargs="+", default=[])
    parser.add_argument("--pack", action="store_true")
    parser.add_argument("--summary", action="store_true")
    asked = parser.parse_args(arguments)
    if asked.summary:
        summary()
        return 0
    wanted = asked.only
    numbers: list[tuple[str, ...]] = []
    for paper, some in cards().items():
        print(f"\n### {GROUPS[paper]}{f' ({LINKS[paper]})' if paper in LINKS else ''}\n")
        print("| recipe | beside | what it shows |")
        print("|---|---|---|")
        for card in some:
            if wanted and card.name not in wanted:
                continue
            card.task.run()
            print(line(card), flush=True)
            made = drawn(card)
            assert made is not None
            numbers += comparison_lines(card, made)
    for head in (HEAD, HEAD_COUNTED):
        rows = [row for row in numbers if len(row) == len(head) + 1]
        print(f"\n| figure | what | {' | '.join(head[1:])} |\n|---|---|{'---:|' * (len(head) - 1)}")
        print("\n".join(map(in_markdown, rows)))
    if asked.pack:
        everyone = [card for some in cards().values() for card in some]
        chosen = [card for card in everyone if not wanted or card.name in wanted]
        pack(chosen, {card.name for card in everyone} - {card.name for card in chosen})
    return 0


def summary() -> None:
    """Every numbered figure and table: the paper's value, ours, and why they differ."""
    every = [card for some in cards().values() for card in some if card.recipe.paper]
    print("| number | what it shows | the paper | ours | why they differ |")
    print("|---|---|---|---|---|")
    for name, place in places().items():
        shown = [card for card in every if card.recipe.paper and name in names_of(card.recipe.paper.place)]
        values = [line for card in shown if (line := _headline(card))]
        theirs = "<br>".join(f"{words}: {value}" for words, value, _ in values)
        ours = "<br>".join(value for _, _, value in values) or ", ".join(f"`{one.name}`" for one in shown)
        why = [card.recipe.paper.differs for card in shown if card.recipe.paper and card.recipe.paper.differs]
        without = f"Not shown: {UNSHOWN[name]}." if name in UNSHOWN else ""
        cells = [
            name,
            place.shows,
            theirs or "–",
            ours or "–",
            without or " ".join(dict.fromkeys(why)) or "–",
        ]
        print(in_markdown(cells))


def line(card: Card) -> str:
    """What a card shows, as a row of the table of what ships."""
    return in_markdown((f"`{card.name}`", _place(card), card.recipe.about))


def comparison_lines(card: Card, made: Drawn) -> list[tuple[str, ...]]:
    """The paper's numbers beside ours: a row for each, with the card before it."""
    rows = made.comparison.rows if made.comparison else ()
    return [(f"`{card.name}`, {_place(card)}", *row) for row in rows]


def in_markdown(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _headline(card: Card) -> tuple[str, str, str] | None:
    """What stands for a card: its first line with a rank, or its first; the words, the paper's, and ours."""
    made = packed(card)
    rows = made.comparison.rows if made is not None and made.comparison is not None else ()
    if not rows:
        return None
    words, theirs, *ours = next((row for row in rows if "MRR" in row[0]), rows[0])
    return words, theirs, f"{ours[0]}{f' (held-out items {ours[1]})' if len(ours) > 1 else ''}"


def _place(card: Card) -> str:
    return card.recipe.paper.place if card.recipe.paper else "–"


if __name__ == "__main__":
    sys.exit(main())
