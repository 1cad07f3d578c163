"""On a device that is not there, code gives what it gives on the CPU, and mixes no devices."""

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import Tensor

import relviz
from relviz.bootstrapping.growth import Growth
from relviz.bootstrapping.null import Null
from relviz.bootstrapping.rounds import Round
from relviz.bootstrapping.self_training import SelfTraining
from relviz.bootstrapping.verdict import Evidence
from relviz.compute.device import device
from tests.bootstrapping.made import QUICK
from tests.bootstrapping.made import case as moved_copy
from tests.gpu.case import Case, Work
from tests.gpu.cases import KINDS
from tests.gpu.compare import difference
from tests.gpu.elsewhere import DEVICE, Elsewhere

FAST = ("kernels", "relative", "anchors", "retrieval", "cka", "projections", "translators")
CASES = [pytest.param(case, id=f"{kind}: {case.name}") for kind in FAST for case in KINDS[kind](True)]
DOUBTFUL = Evidence(0.9, 0.3, 0.1, "A random start fits about as well, so the matches cannot be trusted.")
On = Callable[[torch.device, Work], dict[str, Tensor]]


@pytest.fixture
def on(monkeypatch: pytest.MonkeyPatch) -> Iterator[On]:
    """Computes on a device that the library chooses, and gives the tensors on the CPU."""

    def computed(where: torch.device, work: Work) -> dict[str, Tensor]:
        monkeypatch.setenv("RELVIZ_DEVICE", where.type)
        device.cache_clear()
        with Elsewhere() if where == DEVICE else nullcontext():
            assert device().type == where.type
            return {name: tensor.cpu() for name, tensor in work().items()}

    yield computed
    device.cache_clear()


@pytest.mark.parametrize("case", CASES)
def test_a_device_computes_what_the_cpu_does(case: Case, on: On) -> None:
    here, there = (on(where, lambda: case.prepare()()) for where in (torch.device("cpu"), DEVICE))
    assert difference(here, there).within(case)


@pytest.mark.parametrize("known", [0, 12])
def test_anchors_are_found_on_a_device_as_on_the_cpu(known: int, on: On) -> None:
    made = moved_copy(n=150, d=8, k=20, seeds=known)

    def work() -> dict[str, Tensor]:
        found = relviz.bootstrap(made.x, made.y, made.anchors, made.seeds)
        return {"matches": found.matches, "probable": found.has_counterpart}

    here, there = (on(where, work) for where in (torch.device("cpu"), DEVICE))
    assert torch.equal(here["matches"], there["matches"])
    torch.testing.assert_close(here["probable"], there["probable"], atol=1e-3, rtol=0)


@pytest.mark.slow
def test_rejected_rounds_are_trained_searched_patiently_and_grown_on_a_device(
    on: On, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen, train, grow = [], SelfTraining.of, Growth.of_either_side

    def trained_in_vain(self: SelfTraining, last: Round) -> None:
        train(self, last)
        seen.append("trained")

    def grown(self: Growth, matches: list[Tensor]) -> Round | None:
        seen.append("grown")
        return grow(self, matches)

    monkeypatch.setattr(SelfTraining, "of", trained_in_vain)
    monkeypatch.setattr(Growth, "of_either_side", grown)
    monkeypatch.setattr("relviz.bootstrapping.rounds.judge", lambda *_, **__: (False, DOUBTFUL))
    monkeypatch.setattr(Null, "shared", lambda *_: 0.1)
    made = moved_copy(n=200, d=40, seeds=5, noise=0.5)
    options = replace(QUICK, rounds=2)

    def work() -> dict[str, Tensor]:
        return {
            "matches": relviz.bootstrap(made.x, made.y, made.anchors, made.seeds, options=options).matches
        }

    on(DEVICE, work)
    assert {*seen} == {"trained", "grown"}


@pytest.mark.parametrize(
    ("refused", "reason"),
    [
        (lambda there, here: there + here, "on one device"),
        (lambda there, here: torch.cat([there, here]), "on one device"),
        (lambda there, here: torch.stack([there[0], here[0]]), "on one device"),
        (lambda there, here: here[there.long()], "on the CPU are chosen"),
        (lambda there, here: there.__setitem__(slice(None), here), "on one device"),
        (lambda there, _: there.numpy(), "its copy on the CPU"),
        (lambda there, _: np.asarray(there), "its copy on the CPU"),
        (lambda *_: torch.randn(3, device=DEVICE, generator=torch.Generator()), "a generator of the CPU"),
    ],
)
def test_what_a_gpu_refuses_is_refused(refused: Callable[[Tensor, Tensor], object], reason: str) -> None:
    with Elsewhere():
        there, here = torch.zeros(3, device=DEVICE), torch.ones(3)
        with pytest.raises((RuntimeError, TypeError), match=reason):
            refused(there, here)


def test_what_a_gpu_takes_is_taken() -> None:
    with Elsewhere():
        there, here = torch.arange(3.0, device=DEVICE), torch.arange(3)
        made = [there + 1, there + here[0], there[here], there.max(0).values, there.new_zeros(2)]
        made += [here.to(DEVICE), here.to(there), torch.as_tensor(here, device=DEVICE), there.double()]
        there[here[:2]] = torch.tensor(5.0)
        assert {one.device for one in made} == {DEVICE}
        assert there.cpu().numpy().tolist() == [5, 5, 2]
        assert here.device == there.cpu().device == torch.device("cpu")
