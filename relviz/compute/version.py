"""The version of the code that makes results: part of the name under which each is kept."""

import hashlib
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

RELEASE = "0.1.0"

PACKAGE = Path(__file__).resolve().parents[1]
NUMERICAL = {
    "torch": "torch",
    "numpy": "numpy",
    "scikit-learn": "sklearn",
    "umap-learn": "umap",
    "openTSNE": "openTSNE",
}
"""Packages that results depend on, and the name that each is imported by."""
_WITHOUT_RESULTS = (
    *(Path("ui"), Path("figures"), Path("plotting"), Path("cli"), Path("__main__.py"), Path("_app")),
    *(Path("demos", "sources"), Path("demos", "build.py"), Path("results", "pack.py")),
    *(Path("latex.py"), Path("sheet.py"), Path("wording.py"), Path("papers"), Path("stories")),
    *(Path("compute", f"{name}.py") for name in ("cluster", "job", "jobs", "memory", "owner", "pauses")),
    *(Path("compute", f"{name}.py") for name in ("progress", "queue", "wire", "worker", "workers")),
    *(Path("state", f"{name}.py") for name in ("choice", "option_labels", "url", "view")),
    *(Path("state", f"{name}_choices.py") for name in ("run", "decoding", "several")),
)


@cache
def code_version(root: Path = PACKAGE) -> str:
    """Digest of the library's own sources and of the numerical packages (32 hex digits).

    A result kept under another version is not found again, so no change of a formula can serve a
    number that the formula before it made. What only shows results (``ui/``, ``figures/``, words, the
    declarations of choices, and the app in ``_app/`` of an installed copy), only decides where and when they
    are computed (jobs, queue, workers), or only rebuilds the data that comes along (``demos/sources``) is
    left out: an edit there keeps every saved run. The packages are asked for their version, not imported.
    Asked once per process: the code that runs is the code that was loaded.

    Parameters
    ----------
    root
        The folder of the library.
    """
    digest = hashlib.blake2b(digest_size=16)
    for path in _sources(root):
        name, content = path.relative_to(root).as_posix().encode(), path.read_bytes()
        for part in (name, content):
            digest.update(len(part).to_bytes(8, "little") + part)
    for package in NUMERICAL:
        digest.update(f"{package}={installed(package)}\n".encode())
    return digest.hexdigest()


def makes_results(path: Path) -> bool:
    """Whether a source, as it is called in the library's folder, can change a result."""
    return not any(path.is_relative_to(other) for other in _WITHOUT_RESULTS)


def _sources(root: Path) -> list[Path]:
    return sorted(path for path in root.rglob("*.py") if makes_results(path.relative_to(root)))


@cache
def installed(package: str) -> str:
    """The version of a package, ``"absent"`` without it; it is not imported."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "absent"
