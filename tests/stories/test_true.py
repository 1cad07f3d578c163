"""What stories say is true: every sentence to notice and every answer, computed on the demo data."""

import re
from functools import partial
from pathlib import Path

import pytest

from relviz.results.stories import picture_task
from relviz.state import View
from relviz.stories import Step, fill, holds, stories
from relviz.stories.claims import PLACEHOLDER
from relviz.stories.reading import DATA
from tests.stories import shared

STEPS = [
    pytest.param(step, id=f"{story.name}-{at}")
    for story in stories()
    for at, step in enumerate(story.steps, 1)
]
MOST_WORDS = 60


@pytest.fixture(scope="module")
def facts():
    """The numbers of a step's picture, each picture computed once in a session."""
    patch = pytest.MonkeyPatch()
    patch.setenv("RELVIZ_CACHE", str(shared.folder()))
    yield lambda step: picture_task(step.picture.kind, step.picture.options).run().facts
    patch.undo()


@pytest.mark.slow
@pytest.mark.parametrize("step", STEPS)
def test_every_claim_and_every_answer_holds(step: Step, facts) -> None:
    known = facts(step)
    for notice in step.notices:
        assert holds(notice.check, known), (notice, known)
    if step.question is not None:
        for option in step.question.options:
            assert holds(option.check, known) == option.right, (option, known)
        guess = step.question.guess
        if guess is not None:
            assert guess.least <= known[guess.answer] * (100 if guess.unit else 1) <= guess.most
    for text in texts(step):
        fill(text, known)


@pytest.mark.parametrize("step", STEPS)
def test_a_step_is_short_and_whole(step: Step) -> None:
    assert step.words <= MOST_WORDS, f"{step.words} words"
    assert step.text
    assert step.notices
    assert step.picture.lab is not None
    assert len(step.picture.controls) in (1, 2)


@pytest.mark.parametrize("step", STEPS)
def test_the_lab_opens_with_the_choices_of_the_step(step: Step) -> None:
    lab = step.picture.lab
    first = {one.name: one.value for one in step.picture.controls}
    every = [{one.name: value} for one in step.picture.controls for value, _ in one.stops]
    for values in (first, *(first | other for other in every)):
        fill_in = partial(re.sub, r"\{(\w+)\}", lambda found, values=values: values[found[1]])
        params = {name: fill_in(text) for name, text in lab.params.items()}
        view, notices = View.from_params(params)
        assert not notices
        fixed = {name for name, text in lab.params.items() if "{" not in text}
        assert fixed <= set(view.to_params()), "a parameter is unknown, or at its default"


@pytest.mark.parametrize("step", STEPS)
def test_measured_numbers_are_filled_in_and_never_typed(step: Step) -> None:
    """Percentages and decimals come from the results; a decimal may be a value of a control."""
    values = {value for one in step.picture.controls for value, _ in one.stops}
    said = [step.title, step.text, step.question.because, *(one.text for one in step.notices)]
    for text in said:
        plain = PLACEHOLDER.sub("", text)
        assert not re.search(r"\d\s?%", plain), plain
        assert set(re.findall(r"\d+\.\d+", plain)) <= values, plain


def test_every_story_has_three_to_seven_steps_and_a_question_in_each() -> None:
    for story in stories():
        assert 3 <= len(story.steps) <= 7, story.name
        assert all(step.question is not None for step in story.steps), story.name


def test_every_file_is_a_story() -> None:
    assert [file.suffix for file in sorted(Path(DATA).iterdir())] == [".md"] * len(stories())


def texts(step: Step) -> list[str]:
    """Everything that a step says."""
    asked = step.question
    said = [step.title, step.text, *(one.text for one in step.notices)]
    return said + ([] if asked is None else [asked.text, asked.because, *(one.text for one in asked.options)])
