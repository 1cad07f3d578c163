"""What goes wrong unexpectedly: the browser is told nothing of the server, whose log has all of it."""

import shutil
from pathlib import Path

from playwright.sync_api import Page

from tests.browser.screen import settled
from tests.browser.server import LOG, ROOT, served


def test_a_traceback_stays_on_the_server(page: Page, tmp_path: Path) -> None:
    shutil.copytree(ROOT / ".streamlit", tmp_path / ".streamlit")
    script = tmp_path / "broken.py"
    script.write_text("raise RuntimeError('the secret of the server')\n", encoding="utf-8")
    with served(tmp_path, script=str(script)) as address:
        page.goto(address)
        page.get_by_test_id("stException").wait_for()
        settled(page)
        told = page.content()
        for secret in ("RuntimeError", "the secret of the server", "broken.py", "Traceback", str(tmp_path)):
            assert secret not in told
    log = (tmp_path / LOG).read_text(encoding="utf-8")
    assert "the secret of the server" in log
    assert "broken.py" in log
