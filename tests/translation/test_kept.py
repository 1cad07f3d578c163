"""Translators that are kept: copied, saved and read again, put in a row, undone."""

import copy
import pickle

import joblib
import pytest
import torch

import relviz
from relviz.errors import ParameterError, ReadError, ShapeError
from relviz.translation import METHODS
from tests.translation.made import gaussian, isometry

X = gaussian(60, 6) + 1
Y = isometry(X, 3.0, -2.0)
Z = gaussian(60, 4, 5)


@pytest.mark.parametrize("method", METHODS)
def test_copies_and_files_give_the_same_numbers(method, tmp_path):
    t = relviz.translator(X[:40], Y[:40], method)
    t.save(tmp_path / "t.safetensors")
    joblib.dump(t, tmp_path / "t.joblib")
    for kept in (
        pickle.loads(pickle.dumps(t)),
        copy.deepcopy(t),
        joblib.load(tmp_path / "t.joblib"),
        relviz.load_translator(tmp_path / "t.safetensors"),
    ):
        assert torch.equal(kept(X), t(X))
        assert (kept.method, kept.parameters) == (t.method, t.parameters)
        assert kept.condition_number == t.condition_number
        assert kept.mean_condition_number == t.mean_condition_number


@pytest.mark.parametrize("k", [5, 40])
def test_a_file_keeps_what_goes_through_the_anchors_and_a_prepared_target(k, tmp_path):
    wide = gaussian(60, 50, 3)
    t = relviz.translator(wide[:k], relviz.prepare(Y)[:k], "irp", delta=0.1, target=Y)
    t.save(tmp_path / "t.safetensors")
    read = relviz.load_translator(tmp_path / "t.safetensors")
    assert torch.equal(read(wide), t(wide))
    torch.testing.assert_close(read.center, t.center)


def test_a_chain_is_one_after_the_other_and_is_kept_too(tmp_path):
    first, second = relviz.translator(X, Y), relviz.translator(Y, Z)
    chain = first.then(second)
    assert torch.equal(chain(X), second(first(X)))
    assert chain.dimensions == (6, 4)
    chain.save(tmp_path / "t.safetensors")
    assert torch.equal(relviz.load_translator(tmp_path / "t.safetensors")(X), chain(X))
    scores = relviz.translation_scores(chain, X, Z, range(9))
    assert scores.queries == 51
    with pytest.raises(ShapeError, match="ends in 4 dimensions, and the next one starts from 6"):
        second.then(first)


@pytest.mark.parametrize("method", ["procrustes", "absolute"])
def test_affine_is_the_translation_where_it_is_one(method):
    t = relviz.translator(X, Y, method)
    assert t.is_affine
    matrix, offset = t.affine()
    torch.testing.assert_close(X @ matrix + offset, t(X), rtol=1e-4, atol=1e-4)
    both = t.then(t)
    matrix, offset = both.affine()
    torch.testing.assert_close(X @ matrix + offset, both(X), rtol=1e-4, atol=1e-4)


def test_affine_has_the_direction_and_the_mean_length_elsewhere():
    y = X @ torch.diag(torch.tensor([1.0, 2, 3, 4, 5, 6])) + gaussian(60, 6, 8) + 2
    t = relviz.translator(X, y, "ridge")
    assert not t.is_affine
    matrix, offset = t.affine()
    near, exact = X @ matrix + offset - t.center, t(X) - t.center
    assert torch.cosine_similarity(near, exact).min() > 1 - 1e-5
    lengths = [torch.linalg.vector_norm(one, dim=1) for one in (near, exact)]
    assert float(lengths[0].mean() / lengths[1].mean()) == pytest.approx(1, abs=0.1)


@pytest.mark.parametrize("method", ["irp", "irp_plus", "procrustes", "lstsq", "ridge", "absolute"])
def test_the_inverse_undoes_it(method):
    t = relviz.translator(X, Y, method)
    torch.testing.assert_close(t.inverse()(t(X)), X, rtol=1e-4, atol=1e-4)


def test_the_inverse_of_a_chain_and_of_a_prepared_target():
    t = relviz.translator(X[:30], relviz.prepare(Y)[:30], target=Y)
    torch.testing.assert_close(t.inverse()(t(X)), X, rtol=1e-4, atol=1e-4)
    chain = relviz.translator(X, Y).then(relviz.translator(Y, X))
    torch.testing.assert_close(chain.inverse()(chain(X)), X, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(
    ("made", "why"),
    [
        ((X, Z), "4 of 6 directions"),
        ((X[:3], Y[:3]), "2 of 6 directions"),
        ((X, Y, "affine"), "offset whatever their length"),
    ],
)
def test_what_is_lost_is_said(made, why):
    with pytest.raises(ParameterError, match=why):
        relviz.translator(*made).inverse()
    with pytest.raises(ParameterError, match="do not keep the length of a row"):
        relviz.translator(X, Y, length="mean").inverse()


def test_files_that_hold_no_translator_are_refused(tmp_path):
    from safetensors.torch import save_file

    with pytest.raises(ReadError, match="cannot be read"):
        relviz.load_translator(tmp_path / "none.safetensors")
    (tmp_path / "text").write_text("no tensors here, only words")
    with pytest.raises(ReadError, match="cannot be read"):
        relviz.load_translator(tmp_path / "text")
    save_file({"x": X}, tmp_path / "other")
    with pytest.raises(ReadError, match="format is None"):
        relviz.load_translator(tmp_path / "other")
    said = {"format": "relviz translators, 1", "parts": '[{"method": "irp"}]'}
    save_file({"x": X}, tmp_path / "half", metadata=said)
    with pytest.raises(ReadError, match="parts are missing"):
        relviz.load_translator(tmp_path / "half")


def test_the_best_method_is_the_default_and_a_repr_is_one_line():
    t = relviz.translator(X, Y)
    assert t.method == "irp_plus"
    assert len(repr(t)) < 120
    assert "6 → 6 dimensions" in repr(t)
