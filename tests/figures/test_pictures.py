"""Pictures of a pair's rows: the demo's sheet as it is, cut to the rows of a pair, or one's own."""

import io

import numpy as np
import torch
from PIL import Image

import relviz
from relviz.demos.contact_sheet import cut
from relviz.figures.pictures import cells_of_space, pictures_of
from relviz.state.sources import keep_space


def opened(sheet, n: int) -> np.ndarray:
    image = np.asarray(Image.open(io.BytesIO(sheet.png)).convert("RGBA"))
    return cut(image, n, sheet.cell, sheet.columns)


def test_a_demo_gives_its_own_sheet() -> None:
    sprite = relviz.load_demo("emoji").sprite
    sheet = pictures_of("emoji.image_lite0", "emoji.text_en_minilm")
    assert sheet.png == sprite.path.read_bytes()
    assert pictures_of("words.glove50", "words.wink100") is None


def test_some_rows_of_a_demo_have_their_own_pictures() -> None:
    demo = relviz.load_demo("emoji").spaces["image_lite0"]
    rows = [7, 3, 1900]
    some = keep_space(demo.take(rows))
    whole = opened(pictures_of("emoji.image_lite0", "emoji.image_lite1"), len(demo))
    for pair in ((some, "emoji.image_lite0"), ("emoji.image_lite0", some)):
        order = rows if pair[0] == some else sorted(rows)
        np.testing.assert_array_equal(opened(pictures_of(*pair), 3), whole[order])


def test_own_pictures_follow_their_rows() -> None:
    cells = np.random.default_rng(0).integers(0, 256, (5, 32, 32, 3), np.uint8)
    rows = torch.randn(5, 3, generator=torch.Generator().manual_seed(1))
    a = keep_space(relviz.Space(rows[[4, 0, 2]], ids=["4", "0", "2"]))
    b = keep_space(relviz.Space(rows, ids=list("01234")), thumbnails=cells)
    np.testing.assert_array_equal(opened(pictures_of(a, b), 3)[..., :3], cells[[4, 0, 2]])
    plain = keep_space(relviz.Space(rows + 1), thumbnails=cells)
    np.testing.assert_array_equal(
        opened(pictures_of(plain, keep_space(relviz.Space(rows))), 5)[..., :3], cells
    )


def test_a_space_alone_has_those_of_its_rows_though_ids_repeat() -> None:
    cells = np.random.default_rng(0).integers(0, 256, (4, 32, 32, 3), np.uint8)
    own = keep_space(relviz.Space(torch.eye(4), ids=["a", "b", "a", "c"]), thumbnails=cells)
    np.testing.assert_array_equal(cells_of_space(own, [3, 0, 3]), cells[[3, 0, 3]])
    demo = opened(pictures_of("emoji.image_lite0", "emoji.image_lite1"), 1906)
    np.testing.assert_array_equal(cells_of_space("emoji.text_es_e5", [1900, 2]), demo[[1900, 2]])
    assert cells_of_space("words.glove50", [0]) == []
