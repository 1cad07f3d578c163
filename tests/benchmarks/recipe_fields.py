"""Every field of some recipes edited by hand: what it changes, or why it is refused; a Markdown table.

    python -m tests.benchmarks.recipe_fields
    python -m tests.benchmarks.recipe_fields --kind maps --all

Fields whose edit is neither refused, nor said, nor seen in the figure, its caption, table or numbers are
listed as without effect. Choices of another page, and those that the figure has nothing for (the perplexity
of a PCA), may be.
"""

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass

import relviz
from relviz.figures.make import make
from relviz.figures.recipe import read_recipe
from relviz.state.choice import Number, OneOf, Switch
from relviz.state.view import View
from tests.benchmarks.paper import own_pair

KINDS = {
    "maps": {"rows": "relative"},
    "measures": {},
    "anchor_curve": {},
    "translation": {},
    "landing": {},
}
LOOKS: dict[str, object] = {
    "style": "acl",
    "panes": "a",
    "layout": "2x1",
    "aspect": 0.7,
    "own_scales": True,
    "turned": True,
    "palette": "gray",
    "markers": "shapes",
    "class_names": True,
    "legend": "beside",
    "letters": "(a)",
    "font": "DejaVu Serif",
    "font_size": 9.0,
    "ticks": "numbers",
    "intervals": "band",
    "svg_text": "paths",
    "table_rows": "MRR",
    "table_columns": "A",
    "transposed": True,
    "short": True,
    "decimals": 2,
    "best": False,
    "siunitx": True,
    "label": "tab:mine",
    "names": {"encoder_large_v2": "E5"},
    "titles": {"a": "Mine"},
    "hidden": ["class 1"],
    "zoom": {"a": [-0.2, 0.2, -0.2, 0.2]},
    "no such choice": 1,
}


@dataclass(frozen=True)
class Outcome:
    """What became of an edit: ``"refused"``, ``"said"``, ``"changed"`` or ``"no effect"``, and the words."""

    what: str
    words: str = ""


def printed(text: str) -> tuple[bytes, ...]:
    """All that is seen of a figure."""
    made = make(read_recipe(text))
    suffixes = [one for one in ("svg", "tex", "csv", "txt") if one in made.suffixes()]
    return (*(made.file(one) for one in suffixes), "\n".join(made.changes).encode())


def outcome(text: str, before: tuple[bytes, ...]) -> Outcome:
    """What a recipe that was edited makes, beside what it made before."""
    try:
        now = printed(text)
    except relviz.Error as reason:
        return Outcome("refused", str(reason)[:110])
    if now[-1] != before[-1]:
        return Outcome("said", now[-1].decode()[:110])
    return Outcome("changed" if now[:-1] != before[:-1] else "no effect")


def edits(record: dict[str, object]) -> Iterator[tuple[str, dict[str, object]]]:
    """The recipe with each field changed, by the field's path."""

    def edited(path: tuple[str, ...], value: object) -> tuple[str, dict[str, object]]:
        copy = json.loads(json.dumps(record))
        place = copy
        for name in path[:-1]:
            place = place.setdefault(name, {})
        place[path[-1]] = value
        return ".".join(path), copy

    yield edited(("format",), "relviz recipe 2")
    yield edited(("kind",), "self_similarity")
    yield edited(("width_mm",), 120)
    yield edited(("width_mm",), "wide")
    yield edited(("numbers",), "0" * 32)
    yield edited(("surprise",), 1)
    for name, value in LOOKS.items():
        yield edited(("look", name), value)
    options = record["options"]
    assert isinstance(options, dict)
    for name, value in options.items():
        yield edited(("options", name), _other(value))
        yield edited(("options", name), "nonsense" if not isinstance(value, str) else 7)
    data = record["data"]
    assert isinstance(data, dict)
    for source, said in data.items():
        for name, value in said.items():
            yield edited(("data", source, name), _other(value))
    for name in record["versions"]:  # type: ignore[attr-defined]
        yield edited(("versions", name), "0.0")
    view = record["view"]
    assert isinstance(view, dict)
    declared = View.declared()
    for name, value in view.items():
        if name in declared:
            yield edited(("view", name), _other_choice(declared[name], str(value)))
        yield edited(("view", name), "nonsense!")


def _other(value: object) -> object:
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case list():
            return [*value, 3]
        case _:
            return f"{value}x"


def _other_choice(choice: object, value: str) -> str:
    match choice:
        case OneOf():
            return next((one for one in choice.options if one and one != value), value)
        case Switch():
            return "no" if value == "yes" else "yes"
        case Number():
            number = type(choice.default)(value)
            step = choice.step or 1
            return str(number + step if number + step <= choice.high else number - step)
        case _:
            return f"{value}x"


def main() -> None:
    """Edit, make, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kind", action="append", choices=sorted(KINDS), default=[])
    parser.add_argument("--all", action="store_true", help="A line for each edit, and not only a summary.")
    asked = parser.parse_args()
    pair = own_pair(80, 8)
    rows, without = [], {}
    for kind in asked.kind or KINDS:
        text = relviz.figure(pair, kind, anchors=20, **KINDS[kind]).recipe.to_json()
        before = printed(text)
        found: dict[str, list[str]] = {}
        for path, record in edits(json.loads(text)):
            made = outcome(json.dumps(record), before)
            found.setdefault(made.what, []).append(path)
            if asked.all:
                print(f"{kind:14} {path:34} {made.what:10} {made.words}", flush=True)
        counts = [str(len(found.get(what, []))) for what in ("changed", "said", "refused", "no effect")]
        rows.append(f"| {kind} | {' | '.join(counts)} |")
        without[kind] = found.get("no effect", [])
    print("| kind | changed | said | refused | no effect |\n|---|---:|---:|---:|---:|")
    print("\n".join(rows))
    for kind, paths in without.items():
        print(f"\n{kind}, no effect: {', '.join(paths)}")


if __name__ == "__main__":
    main()
