"""Every story walked through in a browser: each question answered, each control moved, links and back."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from relviz.stories import Step, Story, stories
from tests.browser.axe import faults_in_light_and_dark, require_axe
from tests.browser.conftest import FOLDER
from tests.browser.screen import Faults, settled
from tests.stories import shared

WITHIN_MS = 200
"""What a control may take until its picture is drawn."""
COMPUTED = 240_000
"""Milliseconds that a picture which is not kept yet may take."""
FIRST = {
    step.picture.kind: (story.name, number)
    for story in reversed(stories())
    for number, step in reversed(list(enumerate(story.steps, 1)))
}
"""The first story and step of each kind of picture, where serious faults are looked for."""

MOVE = """(input, value) => {
    input.value = value;
    const start = performance.now();
    input.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    return performance.now() - start;
}"""
CLICK = """button => {
    const start = performance.now();
    button.click();
    return performance.now() - start;
}"""


def at_step(page: Page, story: Story, number: int) -> None:
    """Wait until a step and its picture are shown."""
    place = page.locator(f'.learn[data-place="{story.name}/{number}"]')
    place.locator(".picture > :not(.waiting)").first.wait_for(timeout=COMPUTED)
    settled(page)


def answered(page: Page, step: Step) -> None:
    """Guess, and see the answer."""
    expect(page.locator(".controls.locked")).to_be_visible()
    if step.question.guess is None:
        page.locator(".options button").first.click()
        assert page.locator(".options .right").count() == sum(one.right for one in step.question.options)
    else:
        page.get_by_label("Your guess").press("ArrowRight")
        page.get_by_role("button", name="Guess", exact=True).click()
        expect(page.locator(".said")).to_contain_text("You guessed")
    expect(page.locator(".notice")).to_be_visible()
    expect(page.locator(".controls.locked")).to_have_count(0)
    page.wait_for_timeout(700)  # the controls move to the answer


def moved(page: Page) -> list[float]:
    """Move every control to every place, or to some; milliseconds that each took."""
    took = []
    for slider in page.locator('.controls input[type="range"]').all():
        least, most = (float(slider.get_attribute(end)) for end in ("min", "max"))
        places = [str(least + share * (most - least)) for share in (0.0, 0.35, 0.7, 1.0)]
        took += [slider.evaluate(MOVE, place) for place in places]
    pressed = page.locator(".controls button, .controls input[type='checkbox']").all()
    return took + [button.evaluate(CLICK) for button in pressed]


@pytest.fixture
def computed_once(app: str, request: pytest.FixtureRequest) -> Iterator[None]:  # noqa: ARG001
    """The app's store has what other tests computed for stories, and they get what it computes."""
    own = request.config.stash[FOLDER] / "cache"
    shared.copied(shared.folder(), own)
    yield
    shared.copied(own, shared.folder())


@pytest.mark.slow
@pytest.mark.usefixtures("computed_once")
@pytest.mark.parametrize("story", stories(), ids=lambda story: story.name)
def test_a_story_is_walked_through(story: Story, app: str, page: Page, faults: Faults) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"{app}/learn?story={story.name}")
    slow = {}
    for number, step in enumerate(story.steps, 1):
        at_step(page, story, number)
        expect(page.locator(".learn h2")).to_have_text(step.title)
        answered(page, step)
        if (story.name, number) in FIRST.values():
            assert faults_in_light_and_dark(page) == {}, step.picture.kind
        took = sorted(moved(page))
        assert took
        if took[len(took) // 2] > WITHIN_MS:
            slow[number] = took
        assert page.get_by_test_id("stMain").evaluate("main => main.scrollHeight <= main.clientHeight")
        if number < len(story.steps):
            page.evaluate("document.activeElement?.shadowRoot?.activeElement?.blur()")  # off the slider
            page.keyboard.press("ArrowRight")
    assert not slow, slow
    last = len(story.steps)
    assert re.search(rf"story={story.name}&step={last}$", page.url)
    page.go_back()
    at_step(page, story, last - 1)
    expect(page.locator(".notice")).to_be_visible()  # what was guessed is still there
    page.goto(page.url)
    at_step(page, story, last - 1)
    faults.assert_none()
    if any(name == story.name for name, _ in FIRST.values()):
        require_axe()


def test_both_heads_answer_a_typed_sentence(app: str, page: Page, faults: Faults) -> None:
    story = next(one for one in stories() if one.name == "stitching")
    page.goto(f"{app}/learn?story=stitching&step=1")
    at_step(page, story, 1)
    page.get_by_role("button", name="Show the answer").click()
    field = page.get_by_label("Your sentence")
    field.fill("a fish that lives in rivers")
    field.press("Enter")
    expect(page.locator(".opinion").first).to_contain_text("animal", timeout=COMPUTED)
    field.fill("a large town by the sea")
    field.press("Enter")
    expect(page.locator(".opinion").first).to_contain_text("location")
    assert page.locator(".opinion").count() == 6
    field.press("ArrowRight")  # of the text, not of the story
    expect(page.locator(".learn")).to_have_attribute("data-place", "stitching/1")
    faults.assert_none()


def test_examples_fill_the_height_and_none_is_cut(app: str, page: Page, faults: Faults) -> None:
    story = next(one for one in stories() if one.name == "stitching")
    rows, box = page.locator(".opinions tbody tr:visible"), page.locator(".scroll")
    seen = {}
    for height in (800, 1080):
        page.set_viewport_size({"width": 1280, "height": height})
        page.goto(f"{app}/learn?story=stitching&step=1")
        at_step(page, story, 1)
        seen[height] = rows.count()
        assert box.evaluate("box => box.scrollHeight <= box.clientHeight")
    assert 5 < seen[800] < seen[1080]
    first = rows.first.inner_text()
    page.get_by_role("button", name=f"Draw {seen[1080]} others").click()
    assert rows.first.inner_text() != first
    faults.assert_none()


def test_a_drawn_digit_goes_through_both_decoders(app: str, page: Page, faults: Faults) -> None:
    story = next(one for one in stories() if one.name == "decoders")
    page.goto(f"{app}/learn?story=decoders&step=2")
    at_step(page, story, 2)
    page.get_by_role("button", name="Show the answer").click()
    page.wait_for_timeout(700)
    pad = page.locator(".padcanvas").bounding_box()
    page.mouse.move(pad["x"] + pad["width"] / 2, pad["y"] + 0.2 * pad["height"])
    page.mouse.down()
    page.mouse.move(pad["x"] + pad["width"] / 2, pad["y"] + 0.8 * pad["height"], steps=8)
    page.mouse.up()
    expect(page.locator(".decoder")).to_contain_text("your drawing", timeout=COMPUTED)
    page.get_by_role("button", name="Absolute", exact=True).click()
    own, other = (float(one.get_attribute("data-error")) for one in page.locator("[data-error]").all())
    assert own < other
    page.get_by_role("button", name="Clear the pad").click()
    expect(page.locator(".decoder")).to_contain_text("digit 3")
    faults.assert_none()


NOTE_WHAT_IS_PLAYED = """slider => {
    window.played = [];
    const note = () => window.played.push(slider.getAttribute("aria-valuetext"));
    new MutationObserver(note).observe(slider, { attributes: true, attributeFilter: ["aria-valuetext"] });
}"""
"""Each value lasts for a moment only, which a slow machine may look past."""


def test_a_slider_plays_and_every_control_has_a_name(app: str, page: Page, faults: Faults) -> None:
    story = next(one for one in stories() if one.name == "encoders")
    page.goto(f"{app}/learn?story=encoders&step=4&present=yes")
    at_step(page, story, 4)
    page.get_by_role("button", name="Show the answer").click()
    page.wait_for_timeout(700)
    slider = page.get_by_role("slider", name="Number of anchors")
    play = page.get_by_role("button", name="Play: Number of anchors")
    slider.evaluate(NOTE_WHAT_IS_PLAYED)
    play.focus()
    page.keyboard.press("Enter")
    page.wait_for_function("window.played.includes('2') && window.played.includes('20')")
    if play.get_attribute("aria-pressed") == "true":
        page.keyboard.press("Enter")
    expect(play).to_have_attribute("aria-pressed", "false")
    page.get_by_role("switch", name="Side by side").check()
    expect(page.locator(".multiples canvas")).to_have_count(6)
    before = page.locator("h2").evaluate("title => title.getBoundingClientRect().height")
    page.get_by_role("button", name="Large letters").click()
    assert page.locator("h2").evaluate("title => title.getBoundingClientRect().height") > before
    tree = page.get_by_test_id("stMain").aria_snapshot()
    assert not re.search(r"- (button|slider|switch|textbox|checkbox|link|img)(?= \[|:|$)", tree, re.MULTILINE)
    faults.assert_none()


def test_a_lecture_is_prepared_from_the_list(app: str, page: Page, faults: Faults) -> None:
    page.goto(f"{app}/learn")
    page.get_by_role("button", name="Prepare a lecture").click()
    expect(page.get_by_role("heading", name="Prepare a lecture")).to_be_visible()
    page.get_by_role("button", name="All stories").click()
    expect(page.locator(".card")).to_have_count(len(stories()))
    faults.assert_none()


def test_keyboard_alone_is_enough(app: str, page: Page, faults: Faults) -> None:
    story = next(one for one in stories() if one.name == "pose")
    page.goto(f"{app}/learn?story=pose")
    at_step(page, story, 1)
    page.locator(".options button").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".verdict")).to_have_text("Right.")
    slider = page.get_by_label("Rotate model B (degrees)")
    slider.focus()
    before = slider.input_value()
    page.keyboard.press("ArrowRight")
    assert slider.input_value() != before
    page.get_by_role("button", name="Next").focus()
    page.keyboard.press("ArrowRight")
    at_step(page, story, 2)
    assert page.evaluate("document.activeElement.shadowRoot.activeElement.tagName") == "H2"
    page.keyboard.press("p")
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    expect(page).to_have_url(re.compile("present=yes"))
    page.keyboard.press("ArrowLeft")
    at_step(page, story, 1)
    expect(page).to_have_url(re.compile("step=1&present=yes"))
    tree = page.get_by_test_id("stMain").aria_snapshot()
    assert 'heading "Coordinates change, similarities do not"' in tree
    assert re.search(r'img "Cosine to sunflower: [-\d.]+ in A', tree)
    faults.assert_none()


def test_the_list_opens_a_story_and_the_exercises(app: str, page: Page, faults: Faults) -> None:
    page.goto(f"{app}/learn")
    every = stories()
    expect(page.locator(".card")).to_have_count(len(every))
    page.locator(".card").first.click()
    at_step(page, every[0], 1)
    lab = page.get_by_role("link", name="Open in the lab").get_attribute("href")
    assert lab.endswith("/compare?count=20")
    page.get_by_role("button", name="All stories").first.click()
    page.get_by_role("button", name="Exercises with solutions").click()
    expect(page.locator(".exercises > li")).to_have_count(sum(len(one.steps) for one in every))
    expect(page.locator("details").first).to_contain_text("Its coordinates only")
    faults.assert_none()


def test_the_browser_moves_the_toy_as_the_library_does(app: str, page: Page) -> None:
    from relviz.results.stories.pose import ITEMS, Pose, cosines, posed, toy_space

    page.goto(f"{app}/learn?story=pose&step=4")
    at_step(page, next(one for one in stories() if one.name == "pose"), 4)
    page.get_by_role("button", name="Show the answer").click()
    page.wait_for_timeout(1000)
    for stretch, centered in ((40, False), (40, True), (80, True)):
        page.get_by_label("Height of model B (percent)").evaluate(MOVE, str(stretch))
        page.get_by_role("switch").set_checked(centered)
        shown = [
            [float(bar.get_attribute(f"data-{side}")) for bar in page.locator(".posebar").all()]
            for side in ("a", "b")
        ]
        plain = toy_space(2)
        row = list(ITEMS).index("banana")
        expected = [
            cosines(one, centered)[row].tolist() for one in (plain, posed(plain, Pose(stretch=stretch)))
        ]
        for one, other in zip(shown, expected, strict=True):
            assert one == pytest.approx(other, abs=1e-3)


def test_the_browser_finds_through_anchors_what_the_library_finds(app: str, page: Page) -> None:
    from relviz.results.stories.dictionary import Dictionary

    page.goto(f"{app}/learn?story=dictionary&step=1")
    at_step(page, next(one for one in stories() if one.name == "dictionary"), 1)
    page.get_by_role("button", name="Show the answer").click()
    page.wait_for_timeout(1000)
    page.get_by_role("button", name="Remove all").click()
    for name in range(4):
        page.locator(".candidate").nth(7 * name).click()
    shown = float(page.locator(".big").get_attribute("data-share"))
    assert shown == pytest.approx(Dictionary().top1([0, 7, 14, 21]), abs=0.003)
