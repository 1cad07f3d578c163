"""How the code is built, counted from its source: files, importers, repeated names, untyped access.

``python -m tests.structure [--root FOLDER] [--against REVISION]``

Prints a Markdown table. With ``--against`` it has a column for that git revision before the one for the
files as they are. Counted are ``relviz``, ``pages`` and ``app.py``; of ``tests`` only files and lines.
"""

import argparse
import ast
import importlib.util
import io
import subprocess
import tarfile
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
SHORT = 60
"""Lines below which a file is short."""
SHOWN = 10
"""How many of the most repeated names are listed."""
STORED = ("meta", "arrays")
"""What the two parts of a stored result are called."""


@dataclass(frozen=True)
class File:
    """One source file: its path from the root, the module that it is, how many lines, and its syntax."""

    path: str
    module: str
    lines: int
    tree: ast.Module

    @property
    def is_package(self) -> bool:
        return self.path.endswith("__init__.py")


def source(root: Path, *places: str) -> list[File]:
    """The Python files at these places, folders searched to the bottom; none of a place that is not there."""
    found = []
    for place in places:
        here = root / place
        for path in [here] if here.is_file() else sorted(here.rglob("*.py")):
            text, relative = path.read_text(encoding="utf-8"), path.relative_to(root)
            module = ".".join(relative.with_suffix("").parts).removesuffix(".__init__")
            found.append(File(str(relative), module, len(text.splitlines()), ast.parse(text, str(relative))))
    return found


def imports(file: File, known: set[str]) -> set[str]:
    """The modules that a file imports, those that are ``known`` down to the module."""
    package = file.module if file.is_package else file.module.rpartition(".")[0]
    found = set()
    for node in ast.walk(file.tree):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = importlib.util.resolve_name("." * node.level + (node.module or ""), package or None)
            full = {f"{base}.{name.name}" for name in node.names}
            found |= (full & known) | ({base} if full - known else set())
    return found - {file.module}


def with_one_importer(files: Sequence[File]) -> list[str]:
    """Modules, packages left out, that exactly one of the files imports."""
    known = {file.module for file in files}
    importers = Counter(module for file in files for module in imports(file, known))
    return [file.module for file in files if not file.is_package and importers[file.module] == 1]


def repeated_files(files: Sequence[File]) -> dict[str, int]:
    """File names that several folders have, and how many; ``__init__.py`` left out."""
    names = Counter(Path(file.path).name for file in files if not file.is_package)
    return {name: times for name, times in names.most_common() if times > 1}


def repeated_functions(files: Sequence[File]) -> dict[str, int]:
    """Names of functions that several modules define at their top level, private ones too, and how many."""
    modules = defaultdict(set)
    for file in files:
        for node in file.tree.body:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                modules[node.name].add(file.module)
    times = {name: len(some) for name, some in modules.items() if len(some) > 1 and name != "__getattr__"}
    return dict(sorted(times.items(), key=lambda item: (-item[1], item[0])))


def take_the_view(files: Sequence[File]) -> list[str]:
    """Functions and methods with a parameter that is a ``View`` or is called ``view``."""
    return [
        f"{file.module}.{node.name}"
        for file in files
        for node in ast.walk(file.tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and any(map(_is_view, _parameters(node)))
    ]


def _parameters(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.arg]:
    given = node.args
    yield from (*given.posonlyargs, *given.args, *given.kwonlyargs)
    yield from (one for one in (given.vararg, given.kwarg) if one)


def _is_view(parameter: ast.arg) -> bool:
    return parameter.arg == "view" or "View" in _names(parameter.annotation)


def _names(annotation: ast.expr | None) -> Iterator[str]:
    """Every name in an annotation, also in one that is quoted."""
    for node in ast.walk(annotation) if annotation else ():
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from _names(_quoted(node.value))


def _quoted(text: str) -> ast.expr | None:
    try:
        return ast.parse(text, mode="eval").body
    except SyntaxError:
        return None


def string_accesses(files: Sequence[File], name: str) -> dict[str, int]:
    """For each file, how often it asks a stored result for a part by its name: ``meta["…"]``."""
    found: Counter[str] = Counter()
    for file in files:
        for node in ast.walk(file.tree):
            if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
                owner = getattr(node.value, "attr", getattr(node.value, "id", None))
                found[file.path] += owner == name and isinstance(node.slice.value, str)
    return dict(+found)


def anys(files: Sequence[File]) -> int:
    """Uses of ``Any`` in annotations and in the aliases that annotations use; its imports do not count."""
    return sum(
        isinstance(node, ast.Name) and node.id == "Any" for file in files for node in ast.walk(file.tree)
    )


def counts(root: Path = ROOT) -> dict[str, str]:
    """What is counted, in words, and the count, for the tree under ``root``."""
    files, tests = source(root, "relviz", "pages", "app.py"), source(root, "tests")
    known, longest = {file.module for file in files}, max(files, key=lambda file: file.lines)
    most = max(files, key=lambda file: len(imports(file, known)))
    names, functions = repeated_files(files), repeated_functions(files)
    stored = {name: string_accesses(files, name) for name in STORED}
    totals = {name: sum(found.values()) for name, found in stored.items()}
    return {
        "Python files": _number(len(files)),
        "lines": _number(sum(file.lines for file in files)),
        "lines of a file, median": f"{median(file.lines for file in files):g}",
        f"files under {SHORT} lines": _number(sum(file.lines < SHORT for file in files)),
        "longest file": f"{longest.lines} ({longest.path})",
        "modules with exactly one importer": _number(len(with_one_importer(files))),
        "file names in several folders": _number(len(names)),
        f"of these, the {SHOWN} in most folders": _listed(names),
        "function names in several modules": _number(len(functions)),
        f"of these, the {SHOWN} in most modules": _listed(functions),
        "functions that take the whole view": _number(len(take_the_view(files))),
        "string accesses to stored results": f"{sum(totals.values())} "
        f"({', '.join(f'{name} {total}' for name, total in totals.items())})",
        "files that make them": _number(len(set().union(*stored.values()))),
        "uses of `Any`": _number(anys(files)),
        "most modules that one file imports": f"{len(imports(most, known))} ({most.path})",
        "test files": _number(len(tests)),
        "test lines": _number(sum(file.lines for file in tests)),
    }


def _number(count: int) -> str:
    return f"{count:,}"


def _listed(names: dict[str, int]) -> str:
    return ", ".join(f"`{name}` {times}" for name, times in list(names.items())[:SHOWN]) or "none"


def counts_of(revision: str, root: Path = ROOT) -> dict[str, str]:
    """``counts`` of a git revision, which is unpacked into a temporary folder."""
    packed = subprocess.run(["git", "archive", revision], cwd=root, stdout=subprocess.PIPE, check=True).stdout
    with tempfile.TemporaryDirectory() as folder, tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")
        return counts(Path(folder))


def table(columns: dict[str, dict[str, str]]) -> str:
    """A Markdown table, one row for each thing that is counted, one column for each state of the code."""
    rows = [["", *columns], ["---"] * (len(columns) + 1)]
    first, *_ = columns.values()
    rows += [[what, *(found[what] for found in columns.values())] for what in first]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.structure", description=__doc__.split("\n")[0])
    parser.add_argument("--root", type=Path, default=ROOT, help="the folder that holds relviz and tests")
    parser.add_argument("--against", metavar="REVISION", help="a git revision to count beside")
    told = parser.parse_args(arguments)
    before = {told.against: counts_of(told.against, told.root)} if told.against else {}
    print(table({**before, "now": counts(told.root)}))


if __name__ == "__main__":
    main()
