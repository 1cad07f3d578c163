"""What a command says of a pairing that is only assumed."""

from typing import Any

from relviz.errors import Error
from relviz.measure.pairing import PairingTest
from relviz.view.pairing import answer, is_assumed, pairing_task
from relviz.view.sources import open_pair

REMEDY = "To find other counterparts: python -m relviz bootstrap A B --unpaired"


def assumed_pairing(a: str, b: str) -> tuple[dict[str, Any], list[str]]:
    """What JSON and what the terminal say of two sources that are paired by position; nothing if by ids."""
    pair = open_pair(a, b)
    if not is_assumed(pair):
        return {}, []
    said = "Rows are assumed to be paired by position."
    try:
        test = pairing_task(pair).run().meta
    except Error as reason:
        return {"pairing": {"verdict": "untested", "reason": str(reason)}}, [f"{said} {reason}"]
    lines = [f"{said} {answer(PairingTest(**test))}"]
    return {"pairing": dict(test)}, lines if test["verdict"] == "plausible" else [*lines, REMEDY]
