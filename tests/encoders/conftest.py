"""Batches here are small: waiting for a second thread would cost more than it gives."""

import pytest


@pytest.fixture(autouse=True)
def _one_thread(one_thread):
    """For every test of this folder."""


@pytest.fixture(scope="session")
def models(tmp_path_factory):
    """Folders of small models by their names in ``small.MAKERS``, each made when it is first asked for."""
    from tests.encoders import small

    class Made(dict):
        def __missing__(self, name):
            self[name] = small.MAKERS[name](tmp_path_factory.mktemp("models") / name)
            return self[name]

    return Made()


@pytest.fixture
def copied(models, tmp_path):
    """A copy of a model's folder, to be damaged."""
    import shutil

    return lambda name: shutil.copytree(models[name], tmp_path / name)
