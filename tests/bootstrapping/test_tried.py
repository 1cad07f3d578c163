"""What is tried in place of the defaults stands where they do."""

import pytest

from tests.benchmarks.bootstrap_tried import PARTS, changed

CHANGES = {what: changes for *_, inside, _ in PARTS.values() for what, changes in inside.items()}


@pytest.mark.parametrize("what", CHANGES)
def test_what_is_changed_is_there_and_comes_back(what):
    before = [getattr(room, name) for room, name, _ in CHANGES[what]]
    with changed(CHANGES[what]):
        assert [getattr(room, name) for room, name, _ in CHANGES[what]] == [new for *_, new in CHANGES[what]]
    assert [getattr(room, name) for room, name, _ in CHANGES[what]] == before
