"""The table of a comparison: each measure both ways, beside chance and beside the spaces as they are."""

from collections.abc import Mapping, Sequence
from typing import Any

from relviz.view.wording import MEASURES

HEAD = ("measure", "relative A → B", "relative B → A", "chance", "absolute A → B", "absolute B → A")


def measure_rows(records: Sequence[Mapping[str, Any]]) -> list[tuple[str, ...]]:
    """A line for each measure under ``HEAD``, of records as ``RetrievalTable.records`` gives them."""
    known = {(r["representation"], r["direction"], r["metric"]): r for r in records}
    return [
        (
            words,
            spread(known["relative", "x→y", name]),
            spread(known["relative", "y→x", name]),
            f"{known['relative', 'x→y', name]['null']:.4f}",
            spread(known.get(("absolute", "x→y", name))),
            spread(known.get(("absolute", "y→x", name))),
        )
        for name, words in MEASURES.items()
    ]


def spread(record: Mapping[str, Any] | None) -> str:
    """Mean ± standard deviation of a record; a dash where there is none."""
    if record is None:
        return "–"
    return f"{record['mean']:.3f}" + ("" if record["sd"] is None else f" ± {record['sd']:.3f}")
