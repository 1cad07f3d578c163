"""One thread within, as many as before outside; whoever else asks meanwhile."""

import threading
import time

import numpy as np
import pytest
import scipy.linalg  # noqa: F401, brings threads of its own
import sklearn.linear_model
import torch
from threadpoolctl import ThreadpoolController, threadpool_info

import relviz
from relviz.compute.parallel import one_thread, side_by_side, spread
from relviz.stitching.heads import train_head


def counts() -> set[int]:
    return {torch.get_num_threads(), *(one["num_threads"] for one in threadpool_info())}


def set_all(numbers: list[int]) -> None:
    for one, number in zip(ThreadpoolController().lib_controllers, numbers, strict=True):
        one.set_num_threads(number)
        getattr(one, "clear_controlling_thread", lambda: None)()


@pytest.fixture(autouse=True)
def _three_threads():
    torch_s, before = torch.get_num_threads(), [one["num_threads"] for one in threadpool_info()]
    torch.set_num_threads(3)
    set_all([3] * len(before))
    assert counts() == {3}
    yield
    torch.set_num_threads(torch_s)
    set_all(before)


def test_within_there_is_one_thread_and_afterward_as_many_as_before():
    with one_thread():
        assert counts() == {1}
        with one_thread():
            assert counts() == {1}
        assert counts() == {1}
    assert counts() == {3}
    with one_thread(small=False):
        assert counts() == {3}
    with pytest.raises(InterruptedError), one_thread():
        raise InterruptedError
    assert counts() == {3}


def test_two_at_once_leave_what_they_found_in_either_order():
    for first_out in (0, 1):
        inside, out = [threading.Event(), threading.Event()], [threading.Event(), threading.Event()]
        seen = {}

        def work(at, inside=inside, out=out, seen=seen):
            torch.set_num_threads(3)
            with one_thread():
                inside[at].set()
                out[at].wait(20)
                seen[at] = counts()
            seen[at, "after"] = torch.get_num_threads()

        threads = [threading.Thread(target=work, args=(at,)) for at in (0, 1)]
        for at, thread in enumerate(threads):
            thread.start()
            assert inside[at].wait(20)
        for at in (first_out, 1 - first_out):
            out[at].set()
            threads[at].join()
        assert seen[1 - first_out] == {1}
        assert seen[0, "after"] == seen[1, "after"] == 3
        assert counts() == {3}


def test_pieces_of_work_have_one_thread_each_if_they_are_small():
    with spread(counts, [()] * 2, small=True) as found:
        assert list(found) == [{1}, {1}]
    with spread(counts, [()] * 2) as found:
        assert list(found) == [{3}, {3}]
    assert counts() == {3}


def test_small_fits_and_runs_have_one_thread(monkeypatch):
    rows = torch.randn(80, 6, generator=torch.Generator().manual_seed(0))
    labels = np.arange(80) % 2
    seen = []

    def noted(*_, **__):
        seen.append(counts())

    fit = sklearn.linear_model.LogisticRegression.fit
    monkeypatch.setattr(
        sklearn.linear_model.LogisticRegression, "fit", lambda *all, **told: (noted(), fit(*all, **told))[1]
    )
    train_head(rows, labels)
    relviz.bootstrap(rows, rows, range(20), (range(6), range(6)), on_pulse=noted)
    relviz.stitch({"a": rows, "b": -rows}, labels, 20, "ridge", n_draws=1, on_pulse=noted)
    assert len(seen) > 4
    assert set(map(frozenset, seen)) == {frozenset({1})}
    assert counts() == {3}


def test_a_small_fit_keeps_no_other_thread_busy():
    """Threads that spin are seen in the time of the process that is not of this thread."""
    rows = torch.randn(400, 384, generator=torch.Generator().manual_seed(0))
    labels = np.arange(400) % 20
    train_head(rows[:40], labels[:40])
    process, own = time.process_time(), time.thread_time()
    train_head(rows, labels)
    train_head(rows, labels, "mlp")
    own = time.thread_time() - own
    assert time.process_time() - process - own < 0.5 * own


def worked(number, pulse):
    """How many threads it has, and who it is; of the second piece, after the others."""
    time.sleep(0.05 * (number == 1))
    for _ in range(3):
        pulse()
    return number, torch.get_num_threads(), threading.current_thread().name


def test_pieces_side_by_side_have_a_thread_each_and_come_in_their_order():
    heard = []
    with one_thread():
        pieces = [(number,) for number in range(4)]
        found = list(side_by_side(worked, pieces, lambda: heard.append(threading.current_thread())))
    assert [one[:2] for one in found] == [(number, 1) for number in range(4)]
    assert len({one[2] for one in found}) > 1
    assert heard == [threading.current_thread()] * 12
    assert [one[2] for one in side_by_side(worked, pieces, list)] == [threading.current_thread().name] * 4


def test_a_piece_has_no_threads_to_spread_its_own_work_over():
    def inner(_number, _pulse):
        return {one[2] for one in side_by_side(worked, [(0,), (2,)], list)} == {
            threading.current_thread().name
        }

    with one_thread():
        assert list(side_by_side(inner, [(0,), (1,)])) == [True, True]


def test_what_a_pulse_or_a_piece_raises_ends_all_pieces():
    ended = []

    def endless(number, pulse):
        try:
            while True:
                pulse()
                time.sleep(0.001)
        finally:
            ended.append(number)

    def stop():
        raise InterruptedError

    def fails(number, pulse):
        if number:
            raise OSError("no room")
        endless(number, pulse)

    with one_thread():
        with pytest.raises(InterruptedError):
            list(side_by_side(endless, [(0,), (1,)], stop))
        assert sorted(ended) == [0, 1]
        first = side_by_side(fails, [(1,), (0,)], lambda: None)
        with pytest.raises(OSError, match="no room"):
            next(first)
        assert ended[2:] == [0]
