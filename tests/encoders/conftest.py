"""Small models in folders, made once."""

import pytest


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
