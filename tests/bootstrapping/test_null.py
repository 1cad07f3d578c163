"""Wrong matches that a run is held against: never those that the run has itself come to."""

import numpy as np
import pytest
import torch

import relviz
from relviz.bootstrapping.correspondence import kappa
from relviz.bootstrapping.null import SAME, Null
from relviz.bootstrapping.principal_axes import principal
from relviz.bootstrapping.procrustes import align
from relviz.bootstrapping.verdict import MARGIN
from tests.bootstrapping.made import case

WORDS, RUN = 2000, 1000

pytestmark = pytest.mark.usefixtures("few_clusterings")


def frequent_words() -> list[torch.Tensor]:
    pair = relviz.load_demo("words").pair("glove50", "wink100")
    return [side.vectors[:WORDS] for side in (pair.a, pair.b)]


@pytest.mark.slow
def test_a_start_that_finds_the_truth_is_no_evidence_against_it() -> None:
    """One of the first random starts between these spaces comes to 99.9% of the true matches."""
    x, y = (principal(relviz.prepare(side))[0] for side in frequent_words())
    null = Null(x, y)
    truth = torch.arange(WORDS)
    margin = null.margin(truth)
    held = null._start_at(align(null.x.T @ null.y, 100).sides(*null._part))
    same = [kappa(start.matches, held.matches, WORDS) for start in null._drawn]
    assert max(same) > 0.9
    assert min(same) < SAME
    assert margin > 5 * MARGIN
    shuffled = torch.from_numpy(np.random.default_rng(0).permutation(WORDS))
    assert null.margin(shuffled) < 0


@pytest.mark.slow
def test_a_right_run_between_frequent_words_is_believed() -> None:
    x, y = (side[:RUN] for side in frequent_words())
    rows = relviz.select_anchors(x, 300, seed=0)
    order = torch.randperm(RUN, generator=torch.Generator().manual_seed(0))
    found = relviz.bootstrap(x, y[order], rows, (rows[:15], order.argsort()[rows[:15]]))
    assert (order[found.matches] == torch.arange(RUN)).double().mean() > 0.99
    assert found.converged
    assert len(found.history) < 120  # one round


def test_where_every_start_comes_to_the_same_matches_the_margin_is_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = case(n=200, d=8, noise=0.1)
    x, y = relviz.prepare(made.x), relviz.prepare(made.y)
    null = Null(x, y)
    assert null.margin(made.truth) < 1
    left, _, right = torch.linalg.svd(x.T @ y[made.truth])
    part_x, part_y = null._part
    monkeypatch.setattr(Null, "_draw", lambda self: self._start_at((part_x @ left, part_y @ right.T)))
    null._drawn.clear()
    assert null.margin(made.truth) == 1.0


@pytest.mark.slow
def test_known_pairs_tell_nothing_of_the_other_matches() -> None:
    """Right for the known half of the rows, at random for the rest: only the known ones stand out."""
    rng = np.random.default_rng(0)
    x = relviz.prepare(rng.standard_normal((200, 32)))
    turned = x @ torch.linalg.qr(torch.from_numpy(rng.standard_normal((32, 32))).float())[0]
    y = torch.cat([turned[:100], relviz.prepare(rng.standard_normal((100, 32)))])
    matches, known = torch.arange(200), torch.arange(100)
    assert Null(x, y).margin(matches) > 2 * MARGIN
    assert Null(x, y, known=known).margin(matches) < 0
    assert Null(x, turned, known=known).margin(matches) > 2 * MARGIN


def clusters(n: int, d: int, rng: np.random.Generator) -> np.ndarray:
    centers = 2 * rng.normal(size=(8, d))
    return centers[rng.integers(8, size=n)] + rng.normal(size=(n, d))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["gaussian", "clusters", "one long axis"])
@pytest.mark.parametrize("d", [2, 3, 5, 20])
def test_spaces_with_nothing_in_common_are_not_believed(kind: str, d: int) -> None:
    rng = np.random.default_rng([0, d])
    n = 120

    def space() -> np.ndarray:
        if kind == "clusters":
            return clusters(n, d, rng)
        rows = rng.normal(size=(n, d))
        return rows * np.array([10.0] + [1.0] * (d - 1)) if kind == "one long axis" else rows

    x, y = space().astype(np.float32), space().astype(np.float32)
    rows = rng.permutation(n)[:40]
    known, options = (rows[:15], rng.permutation(n)[:15]), relviz.AnnealedOptions(rounds=2, members=8)
    assert not relviz.bootstrap(x, y, rows, known, options=options).converged


@pytest.mark.slow
@pytest.mark.parametrize("d", [3, 5, 20])
def test_copies_are_believed_however_easily_they_are_found(d: int) -> None:
    rng = np.random.default_rng([1, d])
    x = rng.normal(size=(120, d)) * np.array([10.0] + [1.0] * (d - 1))
    turn = np.linalg.qr(rng.normal(size=(d, d)))[0]
    y = (x + 0.1 * rng.normal(size=x.shape)) @ turn
    rows = rng.permutation(120)[:40]
    found = relviz.bootstrap(x.astype(np.float32), y.astype(np.float32), rows, (rows[:15], rows[:15]))
    assert found.converged, found.evidence
