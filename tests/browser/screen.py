"""What a browser test asks of a page: that Streamlit has come to rest, and that nothing went wrong."""

import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request, TimeoutError

SHOTS = Path(__file__).parent / "shots"
MENU = 'a[data-testid="stSidebarNavLink"], a[data-testid="stTopNavLink"]'
LOCAL = {"localhost", "127.0.0.1", ""}

# A page that is not the first feels for the server's base path; Streamlit then finds it one level up.
PROBES = re.compile(r"/_stcore/(health|host-config)$")

_WATCH_ANSWERS = """
window.WebSocket = class extends WebSocket {
    constructor(...given) {
        super(...given);
        this.addEventListener('message', () => { window.unanswered = false; });
    }
    send(message) {
        window.unanswered = true;
        super.send(message);
    }
};"""
"""Runs in a page before its own scripts: a busy server answers late, and until then a page looks at rest."""

AT_REST = """quiet => {
    const app = document.querySelector('[data-testid="stApp"]');
    const rests = app && !window.unanswered && app.dataset.testScriptState === 'notRunning'
        && app.dataset.testConnectionState === 'CONNECTED'
        && !document.querySelector('[data-stale="true"]')
        && !document.querySelector('[data-testid="stSkeleton"], [data-testid="stSpinner"]');
    if (!rests) { window.atRestSince = undefined; return false; }
    window.atRestSince ??= performance.now();
    return performance.now() - window.atRestSince >= quiet;
}"""


def watched(window: BrowserContext) -> BrowserContext:
    """The same window, whose pages know whether the server owes them an answer."""
    window.add_init_script(_WATCH_ANSWERS)
    return window


def settled(page: Page, quiet: float = 0.3, within: float = 60.0) -> Page:
    """Wait until the script has run and nothing old is left on the screen, for ``quiet`` seconds on end.

    Both times are in seconds. In a window that is ``watched``, what was asked of the server is answered, too.
    """
    page.evaluate("window.atRestSince = undefined")
    page.wait_for_function(AT_REST, arg=quiet * 1000, timeout=within * 1000)
    return page


def choose(page: Page, name: str, option: str) -> None:
    """Choose an option of a list by their names."""
    box = page.get_by_role("combobox", name=name, exact=True)
    wanted = page.get_by_role("option", name=option, exact=True)
    box.scroll_into_view_if_needed()
    for within in (2_000, 10_000, 30_000):
        settled(page)  # a list that is opened while the page scrolls or runs closes again
        box.click()
        try:
            wanted.click(timeout=within)
            break
        except TimeoutError:
            page.keyboard.press("Escape")
    else:
        raise TimeoutError(f"The list {name!r} shows no option {option!r}.")
    settled(page)


def pick(page: Page, option: str) -> None:
    """Choose one of the options that stand side by side."""
    page.get_by_role("radio", name=option, exact=True).or_(
        page.get_by_role("button", name=option, exact=True)
    ).first.click()
    settled(page)


def measured(page: Page) -> None:
    """Wait until Compare says what was found."""
    page.get_by_text("retrieve their counterpart").first.wait_for(timeout=60_000)
    settled(page)


def shot(page: Page, name: str) -> None:
    """Keep a picture of the whole page in shots/, to be looked at, where RELVIZ_SHOTS is set."""
    if "RELVIZ_SHOTS" not in os.environ:
        return
    before = page.viewport_size or {"width": 1400, "height": 1000}
    height = page.get_by_test_id("stMain").evaluate("main => main.scrollHeight")
    page.set_viewport_size({"width": before["width"], "height": max(before["height"], height)})
    settled(page)
    SHOTS.mkdir(exist_ok=True)
    page.screenshot(path=SHOTS / f"{name}.png")
    page.set_viewport_size(before)


@dataclass
class Faults:
    """What went wrong in a page so far, and where it called to; ``home`` is the name of its server."""

    page: Page
    home: str = "localhost"
    errors: list[str] = field(default_factory=list)
    strangers: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        page = self.page
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.errors.append(f"page error: {error}"))
        page.on("request", self._request)

    def _console(self, message: ConsoleMessage) -> None:
        url = message.location.get("url", "")
        if message.type == "error" and not PROBES.search(url):
            self.errors.append(f"console: {message.text} ({url})")

    def _request(self, request: Request) -> None:
        if (urlsplit(request.url).hostname or "") not in {*LOCAL, self.home}:
            self.strangers.append(request.url)

    def assert_none(self) -> None:
        """Fail if the page shows a traceback, wrote an error to its console, or called another machine."""
        tracebacks = self.page.get_by_test_id("stException").all_inner_texts()
        assert not tracebacks, "\n".join(tracebacks)
        assert not self.strangers, "The page asked other machines for:\n" + "\n".join(self.strangers)
        assert not self.errors, "\n".join(self.errors)
