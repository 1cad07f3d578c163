"""What made a figure: versions of this program and of what it counts and draws with."""

from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version

from relviz.compute.version import RELEASE, code_version

PACKAGES = ("torch", "numpy", "scikit-learn", "umap-learn", "openTSNE", "matplotlib")


def versions_here() -> dict[str, str]:
    """Versions by name; ``code`` is the digest of the sources that make results."""
    found = {"relviz": RELEASE, "code": code_version()}
    return found | {package: _installed(package) for package in PACKAGES}


def versions_changed(then: Mapping[str, str]) -> list[str]:
    """A sentence for each version that is another one than it was; what was not noted is not compared."""
    here = versions_here()
    said = [
        f"{name} was {then[name]} and is {here[name]}."
        for name in ("relviz", *PACKAGES)
        if name in then and then[name] != here[name]
    ]
    if "code" in then and then["code"] != here["code"] and here["relviz"] == then.get("relviz"):
        said.append("The code that makes results has changed since.")
    return said


def _installed(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "absent"
