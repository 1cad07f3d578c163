"""One item's relative vector worked out: its cosines to a few anchors, in A and in B."""

from dataclasses import replace

from relviz.compute.job import Ticket
from relviz.compute.task import task
from relviz.relative_projection import unit_rows
from relviz.results.stories.dictionary import FEW, Dictionary, dictionary_picture
from relviz.results.stories.story_picture import StoryPicture


@task("story-vector", "The relative vector of an item")
def vector_picture(ticket: Ticket) -> StoryPicture:
    """The cosines of the dictionary, and how alike the vectors of counterparts and of others are."""
    picture = dictionary_picture().run(ticket)
    made = Dictionary()
    x, y = (unit_rows(part[:, :FEW]) for part in made.cosines())
    every = x @ y.T
    own = every.gather(1, made.queries[:, None])
    similarities = {
        "own": float(own.mean()),
        "others": float((every.sum() - own.sum()) / (every.numel() - len(own))),
    }
    arrays = {"candidates": picture.arrays["candidates"][:FEW], "queries": picture.arrays["queries"]}
    arrays |= {name: picture.arrays[name][:, :FEW].copy() for name in ("in_a", "in_b")}
    return replace(picture, facts=picture.facts | similarities, arrays=arrays)
