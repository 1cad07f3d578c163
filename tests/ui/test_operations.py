"""What an operator sets, sees and asks: settings, log, health, metrics, visitors, and the end of a server."""

import asyncio
import json
import logging
import sys
import threading
import time
from types import SimpleNamespace

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient
from streamlit import config, net_util
from streamlit.web.server.server_util import is_url_from_allowed_origins

from relviz.compute import jobs as of_jobs
from relviz.compute.jobs import Jobs
from relviz.compute.owner import acting_for
from relviz.errors import ParameterError
from relviz.state import sources, stored
from relviz.ui import doors, visitor
from relviz.ui.job_view import POLL_SECONDS, poll_seconds
from relviz.ui.operations import health, lifecycle, log, presence
from relviz.ui.operations.health import operation_routes
from relviz.ui.operations.settings import (
    LogSettings,
    MetricsSettings,
    QuotaSettings,
    Settings,
    VisitorSettings,
    WorkSettings,
    read_settings,
)
from tests.ui.screen import opened, said

PATIENCE = 20


def written(tmp_path, text):
    path = tmp_path / "relviz.toml"
    path.write_text(text)
    return path


@pytest.fixture
def registry(monkeypatch):
    fresh = Jobs()
    monkeypatch.setattr(of_jobs, "_PROCESS_WIDE", fresh)
    yield fresh
    for job in fresh.alive():
        with acting_for(None):
            job.cancel()
        assert job.wait(PATIENCE)


def test_pages_ask_less_often_the_more_of_them_wait(registry):
    assert poll_seconds() == POLL_SECONDS
    for at in range(32):
        with acting_for(f"visitor {at}"):
            registry.start(f"job {at}", endless)
    assert poll_seconds() == 2.0
    assert poll_seconds(0.1) == 2.0
    assert poll_seconds(5.0) == 5.0


def endless(ticket):
    while True:
        ticket.report()
        time.sleep(0.005)


@pytest.fixture
def set_to(monkeypatch):
    """Have the server run with other settings."""

    def change(**sections):
        for module in (visitor, doors, health):
            monkeypatch.setattr(module, "settings", lambda: Settings(**sections))
        monkeypatch.setattr("relviz.ui.sign_in.settings", lambda: Settings(**sections))
        monkeypatch.setattr("relviz.ui.job_view.settings", lambda: Settings(**sections))

    return change


class TestSettings:
    def test_a_file_says_what_differs_from_the_defaults(self, tmp_path):
        found = read_settings(
            written(tmp_path, '[work]\nworkers = 4\nminutes = 30\n[visitors]\nproxies = ["10.0.0.1"]\n')
        )
        assert found.work == WorkSettings(workers=4, minutes=30.0)
        assert found.work.limits().seconds == 1800
        assert found.visitors.proxies == ("10.0.0.1",)
        assert found.log == LogSettings()

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("[worker]\n", r"section \[worker\]; relviz knows \[store\], \[work\]"),
            ("[work]\nworker = 3\n", r"worker is not known; it has workers, begun"),
            ("[work]\nworkers = 1.5\n", "must be a whole number, 0 or more; it is 1.5"),
            ("[work]\nminutes = -1\n", "must be a number, 0 or more; it is -1"),
            ("[work]\nworkers = true\n", "must be a whole number"),
            ('[log]\nlevel = "LOUD"\n', "must be one of 'DEBUG', 'INFO', 'WARNING', 'ERROR'; it is 'LOUD'"),
            ("[visitors]\nproxies = 3\n", "must be a list of texts"),
            ("[store]\nfolder = 3\n", "must be text"),
            ("work = 3\n", "must be a section"),
            ("[work\n", "cannot be read"),
        ],
    )
    def test_a_mistake_is_named(self, tmp_path, text, words):
        with pytest.raises(ParameterError, match=words):
            read_settings(written(tmp_path, text))

    def test_the_example_for_a_server_is_read(self):
        from relviz.compute.installation import PACKAGE

        found = read_settings(PACKAGE.parent / "docs" / "server" / "relviz.toml")
        assert found.work.workers > 1
        assert found.work.orphan_minutes > 0


@pytest.mark.parametrize("format", ["text", "json"])
def test_a_line_of_the_log_names_visitor_and_job(format, monkeypatch, capsys):
    logger = logging.getLogger("relviz")
    for name in ("handlers", "propagate", "level"):
        monkeypatch.setattr(logger, name, getattr(logger, name))
    monkeypatch.setattr(logger, "handlers", [])
    log.set_up(LogSettings(format=format))

    def work():
        with acting_for("secret of anna"):
            logger.info("Training: %s", "begun")

    thread = threading.Thread(target=work, name="job autoencoder-12")
    thread.start()
    thread.join()
    line = capsys.readouterr().err
    who = log.shown_visitor("secret of anna")
    assert "secret" not in line
    if format == "json":
        found = json.loads(line)
        assert (found["visitor"], found["job"], found["message"]) == (
            who,
            "autoencoder-12",
            "Training: begun",
        )
    else:
        assert f"INFO visitor={who} job=autoencoder-12 relviz: Training: begun" in line


class TestRoutes:
    @pytest.fixture
    def client(self):
        return TestClient(Starlette(routes=operation_routes()), client=("127.0.0.1", 1))

    def test_health_turns_when_the_server_is_being_ended(self, client, monkeypatch):
        assert client.get("/health").json() == {"status": "ok", "store": "ok"}
        ending = threading.Event()
        ending.set()
        monkeypatch.setattr(health, "draining", ending)
        assert client.get("/health").status_code == 503

    def test_metrics_are_numbers_and_for_this_machine_alone(self, client, registry, set_to):
        job = registry.start("k", endless)
        while job.state != "running":
            time.sleep(0.005)
        lines = client.get("/metrics").text.splitlines()
        numbers = dict(line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
        assert numbers['relviz_jobs{state="running"}'] == "1"
        assert all(value.isdecimal() for value in numbers.values())
        if sys.platform == "linux":
            assert int(numbers['relviz_memory_bytes{process="server"}']) > 10**7
        proxied = client.get("/metrics", headers={"X-Forwarded-For": "10.0.0.9"})
        far = TestClient(client.app, client=("10.0.0.9", 1)).get("/metrics")
        assert (proxied.status_code, far.status_code) == (404, 404)
        set_to(metrics=MetricsSettings("everybody"))
        assert TestClient(client.app, client=("10.0.0.9", 1)).get("/metrics").status_code == 200
        set_to(metrics=MetricsSettings("nobody"))
        assert client.get("/metrics").status_code == 404


class TestOrphans:
    @pytest.fixture(autouse=True)
    def _nobody_yet(self, monkeypatch):
        monkeypatch.setattr(presence, "_sessions", {})
        monkeypatch.setattr(presence, "_last_seen", {})

    def test_who_left_loses_their_run_after_the_grace_time_unless_it_is_to_be_kept(self, registry):
        started = {}
        for who in ("anna", "ben", "cleo"):
            presence.seen(f"session of {who}", who)
            with acting_for(who):
                started[who] = registry.start(who, endless)
        started["ben"].keep = True
        presence.cancel_orphans(0.0, {"session of cleo"})
        assert started["anna"].wait(PATIENCE)
        assert started["anna"].state == "canceled"
        assert not started["ben"].canceling
        presence.cancel_orphans(60.0, set())
        assert not started["cleo"].canceling

    def test_a_run_that_two_wait_for_goes_on_for_the_one_who_stays(self, registry):
        for who in ("anna", "ben"):
            presence.seen(who, who)
            with acting_for(who):
                job = registry.start("k", endless)
        presence.cancel_orphans(0.0, {"ben"})
        assert not job.canceling

    def test_no_lock_is_held_while_another_is_waited_for(self, registry, monkeypatch):
        # Who looked for a run while orphans were looked for waited for ever, and with them everybody.
        held = []
        with acting_for("anna"):
            registry.start("k", endless)
        alive = registry.alive

        def looked_for():
            held.append(presence._lock.locked())
            return alive()

        def asked():
            held.append(registry._lock.locked())
            return "anna"

        monkeypatch.setattr(registry, "alive", looked_for)
        monkeypatch.setattr("relviz.compute.job.owner", asked)
        presence.cancel_orphans(60.0, set())
        registry.find("k")
        registry.running()
        assert len(held) == 5
        assert not any(held)


def test_a_server_that_is_ended_waits_for_its_runs_then_cancels_them(registry, monkeypatch):
    ending = threading.Event()
    monkeypatch.setattr(lifecycle, "draining", ending)
    short = registry.start("short", lambda _: time.sleep(0.05))
    long = registry.start("long", endless)
    lifecycle.drain(0.5)
    assert (short.state, long.state) == ("done", "canceled")
    assert ending.is_set()


class TestUsers:
    """With a login or a proxy the visitor is the user, in whatever browser."""

    def test_the_header_of_a_trusted_proxy_counts_and_that_of_others_is_removed(self, set_to, monkeypatch):
        set_to(visitors=VisitorSettings(known_by="header", proxies=("10.0.0.1",)))

        def after(client, port=5):
            scope = {
                "type": "websocket",
                "client": (client, port),
                "headers": [(b"x-forwarded-user", b"anna"), (b"host", b"here")],
            }
            doors._drop_names_of_strangers(scope)
            return [name for name, _ in scope["headers"]]

        assert after("10.0.0.1") == [b"x-forwarded-user", b"host"]
        assert after("10.0.0.2") == [b"host"]
        assert after("192.0.2.7", 0) == [
            b"x-forwarded-user",
            b"host",
        ]  # whom uvicorn's trusted proxy asks for
        monkeypatch.setenv("FORWARDED_ALLOW_IPS", "*")
        assert after("192.0.2.7", 0) == [b"host"]
        set_to()
        assert after("127.0.0.1") == [b"host"]

    def test_two_browsers_of_a_user_are_one_visitor_and_see_their_files(self, set_to, monkeypatch):
        set_to(visitors=VisitorSettings(known_by="login"))
        monkeypatch.setattr(visitor, "_users", {})
        monkeypatch.setattr(doors, "_shown", {})
        monkeypatch.setattr(visitor, "get_script_run_ctx", lambda **_: SimpleNamespace(session_id="s"))
        user = {"is_logged_in": True, "iss": "https://idp", "sub": "anna", "name": "Anna"}

        def came(cookie, user):
            context = SimpleNamespace(cookies={visitor.COOKIE: cookie}, headers={})
            monkeypatch.setattr(visitor, "st", SimpleNamespace(context=context, user=user, session_state={}))
            return visitor.visitor()

        home, work = "a" * 64, "b" * 64
        assert came(home, user) == came(work, user) == "user https://idp anna"
        doors._shown["file"] = {came(home, user)}
        assert doors.may_have("file", work)
        assert came(work, {"is_logged_in": False}) == work  # after signing out
        assert not doors.may_have("file", work)
        assert came(work, user | {"sub": "ben"}) == "user https://idp ben"
        assert not doors.may_have("file", work)

    def test_without_a_login_there_is_a_button_and_no_page(self, set_to):
        set_to(visitors=VisitorSettings(known_by="login"))
        at = opened("compare")
        assert [button.label for button in at.button] == ["Sign in"]
        assert "retrieve" not in said(at)


def test_no_other_machine_is_asked_for_the_address_of_this_one(monkeypatch):
    asked = []
    monkeypatch.setattr(net_util, "_make_blocking_http_get", lambda url, **_: asked.append(url))
    monkeypatch.setattr(net_util, "get_external_ip", net_util.get_external_ip)
    for before in (True, False):
        asked.clear()
        assert not is_url_from_allowed_origins("https://stranger.test")
        assert bool(asked) == before
        doors._ask_nobody_for_the_address()


@pytest.mark.parametrize("leaving", [{"two"}, {"one", "two"}])
def test_what_closed_sessions_held_is_let_go_once(monkeypatch, caplog, leaving):
    here, expired, collected, closed = {"one", "two"}, [], [], []

    def expire():
        expired.append(True)
        if len(expired) == 2:
            here.difference_update(leaving)

    def sessions():
        return [SimpleNamespace(session=SimpleNamespace(id=one)) for one in here]

    storage = SimpleNamespace(_cache=SimpleNamespace(expire=expire))
    manager = SimpleNamespace(_session_storage=storage, list_sessions=sessions, list_active_sessions=sessions)
    monkeypatch.setattr(presence, "LET_GO_SECONDS", 0.0)
    monkeypatch.setattr(presence, "exists", lambda: True)
    monkeypatch.setattr(presence, "get_instance", lambda: SimpleNamespace(_session_mgr=manager))
    monkeypatch.setattr(presence, "give_back_memory", lambda: collected.append(True))
    monkeypatch.setattr(presence, "forget_opened", lambda: closed.append(True))
    caplog.set_level(logging.INFO, "relviz")

    async def until_looked_often():
        letting_go = asyncio.create_task(presence.let_go())
        while len(expired) < 5:
            await asyncio.sleep(0)
        letting_go.cancel()

    asyncio.run(until_looked_often())
    assert collected == [True]
    assert closed == ([] if here else [True])
    assert f"{len(leaving)} closed session(s) let go, {len(here)} open" in caplog.text


def test_the_settings_limit_uploads_what_is_kept_and_what_is_open(monkeypatch):
    monkeypatch.setattr(stored, "_each", [])
    monkeypatch.setattr(sources._SPACES, "_cap", 0)
    monkeypatch.setattr(sources._PAIRS, "_cap", 0)
    monkeypatch.setattr(sources._THUMBNAILS, "_cap", 0)
    before = config.get_option("server.maxUploadSize")
    try:
        lifecycle.hold_to(QuotaSettings(upload_megabytes=7, opened_gigabytes=3, stored_gigabytes_each=0.5))
        assert config.get_option("server.maxUploadSize") == 7
    finally:
        config.set_option("server.maxUploadSize", before)
    assert stored.quota() == 2**29
    assert {one._cap for one in (sources._SPACES, sources._PAIRS, sources._THUMBNAILS)} == {3 * 2**30}
