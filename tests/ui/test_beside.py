"""What stands and runs beside the pages: the device at the foot, UMAP made ready once, in a thread."""

import threading
from importlib import import_module

import pytest

from relviz.compute.device import device, device_name
from relviz.ui import warming
from tests.ui.made import small_pair
from tests.ui.screen import opened, said


@pytest.mark.parametrize("page", ["data", "anchors", "bootstrap", "compare", "stitch"])
def test_every_page_names_the_device(page: str) -> None:
    name = device_name().partition(",")[0]  # without the threads, fewer in the app than here
    assert f"Computed on: {name}" in said(opened(page, small_pair() | {"count": "9"}))


def test_a_device_that_is_not_there_is_said_and_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RELVIZ_DEVICE", "abacus")
    device.cache_clear()
    at = opened("data", small_pair())
    assert any("abacus" in error.value for error in at.sidebar.error)
    device.cache_clear()


def test_umap_is_warmed_once_and_in_a_thread_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    threads = []
    done = threading.Event()

    def warm() -> None:
        threads.append(threading.current_thread())
        done.set()

    monkeypatch.setattr(import_module("relviz.projection"), "warm_umap", warm)
    monkeypatch.setattr(warming, "_begun", False)
    monkeypatch.setattr(warming, "SOON", 0.0)
    monkeypatch.setattr(warming, "LATER", 0.0)
    opened("data", small_pair())
    opened("anchors", small_pair() | {"count": "9"})
    assert done.wait(30)
    for thread in threading.enumerate():
        if thread.name == "warming":
            thread.join(30)
    assert len(threads) == 1
    assert threads[0].name == "warming"
    assert threads[0].daemon
