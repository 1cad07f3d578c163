"""Where a reader is: story, step, and how it is shown, as the parameters of the page's address."""

from collections.abc import Mapping
from dataclasses import dataclass

PRESENT, EXERCISES, PREPARE = "present", "exercises", "prepare"


@dataclass(frozen=True)
class Place:
    """A step of a story, counted from 1; the list of stories where ``story`` is empty."""

    story: str = ""
    step: int = 1
    present: bool = False
    exercises: bool = False
    prepare: bool = False

    def params(self) -> dict[str, str]:
        """As parameters of the address."""
        of_story = {"story": self.story, "step": str(self.step)} if self.story else {}
        flags = {PRESENT: self.present, EXERCISES: self.exercises, PREPARE: self.prepare}
        return of_story | {name: "yes" for name, is_set in flags.items() if is_set}


def place_of(params: Mapping[str, object]) -> Place:
    """The place that parameters name; what cannot be one is left out.

    >>> place_of({"story": "pose", "step": "3"})
    Place(story='pose', step=3, present=False, exercises=False, prepare=False)
    >>> place_of({"story": 5, "step": "-1"})
    Place(story='', step=1, present=False, exercises=False, prepare=False)
    """
    story, step = params.get("story"), str(params.get("step", ""))
    return Place(
        story if isinstance(story, str) and len(story) <= 60 else "",
        max(1, int(step)) if step.isascii() and step.isdecimal() and len(step) < 4 else 1,
        params.get(PRESENT) == "yes",
        params.get(EXERCISES) == "yes",
        params.get(PREPARE) == "yes",
    )
