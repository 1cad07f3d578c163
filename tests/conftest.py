"""No test reaches the network, writes to the user's cache, or takes more than two cores."""

import os
import shutil
import tempfile

# Set while this file is imported: some libraries read their environment when they are first imported.
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["RELVIZ_CACHE"] = tempfile.mkdtemp(prefix="relviz-tests-")


def pytest_configure() -> None:
    import torch

    torch.set_num_threads(2)


def pytest_unconfigure() -> None:
    shutil.rmtree(os.environ["RELVIZ_CACHE"], ignore_errors=True)
