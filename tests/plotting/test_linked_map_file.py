"""A map as an HTML file: it holds what it shows, each pane once, asks nobody, and is small."""

import base64
import json
import re
import zlib
from collections import Counter

import numpy as np

from relviz.plotting.linked_map.page import ASSETS, NOT_ALONE, modules, page
from tests.plotting.scenes import scene

STRANGERS = re.compile(rb"""(?:src|href|url\(|fetch\()\s*=?\s*["']?(?:https?:)?//""")


def unpacked(raw: bytes, name: str) -> bytes:
    """What the file holds under a name, as the browser takes it out."""
    found = re.search(rf'<script type="text/plain" id="{name}">([^<]*)</script>'.encode(), raw)
    assert found is not None
    return zlib.decompress(base64.b64decode(found[1]))


def test_the_file_holds_each_pane_once_and_names_the_views() -> None:
    shown = scene(500)
    raw = page(shown, "A <and> B", "A caption & more.", "Data: own.", '{"kind": "maps"}')
    message = unpacked(raw, "message")
    length = int.from_bytes(message[:4], "little")
    head = json.loads(message[4 : 4 + length])
    assert [pane["title"] for pane in head["panes"]] == [pane.title for pane in shown.views["2 × 2"]]
    assert head["views"] == {"Original": [0, 1], "Relative": [2, 3], "2 × 2": [0, 1, 2, 3]}
    assert head["opens"] == "Relative"
    assert head["stars"] == {"1": 10, "2": 0}
    start, many = head["flags"]
    flags = np.frombuffer(message, np.uint8, many, 4 + length + start)
    np.testing.assert_array_equal(np.flatnonzero(flags), np.arange(10))
    assert b"item 499" in unpacked(raw, "texts")
    assert unpacked(raw, "sprite") == shown.sprite.png


def test_the_file_says_what_it_is_and_asks_nobody() -> None:
    raw = page(scene(50), "A <and> B", "A caption & more.", "License: CC-BY.", '{"kind": "<maps>"}')
    text = raw.decode()
    for said in (
        "A &lt;and&gt; B",
        "A caption &amp; more.",
        "License: CC-BY.",
        "{&quot;kind&quot;: &quot;&lt;maps",
    ):
        assert said in text
    assert "%" not in re.findall(r"<title>.*?</title>", text)[0]
    assert "<!--%" not in text
    assert STRANGERS.search(raw) is None
    assert STRANGERS.search(unpacked(raw, "modules")) is None


def test_modules_are_those_of_the_app_without_their_doc_comments() -> None:
    sources = json.loads(modules())
    paths = [path for path in ASSETS.glob("*.js") if path.name not in NOT_ALONE]
    assert {path.name for path in paths} == sources.keys() - {"template"}
    for path in paths:
        lines, kept = path.read_text("utf-8").splitlines(), sources[path.name].splitlines()
        rest = iter(lines)
        assert all(line in rest for line in kept)
        left_out = Counter(lines) - Counter(kept)
        assert all(line.lstrip().startswith(("/**", "*")) for line in left_out)
        assert "@param" not in sources[path.name]


def test_the_same_scene_gives_the_same_bytes() -> None:
    first, second = (page(scene(60), "t", "c", "d", "{}") for _ in range(2))
    assert first == second


def test_twenty_thousand_rows_take_less_than_two_megabytes() -> None:
    raw = page(scene(20_000, pictures=False), "t", "c", "d", "{}")
    assert len(raw) < 2_000_000
    assert unpacked(raw, "sprite") == b""
