"""Damaged files through every door; ``python -m tests.benchmarks.fuzz`` tries many more, and hostile ones."""

from tests.benchmarks import fuzz


def test_damaged_files_are_read_or_refused() -> None:
    found = fuzz.measure(fuzz.inputs(90, seed=1))
    assert [line for one in found.values() for line in one.failures] == []
    assert sum(one.inputs for one in found.values()) == 90
    assert sum(one.refused for one in found.values()) < 85
    assert max(one.peak for one in found.values()) < fuzz.MOST_BYTES


def test_damage_is_the_same_for_a_seed() -> None:
    first, again, other = (list(fuzz.inputs(30, seed)) for seed in (2, 2, 3))
    assert first == again != other
