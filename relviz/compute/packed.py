"""Results that come along with relviz, and the code that each was made by.

A packed result is found by its recipe, the key without the version of the code, and served only while every
file that its function can reach, and that makes results, says what it said when it was packed; comments,
docstrings and annotations of functions may differ. The store never writes, counts or throws out packed
entries.
"""

import ast
import hashlib
import importlib.util
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from relviz.compute import entry
from relviz.compute.entry import Result
from relviz.compute.key import kind_of
from relviz.compute.version import NUMERICAL, PACKAGE, installed, makes_results
from relviz.errors import Error

FOLDER = PACKAGE / "results" / "packed"
LIST = "packed.json"
_SAY_WHAT_THEY_HOLD = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


class PackedError(Error):
    """A packed result that cannot be read."""


@dataclass(frozen=True)
class Code:
    """What one kind of results was made by.

    Attributes
    ----------
    files
        Of the library.
    digest, meaning
        Of their bytes, and of what they do.
    packages
        Releases of the numerical packages that they import.
    """

    files: tuple[str, ...]
    digest: str
    meaning: str
    packages: Mapping[str, str]

    @property
    def fresh(self) -> bool:
        """Whether the code that runs is the code that made them."""
        if any(_release(package) != release for package, release in self.packages.items()):
            return False
        return self.digest == _digest(self.files, _bytes) or self.meaning == meaning_of(self.files)


def packed(recipe: str) -> Result | None:
    """The packed result of a recipe; None if there is none, or the code that makes it changed since."""
    path = FOLDER / f"{recipe}{entry.SUFFIX}"
    if not recipe or kind_of(recipe) not in _fresh() or not path.is_file():
        return None
    try:
        return entry.read(path, recipe)
    except entry.DamagedError as damage:
        raise PackedError(f"{damage}: it came with relviz. Install relviz again.") from damage


def write_packed(results: Mapping[str, Result], modules: Mapping[str, str]) -> int:
    """Pack these results and no others; gives their bytes. A file that holds the same stays as it is.

    Parameters
    ----------
    results
        By recipe.
    modules
        The module that declares each kind of them.
    """
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob(f"*{entry.SUFFIX}"):
        if old.stem not in results:
            old.unlink()
    size = 0
    for recipe, result in results.items():
        path = FOLDER / f"{recipe}{entry.SUFFIX}"
        if not entry.holds(path, recipe, result):
            entry.write(path, entry.pack(recipe, result))
            path.chmod(0o644)  # for whoever runs an installed copy
        size += path.stat().st_size
    listed = {kind: asdict(code_of(module)) for kind, module in sorted(modules.items())}
    (FOLDER / LIST).write_text(json.dumps(listed, indent=1) + "\n", encoding="utf-8")
    forget()
    return size


def stale() -> tuple[str, ...]:
    """Kinds that are packed, and whose code changed since: they are computed as if they were not there."""
    return tuple(kind for kind in _listed() if kind not in _fresh())


def forget() -> None:
    """Look anew at what is packed, and at the code."""
    for known in (_fresh, _bytes, _meaning):
        known.cache_clear()


def code_of(module: str) -> Code:
    """What a module's results are made by: of itself and what it can reach, the files that make results."""
    reached, waiting, packages = set(), [module], set()
    while waiting:
        name = waiting.pop()
        path = _file(name)
        if path is None or path in reached:
            continue
        reached.add(path)
        for other in _imports(path, name):
            if other.startswith("relviz."):
                waiting.append(other)
            packages |= {one for one, root in NUMERICAL.items() if other.split(".")[0] == root}
    sources = sorted(path.relative_to(PACKAGE) for path in reached)
    files = tuple(path.as_posix() for path in sources if makes_results(path))
    return Code(
        files,
        _digest(files, _bytes),
        meaning_of(files),
        {one: _release(one) for one in sorted(packages)},
    )


def meaning_of(files: tuple[str, ...]) -> str:
    """Digest of what files of the library do, whatever their comments, docstrings and annotations say."""
    return _digest(files, _meaning)


@cache
def _fresh() -> frozenset[str]:
    """Kinds whose code is what it was."""
    return frozenset(
        kind
        for kind, one in _listed().items()
        if Code(tuple(one["files"]), one["digest"], one["meaning"], one["packages"]).fresh
    )


def _listed() -> dict[str, Any]:
    path = FOLDER / LIST
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def _digest(files: tuple[str, ...], content_of: Callable[[str], bytes]) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for name in files:
        for part in (name.encode(), content_of(name)):
            digest.update(len(part).to_bytes(8, "little") + part)
    return digest.hexdigest()


@cache
def _bytes(name: str) -> bytes:
    """A source of the library as it was when this process first read it; nothing where it is gone."""
    path = PACKAGE / name
    return path.read_bytes() if path.is_file() else b""


@cache
def _meaning(name: str) -> bytes:
    """What a source does: its syntax tree without docstrings and annotations of functions."""
    tree = ast.parse(_bytes(name))
    for node in ast.walk(tree):
        if isinstance(node, _SAY_WHAT_THEY_HOLD):
            node.body = [one for one in node.body if not _is_docstring(one)]
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.returns = None
        if isinstance(node, ast.arg):
            node.annotation = None
    return ast.dump(tree).encode()


def _is_docstring(statement: ast.stmt) -> bool:
    """Whether it only says something, of what it is in or of the name above it."""
    match statement:
        case ast.Expr(ast.Constant(str())):
            return True
    return False


def _release(package: str) -> str:
    """Major and minor version: what a patch changes lies below what a picture shows."""
    return ".".join(installed(package).split(".")[:2])


def _file(module: str) -> Path | None:
    base = PACKAGE.parent.joinpath(*module.split("."))
    found = (path for path in (base.with_suffix(".py"), base / "__init__.py") if path.is_file())
    return next(found, None)


def _imports(path: Path, module: str) -> Iterator[str]:
    """Every module that a file imports, wherever in the file; of names it takes, also their modules."""
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = importlib.util.resolve_name("." * node.level + (node.module or ""), package)
            yield base
            yield from (f"{base}.{name.name}" for name in node.names)
