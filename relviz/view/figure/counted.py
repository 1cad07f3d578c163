"""Which items a table counts as queries: the held-out ones, or beside the papers' numbers anchors too."""

from relviz.view.figure.content import Options

OPTION = "papers_count"
"""Option of a kind of figure: whether it also counts as the papers do."""
COUNTED = {False: "held-out items", True: "as the papers count"}
"""What the column ``counted`` of a figure's numbers says, by whether anchors are queries."""


def counts_of(options: Options) -> list[bool]:
    """Whether anchors are queries, for each way to count that is asked for: held-out items come first."""
    return [False, True] if options.get(OPTION) else [False]
