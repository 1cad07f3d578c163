"""Serious faults of a page by the rules of axe-core, in light and dark, but those of Streamlit itself."""

import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.screen import settled

AXE = Path(__file__).resolve().parents[2] / "node_modules" / "axe-core" / "axe.min.js"
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


def require_axe() -> None:
    """Without axe-core a test ends here: it is skipped, or fails where a browser is required."""
    if not AXE.is_file():
        say = pytest.fail if os.environ.get("RELVIZ_REQUIRE_BROWSER") else pytest.skip
        say("axe-core is not installed: npm ci")


@cache
def _script() -> str:
    return AXE.read_text(encoding="utf-8")


def _faults_of(page: Page, rules: Sequence[str] = ()) -> list[str]:
    """What is wrong by all rules, or by these."""
    if not AXE.is_file():
        return []
    if not page.evaluate("'axe' in window"):
        page.evaluate(f"{_script()};0")
    found: list[str] = page.evaluate(FAULTS, [STREAMLIT, list(rules)])
    return found


def faults_in_light_and_dark(page: Page) -> dict[str, list[str]]:
    """What is wrong on a page that is shown in the light, and is again after; in the dark only colors differ.

    Nothing where there is no axe-core, which ``require_axe`` tells.
    """
    found = {"light": _faults_of(settled(page))}
    bright = page.evaluate(BACKGROUND)
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(f"() => {BACKGROUND} !== '{bright}'")
    found["dark"] = _faults_of(settled(page), OF_COLORS)
    page.emulate_media(color_scheme="light")
    page.wait_for_function(f"() => {BACKGROUND} === '{bright}'")
    return {how: faults for how, faults in found.items() if faults}
