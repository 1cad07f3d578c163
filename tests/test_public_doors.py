"""The public doors: spaces and pairs everywhere, own functions, names, and errors that say what to do."""

import inspect
from typing import Any

import numpy as np
import pytest
import torch

import relviz
from relviz.anchors import METHODS as SELECTORS
from relviz.bootstrapping import METHODS as BOOTSTRAPS
from relviz.errors import ParameterError, ShapeError
from relviz.figures.registry import KINDS
from relviz.relative_projection import SIMILARITIES
from relviz.stitching import HEADS, rescale_injection, sweep
from relviz.stitching import METHODS as STITCHES
from relviz.translation import LENGTHS
from relviz.translation import METHODS as TRANSLATORS


def points(n, d=6, seed=0):
    return torch.randn(n, d, generator=torch.Generator().manual_seed(seed))


N = 60
A = relviz.Space(points(N), labels=["one", "two"] * (N // 2), name="a")
B = relviz.Space(points(N) @ torch.linalg.qr(points(6, seed=2))[0] + 0.1 * points(N, seed=3), name="b")
PAIR = relviz.Pair(A, B)
VECTORS = A.vectors, B.vectors


def test_names_are_public_and_those_of_the_methods():
    assert tuple(SIMILARITIES) == relviz.SIMILARITIES
    assert tuple(SELECTORS) == relviz.SELECTORS
    assert tuple(TRANSLATORS) == relviz.TRANSLATORS
    assert tuple(BOOTSTRAPS) == relviz.BOOTSTRAPS
    assert tuple(HEADS) == relviz.HEADS
    assert tuple(STITCHES) == relviz.STITCHES
    assert relviz.PROJECTIONS == ("pca", "tsne", "umap", "first")
    assert tuple(name for name, kind in KINDS.items() if not kind.sources) == relviz.FIGURES
    assert relviz.FITS == ("joint", "first", "independent", "procrustes")
    assert tuple(LENGTHS) == ("own", "mean", "raw")
    assert all(hasattr(relviz, name) for name in relviz.__all__)


def test_no_public_door_is_untyped():
    untyped = [
        f"{name}({argument.name})"
        for name in relviz.__all__
        if inspect.isfunction(getattr(relviz, name))
        for argument in inspect.signature(getattr(relviz, name)).parameters.values()
        if argument.annotation in (Any, inspect.Parameter.empty)
    ]
    assert not untyped


POSITIONS = {
    "Frame": "mean",
    "Pair": "a b audit",
    "Space": "vectors ids labels items name found",
    "anchor_curve": "x y counts method seed similarity k null labels center queries "
    "on_progress include_anchors n_draws",
    "anchor_report": "x anchors",
    "anchor_retrieval": "x y anchors method seed similarity k null labels center queries "
    "on_progress counterparts include_anchors n_draws",
    "bootstrap": "x y anchors known method seed on_step options on_pulse on_progress hints checkpoint",
    "bootstrap_all": "spaces known anchors seed options on_pulse on_progress checkpoint on_step on_pair",
    "bootstrap_table": "x y anchors known_counts methods seed k queries on_progress held_out "
    "include_anchors n_draws checkpoint",
    "cka": "x y debiased",
    "demo_names": "",
    "figure": "pair kind",
    "held_out": "n anchors queries seed",
    "load_space": "source",
    "load_translator": "path",
    "pairing_test": "x y anchors n_draws queries seed",
    "prepare": "x",
    "project": "spaces method fit dim seed",
    "quantize": "x threshold",
    "relative": "x anchors similarity center",
    "retrieval": "x y k null seed queries on_progress",
    "select_anchors": "x k method seed labels candidates top",
    "self_similarity_correlation": "",
    "show": "what kind",
    "stitch": "spaces labels anchors methods seed",
    "translation_scores": "translator x y anchors queries seed null",
    "translator": "xa ya method delta omega completion seed",
}
"""Arguments that scripts may give by position. New ones are added at the end, or by name alone."""


@pytest.mark.parametrize("name", POSITIONS)
def test_arguments_keep_their_positions(name):
    found = inspect.signature(getattr(relviz, name)).parameters.values()
    places = [one.name for one in found if one.kind is one.POSITIONAL_OR_KEYWORD]
    assert " ".join(places) == POSITIONS[name]


def test_every_function_has_its_positions_on_record():
    functions = {name for name in relviz.__all__ if inspect.isfunction(getattr(relviz, name))}
    assert functions == set(POSITIONS) - {"Space", "Pair", "Frame"}


def test_a_space_is_an_array():
    array = np.asarray(A)
    assert array.dtype == np.float32
    np.testing.assert_array_equal(array, A.vectors.numpy())
    array[0] = 7
    assert not (A.vectors[0] == 7).any()
    assert np.asarray(A, np.float64).dtype == np.float64


def test_spaces_are_welcome_where_rows_are():
    anchors = A.take(range(5))
    assert torch.equal(relviz.relative(A, anchors), relviz.relative(A.vectors, anchors.vectors))
    assert torch.equal(relviz.prepare(A), relviz.prepare(A.vectors))
    assert torch.equal(relviz.select_anchors(A, 5, "fps"), relviz.select_anchors(A.vectors, 5, "fps"))
    assert torch.equal(relviz.quantize(A, 0.5), relviz.quantize(A.vectors, 0.5))
    assert relviz.anchor_report(A, range(5)).rank == relviz.anchor_report(A.vectors, range(5)).rank
    assert torch.equal(relviz.translator(A, B)(A), relviz.translator(*VECTORS)(A.vectors))
    np.testing.assert_array_equal(relviz.project([A, B])[1], relviz.project(VECTORS)[1])


def test_a_pair_stands_for_both_sides():
    rows = range(20)
    assert relviz.cka(PAIR) == relviz.cka(*VECTORS)
    assert (relviz.self_similarity_correlation(PAIR) == relviz.self_similarity_correlation(*VECTORS)).all()
    assert relviz.cka(PAIR, debiased=True) == relviz.cka(*VECTORS, True)
    assert relviz.retrieval(PAIR, k=3) == relviz.retrieval(*VECTORS, 3)
    assert relviz.pairing_test(PAIR) == relviz.pairing_test(*VECTORS)
    assert relviz.anchor_retrieval(PAIR, anchors=9) == relviz.anchor_retrieval(*VECTORS, 9)
    assert relviz.anchor_curve(PAIR, counts=(3, 9)) == relviz.anchor_curve(*VECTORS, (3, 9))
    np.testing.assert_array_equal(relviz.project(PAIR)[1], relviz.project(VECTORS)[1])
    some = PAIR.take(rows)
    assert torch.equal(relviz.translator(some)(A), relviz.translator(A.take(rows), B.take(rows))(A))
    t = relviz.translator(some)
    scores = [relviz.translation_scores(t, *one, anchors=rows) for one in ((PAIR,), VECTORS)]
    assert scores[0].figures == scores[1].figures
    found = relviz.bootstrap(PAIR, anchors=rows, known=(range(9), range(9)), method="adam")
    expected = relviz.bootstrap(*VECTORS, rows, (range(9), range(9)), "adam")
    assert torch.equal(found.anchors, expected.anchors)
    told = {"anchors": 10, "methods": ["procrustes"], "n_draws": 1}
    table = relviz.stitch(PAIR, **told)
    assert table.records() == relviz.stitch({"a": A, "b": B}, A.labels, **told).records()


def test_classes_of_a_pair_serve_selection():
    found = relviz.anchor_retrieval(PAIR, anchors=9, method="per_class")
    assert found == relviz.anchor_retrieval(*VECTORS, 9, "per_class", labels=A.labels)


@pytest.mark.parametrize("call", [relviz.cka, relviz.retrieval, relviz.anchor_retrieval, relviz.pairing_test])
def test_one_side_alone_and_a_pair_and_more_are_refused(call):
    with pytest.raises(ParameterError, match="One side is missing"):
        call(A)
    with pytest.raises(ParameterError, match="stands for both sides"):
        call(PAIR, B)


def test_pair_takes_rows_and_says_itself_in_one_line():
    mask = torch.zeros(N, dtype=torch.bool)
    mask[3:7] = True
    assert torch.equal(PAIR.take(mask).b.vectors, B.vectors[3:7])
    assert "matched by position" in repr(PAIR)


def test_an_own_similarity_is_called_with_rows_and_anchors():
    def rbf(x, anchors):
        return (-torch.cdist(x, anchors).square()).exp()

    x, anchors = A.vectors, A.vectors[:4]
    torch.testing.assert_close(relviz.relative(x, anchors, rbf), rbf(x, anchors))
    rows = x.clone().requires_grad_()
    relviz.relative(rows, anchors, rbf).sum().backward()
    assert rows.grad.abs().sum() > 0
    assert relviz.anchor_retrieval(PAIR, anchors=9, similarity=rbf).similarity == "rbf"
    with pytest.raises(ShapeError, match="60 × 4, rows by anchors"):
        relviz.relative(x, anchors, lambda x, _: x)


def test_an_own_selection_gives_rows_of_the_candidates():
    def longest(rows, k, _):
        return torch.linalg.vector_norm(rows, dim=1).topk(k).indices

    lengths = torch.linalg.vector_norm(A.vectors, dim=1)
    assert relviz.select_anchors(A, 3, longest).tolist() == lengths.topk(3).indices.tolist()
    candidates = [5, 9, 30, 2]
    expected = [candidates[at] for at in lengths[candidates].topk(2).indices]
    assert relviz.select_anchors(A, 2, longest, candidates=candidates).tolist() == expected
    assert relviz.anchor_retrieval(PAIR, anchors=5, method=longest).method == "longest"
    with pytest.raises(ShapeError, match="must return 3 different rows; it returned 3, 1 of them"):
        relviz.select_anchors(A, 3, lambda *_: [1, 1, 1])


def test_an_own_classifier_is_a_head_and_is_never_fitted_itself():
    from sklearn.svm import LinearSVC

    own = LinearSVC(max_iter=100_000)
    told = {"anchors": 10, "methods": ["native", "procrustes"], "n_draws": 2, "head": own}
    table = relviz.stitch(PAIR, **told)
    assert table.kind == "LinearSVC"
    assert not hasattr(own, "coef_")
    assert table.records() == relviz.stitch(PAIR, **told).records()
    assert table.cell("a", "a", "native").mean["accuracy"] > 0.2
    with pytest.raises(ParameterError, match="estimator with fit and predict"):
        relviz.stitch(PAIR, head="svc")
    with pytest.raises(ParameterError, match="estimator with fit and predict"):
        relviz.stitch(PAIR, head=LinearSVC)


def test_known_pairs_have_one_name():
    with pytest.raises(ParameterError, match="no longer takes seeds; the argument is now called known"):
        relviz.bootstrap(A, B, range(9), seeds=((), ()))


@pytest.mark.parametrize(
    ("call", "match"),
    [
        (lambda: relviz.retrieval(PAIR, k=10.0), "k must be a whole number; it is 10.0"),
        (lambda: relviz.retrieval(PAIR, k="10"), "k must be a whole number; it is '10'"),
        (lambda: relviz.retrieval(PAIR, seed=-1), "seed must be a whole number"),
        (
            lambda: relviz.anchor_retrieval(PAIR, anchors=5, seeds=5),
            "now called seed, with n_draws",
        ),
        (lambda: relviz.anchor_retrieval(PAIR, anchors=5, similarity="cos"), "no similarity 'cos'"),
        (lambda: relviz.anchor_retrieval(PAIR, anchors=5, method="best"), "no anchor selection 'best'"),
        (lambda: relviz.pairing_test(PAIR, seed=-1), "seed must be a whole number"),
        (lambda: relviz.project(PAIR, seed="1"), "seed must be a whole number"),
        (lambda: relviz.project(A), "takes a list of spaces"),
        (lambda: relviz.stitch(A, ["x"] * N), "takes several spaces"),
        (lambda: relviz.stitch([B, B]), "neither given nor in b"),
        (lambda: relviz.translator(PAIR, seed=-1), "seed must be a whole number"),
        (lambda: relviz.translator(PAIR, method=["irp"]), "use one of irp"),
        (lambda: relviz.translator(PAIR, delta=0.5), "method='irp' takes what you gave"),
        (
            lambda: relviz.bootstrap_table(PAIR, anchors=9, known_counts=(5,), methods="anealed"),
            "they are anealed",
        ),
        (lambda: rescale_injection(A, A.labels, n_draws=0), "n_draws must be a whole number, at least 1"),
        (lambda: rescale_injection(A, A.labels, alphas=0.5), "alphas must be a list"),
        (lambda: rescale_injection(A, A.labels, activations="rel"), "there is no rel"),
        (lambda: sweep(PAIR, labels=A.labels, n_draws=2.0), "n_draws must be a whole number"),
        (lambda: relviz.cka(A.vectors.double() * 1e300, B), "above 3.4e"),
        (lambda: relviz.relative(A.vectors.double() * 1e-300, A), "the smallest"),
    ],
)
def test_errors_say_what_was_given_and_what_to_do(call, match):
    with pytest.raises(relviz.Error, match=match):
        call()
