"""Stories as files: what is read, what is refused, and with which words."""

from pathlib import Path

import pytest

from relviz.errors import ParameterError, ReadError
from relviz.stories import fill, holds, read_story, stories
from relviz.stories.reading import FOLDER, MOST_BYTES

STORY = """---
title: A title
about: What it is about.
---

## First

A text with **bold** words.

```picture
kind: pose
space: plane
slider turn: 0 from -180 to 180 by 5, Turn
choice map: pca of pca (PCA) tsne (t-SNE), Map
switch mirror: off, Mirror
after turn: 70
lab: compare?count={turn}
```

### Question

What?

- [x] This <!-- a > 1 -->
- [ ] That <!-- a < 1 -->

Because.

### What to notice

- It is {a}. <!-- a > 1 -->

## Second

Guess.

```picture
kind: pose
space: plane
```

### Question

How many?

```guess
answer: a %
from: 0
to: 100
```

So many.
"""


def test_a_story_is_read_as_it_is_written() -> None:
    story = read_story(STORY, "2-a-story")
    assert (story.name, story.title, story.about) == ("a-story", "A title", "What it is about.")
    first, second = story.steps
    assert (first.title, first.text, first.words) == ("First", "A text with **bold** words.", 8)
    turn, chosen, mirror = first.picture.controls
    assert (turn.value, turn.after, turn.least, turn.most, turn.step) == ("0", "70", -180, 180, 5)
    assert chosen.stops == (("pca", "PCA"), ("tsne", "t-SNE"))
    assert (mirror.kind, mirror.value) == ("switch", "off")
    assert first.picture.options == {"space": "plane"}
    assert first.picture.lab.page == "compare"
    assert first.picture.lab.params == {"count": "{turn}"}
    assert [(one.text, one.right) for one in first.question.options] == [("This", True), ("That", False)]
    assert (first.question.text, first.question.because) == ("What?", "Because.")
    assert (first.notices[0].text, first.notices[0].check) == ("It is {a}.", "a > 1")
    assert (second.question.text, second.question.because) == ("How many?", "So many.")
    assert (second.question.guess.answer, second.question.guess.unit) == ("a", "%")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("---\ntitle", "title", "does not begin with front matter"),
        ("title: A title\n", "", "no title"),
        ("\n## ", "\n# ", "no step"),
        ("kind: pose\n", "", "no kind"),
        ("```picture", "```python", "unknown block"),
        ("### Question", "### Exam", "unknown section"),
        ("- [x]", "- [ ]", "no option is marked"),
        (" <!-- a > 1 -->", "", "no condition"),
        ("<!-- a > 1 -->", "<!-- __import__('os') -->", "cannot be read"),
        ("0 from -180 to 180 by 5", "200 from -180 to 180 by 5", "cannot be '200'"),
        ("0 from -180 to 180 by 5", "sideways", "is not a slider"),
        ("pca of pca", "umap of pca", "cannot be 'umap'"),
        ("(PCA) tsne", "(PCA) (of two) tsne", "is not a choice"),
        ("after turn: 70", "after turn: 700", "cannot be '700'"),
        ("after turn", "after spin", "names no control"),
        ("compare?count", "http://example.org?count", "no page"),
        ("from: 0\n", "", "a guess needs"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(old: str, new: str, words: str) -> None:
    with pytest.raises(ReadError, match=words) as raised:
        read_story(STORY.replace(old, new), "a-story")
    assert "a-story.md" in str(raised.value)


@pytest.mark.parametrize("name", ["../up", "A", "a b", "<b>", "x" * 50, ""])
def test_a_name_is_plain(name: str) -> None:
    with pytest.raises(ReadError, match="not a valid story name"):
        read_story(STORY, name)


def test_a_folder_adds_stories_and_replaces_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = [story.name for story in stories()]
    monkeypatch.setenv(FOLDER, str(tmp_path))
    (tmp_path / "1-mine.md").write_text(STORY, encoding="utf-8")
    (tmp_path / "2-pose.md").write_text(STORY, encoding="utf-8")
    (tmp_path / "notes.txt").write_text("no story", encoding="utf-8")
    found = stories()
    assert [story.name for story in found] == [*own, "mine"]
    assert next(story for story in found if story.name == "pose").title != "A title"


def test_only_small_text_files_within_the_folder_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, outside = tmp_path / "stories", tmp_path / "secret.md"
    folder.mkdir()
    outside.write_text(STORY, encoding="utf-8")
    monkeypatch.setenv(FOLDER, str(folder))
    (folder / "link.md").symlink_to(outside)
    assert "link" not in [story.name for story in stories()]
    for name, content, words in (
        ("long", b"x" * (MOST_BYTES + 1), "more than"),
        ("latin", STORY.replace("bold", "caf\xe9").encode("latin-1"), "UTF-8"),
    ):
        (folder / f"{name}.md").write_bytes(content)
        with pytest.raises(ReadError, match=words):
            stories()
        (folder / f"{name}.md").unlink()
    monkeypatch.setenv(FOLDER, str(tmp_path / "absent"))
    with pytest.raises(ReadError, match="not a folder"):
        stories()


def test_a_changed_file_is_read_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDER, str(tmp_path))
    file = tmp_path / "mine.md"
    file.write_text(STORY, encoding="utf-8")
    assert stories()[-1].title == "A title"
    file.write_text(STORY.replace("A title", "Another title"), encoding="utf-8")
    assert stories()[-1].title == "Another title"


def test_numbers_are_filled_in() -> None:
    facts = {"n": 20000.0, "share": 0.0012, "whole": 0.447, "c": 0.12345, "none": 0.0}
    text = fill("{n} {share:%} {whole:%} {none:%} {c:.2} {c}", facts)
    assert text == "20,000 0.1% 45% 0% 0.12 0.123"
    with pytest.raises(ParameterError, match="no number 'absent'"):
        fill("{absent}", facts)


@pytest.mark.parametrize(
    ("check", "expected"),
    [
        ("a > 1", True),
        ("a > b", False),
        ("a >= 0.5 * b and b = 4", True),
        ("a = 2.1 ± 0.2", True),
        ("a = 2.1", False),
        ("a < -1", False),
    ],
)
def test_conditions(check: str, expected: bool) -> None:
    assert holds(check, {"a": 2.0, "b": 4.0}) is expected


@pytest.mark.parametrize(
    "check", ["", "a", "a >", "a > 1 or b > 1", "a > 1 ± 1", "1 > a", "a.b > 1", "f(a) > 1"]
)
def test_nothing_else_is_a_condition(check: str) -> None:
    with pytest.raises(ParameterError, match="cannot be read"):
        holds(check, {"a": 2.0})
