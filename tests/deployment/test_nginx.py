"""relviz behind the shipped nginx.conf, through TLS: by single requests, its protocol, and in a browser."""

import asyncio
import re
import ssl
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from email.message import Message
from http.client import HTTPConnection, HTTPSConnection
from io import BytesIO
from pathlib import Path
from urllib.parse import urlencode

import numpy as np
import pytest
from playwright.sync_api import Browser, FilePayload, Page, expect

from relviz.compute.owner import acting_for
from relviz.ui.visitor import COOKIE
from tests.benchmarks.protocol import Session
from tests.browser.conftest import CHROMIUM_FLAGS, chromium
from tests.browser.map_screen import state
from tests.browser.screen import Faults, measured, settled, watched
from tests.browser.server import ROOT, served
from tests.deployment.nginx import NAME, NGINX, Proxy, nginx, replaced
from tests.ui.made import ROWS, VISITOR, small_pair

pytestmark = [
    pytest.mark.skipif(not NGINX, reason="There is no nginx; on Debian: apt-get install nginx-light"),
    pytest.mark.slow,
]

STRANGER = "b" * 64
UPLOAD, UPLOADS = 2, 3
"""Megabytes that one file may have, and all of a visitor."""
PATIENCE = 60.0
OWN, ANOTHERS = "retrieve their counterpart", "not loaded in this browser"
FRAME = """address => new Promise(loaded => {
    const frame = document.createElement('iframe');
    frame.addEventListener('load', loaded);
    frame.src = address;
    document.body.append(frame);
})"""
SAID_BY_ALL = {
    "strict-transport-security": "max-age=",
    "x-content-type-options": "nosniff",
    "x-frame-options": "SAMEORIGIN",
    "referrer-policy": "same-origin",
    "permissions-policy": "camera=()",
    "content-security-policy": "frame-ancestors 'self'",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("server")


@pytest.fixture(scope="module")
def app(folder: Path) -> Iterator[str]:
    """The address of a relviz with the settings that ship for a server, whose proxy may name users."""
    settings = folder / "relviz.toml"
    shipped = (ROOT / "docs" / "server" / "relviz.toml").read_text(encoding="utf-8")
    here = {
        "/var/lib/relviz": str(folder / "cache"),
        "\nworkers = 3 ": "\nworkers = 0 ",
        "upload_megabytes = 200 ": f"upload_megabytes = {UPLOAD} ",
        "uploads_megabytes_each = 1000 ": f"uploads_megabytes_each = {UPLOADS} ",
        'known_by = "cookie"': 'known_by = "header"',
    }
    settings.write_text(replaced(shipped, here), encoding="utf-8")
    with served(folder, environment={"RELVIZ_SETTINGS": str(settings)}) as address:
        yield address


@pytest.fixture(scope="module")
def proxy(folder: Path, app: str) -> Iterator[Proxy]:
    """nginx with the conf as it ships."""
    with nginx(folder, app) as proxy:
        yield proxy


@pytest.fixture
def pair_of(folder: Path, app: str, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], dict[str, str]]:  # noqa: ARG001
    """Gives a visitor the small pair, and the parameters of a link to it."""
    monkeypatch.setenv("RELVIZ_CACHE", str(folder / "cache"))

    def brought(visitor: str) -> dict[str, str]:
        with acting_for(visitor):
            return small_pair()

    return brought


def answer(
    port: int, path: str, trusted: Path | None = None, method: str = "GET", **headers: str
) -> tuple[int, Message, str]:
    """Status, headers and text of what a port of this machine says, through TLS if a certificate is given."""
    if trusted is None:
        connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    else:
        context = ssl.create_default_context(cafile=str(trusted))
        connection = HTTPSConnection("127.0.0.1", port, timeout=PATIENCE, context=context)
    connection.request(method, path, headers={"Host": NAME} | headers)
    said = connection.getresponse()
    text = said.read().decode(errors="replace")
    connection.close()
    return said.status, said.headers, text


def said_on_compare(proxy: Proxy, params: dict[str, str], cookie: str, **headers: str) -> str:
    """What Compare says to who sends a cookie and headers, as soon as it is about the pair."""

    async def visit() -> str:
        session = await Session.open(
            f"https://127.0.0.1:{proxy.https}",
            "compare",
            params,
            cookie,
            headers,
            ssl=ssl.create_default_context(cafile=str(proxy.certificate)),
        )
        await session.until(lambda: OWN in session.said() or ANOTHERS in session.said(), PATIENCE)
        await session.close()
        return session.said()

    with ThreadPoolExecutor(1) as apart:  # the browser's own loop runs in this thread
        return apart.submit(asyncio.run, visit()).result()


class TestRequests:
    def test_health_is_open_and_metrics_are_not(self, proxy: Proxy) -> None:
        assert answer(proxy.https, "/health", proxy.certificate)[::2] == (200, '{"status":"ok","store":"ok"}')
        assert answer(proxy.https, "/metrics", proxy.certificate)[0] == 404

    @pytest.mark.parametrize(
        ("path", "status"), [("/", 200), ("/health", 200), ("/media/none", 404), ("/metrics", 404)]
    )
    def test_every_answer_has_the_security_headers_once(self, proxy: Proxy, path: str, status: int) -> None:
        found, headers, _ = answer(proxy.https, path, proxy.certificate)
        assert found == status
        for name, words in SAID_BY_ALL.items():
            (value,) = headers.get_all(name, [])
            assert words in value
        assert headers["server"] == "nginx"

    def test_plain_http_leads_to_https(self, proxy: Proxy) -> None:
        status, headers, _ = answer(proxy.http, "/compare?a=1&b=2")
        assert (status, headers["location"]) == (308, f"https://{NAME}/compare?a=1&b=2")

    def test_the_size_of_an_upload_is_left_to_relviz(self, proxy: Proxy) -> None:
        upload, huge = "/_stcore/upload_file/session/file", {"Content-Length": str(10**10)}
        status, _, text = answer(proxy.https, upload, proxy.certificate, "PUT", **huge)
        assert status == 413
        assert "this one has 9.3 GiB; the limit is" in text  # nginx would say no more than the status

    def test_the_cookie_is_for_encrypted_requests_alone(self, proxy: Proxy) -> None:
        headers = answer(proxy.https, "/", proxy.certificate, Accept="text/html")[1]
        (cookie,) = [one for one in headers.get_all("set-cookie", []) if one.startswith(COOKIE)]
        assert {"HttpOnly", "Secure", "SameSite=Lax"} <= set(cookie.split("; "))


class TestVisitors:
    def test_each_browser_opens_its_own(self, proxy: Proxy, pair_of: Callable[[str], dict[str, str]]) -> None:
        mine = pair_of(VISITOR)
        assert OWN in said_on_compare(proxy, mine, VISITOR)
        assert OWN not in said_on_compare(proxy, mine, STRANGER)

    def test_nobody_names_themselves(self, proxy: Proxy, pair_of: Callable[[str], dict[str, str]]) -> None:
        annas = pair_of("user anna")
        named = {"X-Forwarded-User": "anna"}
        assert ANOTHERS in said_on_compare(proxy, annas, STRANGER, **named)
        assert ANOTHERS in said_on_compare(proxy, annas, STRANGER, **named | {"X-Forwarded-For": "127.0.0.1"})

    def test_the_proxy_names_the_user_in_any_browser_and_on_any_machine(
        self, folder: Path, app: str, pair_of: Callable[[str], dict[str, str]]
    ) -> None:
        annas = pair_of("user anna")
        named = {
            'X-Forwarded-User "";': "X-Forwarded-User anna;",
            "X-Forwarded-For $remote_addr;": "X-Forwarded-For 203.0.113.7;",
        }
        with nginx(folder, app, named, "naming") as naming:
            assert OWN in said_on_compare(naming, annas, STRANGER)
            assert OWN in said_on_compare(naming, annas, VISITOR)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium, to which the server's name is of this machine."""
    with chromium(
        [flag.replace("=MAP *", f"=MAP {NAME} 127.0.0.1, MAP *") for flag in CHROMIUM_FLAGS]
    ) as browser:
        yield browser


@pytest.fixture
def page(browser: Browser, proxy: Proxy) -> Iterator[Page]:
    """A page of the visitor whom the small pair belongs to, who trusts any certificate."""
    context = watched(
        browser.new_context(
            viewport={"width": 1400, "height": 1000},
            ignore_https_errors=True,
            base_url=f"https://{NAME}:{proxy.https}",
        )
    )
    context.add_cookies([{"name": COOKIE, "value": VISITOR, "url": f"https://{NAME}"}])
    page = context.new_page()
    page.set_default_timeout(60_000)
    yield page
    context.close()


def vectors(name: str, size: int) -> FilePayload:
    """A file of so many bytes, or up to 256 fewer."""
    rows = (size - 128) // 256
    file = BytesIO()
    np.save(file, np.random.default_rng(0).normal(size=(rows, 64)).astype("float32"))
    return {"name": name, "mimeType": "application/octet-stream", "buffer": file.getvalue()}


@pytest.mark.browser
@pytest.mark.flaky(reruns=2)
class TestBrowser:
    def test_the_map_is_drawn_and_the_policy_refuses_nothing(
        self, page: Page, pair_of: Callable[[str], dict[str, str]]
    ) -> None:
        faults = Faults(page, NAME)
        sockets: list[str] = []
        page.on("websocket", lambda one: sockets.append(one.url))
        page.goto(f"/?{urlencode(pair_of(VISITOR))}")
        measured(page)
        assert state(page)["drawn"] == [ROWS] * 2
        assert [re.sub(":.*?(?=/[^/])", "", url) for url in sockets] == [f"wss/{NAME}/_stcore/stream"]
        faults.assert_none()

    def test_no_other_site_may_frame_it(self, page: Page, proxy: Proxy, app: str) -> None:
        health = f"https://{NAME}:{proxy.https}/health"
        for framing, shown in ((health, health), (f"{app}/health", "chrome-error:")):
            page.goto(framing)
            page.evaluate(FRAME, health)
            until = time.monotonic() + PATIENCE
            while not page.frames[1].url and time.monotonic() < until:  # it is told a moment later
                page.wait_for_timeout(20)
            assert page.frames[1].url.startswith(shown)

    def test_a_file_at_the_limit_is_taken_and_one_above_it_is_refused_in_words(self, page: Page) -> None:
        page.goto("/data")
        settled(page)
        page.get_by_role("tab", name="Your files").click()
        one, other = (
            page.get_by_test_id("stFileUploader").filter(has_text=f"encoder {side}") for side in "AB"
        )
        one.locator("input").set_input_files(vectors("full.npy", UPLOAD * 10**6))
        expect(page.get_by_role("button", name="Add to shelf")).to_be_visible()
        other.locator("input").set_input_files(vectors("over.npy", UPLOAD * 10**6 + 256))
        expect(other.get_by_text(f"File must be {UPLOAD}.0MB or smaller")).to_be_visible()
        other.locator("input").set_input_files(vectors("second.npy", UPLOAD * 10**6))
        expect(page.get_by_text(f"the limit is {UPLOADS}.0 MiB")).to_be_visible()
        expect(page.get_by_role("button", name="Add to shelf")).to_be_visible()
