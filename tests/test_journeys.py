"""The journeys of CONTRIBUTING.md: each is run, and its functions are entered in the order that it says."""

import re
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import numpy as np
import pytest

from relviz.cli.main import main
from relviz.results.probe import probe_new
from relviz.results.translation import problem_of
from relviz.state.sources import open_pair
from relviz.state.view import View

ROOT = Path(__file__).resolve().parent.parent
LIBRARY = ROOT / "relviz"
MOST_HOPS = 12

Hop = tuple[str, str]

_TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
_PART = re.compile(r"^#### (.+?)\n(.*?)(?=^#)", re.MULTILINE | re.DOTALL)
_HOP = re.compile(r"^\| `([\w/]+\.py)` \| `([\w.]+)` \|", re.MULTILINE)
JOURNEYS: dict[str, list[Hop]] = {title: _HOP.findall(rows) for title, rows in _PART.findall(_TEXT)}


def _command(words: str) -> None:
    assert main(words.split()) == 0


def _probe() -> None:
    view = View(a="glosses.minilm", b="glosses.e5", count=97)
    probe_new(problem_of(view, open_pair(view.a, view.b)), "a small dog")


RUNS: dict[str, Callable[[], None]] = {
    "From a file to its map": lambda: _command("compare a.npz b.npz --anchors 50 --runs 1 -o maps.pdf"),
    "From anchors to metrics": lambda: _command("compare a.npz b.npz --anchors 50 --runs 1"),
    "From an option to the solver": lambda: _command("bootstrap a.npz b.npz --anchors 40 --seeds 15"),
    "From a recipe to a PDF": lambda: _command("figure maps.json -o again.pdf"),
    "From a sentence to its neighbors": _probe,
}


def entered(run: Callable[[], None]) -> list[Hop]:
    """Functions of the library in the order in which they are first entered, in whatever thread."""
    found: dict[Hop, None] = {}
    known: dict[object, Hop] = {}

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code not in known and code.co_filename.startswith(str(LIBRARY)):
            known[code] = Path(code.co_filename).relative_to(LIBRARY).as_posix(), code.co_qualname
            found[known[code]] = None

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        run()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return list(found)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with two files of the same items, and the store of nobody else."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(200, 8)).astype(np.float32)
    turn = np.linalg.qr(rng.normal(size=(8, 8)))[0].astype(np.float32)
    np.savez(tmp_path / "a.npz", vectors=x)
    np.savez(tmp_path / "b.npz", vectors=x @ turn)
    monkeypatch.setenv("RELVIZ_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_journey_is_told_and_run() -> None:
    assert list(JOURNEYS) == list(RUNS)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("title", RUNS)
def test_a_journey_is_as_short_as_it_says_and_true(title: str) -> None:
    hops = JOURNEYS[title]
    assert 2 <= len(hops) <= MOST_HOPS
    if title == "From a recipe to a PDF":
        _command("compare a.npz b.npz --anchors 50 --runs 1 -o maps.json")
    order = entered(RUNS[title])
    assert not [hop for hop in hops if hop not in order]
    places = [order.index(hop) for hop in hops]
    assert places == sorted(places), [order[place] for place in sorted(places)]
