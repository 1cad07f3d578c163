"""A model from the hub to this machine, as a task."""

from relviz.compute.digest import value_digest
from relviz.compute.jobs import Ticket
from relviz.compute.key import result_key
from relviz.compute.task import Made, Task
from relviz.encoders import fetch_from_hub


def fetch_task(name: str) -> Task:
    """The task that fetches a model by its id; what it keeps is only that it did."""

    def compute(ticket: Ticket) -> Made:
        ticket.report(0.0, "asking the hub")
        fetch_from_hub(name, on_progress=ticket.report)
        return {}, {"name": name}

    return Task(result_key("fetched", [value_digest(name)], {}), f"Fetching {name}", compute)
