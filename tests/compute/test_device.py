"""The device is chosen once, CUDA before MPS before CPU, and can be overruled."""

import threading

import pytest
import torch

from relviz.compute.device import DEVICE_LOCK, device, device_name, leave_a_core
from relviz.errors import ParameterError


@pytest.fixture(autouse=True)
def _chosen_anew(monkeypatch):
    monkeypatch.delenv("RELVIZ_DEVICE", raising=False)
    device.cache_clear()
    yield
    device.cache_clear()


@pytest.mark.parametrize(
    ("cuda", "mps", "chosen"),
    [(True, True, "cuda"), (True, False, "cuda"), (False, True, "mps"), (False, False, "cpu")],
)
def test_the_fastest_there_is_comes_first(monkeypatch, cuda, mps, chosen):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: cuda)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: mps)
    assert device().type == chosen


def test_the_environment_overrules(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setenv("RELVIZ_DEVICE", "cpu")
    assert device() == torch.device("cpu")
    monkeypatch.setattr(torch, "get_num_threads", lambda: 3)
    assert device_name() == "CPU, 3 threads"


def test_a_device_that_is_not_there_is_named(monkeypatch):
    monkeypatch.setenv("RELVIZ_DEVICE", "abacus")
    with pytest.raises(ParameterError, match=r"RELVIZ_DEVICE is 'abacus'.*set it to 'cpu'"):
        device()


def test_the_lock_may_be_taken_twice_by_its_holder_and_by_nobody_else():
    got = []
    with DEVICE_LOCK, DEVICE_LOCK:
        other = threading.Thread(target=lambda: got.append(DEVICE_LOCK.acquire(blocking=False)))
        other.start()
        other.join()
    assert got == [False]


@pytest.mark.parametrize(
    ("environment", "before", "after"), [(None, 8, [7]), (None, 2, [1]), (None, 1, [1]), ("8", 8, [])]
)
def test_a_core_is_left_unless_the_environment_says_otherwise(monkeypatch, environment, before, after):
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    if environment:
        monkeypatch.setenv("OMP_NUM_THREADS", environment)
    asked = []
    monkeypatch.setattr(torch, "get_num_threads", lambda: before)
    monkeypatch.setattr(torch, "set_num_threads", asked.append)
    leave_a_core.__wrapped__()
    assert asked == after
