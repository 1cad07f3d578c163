"""The comparison of devices runs without an accelerator, and a broken tolerance does not pass."""

from pathlib import Path

import pytest
import torch

from tests.gpu import __main__ as command
from tests.gpu.case import Case, Tolerance
from tests.gpu.cases import KINDS
from tests.gpu.compare import Difference, Row, difference


@pytest.fixture
def no_card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No accelerator; gives where the page is written."""
    monkeypatch.setattr(command, "device", lambda: torch.device("cpu"))
    monkeypatch.setattr(command, "PAGE", tmp_path / "gpu.md")
    return tmp_path / "gpu.md"


@pytest.mark.slow
def test_without_a_card_it_runs_to_its_end_and_says_so_first(
    no_card: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main(["--small", "--only", "kernels", "relative", "--write"]) == 0
    said = capsys.readouterr().out
    assert said.startswith(command.NO_CARD)
    rows = [line for line in said.splitlines() if line.startswith(("| kernels", "| relative"))]
    assert len(rows) == sum(len(list(KINDS[kind](True))) for kind in ("kernels", "relative"))
    assert all(row.endswith("| yes |") for row in rows)
    page = no_card.read_text("utf-8")
    assert command.NO_CARD in page
    assert "python -m tests.gpu --small --only kernels relative --write" in page
    assert all(row.split("|")[1] in page for row in rows)


@pytest.mark.parametrize("kind", KINDS)
def test_a_case_has_a_small_twin(kind: str) -> None:
    small, whole = ([case.name for case in KINDS[kind](size)] for size in (True, False))
    assert small == whole
    assert len({*small}) == len(small)


def case(numbers: float, places: float) -> Case:
    return Case("one", "3 rows", Tolerance(numbers, places, "a reason"), lambda: dict)


def row(found: Difference | None, tolerance: Case, error: str = "") -> Row:
    return Row("kind", tolerance, 1.0, 0.5, found, error)


def test_differences_are_measured_and_held_to_the_tolerance() -> None:
    cpu = {"x": torch.tensor([1.0, 4.0]), "i": torch.tensor([1, 2, 3, 4])}
    other = {"x": torch.tensor([1.0, 4.4]), "i": torch.tensor([1, 2, 3, 5])}
    found = difference(cpu, other)
    assert found.numbers == pytest.approx(0.1)
    assert found.places == 0.25
    assert row(found, case(0.11, 0.25)).ok
    assert not row(found, case(0.09, 0.25)).ok
    assert not row(found, case(0.11, 0.2)).ok
    assert row(found, case(0.09, 0.25)).cells()[-1] == "**no**"


@pytest.mark.parametrize(
    "other",
    [
        {"x": torch.tensor([1.0, torch.nan])},
        {"x": torch.tensor([1.0, torch.inf])},
        {"x": torch.tensor([1.0])},
        {"y": torch.tensor([1.0, 2.0])},
    ],
)
def test_what_is_no_number_or_has_another_shape_is_no_match(other: dict[str, torch.Tensor]) -> None:
    assert not row(difference({"x": torch.tensor([1.0, 2.0])}, other), case(1e9, 1)).ok


def test_a_case_that_failed_breaks_the_comparison() -> None:
    failed = row(None, case(1, 1), "device: RuntimeError: no such kernel")
    assert not failed.ok
    assert "no such kernel" in failed.cells()[5]
