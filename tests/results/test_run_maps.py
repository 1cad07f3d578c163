"""Maps through the anchors of a run: of a turned copy, all but those by few anchors look alike."""

from pathlib import Path

import numpy as np
import pytest

from relviz.figures.inputs import Optimized
from relviz.figures.kinds.bootstrap import MAPS_BY_ANCHORS
from relviz.plotting.legend import Legend
from relviz.plotting.maps import MapGrid
from relviz.results.run_maps import KINDS, RunMaps, run_maps
from relviz.state.view import Run
from tests.results.made_runs import turned_pair

PAIR = turned_pair(noise=0.0)
RUN = Run(anchors=20, seeds=9, options="rounds=1")


@pytest.fixture
def found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RunMaps:
    monkeypatch.setenv("RELVIZ_CACHE", str(tmp_path))
    return run_maps(RUN, PAIR).run()


def test_a_turned_copy_has_the_same_maps_through_its_anchors(found: RunMaps) -> None:
    true, seeds, discovered = found.maps
    assert [one.kind for one in found.maps] == list(KINDS)
    assert (true.count, seeds.count) == (RUN.anchors, RUN.seeds)
    np.testing.assert_allclose(true.a, true.b, atol=1e-3)
    np.testing.assert_array_equal(discovered.a, true.a)
    assert np.abs(discovered.b - true.b).max() < 0.1 * np.ptp(true.a)
    assert seeds.a.std() != true.a.std()
    assert 0 < true.explained[0] <= 1


def test_without_known_pairs_there_is_no_map_of_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RELVIZ_CACHE", str(tmp_path))
    alone = Run(anchors=RUN.anchors, seeding="none", method="annealed", options="rounds=1")
    assert [one.kind for one in run_maps(alone, PAIR).run().maps] == ["true", "found"]


def test_the_figure_has_a_pane_for_each_space_and_kind(found: RunMaps) -> None:
    made = MAPS_BY_ANCHORS.content(Optimized(PAIR, RUN, ("", "")), {}, [found])
    assert set(made.arrays) == {f"{kind}_{side}" for kind in KINDS for side in "ab"}
    assert made.parts is not None
    assert [type(part) for part in made.parts(175)] == [MapGrid, Legend]
    assert f"{RUN.seeds} known pairs" in made.caption
