"""The heads of a view: trained once on rows that are no test, asked about rows that are."""

import numpy as np
import pytest
import torch

import relviz
from relviz.errors import ParameterError
from relviz.results.heads import head_accuracy, heads_of, heads_task, labels_of, names_of
from relviz.state.sources import open_pair
from relviz.stitching.heads import train_head
from tests.ui.made import ROWS, small_pair


def small() -> relviz.Pair:
    return open_pair(**small_pair())


def pair_with(a: list[str] | None, b: list[str] | None) -> relviz.Pair:
    rows = torch.randn(6, 3, generator=torch.Generator().manual_seed(0))
    return relviz.Pair(relviz.Space(rows, labels=a), relviz.Space(rows, labels=b))


@pytest.mark.parametrize("back", [False, True])
@pytest.mark.parametrize("kind", ["logistic", "mlp"])
def test_a_head_is_the_library_s_on_the_rows_that_train(kind: str, back: bool) -> None:
    pair = small()
    heads_task(pair, kind).run()
    heads = heads_of(pair, kind, back)
    assert heads is not None
    train = np.setdiff1d(np.arange(ROWS), heads.tests.numpy())
    assert len(heads.tests) == ROWS // 5
    space = pair.b if back else pair.a
    own = train_head(space.vectors[train], heads.truth[0][train], kind)
    np.testing.assert_allclose(heads.source.probabilities(space.vectors), own.probabilities(space.vectors))


def test_heads_are_there_once_they_are_trained(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("RELVIZ_CACHE", str(tmp_path))
    pair = small()
    assert heads_of(pair, "logistic", back=False) is None
    heads_task(pair, "logistic").run()
    assert heads_of(pair, "logistic", back=False) is not None
    assert heads_of(pair_with(None, None), "logistic", back=False) is None


def test_anchors_are_no_test_and_a_perfect_translation_is_native() -> None:
    pair = small()
    heads_task(pair, "logistic").run()
    heads = heads_of(pair, "logistic", back=False)
    assert heads is not None
    x, y = pair.a.vectors, pair.b.vectors
    found = head_accuracy(heads, x, y, y, heads.tests[:5])
    assert found.rows == len(heads.tests) - 5
    assert found.translated == found.native
    truth = heads.truth[0][heads.tests[5:].numpy()]
    assert found.chance == np.bincount(truth).max() / len(truth)
    record = found.record()
    assert record["accuracy_low"] < record["accuracy"] <= record["accuracy_high"]
    assert (record["accuracy_rows"], record["accuracy_chance"]) == (found.rows, found.chance)
    nobody = head_accuracy(heads, x, y, y, heads.tests)
    assert nobody.rows == 0
    assert nobody.record()["accuracy"] is None


def test_numbers_are_ordered_and_one_side_s_classes_serve_both() -> None:
    ordered = labels_of(pair_with(["10", "9", "9", "10", "2.5", "2.5"], None))
    assert names_of(ordered).tolist() == [2.5, 9, 10]
    assert ordered.rows["A"].tolist() == ordered.rows["B"].tolist() == [2, 1, 1, 2, 0, 0]
    assert names_of(labels_of(pair_with(["b", "a"] * 3, None))).tolist() == ["a", "b"]
    assert labels_of(pair_with(["nan", "1"] * 3, None)).values is None


def test_very_many_classes_are_refused() -> None:
    rows = torch.randn(600, 3, generator=torch.Generator().manual_seed(0))
    labels = [f"class {row // 2}" for row in range(600)]
    with pytest.raises(ParameterError, match="300 classes among 600 rows"):
        labels_of(relviz.Pair(relviz.Space(rows, labels=labels), relviz.Space(rows)))


@pytest.mark.parametrize(
    ("a", "b", "told"),
    [
        (None, None, "no classes"),
        (["x"] * 6, None, "at least 2 classes"),
        (["x", "y"] * 3, ["x", "z"] * 3, "A and B do not have the same classes"),
        (["1", "2"] * 3, ["1", "z"] * 3, "do not have the same classes"),
        (["x", "y", "y", "y", "y", "y"], None, "'x' has 1 row"),
    ],
)
def test_classes_that_do_not_suffice_are_explained(a, b, told: str) -> None:
    pair = pair_with(a, b)
    with pytest.raises(ParameterError, match=told):
        heads_task(pair, "logistic")
