"""the bundled demos and their spaces

See ABOUT for what a person is told.
"""

import argparse
from pathlib import Path
from typing import TypedDict

import numpy as np

from relviz.cli.files import say
from relviz.demos import demo_names, load_demo
from relviz.space import Space
from relviz.wording import count

ABOUT = """\
List the demos of relviz, show one demo's spaces and source, or write them as files that relviz reads.

  python -m relviz demo
  python -m relviz demo glosses
  python -m relviz demo glosses -o folder     writes folder/glosses.minilm.npz and so on
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which demo, and where to."""
    parser.add_argument("name", nargs="?", choices=demo_names(), help="Name of a demo.")
    parser.add_argument(
        "-o", "--out", metavar="FOLDER", help="Write each of its spaces to this folder as an npz file."
    )


def run(args: argparse.Namespace) -> None:
    """List the demos, or say and write one."""
    if args.name is None:
        found = {name: _listed(name) for name in demo_names()}
        say(
            args,
            found,
            "\n\n".join(f"{name}: {one['title']}. {one['description']}" for name, one in found.items()),
        )
        return
    demo, record = load_demo(args.name), _listed(args.name)
    lines = [
        f"{demo.title}. {demo.description}",
        *(
            f"  {args.name}.{key}  {one['name']}, {count(one['rows'])} × {one['dimension']}"
            for key, one in record["spaces"].items()
        ),
        f"Source: {demo.source}. License: {demo.license}.",
    ]
    if not args.out:
        say(args, record, "\n".join(lines))
        return
    folder = Path(args.out)
    folder.mkdir(parents=True, exist_ok=True)
    files = {f"{args.name}.{key}.npz": space for key, space in demo.spaces.items()}
    for name, space in files.items():
        _write(folder / name, space)
    say(args, {**record, "files": list(files)}, "\n".join([*lines, f"Written: {', '.join(files)}."]))


class _Listed(TypedDict):
    name: str
    rows: int
    dimension: int


class _DemoRecord(TypedDict):
    title: str
    description: str
    spaces: dict[str, _Listed]
    pairs: list[list[str]]


def _listed(name: str) -> _DemoRecord:
    demo = load_demo(name)
    spaces: dict[str, _Listed] = {
        key: {"name": space.name, "rows": len(space), "dimension": space.dimension}
        for key, space in demo.spaces.items()
    }
    return {
        "title": demo.title,
        "description": demo.description,
        "spaces": spaces,
        "pairs": [list(pair) for pair in demo.pairs],
    }


def _write(path: Path, space: Space) -> None:
    texts = {
        name: np.array(values)
        for name in ("ids", "labels", "items")
        if (values := getattr(space, name)) is not None
    }
    np.savez_compressed(path, allow_pickle=False, vectors=space.vectors.numpy(), **texts)
