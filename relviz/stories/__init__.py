"""Stories: short lessons in steps, written as Markdown files, that the Learn page shows."""

from relviz.stories.claims import fill, holds, names_in
from relviz.stories.reading import read_story, stories, story_named
from relviz.stories.story import Control, Guess, Lab, Notice, Option, Picture, Question, Step, Story

__all__ = [
    "Control",
    "Guess",
    "Lab",
    "Notice",
    "Option",
    "Picture",
    "Question",
    "Step",
    "Story",
    "fill",
    "holds",
    "names_in",
    "read_story",
    "stories",
    "story_named",
]
