"""The test of a pairing that is only assumed: rows are matched by their positions, and no id says so."""

from relviz.compute.jobs import Ticket
from relviz.compute.task import task
from relviz.measure.pairing import PairingTest, pairing_test
from relviz.pair import Pair


def is_assumed(pair: Pair) -> bool:
    """Whether nothing but the order of the rows says which belong together."""
    return pair.audit.matched_by == "position"


@task("pairing", "Testing the pairing")
def pairing_task(ticket: Ticket, pair: Pair) -> PairingTest:
    """The task that tests the pairing on held-out rows."""
    ticket.report(None, "testing the pairing")
    return pairing_test(pair.a.vectors, pair.b.vectors)


def answer(test: PairingTest) -> str:
    """What the test says of the pairing, in two sentences.

    >>> answer(PairingTest("random", 0.51, 0.8, 0.0, 0.2, 500, 300, 3)).partition(": ")[0]
    'The pairing looks random'
    """
    first = {
        "plausible": "The pairing is plausible",
        "doubtful": "The pairing is doubtful: many rows may be paired wrongly, or the spaces share little",
        "random": "The pairing looks random: the order of the rows does not match them",
    }[test.verdict]
    return (
        f"{first}. Of {test.queries} held-out rows, {test.top1:.1%} rank their counterpart first, and the "
        f"median row has {test.ahead:.1%} of the others ahead of it (random pairing: "
        f"{1 / test.queries:.1%} and 50%)."
    )
