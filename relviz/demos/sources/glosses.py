"""The glosses demo: WordNet's definitions of 1,500 nouns, 125 of each of 12 classes.

The nouns were once drawn at random, and the draw was not kept. So the ids of the bundled file, which are
WordNet's synset offsets, are the list of what is encoded; words, definitions and classes are read anew.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from relviz.demos.catalog import entry
from relviz.demos.load import load_demo
from relviz.demos.sources.e5 import e5
from relviz.demos.sources.packages import Package, fetch
from relviz.demos.sources.rows import spread
from relviz.demos.space_file import write_space
from relviz.encoders import load_encoder
from relviz.space import Space

WORDNET = Package(
    "debian",
    "wordnet-base",
    "1:3.0-37",
    "61060d960f9ada8fa120872312eccd3ecebfbab8c4579e4f5a74e1cf67620752",
)

CLASSES = {
    "04": "act",
    "05": "animal",
    "06": "artifact",
    "08": "body",
    "10": "communication",
    "13": "food",
    "14": "group",
    "15": "location",
    "18": "person",
    "20": "plant",
    "26": "state",
    "27": "substance",
}
"""WordNet's lexicographer files the nouns are taken from (lexnames(5WN))."""


@dataclass(frozen=True)
class Gloss:
    """A noun synset: its first word, its definition without examples, and its class."""

    word: str
    text: str
    label: str


def build(out: Path, packages: Path, rows: int | None) -> None:
    """Write the demo's spaces into ``out``."""
    data = fetch(WORDNET, packages) / "usr/share/wordnet/data.noun"
    with data.open(encoding="utf-8") as lines:
        known = glosses(lines)
    bundled = next(iter(load_demo("glosses").spaces.values()))
    ids = spread(list(bundled.ids or ()), rows)
    found = [known[offset] for offset in ids]
    texts = [gloss.text for gloss in found]
    spaces = {
        "minilm": load_encoder("minilm").encode(texts),
        "wordllama": load_encoder("wordllama").encode(texts),
        "e5": e5(texts, packages),
    }
    items, labels = [f"{gloss.word}: {gloss.text}" for gloss in found], [gloss.label for gloss in found]
    for key, vectors in spaces.items():
        name = entry("glosses").spaces[key]
        write_space(out / f"{key}.safetensors", Space(vectors, ids, labels, items, name))


def glosses(lines: Iterable[str]) -> dict[str, Gloss]:
    """The synsets of the classes above, by offset, from the lines of ``data.noun`` (wndb(5WN))."""
    found = {}
    for line in lines:
        if line.startswith("  "):  # the license stands above the data
            continue
        head, _, gloss = line.partition(" | ")
        offset, file, _, _, word, *_ = head.split()
        if file in CLASSES:
            text = gloss.split('; "')[0].strip()
            found[offset] = Gloss(word.replace("_", " "), text, CLASSES[file])
    return found
