"""Fair turns: round robin among visitors, in order within one, never more than the limits allow."""

import threading

import pytest

from relviz.compute.owner import acting_for
from relviz.compute.queue import Limits, Queue

PATIENCE = 20


class Visit(threading.Thread):
    """A job of a visitor: it takes a turn, notes it, and gives it back when it is told to."""

    def __init__(self, queue: Queue, who: str, order: list[str], name: str) -> None:
        super().__init__(name=f"job {name}", daemon=True)
        self.queue, self.who, self.order, self.called = queue, who, order, name
        self.has, self.may_end = threading.Event(), threading.Event()
        self.stop = False

    def run(self) -> None:
        with acting_for(self.who):
            try:
                self.queue.acquire(check=self.check)
                self.order.append(self.called)
                self.has.set()
                self.may_end.wait(PATIENCE)
            except InterruptedError:
                pass
            finally:
                self.queue.leave()

    def check(self) -> None:
        if self.stop:
            raise InterruptedError


@pytest.fixture
def order() -> list[str]:
    """The names of visits, in the order of their turns."""
    return []


@pytest.fixture
def line(order):
    """Starts visits of a queue one after the other, and ends them all at the end."""
    started = []

    def start(queue: Queue, *names: str) -> list[Visit]:
        for name in names:
            one = Visit(queue, name[0], order, name)
            before = queue.lengths()
            one.start()
            while queue.lengths() == before:
                pass
            started.append(one)
        return started

    yield start
    for one in started:
        one.stop = True
        one.may_end.set()
        one.join(PATIENCE)


def test_visitors_take_turns_and_each_keeps_their_order(line, order):
    visits = line(Queue(Limits(begun=9, begun_each=9)), "a1", "a2", "a3", "b1", "c1", "b2")
    for _ in visits:
        (now,) = (one for one in visits if one.has.is_set() and not one.may_end.is_set())
        now.may_end.set()
        now.join(PATIENCE)
        rest = [one for one in visits if not one.may_end.is_set()]
        if rest:
            deadline = threading.Event()
            while not any(one.has.is_set() for one in rest):
                deadline.wait(0.001)
    assert order == ["a1", "b1", "c1", "a2", "b2", "a3"]


def test_as_many_go_at_once_as_the_limit_says(line):
    queue = Queue(Limits(at_once=2))
    a, b, _ = line(queue, "a1", "b1", "c1")
    assert queue.lengths() == (2, 1)
    assert (a.has.wait(PATIENCE), b.has.wait(PATIENCE)) == (True, True)
    assert queue.before("nobody") == 0


def test_one_visitor_cannot_hold_all_the_memory(line):
    queue = Queue(Limits(at_once=3, begun=3, begun_each=1))
    line(queue, "a1", "a2")
    assert queue.lengths() == (1, 1)
    assert queue.before("a2") == 1
    line(queue, "b1")
    assert queue.lengths() == (2, 1)


def test_who_gives_up_leaves_the_line(line):
    queue = Queue()
    visits = line(queue, "a1", "b1")
    visits[1].stop = True
    visits[1].join(PATIENCE)
    assert queue.lengths() == (1, 0)


@pytest.mark.parametrize("slice_seconds", [0.0, 60.0])
def test_a_turn_is_wanted_once_its_slice_is_over_and_somebody_could_go(line, slice_seconds):
    queue = Queue(slice_seconds=slice_seconds)
    queue.acquire()
    assert not queue.wanted
    line(queue, "b1")
    assert queue.wanted == (slice_seconds == 0)
    queue.leave()
    assert not queue.mine


def test_all_who_wait_get_a_first_turn_before_one_gets_a_second():
    queue, order, begun = Queue(Limits(begun=9), slice_seconds=0.0), [], threading.Event()

    def work(who: str) -> None:
        with acting_for(who):
            queue.acquire()
            begun.wait(PATIENCE)
            for _ in range(3):
                order.append(who)
                if queue.wanted:
                    queue.release()
                    queue.acquire()
            queue.leave()

    visits = []
    for who in "abc":
        visits.append(threading.Thread(target=work, args=(who,)))
        visits[-1].start()
        while sum(queue.lengths()) < len(visits):
            pass
    begun.set()
    for visit in visits:
        visit.join(PATIENCE)
    assert "".join(order) == "abc" * 3
