"""In print: images of one autoencoder, decoded by another that shares no known pair with it."""

from collections.abc import Sequence

from relviz.autoencoders import Weights
from relviz.compute.task import Task
from relviz.figures.captions import listed
from relviz.figures.kind import Content, Options
from relviz.figures.kinds.autoencoders import (
    describe_models,
    noun,
    of_images,
    swap_numbers,
    swap_strips,
    tasks_of_two,
)
from relviz.plotting.stack import Part
from relviz.results.autoencoders import two_of
from relviz.results.unpaired_decoders import (
    BOTH_WAYS,
    LINES,
    LatentsMatched,
    latents_matched,
    passed_unpaired,
)
from relviz.state.image_sets import image_set
from relviz.state.view import Decoding
from relviz.wording import count

Result = Weights | LatentsMatched


def _tasks(chosen: Decoding, options: Options) -> list[Task[Result]]:
    return [*tasks_of_two(chosen, options), latents_matched(chosen, image_set(chosen.data))]


def _content(chosen: Decoding, _: Options, results: Sequence[Result]) -> Content:
    given = image_set(chosen.data)
    matched, two, rows = results[-1], two_of(chosen, given), given.chosen(chosen.images)
    assert isinstance(matched, LatentsMatched)
    assert two is not None
    images = given.test[rows]
    found = [one for path in BOTH_WAYS for one in passed_unpaired(two, matched, images, path)]
    arrays, columns = swap_numbers(given, rows, found)

    def parts(width: float) -> list[Part]:
        made = {one.way for one in found}
        return swap_strips(images, {way: LINES[way] for way in LINES if way in made}, found, width)

    of_rows = f"rows {listed([str(row) for row in rows])}"
    here, there = (count(many) for many in matched.images)
    accepted = matched.verdict.converged
    verdict = "accepted the match" if accepted else "rejected the match, so nothing is translated"
    caption = (
        f"Test {noun(given)} ({of_rows}), encoded by one model and decoded by itself, by another, and by the "
        "other after a translation for which no pair is known; 1 → 2 is encoder 1 with decoder 2. "
        f"{describe_models(chosen)} The latents of {here} training {noun(given)} in model 1 are matched with "
        f"those of {there} others in model 2 by the shapes of the two spaces; a rotation fitted to the "
        f"matches translates. The self-check {verdict}. Errors are mean squared errors over these "
        f"{len(rows)} images."
    )
    return Content(caption, arrays, columns, parts)


UNPAIRED = of_images(
    words="Decoder swap without known pairs",
    part="unpaired",
    tasks=_tasks,
    content=_content,
)
