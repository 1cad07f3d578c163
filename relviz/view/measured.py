"""The table of a comparison: each metric both ways, beside chance, its null and the original spaces."""

from collections.abc import Mapping, Sequence
from typing import Any

from relviz.view.wording import MEASURES

HEAD = (
    "metric",
    "relative A → B",
    "relative B → A",
    "chance",
    "shuffled pairing",
    "absolute A → B",
    "absolute B → A",
)


def measure_rows(records: Sequence[Mapping[str, Any]]) -> list[tuple[str, ...]]:
    """A line for each metric under ``HEAD``, of records as ``RetrievalTable.records`` gives them.

    Chance and the shuffled pairing are those of A → B.
    """
    known = {(r["representation"], r["direction"], r["metric"]): r for r in records}
    return [
        (
            words,
            spread(known["relative", "x→y", name]),
            spread(known["relative", "y→x", name]),
            f"{known['relative', 'x→y', name]['chance']:z.4f}",
            _null(known["relative", "x→y", name]),
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


def _null(record: Mapping[str, Any]) -> str:
    return f"{record['null']:z.4f} ± {record['null_sd']:.4f}"
