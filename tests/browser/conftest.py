"""A real Chromium in front of the running app; what it saw is kept when a test fails."""

import os
import re
import shutil
from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from relviz.compute.owner import acting_for
from relviz.ui.visitor import COOKIE
from tests.browser.map_screen import maps, state
from tests.browser.screen import SHOTS, Faults, settled, watched
from tests.browser.server import LOG, served
from tests.ui.made import VISITOR, small_pair

HERE = Path(__file__).parent
COLOR_CODES = re.compile(r"\x1b\[[\d;]*m")
FOLDER = pytest.StashKey[Path]()
FAILED = pytest.StashKey[bool]()
"""Whether a test has failed since the shared app started; what it left there is not what the next expects."""
expect.set_options(timeout=30_000)

CHROMIUM_FLAGS = [
    *("--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--disable-dev-shm-usage", "--disable-gpu-watchdog"),  # a small or busy machine stalls it otherwise
    # Only WebGL is drawn by an emulated card: pages as well would take half of a test's time.
    *("--disable-gpu-compositing", "--disable-gpu-rasterization"),
    "--process-per-site",  # what one page has compiled of Streamlit's JavaScript, the next has at once
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker("browser")
            item.add_marker(pytest.mark.flaky(reruns=2))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    item.config.stash[FAILED] = report.failed or item.config.stash.get(FAILED, False)
    fixtures = getattr(item, "funcargs", {})
    if report.when == "call" and report.failed and "page" in fixtures:
        SHOTS.mkdir(exist_ok=True)
        fixtures["page"].screenshot(path=SHOTS / f"{item.name}.png")
        if "faults" in fixtures:
            report.sections.append(("what went wrong in the page", "\n".join(fixtures["faults"].errors)))
        report.sections.append(("the maps on it", "\n".join(maps(fixtures["page"]))))
        said = fixtures["page"].get_by_test_id("stMain").aria_snapshot()
        report.sections.append(("what the page said", said[:1500]))
    if report.failed and FOLDER in item.config.stash:
        log = (item.config.stash[FOLDER] / LOG).read_text(encoding="utf-8")
        report.sections.append(("the app's log", COLOR_CODES.sub("", log)[-2000:]))
    return report


@contextmanager
def chromium(flags: Sequence[str] = CHROMIUM_FLAGS) -> Iterator[Browser]:
    """Debian's Chromium, or its kind without windows, which takes a fifth less of the processor.

    Without either the tests are skipped, or fail where RELVIZ_REQUIRE_BROWSER is set.
    """
    program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if not program:
        say = pytest.fail if os.environ.get("RELVIZ_REQUIRE_BROWSER") else pytest.skip
        say("There is no chromium on the path; on Debian: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=flags)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """The browser that all tests share."""
    with chromium() as browser:
        yield browser


class SharedApp:
    """The app that all browser tests share, in a folder of its own each time it starts."""

    def __init__(self, config: pytest.Config, folders: pytest.TempPathFactory) -> None:
        self._config, self._folders = config, folders
        self._running = ExitStack()
        self.address = ""

    def start(self) -> None:
        """End the one that runs, if any, and start one that has seen nothing."""
        self.stop()
        folder = self._folders.mktemp("app")
        self._config.stash[FOLDER], self._config.stash[FAILED] = folder, False
        self.address = self._running.enter_context(served(folder))

    def stop(self) -> None:
        self._running.close()


@pytest.fixture(scope="package")
def shared_app(
    browser: Browser,  # noqa: ARG001  (where there is none, nothing is started)
    tmp_path_factory: pytest.TempPathFactory,
    request: pytest.FixtureRequest,
) -> Iterator[SharedApp]:
    """The one app of all browser tests."""
    shared = SharedApp(request.config, tmp_path_factory)
    shared.start()
    yield shared
    shared.stop()


@pytest.fixture
def app(shared_app: SharedApp, request: pytest.FixtureRequest) -> str:
    """The address of the app, which browser tests share until one fails.

    A failed test leaves texts encoded and runs going on. The next, be it the same once more, finds an app
    that has seen nothing.
    """
    if request.config.stash[FAILED]:
        shared_app.start()
    return shared_app.address


@pytest.fixture
def small(app: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of Compare with a small pair, whose measures take no time."""
    monkeypatch.setenv("RELVIZ_CACHE", str(request.config.stash[FOLDER] / "cache"))
    with acting_for(VISITOR):
        pair = small_pair()
    return f"{app}/?" + "&".join(f"{side}={source}" for side, source in pair.items())


@pytest.fixture(scope="package")
def map_app(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:  # noqa: ARG001
    """The address of a page with nothing but a linked map."""
    with served(tmp_path_factory.mktemp("map"), script="tests/browser/linked_map_app.py") as address:
        yield address


@pytest.fixture
def shown(map_app: str, page: Page) -> Page:
    """The map of 400 rows in four panes, at rest."""
    page.goto(map_app)
    settled(page)
    state(page)
    return page


class Window:
    """The window in which pages are opened one after the other, each as if nothing had been before it.

    An empty page stays open, and with it the process that has compiled Streamlit's JavaScript: a page in a
    window of its own takes three seconds of a core to load, the next page in this window one.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._context: BrowserContext | None = None

    def open(self) -> Page:
        """A new page of the visitor whom the small pair belongs to."""
        if self._context is None:
            self._context = watched(self._browser.new_context(viewport={"width": 1400, "height": 1000}))
            self._context.new_page()
        self._context.add_cookies([{"name": COOKIE, "value": VISITOR, "url": "http://localhost"}])
        page = self._context.new_page()
        page.set_default_timeout(60_000)  # the first page also waits for what is compiled beside it
        return page

    def clear(self) -> None:
        """Close what was opened, and forget what it kept."""
        assert self._context is not None
        empty, *others = self._context.pages
        session = self._context.new_cdp_session(empty)
        for origin in {page.evaluate("origin") for page in others} - {"null"}:
            session.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
            if empty.url == "about:blank":
                empty.goto(f"{origin}/_stcore/health")
        session.detach()
        for page in others:
            page.close()
        self._context.clear_cookies()

    def close(self) -> None:
        """Close the window; the next page opens a new one."""
        if self._context is not None:
            self._context.close()
        self._context = None


@pytest.fixture(scope="package")
def window(browser: Browser) -> Iterator[Window]:
    """The window that pages share."""
    window = Window(browser)
    yield window
    window.close()


@pytest.fixture
def page(window: Window, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A page of 1400 × 1000, of the visitor whom the small pair belongs to."""
    yield window.open()
    if request.config.stash.get(FAILED, False):
        window.close()
    else:
        window.clear()


@pytest.fixture
def faults(page: Page) -> Faults:
    """What goes wrong in ``page``, watched from the start; a test ends with ``faults.assert_none()``."""
    return Faults(page)
