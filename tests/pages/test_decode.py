"""Decode without a browser: every part at once, from models that are carried, and others that are trained."""

import base64
import re
from typing import Any

import numpy as np
import pytest

from relviz.compute.jobs import jobs
from relviz.ui.pad import SIDE, drawn
from tests.ui.screen import opened, pressed, said, turned, went


def ratios(text: str) -> list[float]:
    return [float(found) for found in re.findall(r"\(\*\*([\d.]+)×\*\*\)", text)]


def test_the_first_visit_shows_every_way_with_its_error() -> None:
    at = opened("decode")
    assert len(at.get("image")) == 1 + 3 * 4
    absolute, relative, irp = ratios(said(at))
    assert relative <= 5
    assert absolute >= 10
    assert irp < absolute
    pressed(at, "Resample")
    assert len(at.query_params["de_images"].split(".")) == 10
    assert len(at.get("image")) == 1 + 3 * 4


@pytest.mark.slow
@pytest.mark.parametrize("part", ["draw", "slide", "between", "spaces", "tables"])
def test_every_part_opens_at_once(part: str) -> None:
    at = opened("decode", {"de_part": part})
    assert not at.error
    if part == "slide":
        assert len(at.slider) == 8
        at.slider[0].set_value(-1.0)
        went(at)
        pressed(at, "Reset")
        put_back: Any = at.slider[0].value
        assert put_back > -1
    if part == "between":
        assert len(at.get("image")) == 4
    if part == "spaces":
        assert len(at.get("bidi_component")) == 1
        at.selectbox(key="choice_de_codes").set_value("absolute")
        assert not went(at).error


def test_two_models_without_a_known_pair_are_shown_at_once_and_others_are_matched_when_asked() -> None:
    at = opened("decode", {"de_part": "unpaired"})
    assert len(at.get("image")) == 1 + 2 * 3
    assert "no pair is known" in said(at)
    assert "Self-check passed" in said(at)
    pressed(at, "Resample")
    assert len(at.get("image")) == 1 + 2 * 3
    at = opened("decode", {"de_part": "unpaired", "de_kind": "vae", "de_latent": "32"})
    assert len(at.get("image")) == 1 + 2 * 2
    assert "Match" in [button.label for button in at.button]


@pytest.mark.slow
def test_a_table_is_measured_when_asked_and_stands_beside_the_papers_figures() -> None:
    at = opened("decode", {"de_part": "tables"})
    assert not at.table
    at.number_input(key="decode_mse_seeds").set_value(2)
    went(at)
    pressed(at, "Measure")
    (job,) = jobs().running()
    assert job.wait(120)
    went(at)
    rows = at.table[0].value
    assert len(rows) == 14
    assert "148.2" in set(rows["in the paper, ×"])
    at.session_state["figure_mse"] = True
    went(at)
    assert {"LaTeX", "Markdown", "Recipe"} <= {one.label for one in at.get("download_button")}


@pytest.mark.slow
def test_pictures_of_ones_own_are_made_small_and_then_trained_on() -> None:
    at = opened("decode")
    at.selectbox(key="choice_de_data").set_value("own")
    went(at)
    assert "At least 200" in said(at)
    at.segmented_control(key="encode_way").set_value("demo")
    went(at)
    pressed(at, "Use these images")
    for job in jobs().running():
        assert job.wait(120)
    went(at)
    assert at.query_params["de_data"].startswith("images-")
    assert "in color" in said(at)
    assert "4 autoencoders" in said(at)
    at.selectbox(key="choice_de_data").set_value("")
    assert ratios(said(went(at)))


def test_a_link_to_pictures_that_are_not_here_offers_the_digits() -> None:
    at = opened("decode", {"de_data": "images-" + 32 * "0"})
    assert "not loaded in this browser" in at.info[0].value
    pressed(at, "Use the handwritten digits")
    assert ratios(said(at))


@pytest.mark.slow
def test_models_that_are_not_there_are_trained_when_asked_and_canceled() -> None:
    at = opened("decode", {"de_latent": "5", "de_one": "8", "de_other": "9"})
    assert "4 autoencoders" in said(at)
    pressed(at, "Train 4 autoencoders")
    running = jobs().running()
    assert len(running) == 4
    for job in running:
        job.cancel()
    for job in running:
        assert job.wait(60)
    assert said(went(at)).count("canceled") == 4
    turned(at, "compare")


def test_what_a_browser_tells_of_a_drawing() -> None:
    pixels = np.zeros((SIDE, SIDE), np.uint8)
    assert drawn(None) is None
    assert drawn({"drawn": ""}) is None
    assert drawn({"drawn": base64.b64encode(pixels.tobytes()).decode()}) is None
    pixels[5, 6] = 200
    back = drawn({"drawn": base64.b64encode(pixels.tobytes()).decode()})
    assert back is not None
    np.testing.assert_array_equal(back, pixels)
    for wrong in ("no base64", base64.b64encode(b"x" * 9).decode(), 3):
        assert drawn({"drawn": wrong}) is None
