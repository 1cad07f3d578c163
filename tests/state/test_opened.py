"""What is opened is kept by its bytes, and not by how many there are."""

import numpy as np
import pytest

import relviz
from relviz.state import sources
from relviz.state.opened import Opened
from relviz.state.sources import forget_opened, keep_space, open_space


def test_the_one_not_asked_for_longest_goes_first() -> None:
    made: list[str] = []

    def make(text: str) -> str:
        made.append(text)
        return text

    opened = Opened(len, 10, make)
    for text in ("aaaa", "bbbb", "aaaa", "cc", "dd", "bbbb"):
        assert opened(text) == text
    assert made == ["aaaa", "bbbb", "cc", "dd", "bbbb"]
    assert opened.bytes <= 10
    assert opened("e" * 99) == "e" * 99
    assert opened.bytes == 99
    opened.cache_clear()
    assert opened.bytes == 0


def test_opened_spaces_are_held_to_their_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    forget_opened()
    monkeypatch.setattr(sources._own_space, "_most", 9000)
    rng = np.random.default_rng(0)
    named = [keep_space(relviz.Space(rng.normal(size=(100, 10)))) for _ in range(5)]
    for source in named:
        open_space(source)
    assert sources._own_space.bytes == 8000
    assert open_space(named[-1]) is open_space(named[-1])
    forget_opened()
