"""Encode without a browser: texts and pictures become spaces of the shelf; what cannot be says why."""

import io
import zipfile
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from PIL import Image
from streamlit.testing.v1 import AppTest

import relviz
from relviz.encoders import card, encoder_names, installed_encoders, load_encoder
from relviz.results.probe import live_encoders
from relviz.state import View
from relviz.state.sources import open_space, origin_of
from relviz.ui.encode.encoders import EMOJI
from tests.encoders import small
from tests.ui.made import csv
from tests.ui.screen import finished, opened, pressed, said, turned, went

WORDS = ("dog", "oak", "ant", "sea", "sun", "ice", "cup", "hat")
TEXTS = [f"a thing that is called {word}" for word in WORDS]
KINDS = ["one", "two"] * 4


def table(texts: list[str] = TEXTS) -> bytes:
    return csv(["word", "gloss", "kind"], [list(row) for row in zip(WORDS, texts, KINDS, strict=True)])


def pictures(many: int = 6) -> bytes:
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w") as archive:
        for at in range(many):
            file = io.BytesIO()
            Image.new("RGB", (20 + at, 30), (40 * at, 90, 200 - 30 * at)).save(file, "PNG")
            archive.writestr(f"{'ab'[at % 2]}/p{at}.png", file.getvalue())
        archive.writestr("a/readme.txt", "not a picture")
    return raw.getvalue()


def gave(at: AppTest, key: str, name: str, raw: bytes) -> AppTest:
    found = at.file_uploader(key=key)
    one = (name, raw, "application/octet-stream")
    found.set_value([one] if key == "encode_pictures" else one)
    return went(at)


def way(at: AppTest, name: str) -> AppTest:
    at.session_state["encode_way"] = name
    return went(at)


def encoder(at: AppTest, modality: Literal["text", "image"], place: int, name: str) -> AppTest:
    known = name in encoder_names(modality)
    at.session_state[f"encoder {modality} {place}"] = name if known else "other"
    if not known:
        went(at).text_input(key=f"other {modality} {place}").set_value(name)
    return went(at)


def shelf(at: AppTest) -> list[str]:
    params = {name: str(at.query_params[name]) for name in at.query_params}
    return list(View.from_params(params)[0].shelf)


def one_encoder(at: AppTest, name: str = "wordllama") -> AppTest:
    at.session_state["encode_many"] = 1
    return encoder(at, "text", 0, name)


def test_before_anything_is_given_each_encoder_shows_its_space_of_the_emoji() -> None:
    at = opened("encode")
    drawn = [image.proto.imgs[0].alt for image in at.get("image") if image.proto.imgs]
    titles = [card(name).title for name in installed_encoders()]
    assert len(drawn) == len(titles) >= 2
    assert all(title in alt for title, alt in zip(titles, drawn, strict=True))
    assert set(EMOJI) == {name for name in encoder_names() if card(name).title}
    emoji = relviz.load_demo("emoji").spaces
    for name, source in EMOJI.items():
        assert emoji[source.partition(".")[2]].dimension == card(name).dimension


@pytest.mark.slow
def test_texts_of_a_file_become_spaces_with_their_ids_and_classes() -> None:
    at = one_encoder(gave(opened("encode"), "encode_texts", "own2.csv", table()))
    assert [box.value for box in at.selectbox[:3]] == ["gloss", "word", "kind"]
    assert "8 texts" in said(at)
    finished(pressed(at, "Encode with 1 encoder"))
    (source,) = shelf(at)
    space = open_space(source)
    assert (space.ids, space.labels, space.items) == (WORDS, tuple(KINDS), tuple(TEXTS))
    np.testing.assert_array_equal(space.vectors, load_encoder("wordllama").encode(TEXTS))
    assert origin_of(source).encoder == "wordllama"
    assert "8 rows, dimension 256" in said(at)
    pressed(at, "Make it A")
    assert at.query_params["a"] == source
    turned(at, "shelf")
    assert "WordLlama" in said(at)


@pytest.mark.slow
def test_two_encoders_are_compared_at_once_and_a_click_away() -> None:
    at = way(opened("encode"), "paste")
    at.text_area(key="encode_paste").set_value(
        "\n".join(f"{w}\t{t}" for w, t in zip(WORDS, TEXTS, strict=True))
    )
    went(at)
    encoder(encoder(at, "text", 0, "wordllama"), "text", 1, "minilm")
    finished(pressed(at, "Encode with 2 encoders"))
    a, b = shelf(at)
    assert (open_space(a).dimension, open_space(b).dimension) == (256, 384)
    found = [button for button in at.button if button.label == "Compare these two"]
    assert len(found) == 1


def test_a_layer_and_its_pooling_are_another_space() -> None:
    at = one_encoder(gave(opened("encode"), "encode_texts", "own4.csv", table()), "minilm")
    at.session_state["layer text 0 minilm"] = 3
    went(at)
    at.session_state["pooling text 0 minilm"] = "cls"
    finished(pressed(went(at), "Encode with 1 encoder"))
    (source,) = shelf(at)
    want = load_encoder("minilm", layer=3, pooling="cls").encode(TEXTS)
    # not to the last bit: the job's thread may count with another number of threads than this one
    np.testing.assert_allclose(open_space(source).vectors, want, atol=1e-5)
    assert "layer 3" in open_space(source).name


def test_pictures_of_a_zip_become_a_space_and_what_is_none_is_told() -> None:
    at = gave(way(opened("encode"), "pictures"), "encode_pictures", "own5.zip", pictures())
    assert "6 images" in said(at)
    assert "is not an image" in said(at)
    at.session_state["encode_many"] = 1
    finished(pressed(went(at), "Encode with 1 encoder"))
    (source,) = shelf(at)
    space = open_space(source)
    assert (len(space), space.dimension, set(space.labels or ())) == (6, 1280, {"a", "b"})


def test_a_folder_is_read_only_where_it_is_allowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    for at in range(3):
        Image.new("RGB", (9, 9), (at, 0, 0)).save(inside / f"{at}.png")
    monkeypatch.setenv("RELVIZ_FOLDERS", str(inside))
    app = way(opened("encode"), "folder")
    app.text_input(key="encode_folder").set_value(str(tmp_path))
    assert "outside the folders" in said(went(app))
    app.text_input(key="encode_folder").set_value(str(inside / ".." / "inside"))
    assert "3 images" in said(went(app))
    app.text_input(key="encode_folder").set_value(str(inside / "absent"))
    assert "nothing at" in said(went(app))


@pytest.mark.slow
def test_items_of_a_demo_pair_with_its_spaces() -> None:
    at = way(opened("encode"), "demo")
    at.selectbox(key="encode_demo").set_value("glosses")
    one_encoder(went(at))
    finished(pressed(at, "Encode with 1 encoder"))
    (source,) = shelf(at)
    pair = relviz.Pair(open_space(source), open_space("glosses.wordllama"))
    assert len(pair) == 1500


BAD_FILES = {
    "an empty file": ("own.csv", b"", "empty"),
    "a table of numbers": ("own.csv", csv(["x", "y"], [[1.5, 2.5], [3.5, 4.5]]), "text"),
    "bytes": ("own.txt", bytes(range(256)) * 4, "UTF-8"),
    "no table": ("own.parquet", b"PAR1 is not enough PAR1", "own.parquet"),
}


@pytest.mark.parametrize(("name", "raw", "why"), BAD_FILES.values(), ids=BAD_FILES)
def test_a_bad_file_says_why_and_the_page_goes_on(name: str, raw: bytes, why: str) -> None:
    at = gave(opened("encode"), "encode_texts", name, raw)
    assert why in "\n".join(shown.value for shown in (*at.error, *at.warning))
    at = one_encoder(gave(at, "encode_texts", "own9.csv", table()))
    assert not at.error
    assert "Encode with 1 encoder" in [button.label for button in at.button]


def test_what_is_no_zip_of_pictures_says_why() -> None:
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w") as archive:
        archive.writestr("../../x.txt", "nothing")
    at = gave(way(opened("encode"), "pictures"), "encode_pictures", "own.zip", raw.getvalue())
    assert len(at.error) == 1
    at = gave(way(opened("encode"), "pictures"), "encode_pictures", "own.zip", b"PK\x03\x04 broken")
    assert len(at.error) == 1


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("org/model-that-is-not-here", "is not on this machine"),
        ("/etc", "outside the folders"),
        ("nothing like that", "outside the folders|nothing at"),
        ("efficientnet_lite0", "encodes images"),
    ],
)
def test_an_encoder_that_cannot_be_had_says_why_and_the_others_go_on(typed: str, why: str) -> None:
    at = gave(opened("encode"), "encode_texts", "own12.csv", table())
    encoder(encoder(at, "text", 0, typed), "text", 1, "wordllama")
    told = "\n".join(shown.value for shown in (*at.error, *at.warning)).replace("\\", "")
    assert any(part in told for part in why.split("|")), told
    assert "Encode with 1 encoder" in [button.label for button in at.button]


def test_fetching_without_a_network_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RELVIZ_HUB", "off")
    at = gave(opened("encode"), "encode_texts", "own13.csv", table())
    at = encoder(at, "text", 0, "org/model-that-is-not-here")
    at = finished(pressed(at, "Fetch"))
    assert "MiniLM" in said(at) or "minilm" in said(at)
    assert at.error


def test_the_same_texts_come_from_the_store_and_one_letter_makes_another_space() -> None:
    at = one_encoder(gave(opened("encode"), "encode_texts", "own.csv", table()))
    if any("Encode with" in button.label for button in at.button):
        finished(pressed(at, "Encode with 1 encoder"))
    again = one_encoder(gave(opened("encode"), "encode_texts", "other.csv", table()))
    finished(pressed(again, "Encode with 1 encoder"))  # another name: the same vectors, at once
    other = one_encoder(
        gave(opened("encode"), "encode_texts", "own.csv", table(["A" + t[1:] for t in TEXTS]))
    )
    assert "Encode with 1 encoder" in [button.label for button in other.button]


def test_another_page_and_back_keeps_what_was_given() -> None:
    at = gave(way(opened("encode"), "pictures"), "encode_pictures", "own.zip", pictures())
    back = turned(turned(at, "shelf"), "encode")
    assert "Loaded earlier: own" in said(back)
    assert "6 images" in said(back)
    assert "Encode with 2 encoders" in [button.label for button in back.button]


def test_one_text_is_no_space() -> None:
    at = way(opened("encode"), "paste")
    at.text_area(key="encode_paste").set_value("only one")
    assert "at least two" in said(went(at))


def test_own_models_are_taken_from_their_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RELVIZ_FOLDERS", str(tmp_path))
    folder = str(small.bert(tmp_path / "mine"))
    at = gave(opened("encode"), "encode_texts", "mine.csv", table())
    at.session_state["encode_many"] = 1
    at = encoder(went(at), "text", 0, folder)
    layer = next(box for box in at.selectbox if box.label == "Layer")
    assert layer.options == ["model default", "0 of 3", "1 of 3", "2 of 3", "3 of 3"]
    layer.set_value(1)
    finished(pressed(went(at), "Encode with 1 encoder"))
    (source,) = shelf(at)
    want = load_encoder(folder, layer=1, pooling="mean").encode(TEXTS)
    np.testing.assert_array_equal(open_space(source).vectors, want)
    assert origin_of(source).encoder == folder
    sources = (source, "glosses.wordllama")
    live, _ = live_encoders(sources)
    assert live is not None
    assert live.layer == 1
    monkeypatch.setenv("RELVIZ_FOLDERS", str(tmp_path / "elsewhere"))
    assert live_encoders(sources)[0] is None


def test_a_folder_of_pickles_is_refused_and_nothing_in_it_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RELVIZ_FOLDERS", str(tmp_path))
    folder = small.bert(tmp_path / "mine")
    (folder / "model.safetensors").unlink()
    ran = tmp_path / "ran"
    (folder / "pytorch_model.bin").write_bytes(b"cposix\nsystem\n(S'touch " + str(ran).encode() + b"'\ntR.")
    at = gave(opened("encode"), "encode_texts", "mine2.csv", table())
    at.session_state["encode_many"] = 1
    at = encoder(went(at), "text", 0, str(folder))
    if any(button.label.startswith("Encode with") for button in at.button):
        finished(pressed(at, "Encode with 1 encoder"))
    assert "safetensors" in "\n".join(shown.value for shown in at.error)
    assert not ran.exists()
