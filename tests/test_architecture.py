"""The arrows of the design: who may import whom, what no file may do, what `import relviz` may cost."""

import ast
import graphlib
import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

LAYERS = (
    {"errors", "wording", "names", "notebook"},
    {"compute"},
    {"space", "relative_projection", "frame"},
    {"pair", "quantize", "clusters", "conditioning", "anchors"},
    {"measure"},
    {"readers", "projection", "translation", "bootstrapping", "plotting"},
    {"encoders"},
    {"demos"},
    {"items", "stitching"},
    {"autoencoders"},
    {"latex", "sheet", "papers", "state"},
    {"stories"},
    {"results"},
    {"figures"},
    {"ui", "cli", "__main__"},
)
"""Rooms of the library. A room imports from its own layer and from the layers before it."""

MOST_LINES = 401
PICKLES = {"pickle", "cloudpickle", "dill", "marshal", "shelve"}
PICKLE_LOADERS = {"torch.load", "joblib.load", "pandas.read_pickle", "pd.read_pickle", "KeyedVectors.load"}
NAMES_OF_LOADERS = {name.rpartition(".")[2] for name in PICKLE_LOADERS}
OWN_WIRE = "relviz.compute.wire"
"""Between a server and its own workers, which nobody else reaches."""
FROM_JOBLIB = {"Parallel", "delayed"}
"""It calls functions in parallel; its files are pickles."""
HEAVY = {
    *("umap", "openTSNE", "sklearn", "numba", "pandas", "streamlit"),
    *("transformers", "sentence_transformers", "pykeops", "geotorch", "matplotlib"),
}

LIBRARY = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted((ROOT / "relviz").rglob("*.py"))
}
SCREENS = [path for path in (ROOT / "app.py", *sorted((ROOT / "pages").glob("*.py"))) if path.exists()]


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


@cache
def imports(path: Path) -> tuple[str, ...]:
    """Every module that a file imports, wherever in the file, the library's down to the module."""
    return tuple(_imports(path))


def _imports(path: Path) -> Iterator[str]:
    package = ".".join(path.relative_to(ROOT).parent.parts)
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = importlib.util.resolve_name("." * node.level + (node.module or ""), package or None)
            for name in node.names:
                full = f"{base}.{name.name}"
                yield full if full in LIBRARY else base


def room(module: str) -> str:
    """The room of a module; empty for the library's front door, which stands above all but the ui."""
    return f"{module}.".split(".")[1]


def layer(module: str) -> int:
    place = [number for number, rooms in enumerate(LAYERS) if room(module) in rooms]
    assert place, f"{module} is in a room that LAYERS does not know; say there what it may import."
    return place[0]


def own(module: str) -> bool:
    return module.split(".")[0] == "relviz"


def offenses(said: Iterator[str]) -> None:
    found = sorted(set(said))
    assert not found, "\n" + "\n".join(found)


def test_imports_point_one_way() -> None:
    def against() -> Iterator[str]:
        for module, path in LIBRARY.items():
            for other in filter(own, imports(path)):
                if not room(module):
                    wrong = room(other) == "ui"
                elif not room(other):
                    wrong = layer(module) < len(LAYERS) - 1
                else:
                    wrong = layer(other) > layer(module)
                if wrong:
                    yield f"{module} imports {other}"

    offenses(against())


def test_encoders_know_nothing_of_what_they_are_given() -> None:
    offenses(
        f"{module} imports {other}"
        for module, path in LIBRARY.items()
        if room(module) == "encoders"
        for other in imports(path)
        if own(other) and room(other) == "items"
    )


def test_no_module_imports_itself_by_a_detour() -> None:
    graph = {module: {*filter(own, imports(path))} - {module} for module, path in LIBRARY.items()}
    graphlib.TopologicalSorter(graph).prepare()


def test_only_the_ui_and_the_pages_import_streamlit() -> None:
    offenses(
        f"{module} imports {other}"
        for module, path in LIBRARY.items()
        if room(module) != "ui"
        for other in imports(path)
        if other.split(".")[0] == "streamlit"
    )


def test_pages_import_streamlit_and_the_ui_alone() -> None:
    allowed = {"streamlit", *sys.stdlib_module_names}
    offenses(
        f"{path.relative_to(ROOT)} imports {other}"
        for path in SCREENS
        for other in imports(path)
        if other.split(".")[0] not in allowed and other != "relviz" and room(other) != "ui"
    )


def test_files_are_short_and_say_what_they_are() -> None:
    def too_much() -> Iterator[str]:
        for path in (*LIBRARY.values(), *SCREENS):
            lines = len(path.read_text(encoding="utf-8").splitlines())
            if lines >= MOST_LINES:
                yield f"{path.relative_to(ROOT)} has {lines} lines; {MOST_LINES - 1} are the most."
            if not ast.get_docstring(tree(path)):
                yield f"{path.relative_to(ROOT)} has no docstring."

    offenses(too_much())


def from_joblib(path: Path) -> set[str]:
    """Names that a file takes from joblib; the module itself where it takes that."""
    taken = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "joblib":
            taken |= {name.name for name in node.names}
        elif isinstance(node, ast.Import):
            taken |= {name.name for name in node.names if name.name.split(".")[0] == "joblib"}
    return taken


def called(node: ast.Call) -> str:
    """The last name of what is called."""
    return str(getattr(node.func, "attr", getattr(node.func, "id", "")))


def test_nothing_is_unpickled() -> None:
    def loaders() -> Iterator[str]:
        for path in (*LIBRARY.values(), *SCREENS):
            where = path.relative_to(ROOT)
            for other in imports(path):
                if other.split(".")[0] in PICKLES and path != LIBRARY[OWN_WIRE]:
                    yield f"{where} imports {other}"
                if other.split(".")[0] == "joblib" and not from_joblib(path) <= FROM_JOBLIB:
                    yield f"{where} imports more of joblib than {', '.join(sorted(FROM_JOBLIB))}"
            for node in ast.walk(tree(path)):
                if (
                    isinstance(node, ast.Call)
                    and called(node) in NAMES_OF_LOADERS
                    and ast.unparse(node.func) in PICKLE_LOADERS
                    and "weights_only=True" not in map(ast.unparse, node.keywords)
                ):
                    yield f"{where}:{node.lineno} calls {ast.unparse(node.func)}"
                if (
                    isinstance(node, ast.keyword)
                    and node.arg == "allow_pickle"
                    and ast.unparse(node.value) == "True"
                ):
                    yield f"{where}:{node.lineno} sets allow_pickle=True"

    offenses(loaders())


def test_importing_the_library_and_the_room_of_maps_is_light() -> None:
    code = "import sys, relviz.projection; print(*{name.split('.')[0] for name in sys.modules})"
    loaded = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert HEAVY.isdisjoint(loaded.stdout.split()), HEAVY & {*loaded.stdout.split()}
