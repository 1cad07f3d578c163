"""No serious fault on any page by the rules of axe-core, in light and dark, but those of Streamlit itself."""

import os
from collections.abc import Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Page

from relviz.stories import stories
from tests.browser.screen import settled

AXE = Path(__file__).resolve().parents[2] / "node_modules" / "axe-core" / "axe.min.js"
PAGES = (
    *("", "learn", "data", "encode", "shelf", "compare", "anchors", "bootstrap", "several"),
    *("stitch", "stitch?part=probe", "decode", "decode?de_part=draw", "decode?de_part=slide", "gallery"),
)
OF_THE_PAIR = ("data", "compare", "anchors", "bootstrap", "stitch", "stitch?part=probe")
"""Pages that are looked at with the small pair, on which nothing takes long."""
STREAMLIT = {
    "list": '[data-testid="stSidebarNavItems"]',
    "listitem": '[data-testid="stSidebarNavItems"] li',
}
"""Rules that Streamlit breaks, and what breaks them: in its menu the headings of groups are between items."""
OF_COLORS = ("color-contrast", "link-in-text-block")
BACKGROUND = "getComputedStyle(document.querySelector('[data-testid=\"stApp\"]')).backgroundColor"
FAULTS = """async ([streamlit, rules]) => {
    const some = rules.length ? { runOnly: { type: 'rule', values: rules } } : {};
    const { violations } = await axe.run(document, { resultTypes: ['violations'], ...some });
    const theirs = (id, node) => {
        const found = node.target.length === 1 && typeof node.target[0] === 'string'
            && document.querySelector(node.target[0]);
        return Boolean(found && streamlit[id] && found.matches(streamlit[id]));
    };
    const grave = violations.filter(({ impact }) => ['serious', 'critical'].includes(impact));
    return grave.flatMap(({ id, nodes }) =>
        nodes.filter((node) => !theirs(id, node)).map(({ html, failureSummary }) =>
            `${id}: ${html.slice(0, 200)} ${failureSummary.slice(0, 300)}`));
}"""


@pytest.fixture(scope="module")
def axe() -> str:
    """The script that looks for faults; without it tests are skipped, or fail where a browser is required."""
    if not AXE.is_file():
        say = pytest.fail if os.environ.get("RELVIZ_REQUIRE_BROWSER") else pytest.skip
        say("axe-core is not installed: npm ci")
    return AXE.read_text(encoding="utf-8")


def faults_of(page: Page, axe: str, rules: Sequence[str] = ()) -> list[str]:
    """What is wrong by all rules, or by these."""
    page.evaluate(f"{axe};0")
    found: list[str] = page.evaluate(FAULTS, [STREAMLIT, list(rules)])
    return found


def background(page: Page) -> str:
    color: str = page.evaluate(BACKGROUND)
    return color


def faults_in_light_and_dark(page: Page, axe: str) -> dict[str, list[str]]:
    """What is wrong on a page that is shown in the light; in the dark only colors differ."""
    found = {"light": faults_of(settled(page), axe)}
    bright = background(page)
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(f"() => {BACKGROUND} !== '{bright}'")
    return found | {"dark": faults_of(settled(page), axe, OF_COLORS)}


def faulty(found: dict[str, dict[str, list[str]]]) -> dict[tuple[str, str], list[str]]:
    return {(name, how): faults for name, both in found.items() for how, faults in both.items() if faults}


@pytest.mark.slow
def test_no_page_has_a_serious_fault(app: str, small: str, page: Page, axe: str) -> None:
    pair = small.partition("?")[2]
    page.set_viewport_size({"width": 1280, "height": 800})
    found = {}
    for name in PAGES:
        page.emulate_media(color_scheme="light")
        joined = "&" if "?" in name else "?"
        page.goto(f"{app}/{name}{joined}{pair}" if name in OF_THE_PAIR else f"{app}/{name}")
        found[name] = faults_in_light_and_dark(page, axe)
    assert faulty(found) == {}


@pytest.mark.slow
def test_no_kind_of_picture_of_a_story_has_a_serious_fault(app: str, page: Page, axe: str) -> None:
    steps = {
        step.picture.kind: f"story={story.name}&step={number}"
        for story in reversed(stories())
        for number, step in reversed(list(enumerate(story.steps, 1)))
    }
    page.set_viewport_size({"width": 1280, "height": 800})
    found = {}
    for kind, step in steps.items():
        page.emulate_media(color_scheme="light")
        page.goto(f"{app}/learn?{step}")
        page.get_by_role("button", name="Show the answer").click()
        found[kind] = faults_in_light_and_dark(page, axe)
    assert faulty(found) == {}
