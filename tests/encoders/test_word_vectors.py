"""A file of word vectors encodes texts: means of words' vectors."""

import numpy as np
import pytest

from relviz.encoders import card, load_encoder
from relviz.errors import ParameterError, ReadError

WORDS = {
    **{"cat": [1, 2, 3], "dog": [3, 2, 1], "Paris": [0, 9, 0]},
    **{"well": [4, 4, 4], "known": [0, 0, 2], "été": [7, 7, 7]},
}


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "toy.vec"
    rows = [f"{word} {' '.join(map(str, vector))}" for word, vector in WORDS.items()]
    path.write_text("\n".join([f"{len(rows)} 3", *rows]) + "\n", "utf-8")
    return path


def test_a_text_is_the_mean_of_its_words(file):
    encoder = load_encoder(file)
    assert (encoder.modality, encoder.dimension, encoder.title, encoder.name) == ("text", 3, "toy", "toy.vec")
    found = encoder.encode(
        ["Cat, dog!", "cat cat dog", "the CAT in Paris", "well-known", "L'Été (été)", "Été"]
    )
    expected = [[2, 2, 2], [5 / 3, 2, 7 / 3], [0.5, 5.5, 1.5], [2, 2, 3], [7, 7, 7], [7, 7, 7]]
    np.testing.assert_allclose(found, expected, rtol=1e-6)
    assert encoder.encode(["Cat", "x " * 40_000 + "dog"], batch=1)[1].tolist() == [3, 2, 1]


def test_a_text_without_a_known_word_is_a_row_of_nan(file):
    found = load_encoder(file).encode(["cat", "zebra", "", "漢字 😀", "dog"])
    assert found.isnan().all(1).tolist() == [False, True, True, True, False]
    assert load_encoder(file).encode(["zebra"]).isnan().all()


def test_there_is_nothing_to_choose(file):
    assert card(file).layers == 0
    with pytest.raises(ParameterError, match="toy has no layers to choose from"):
        load_encoder(file, layer=0)


def test_a_file_that_changes_is_read_anew(file):
    before = load_encoder(file)
    digest = before.digest
    file.write_text(file.read_text("utf-8").replace("3 2 1", "5 5 5"), "utf-8")
    after = load_encoder(file)
    assert after.encode(["dog"]).tolist() == [[5, 5, 5]]
    assert after.digest != digest


def test_a_file_that_is_no_word_vectors(tmp_path):
    (tmp_path / "a.txt").write_text("just a text\n")
    with pytest.raises(ReadError, match="line 1 is not a word and its numbers"):
        load_encoder(tmp_path / "a.txt")
    (tmp_path / "a.gguf").write_text("x")
    with pytest.raises(ReadError, match=r"not a file of word vectors \(.bin, .vec, .txt, .w2v\)"):
        card(tmp_path / "a.gguf")
