"""Reading stories: Markdown files with front matter, one story a file, from the project and one folder more.

Nothing in such a file is run, and none of its text is markup on the page but ``**bold**`` and ``*italic*``.
"""

import os
import re
from functools import cache
from pathlib import Path
from urllib.parse import parse_qsl

from relviz.errors import ParameterError, ReadError
from relviz.stories.claims import check_readable
from relviz.stories.controls import read_after, read_control
from relviz.stories.story import Guess, Lab, Notice, Option, Picture, Question, Step, Story

DATA = Path(__file__).parent / "data"
FOLDER = "RELVIZ_STORIES"
"""The environment variable that names a folder with more stories."""
MOST_BYTES = 64_000
MOST_STORIES = 100
LABS = ("anchors", "bootstrap", "compare", "data", "decode", "encode", "gallery", "shelf", "stitch")

_FRONT = re.compile(r"---\n(.*?)\n---\n", re.DOTALL)
_NAME = re.compile(r"(?:\d+-)?([a-z][a-z0-9-]{0,39})")
_FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_CHECK = re.compile(r"\s*<!--\s*(.*?)\s*-->\s*$")
_OPTION = re.compile(r"- \[([ x])\] (.+)")


def stories() -> tuple[Story, ...]:
    """All stories in the order of their file names: those of the project, then those of the folder.

    Raises
    ------
    ReadError
        If a file cannot be read; the message says where and why.
    """
    more = os.environ.get(FOLDER, "")
    found: dict[str, Story] = {}
    for folder in (DATA, *([Path(more)] if more else [])):
        for story in _stories_in(folder):
            found.setdefault(story.name, story)
    return tuple(found.values())


def story_named(name: str) -> Story | None:
    """The story of that name in the address; None if there is none."""
    return next((story for story in stories() if story.name == name), None)


def _stories_in(folder: Path) -> tuple[Story, ...]:
    home = folder.resolve()
    if not home.is_dir():
        raise ReadError(f"{FOLDER} names {str(folder)!r}, which is not a folder.")
    files = sorted(file for file in home.glob("*.md") if file.is_file() and file.resolve().parent == home)
    if len(files) > MOST_STORIES:
        raise ReadError(f"The folder has {len(files)} stories; the limit is {MOST_STORIES}.")
    return tuple(_read_file(file, file.stat().st_mtime_ns) for file in files)


@cache
def _read_file(file: Path, _: int) -> Story:
    with file.open("rb") as opened:
        content = opened.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise ReadError(f"{file.name} has more than {MOST_BYTES:,} bytes, the limit for a story.")
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        raise ReadError(f"{file.name} is not UTF-8 text. Save it as UTF-8.") from None
    return read_story(text, file.stem)


def read_story(text: str, name: str) -> Story:
    """A story from the text of its file, whose name without ``.md`` is ``name``.

    Raises
    ------
    ReadError
        If something is missing or cannot be read; the message names the step.
    """
    named = _NAME.fullmatch(name)
    if named is None:
        raise ReadError(
            f"{name[:60]!r} is not a valid story name: use lower-case letters, digits and hyphens."
        )
    text = text.replace("\r\n", "\n")
    front = _FRONT.match(text)
    if front is None:
        raise ReadError(
            f"{name}.md does not begin with front matter: a title between two lines of three hyphens."
        )
    about = _pairs(front[1], name)
    missing = [key for key in ("title", "about") if not about.get(key)]
    if missing:
        raise ReadError(f"{name}.md has no {' and no '.join(missing)} at its top.")
    parts = re.split(r"^## +(.+)\n", text[front.end() :], flags=re.MULTILINE)
    if len(parts) < 3:
        raise ReadError(f"{name}.md has no step. A step begins with a line “## Title”.")
    steps = []
    for title, body in zip(parts[1::2], parts[2::2], strict=True):
        try:
            steps.append(_step(title.strip(), body))
        except (ReadError, ParameterError) as reason:
            raise ReadError(f"{name}.md, step “{title.strip()[:60]}”: {reason}") from None
    return Story(named[1], about["title"], about["about"], tuple(steps))


def _step(title: str, body: str) -> Step:
    sections = re.split(r"^### +(.+)\n", body, flags=re.MULTILINE)
    named = dict(zip((name.strip().lower() for name in sections[1::2]), sections[2::2], strict=True))
    unknown = set(named) - {"question", "what to notice"}
    if unknown:
        raise ReadError(f"unknown section “{min(unknown)[:40]}”; use Question or What to notice.")
    blocks, text = _blocks(sections[0])
    if "picture" not in blocks:
        raise ReadError("no picture: a block that begins with ```picture.")
    question = _question(named["question"]) if "question" in named else None
    return Step(title, text, _picture(blocks["picture"]), question, _notices(named.get("what to notice", "")))


def _picture(block: str) -> Picture:
    lines = _pairs(block, "the picture")
    kind, lab = lines.pop("kind", ""), lines.pop("lab", "")
    if not kind:
        raise ReadError("the picture has no kind.")
    afters = {key.split()[1]: lines.pop(key) for key in list(lines) if key.startswith("after ")}
    named = [key for key in lines if key.split()[0] in ("slider", "choice", "switch")]
    controls = tuple(read_control(key, lines.pop(key)) for key in named)
    unknown = set(afters) - {one.name for one in controls}
    if unknown:
        raise ReadError(f"“after {min(unknown)}” names no control.")
    controls = tuple(read_after(one, afters.get(one.name)) for one in controls)
    return Picture(kind, lines, controls, _lab(lab) if lab else None)


def _lab(text: str) -> Lab:
    page, _, query = text.partition("?")
    if page not in LABS:
        raise ReadError(f"the lab has no page {page[:40]!r}; use one of {', '.join(LABS)}.")
    return Lab(page, dict(parse_qsl(query, keep_blank_values=True)))


def _question(section: str) -> Question:
    blocks, text = _blocks(section)
    options: list[Option] = []
    before: list[str] = []
    because: list[str] = []
    for line in text.splitlines():
        found = _OPTION.match(line)
        if found:
            option, check = _checked(found[2])
            options.append(Option(option, found[1] == "x", check))
        else:
            (because if options else before).append(line)
    guess = _guess(blocks["guess"]) if "guess" in blocks else None
    if guess is not None:
        question, _, rest = section.partition("```guess")
        before, because = [question], [_blocks(f"```guess{rest}")[1]]
    if (guess is None) == (not options):
        raise ReadError("a question needs options (lines that begin with “- [ ]” or “- [x]”) or a guess.")
    if options and not any(one.right for one in options):
        raise ReadError("no option is marked as correct with “- [x]”.")
    return Question(_joined(before), tuple(options), guess, _joined(because))


def _guess(block: str) -> Guess:
    lines = _pairs(block, "the guess")
    answer, _, unit = lines.get("answer", "").partition(" ")
    try:
        least, most = float(lines["from"]), float(lines["to"])
    except (KeyError, ValueError):
        raise ReadError("a guess needs the lines answer, from and to; from and to are numbers.") from None
    if not re.fullmatch(r"[a-z]\w*", answer) or unit not in ("", "%") or not least < most:
        raise ReadError("a guess needs the name of a number as its answer, and a range.")
    return Guess(answer, least, most, unit)


def _notices(section: str) -> tuple[Notice, ...]:
    found = []
    for line in section.strip().splitlines():
        if line.startswith("- "):
            found.append(Notice(*_checked(line[2:])))
        elif line.strip():
            raise ReadError(f"what to notice is a list; {line.strip()[:40]!r} does not begin with “- ”.")
    return tuple(found)


def _checked(line: str) -> tuple[str, str]:
    """A line without the condition behind it, and the condition."""
    found = _CHECK.search(line)
    if found is None:
        raise ReadError(f"{line.strip()[:60]!r} has no condition: end the line with <!-- name > number -->.")
    check_readable(found[1])
    return line[: found.start()].strip(), found[1]


def _blocks(text: str) -> tuple[dict[str, str], str]:
    """Fenced blocks by their names, and the text without them."""
    blocks = dict(_FENCE.findall(text))
    unknown = set(blocks) - {"picture", "guess"}
    if unknown:
        raise ReadError(f"unknown block {min(unknown)[:40]!r}; use picture or guess.")
    return blocks, _FENCE.sub("", text).strip()


def _pairs(text: str, where: str) -> dict[str, str]:
    """Lines ``key: value``."""
    found = {}
    for line in text.splitlines():
        key, colon, value = line.partition(":")
        if line.strip() and not colon:
            raise ReadError(f"{where}: {line.strip()[:60]!r} is not of the form “key: value”.")
        if line.strip():
            found[" ".join(key.split())] = value.strip()
    return found


def _joined(lines: list[str]) -> str:
    return " ".join(" ".join(lines).split())
