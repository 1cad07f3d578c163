"""Fetching a package by name and version, through the registry's own client, checked by its digest."""

import hashlib
import importlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from relviz.demos.sources.unpack import unpack
from relviz.errors import ReadError

_SECONDS = 900


@dataclass(frozen=True)
class Package:
    """One archive of a registry: ``"pypi"``, ``"npm"`` or ``"debian"``; ``digest`` is its SHA-256."""

    registry: str
    name: str
    version: str
    digest: str

    def __str__(self) -> str:
        return f"{self.registry} {self.name} {self.version}"


def fetch(package: Package, packages: Path) -> Path:
    """The folder of the unpacked package under ``packages``; downloaded only if it is not there yet.

    No code of the package is run: wheels only, no install scripts.

    Raises
    ------
    ReadError
        If the registry's client is missing or fails, or the archive is not the one expected.
    """
    packages = packages.resolve()
    folder = packages / f"{package.registry}-{package.name}-{package.version.replace(':', '-')}"
    if folder.exists():
        return folder
    packages.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=packages) as temporary:
        inbox, unpacked = Path(temporary, "inbox"), Path(temporary, "unpacked")
        inbox.mkdir()
        unpacked.mkdir()
        _run(_download(package, inbox), inbox, package)
        archive = check(inbox, package)
        if package.registry == "debian":
            data = inbox / "data.tar"
            _run(["dpkg-deb", "--fsys-tarfile", str(archive)], inbox, package, data)
            archive = data
        unpack(archive, unpacked)
        unpacked.rename(folder)
    return folder


def check(inbox: Path, package: Package) -> Path:
    """The one archive that came into ``inbox``, if its digest is the package's.

    Raises
    ------
    ReadError
        If there is not exactly one file, or its SHA-256 is another.
    """
    archives = [path for path in inbox.iterdir() if path.is_file()]
    if len(archives) != 1:
        raise ReadError(f"Fetching {package} gave {len(archives)} files; one was expected.")
    with archives[0].open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if digest != package.digest:
        raise ReadError(f"{package} has the SHA-256 {digest}; {package.digest} is expected.")
    return archives[0]


@contextmanager
def importable(*folders: Path) -> Iterator[None]:
    """While it lasts, the unpacked packages in these folders can be imported."""
    before = list(sys.path)
    sys.path[:0] = map(str, folders)
    importlib.invalidate_caches()
    try:
        yield
    finally:
        sys.path[:] = before


def installed(module: str, package: str) -> ModuleType:
    """Import a module that has to be installed already, or say what to install.

    Raises
    ------
    ReadError
        If it is not installed.
    """
    try:
        return importlib.import_module(module)
    except ImportError as reason:
        raise ReadError(f"Rebuilding needs {module}: pip install {package} ({reason}).") from None


def _download(package: Package, inbox: Path) -> list[str]:
    name, version = package.name, package.version
    if package.registry == "pypi":
        pip = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:", "--quiet"]
        return [*pip, "--dest", str(inbox), f"{name}=={version}"]
    if package.registry == "npm":
        return ["npm", "pack", "--ignore-scripts", "--pack-destination", str(inbox), f"{name}@{version}"]
    return ["apt-get", "download", f"{name}={version}"]


def _run(command: list[str], folder: Path, package: Package, output: Path | None = None) -> None:
    if shutil.which(command[0]) is None:
        raise ReadError(f"Fetching {package} needs the program {command[0]}, which is not installed.")
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, timeout=_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise ReadError(f"Fetching {package} took more than {_SECONDS} seconds.") from None
    if done.returncode:
        lines = done.stderr.decode(errors="replace").strip().splitlines() or ["it said nothing"]
        raise ReadError(f"{command[0]} could not fetch {package}: {lines[-1]}")
    if output is not None:
        output.write_bytes(done.stdout)
