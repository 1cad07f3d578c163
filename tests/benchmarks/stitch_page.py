"""Server time of one movement on the Stitch page, as a Markdown table: a slider, and a sentence typed.

python -m tests.benchmarks.stitch_page
"""

import logging
import os
import shutil
import statistics
import tempfile
import threading
import time
import warnings
from collections.abc import Sequence
from typing import Any

from streamlit.testing.v1 import AppTest

PAIRS = (
    ("emoji.image_lite0", "emoji.image_lite1"),
    ("emoji.text_en_minilm", "emoji.image_lite0"),
    ("glosses.minilm", "glosses.wordllama"),
    ("words.glove50", "words.wink100"),
)
MOVES: dict[str, tuple[str, tuple[float, ...]]] = {
    "δ": ("choice_delta", (0.5, 0.62, 0.71, 0.33, 0.9, 0.15, 0.83)),
    "ω": ("choice_omega", (4, 12, 3, 16, 1, 24, 6)),
    "anchors used": ("choice_used", (250, 120, 60, 200, 280, 30, 160)),
}
SENTENCES = (
    "a large wild animal with a mane",
    "someone who repairs shoes",
    "the feeling of having been forgotten by a friend",
    "to cut something into very small pieces",
    "a tool for looking at the stars",
)


def at_rest(at: AppTest) -> None:
    """Wait until no job runs, nothing is made ready in the background, and the page shows it all."""
    from tests.ui.screen import finished

    finished(at)
    for thread in threading.enumerate():
        if thread.name.startswith("warming"):
            thread.join()


def shown(at: AppTest) -> list[str]:
    """The figures and sentences of the page."""
    from tests.ui.screen import said

    return [*(metric.value for metric in at.metric), said(at)]


def moved(at: AppTest, kind: str, key: str, values: Sequence[Any]) -> list[float]:
    """Milliseconds of the page's run after each change of a widget; jobs that it starts run afterward."""
    spent = []
    for value in values:
        before = shown(at)
        getattr(at, kind)(key=key).set_value(value)
        began = time.perf_counter()
        at.run()
        spent.append(1000 * (time.perf_counter() - began))
        assert not at.exception, at.exception
        assert shown(at) != before, (key, value)
        at_rest(at)
    return spent


def line(pair: Sequence[str], change: str, spent: Sequence[float]) -> None:
    """Print a line of the table."""
    figures = f"{statistics.median(spent):.0f} | {max(spent):.0f} | {len(spent)}"
    print(f"| {' → '.join(pair)} | {change} | {figures} |", flush=True)


def measure() -> None:
    """Print the table."""
    from tests.ui.screen import opened, went

    print("| pair | what moves | median, ms | largest, ms | of |\n|---|---|---|---|---|")
    for a, b in PAIRS:
        at = opened("stitch", {"a": a, "b": b})
        at_rest(at)
        for change, (key, values) in MOVES.items():
            kind = "number_input" if change == "ω" else "slider"
            line((a, b), change, moved(at, kind, key, values))
    a, b = "glosses.minilm", "glosses.wordllama"
    at = opened("stitch", {"a": a, "b": b, "part": "probe"})
    at.segmented_control(key="probe_way").set_value("text")
    at_rest(went(at))
    moved(at, "text_input", "probe_text", ["a first sentence, while both encoders are loaded"])
    line((a, b), "a sentence", moved(at, "text_input", "probe_text", SENTENCES))
    print("\nTranslate, IRP, 300 anchors, the maps included; a sentence: Probe. Every job done before.")


def main() -> None:
    """Measure with a store of its own, which is removed at the end."""
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    cache = tempfile.mkdtemp(prefix="relviz-stitch-page-")
    os.environ["RELVIZ_CACHE"] = cache
    try:
        measure()
    finally:
        shutil.rmtree(cache, ignore_errors=True)


if __name__ == "__main__":
    main()
