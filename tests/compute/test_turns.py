"""The lock of the device is given in the order in which it was asked for."""

import threading
import time

import pytest

from relviz.compute.device import Turns

PATIENCE = 20


def in_thread(work, *given):
    thread = threading.Thread(target=work, args=given, daemon=True)
    thread.start()
    return thread


def wait_until(true):
    until = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < until
        time.sleep(0.002)


def test_it_can_be_taken_again_by_who_has_it_and_is_free_when_given_back_as_often():
    lock, got = Turns(), []
    with lock, lock:
        assert lock.mine
        in_thread(lambda: got.append(lock.acquire(blocking=False))).join()
        in_thread(lambda: got.append(lock.acquire(timeout=0.01))).join()
    assert got == [False, False]
    assert not lock.mine
    assert not lock.wanted
    assert lock.acquire(blocking=False)


def test_only_who_has_it_can_give_it_back():
    with pytest.raises(RuntimeError, match="not held"):
        Turns().release()


def test_two_that_give_it_back_at_each_step_take_turns():
    lock, steps = Turns(), []

    def work(name):
        with lock:
            for _ in range(5):
                steps.append(name)
                lock.release()
                lock.acquire()

    with lock:
        threads = [in_thread(work, name) for name in "ab"]
        wait_until(lambda: len(lock._waiting) == 2)
    for thread in threads:
        thread.join(PATIENCE)
    assert "".join(steps) in {"ab" * 5, "ba" * 5}


def test_who_waits_can_give_up_and_leaves_no_trace():
    lock = Turns()

    class GiveUp(Exception):
        pass

    def check():
        raise GiveUp

    def wait():
        with pytest.raises(GiveUp):
            lock.acquire(check=check)

    with lock:
        in_thread(wait).join(PATIENCE)
        assert not lock.wanted
    assert lock.acquire(blocking=False)
