"""Damaged and hostile files through every door: ``python -m tests.benchmarks.fuzz``.

Each input is a sound file that was cut, flipped, spliced, inflated or nested, or one that was made to do
harm (``hostile``). It goes through the door of its kind: vectors, texts, pictures, a workspace, a recipe, a
picture to probe. Counted are exceptions that are not of relviz, seconds of a processor, here and in the
process that reads, and the peak of memory: how much this process grew, or what the other one took.

``--inputs 200`` makes fewer, ``--seed 1`` others, ``--folder DIR`` reads the files of a folder as well.
"""

import argparse
import io
import json
import logging
import os
import resource
import struct
import tempfile
import time
import traceback
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from random import Random

import numpy as np
from PIL import Image

import relviz
from relviz.figures.recipe import read_recipe
from relviz.items import TEXT_SUFFIXES, look_texts, read_pictures, read_texts
from relviz.readers import SUFFIXES, confined, load_space, look
from relviz.readers.picture import picture_pixels
from relviz.readers.pixels import FORMATS
from relviz.state import View
from relviz.state.workspace import open_workspace, save_workspace
from tests.items import made as items
from tests.readers import made
from tests.ui.made import small_pair

MOST_SECONDS, MOST_BYTES, SMALL_FILE = 5.0, 600e6, 5_000_000
Door = Callable[[bytes, str], object]


def _vectors(raw: bytes, name: str) -> None:
    for read in (look, load_space):
        try:
            read(io.BytesIO(raw), filename=name)  # type: ignore[operator]
        except relviz.Error:
            if read is load_space:
                raise


def _texts(raw: bytes, name: str) -> None:
    look_texts(io.BytesIO(raw), filename=name)
    read_texts(io.BytesIO(raw), filename=name)


def _pictures(raw: bytes, name: str) -> None:
    found = read_pictures(io.BytesIO(raw), filename=name)
    found.pixels(range(min(4, len(found))), 64)


def _workspace(raw: bytes, _: str) -> None:
    open_workspace(raw)


def _recipe(raw: bytes, _: str) -> None:
    read_recipe(raw)


def _probe(raw: bytes, _: str) -> None:
    picture_pixels(raw, 224)


DOORS: dict[str, Door] = {
    "vectors": _vectors,
    "texts": _texts,
    "pictures": _pictures,
    "workspace": _workspace,
    "recipe": _recipe,
    "probe": _probe,
}


@cache
def seeds() -> list[tuple[str, str, bytes]]:
    """Sound files: the door, the name and the content of each."""
    found = [("vectors", name, raw) for name, raw in made.FILES.items()]
    rows = [["id", "text", "class"], *([f"w{row}", f"a text, {row}", f"c{row % 3}"] for row in range(20))]
    found += [
        ("texts", "x.csv", items.table(rows)),
        ("texts", "x.tsv", items.table(rows, delimiter="\t")),
        ("texts", "x.txt", "\n".join("\t".join(row[:2]) for row in rows).encode()),
        (
            "texts",
            "x.parquet",
            items.parquet({name: [row[at] for row in rows[1:]] for at, name in enumerate(rows[0])}),
        ),
    ]
    pictures = {kind: items.picture(3, kind) for kind in FORMATS}
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        some = {f"a/{kind}": raw for kind, raw in pictures.items()} | {"labels.csv": b"file,label\na/PNG,x\n"}
        found.append(("pictures", "x.zip", items.zipped(some, compression=method)))
    found += [("pictures", f"x.{kind.lower()}", raw) for kind, raw in pictures.items()]
    found += [("probe", kind, raw) for kind, raw in pictures.items()]
    found.append(("workspace", "x.relviz", _in_order(save_workspace(View(**small_pair())))))
    recipes = sorted(files("relviz.figures").joinpath("recipes").iterdir(), key=lambda path: path.name)
    found += [("recipe", path.name, path.read_bytes()) for path in recipes[:8]]
    return found


def _in_order(raw: bytes) -> bytes:
    """The same safetensors, its header in the same order every time."""
    length = int.from_bytes(raw[:8], "little")
    header = json.dumps(json.loads(raw[8 : 8 + length]), sort_keys=True).encode()
    return len(header).to_bytes(8, "little") + header + raw[8 + length :]


def damaged(raw: bytes, other: bytes, random: Random) -> bytes:
    """A file with one to three kinds of damage."""
    for _ in range(random.randint(1, 3)):
        raw = random.choice(_DAMAGES)(raw or b"\0", other, random)
    return raw


def _place(raw: bytes, random: Random) -> int:
    """Somewhere in a file, most often near its beginning or its end."""
    ends = (random.randrange(min(len(raw), 200)), len(raw) - 1 - random.randrange(min(len(raw), 200)))
    return random.choice((random.randrange(len(raw)), *ends))


def _cut(raw: bytes, _: bytes, random: Random) -> bytes:
    begin, end = sorted((_place(raw, random), _place(raw, random)))
    return random.choice((raw[:begin], raw[begin:], raw[:begin] + raw[end:]))


def _flip(raw: bytes, _: bytes, random: Random) -> bytes:
    changed = bytearray(raw)
    for __ in range(random.randint(1, 12)):
        changed[_place(raw, random)] = random.choice((random.randrange(256), *b"\0\xff \n,\"'{[9"))
    return bytes(changed)


def _inflate(raw: bytes, _: bytes, random: Random) -> bytes:
    """A binary number that is as large, or as small, as it can be."""
    width = random.choice((2, 4, 8))
    number = random.choice((0, 1, 2 ** (4 * width), 2 ** (8 * width - 1) - 1, 2 ** (8 * width) - 1))
    at = _place(raw, random)
    return raw[:at] + number.to_bytes(width, random.choice(("little", "big"))) + raw[at + width :]


def _count(raw: bytes, _: bytes, random: Random) -> bytes:
    """A number in digits that becomes another one."""
    digits = [at for at, byte in enumerate(raw[:100_000]) if byte in b"0123456789"]
    if not digits:
        return raw
    at = random.choice(digits)
    said = random.choice((b"0", b"-1", b"99999999", b"4294967296", b"1e400", b"9" * 400, b"9" * 5000))
    return raw[:at] + said + raw[at + 1 :]


def _repeat(raw: bytes, _: bytes, random: Random) -> bytes:
    begin, end = sorted((_place(raw, random), _place(raw, random)))
    times = random.choice((2, 20, 2000))
    return raw[:begin] + (raw[begin:end] * times)[:2_000_000] + raw[end:]


def _splice(raw: bytes, other: bytes, random: Random) -> bytes:
    return raw[: _place(raw, random)] + other[_place(other, random) :]


def _nest(raw: bytes, _: bytes, random: Random) -> bytes:
    at = _place(raw, random)
    return raw[:at] + random.choice((b"[", b'{"a":', b"(", b'"')) * random.choice((3, 900, 40_000)) + raw[at:]


def _noise(_: bytes, __: bytes, random: Random) -> bytes:
    return random.randbytes(random.randint(0, 4000))


_DAMAGES = (_cut, _flip, _flip, _inflate, _inflate, _count, _repeat, _splice, _nest, _noise)


def hostile() -> Iterator[tuple[str, str, bytes]]:
    """Files that were made to take memory or time; each under 5 MB."""
    head = made.npy(np.zeros((2, 2), np.float32))[:10]
    yield (
        "vectors",
        "header.npz",
        _zeros({"v.npy": (b"\x93NUMPY\2\0" + struct.pack("<L", 2 * 10**9), 2 * 10**9)}),
    )
    yield "vectors", "ids.npz", _zeros(_arrays(v=((10**6, 2), "<f4"), ids=((10**6,), "<U500")))
    yield "vectors", "zeros.npz", _zeros(_arrays(v=((5 * 10**6, 100), "<f4")))
    yield "vectors", "sum.npz", _zeros(_arrays(**{f"v{at}": ((10**6, 12), "<f4") for at in range(40)}))
    yield "vectors", "most.npz", _zeros(_arrays(v=((10**6, 30), "<f4")))
    yield "vectors", "words.npz", _zeros(_arrays(v=((10**6, 2), "<f4"), ids=((10**6,), "<U20")))
    yield "vectors", "short.npy", head + struct.pack("<H", 65_535) + b" " * 65_535
    dense = b'{"a":[' + b",".join([b"{}"] * 1_500_000) + b"]}"
    yield "vectors", "dense.safetensors", len(dense).to_bytes(8, "little") + dense
    tensors = {f"t{at}": {"dtype": "F32", "shape": [2, 2], "data_offsets": [0, 16]} for at in range(60_000)}
    many = json.dumps(tensors).encode()
    yield "vectors", "many.safetensors", len(many).to_bytes(8, "little") + many + bytes(16)
    inner = json.dumps({"__metadata__": {"ids": "[" + "{}," * 1_500_000 + "{}]"}}).encode()
    yield "vectors", "ids.safetensors", len(inner).to_bytes(8, "little") + inner
    yield (
        "vectors",
        "wide.csv",
        b",".join(b"%d" % at for at in range(60_000)) + b"\n" + b"1," * 59_999 + b"1\n",
    )
    yield "vectors", "open.csv", b'a,b\n1,"' + b"x" * 4_900_000
    yield "vectors", "odd.csv", b"a,b,c\n" + b"+1,1_0,x\n" * 500_000
    yield "vectors", "commas.csv", b"a,b\n" + b",\n" * 2_400_000
    yield "vectors", "lines.txt", b"a 1 2\n" + b"\n" * 4_900_000
    yield "vectors", "lies.vec", b"4000000 120\n" + b"a" + b" 1" * 120 + b"\n"
    yield "vectors", "odd.vec", b"200000 4\n" + b"w 1_0 +1 1 1\n" * 200_000
    yield "vectors", "empty.bin", b"4000000 2\n" + (b" " + bytes(8)) * 500_000
    yield "texts", "tabs.txt", b"a\tb\n" * 1_200_000
    yield "texts", "zeros.parquet", items.parquet({"text": ["x" * 4000] * 200_000})
    yield "texts", "quotes.csv", b'"' * 4_900_000
    yield "pictures", "blank.zip", items.zipped({f"{at}.png": png(8000, 8000, 1) for at in range(60)})
    yield "pictures", "tiny.zip", items.zipped({f"{at}.png": png(1, 1) for at in range(12_000)})
    yield "pictures", "empty.zip", items.zipped({f"{at}.png": b"\x89PNG" for at in range(30_000)})
    for name, raw in {
        "scans.jpg": scans(2000),
        "long.png": png(1, 64_000_000),
        "square.png": png(8000, 8000, 8, 6),
        "deep.png": png(5600, 5600, 16, 2),
        "palette.png": png(8000, 8000, 8, 3),
        "flat.webp": items.picture(0, "WEBP", width=1, height=1)[:12] + bytes(4_000_000),
        "large.gif": _blank("GIF", 8000),
        "large.webp": _blank("WEBP", 8000),
        "large.jpg": _blank("JPEG", 8000, progressive=True),
    }.items():
        yield "pictures", name, raw
        yield "probe", name, raw
    for what in ("view", "spaces"):
        for text in ("[" * 1100, '{"a":' * 1100 + "1" + "}" * 1100, "[" + "{}," * 10**6 + "{}]"):
            yield "workspace", f"{what}.relviz", _said(**{what: text})
    yield "recipe", "deep.json", b'{"format":' * 1100
    yield "recipe", "dense.json", b'{"format": "relviz recipe 1", "view": [' + b"{}," * 60_000 + b"{}]}"
    yield "recipe", "digits.json", b'{"format": "relviz recipe 1", "width_mm": ' + b"9" * 190_000 + b"}"


def _arrays(**arrays: tuple[tuple[int, ...], str]) -> dict[str, tuple[bytes, int]]:
    found = {}
    for name, (shape, descr) in arrays.items():
        file = io.BytesIO()
        about = {"descr": descr, "fortran_order": False, "shape": shape}
        np.lib.format.write_array_header_1_0(file, about)  # type: ignore[no-untyped-call]
        found[f"{name}.npy"] = (file.getvalue(), int(np.prod(shape)) * np.dtype(descr).itemsize)
    return found


def _zeros(members: dict[str, tuple[bytes, int]]) -> bytes:
    """A zip of members that begin with some bytes and go on with so many zeros."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, (begin, length) in members.items():
            with archive.open(name, "w", force_zip64=True) as member:
                member.write(begin)
                for at in range(0, length, 2**24):
                    member.write(bytes(min(2**24, length - at)))
    return file.getvalue()


def png(width: int, height: int, bits: int = 8, kind: int = 0) -> bytes:
    """A blank PNG: kind 0 is gray, 2 has three colors, 3 a palette, 6 three colors and alpha."""

    def chunk(name: bytes, content: bytes) -> bytes:
        check = struct.pack(">L", zlib.crc32(name + content))
        return struct.pack(">L", len(content)) + name + content + check

    row = 1 + (width * bits * {0: 1, 2: 3, 3: 1, 6: 4}[kind] + 7) // 8
    packer = zlib.compressobj(9)
    packed = [packer.compress(bytes(min(2**24, row * height - at))) for at in range(0, row * height, 2**24)]
    head = chunk(b"IHDR", struct.pack(">2L5B", width, height, bits, kind, 0, 0, 0))
    palette = chunk(b"PLTE", bytes(6)) if kind == 3 else b""
    content = chunk(b"IDAT", b"".join(packed) + packer.flush())
    return b"\x89PNG\r\n\x1a\n" + head + palette + content + chunk(b"IEND", b"")


def scans(times: int, side: int = 4000) -> bytes:
    """A progressive JPEG whose last scan is repeated."""
    raw = _blank("JPEG", side, progressive=True)
    last = raw[raw.rindex(b"\xff\xda") : -2]
    return raw[:-2] + last * times + raw[-2:]


def _blank(kind: str, side: int, **how: object) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (side, side), "red").save(file, kind, **how)  # type: ignore[arg-type]
    return file.getvalue()


def _said(**said: str) -> bytes:
    about = {"format": "relviz workspace 1", "view": "{}", "spaces": "{}", **said}
    raw = json.dumps({"__metadata__": about}).encode()
    return len(raw).to_bytes(8, "little") + raw


def inputs(many: int, seed: int) -> Iterator[tuple[str, str, bytes]]:
    """So many damaged files, the same for a seed but for the times that zips note.

    The door, the name and the content of each.
    """
    random = Random(seed)
    sound = seeds()
    for at in range(many):
        door, name, raw = sound[at % len(sound)]
        yield door, name, damaged(raw, random.choice(sound)[2], random)


@dataclass
class Measured:
    """What one door took: counts of inputs and of refusals, and the worst."""

    inputs: int = 0
    refused: int = 0
    failures: list[str] = field(default_factory=list)
    seconds: float = 0.0
    clock: float = 0.0
    peak: float = 0.0
    slow: list[str] = field(default_factory=list)
    large: list[str] = field(default_factory=list)


class _Reader(logging.Handler):
    """What the processes that read files took, as the log has it."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.seconds = self.peak = 0.0

    def emit(self, record: logging.LogRecord) -> None:
        if isinstance(record.args, tuple) and len(record.args) == 3:
            _, seconds, kib = record.args
            self.seconds += float(seconds)  # type: ignore[arg-type]
            self.peak = max(self.peak, 1024 * float(kib))  # type: ignore[arg-type]


def measure(given: Iterator[tuple[str, str, bytes]]) -> dict[str, Measured]:
    """Every input through its door."""
    reader, found = _Reader(), {door: Measured() for door in DOORS}
    confined.logger.addHandler(reader)
    before, confined.logger.level = confined.logger.level, logging.DEBUG
    try:
        for door, name, raw in given:
            _measure(found[door], door, name, raw, reader)
    finally:
        confined.logger.removeHandler(reader)
        confined.logger.level = before
    return found


def _measure(found: Measured, door: str, name: str, raw: bytes, reader: _Reader) -> None:
    reader.seconds = reader.peak = 0.0
    begun, used, base = time.monotonic(), _own_seconds(), _memory()
    found.inputs += 1
    try:
        DOORS[door](raw, name)
    except relviz.Error:
        found.refused += 1
    except Exception:
        found.failures.append(f"{door} {name}: {traceback.format_exc(limit=-3)}")
    seconds = _own_seconds() - used + reader.seconds
    peak = max(reader.peak, _memory(peak=True) - base)
    found.seconds, found.peak = max(found.seconds, seconds), max(found.peak, peak)
    found.clock = max(found.clock, time.monotonic() - begun)
    if len(raw) <= SMALL_FILE:
        if seconds > MOST_SECONDS:
            found.slow.append(f"{door} {name} of {len(raw):,} bytes: {seconds:.1f} s")
        if peak > MOST_BYTES:
            found.large.append(f"{door} {name} of {len(raw):,} bytes: {peak / 1e6:,.0f} MB")


def _own_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def _memory(peak: bool = False) -> int:
    """Bytes that this process takes, or took at most since it was asked last without ``peak``."""
    if not peak:
        Path("/proc/self/clear_refs").write_text("5")
    name = "VmHWM" if peak else "VmRSS"
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(1024 * int(line.split()[1]) for line in lines if line.startswith(name))


def of_folder(folder: Path) -> Iterator[tuple[str, str, bytes]]:
    """Files of one's own, each through every door that its ending may go through."""
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        raw, suffix = path.read_bytes(), path.suffix.lower()
        doors = ["vectors"] * (suffix in SUFFIXES) + ["texts"] * (suffix in TEXT_SUFFIXES)
        doors += ["workspace"] * (suffix == ".relviz") + ["recipe"] * (suffix == ".json")
        for door in doors or ["pictures", "probe"]:
            yield door, path.name, raw


def table(found: dict[str, Measured]) -> str:
    """One row a door, in Markdown."""
    lines = [
        "| reader | inputs | refused | other exceptions | slowest, s | largest, MB |",
        "|---|---|---|---|---|---|",
    ]
    for door, one in found.items():
        lines.append(
            f"| {door} | {one.inputs:,} | {one.refused:,} | {len(one.failures)} | {one.seconds:.2f} | "
            f"{one.peak / 1e6:,.0f} |"
        )
    return "\n".join(lines)


def main() -> None:
    """Print a table of each part, and everything that is over the bounds."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--inputs", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folder", type=Path)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as cache:
        os.environ["RELVIZ_CACHE"] = cache
        confined.start()
        parts = {"made to do harm": hostile(), "damaged": inputs(asked.inputs, asked.seed)}
        if asked.folder is not None:
            parts[str(asked.folder)] = of_folder(asked.folder)
        over: list[str] = []
        for title, given in parts.items():
            found = measure(given)
            print(f"{title}:\n\n{table(found)}\n", flush=True)
            over += [line for one in found.values() for line in (*one.failures, *one.slow, *one.large)]
    print(f"{len(over)} over the bounds: {MOST_SECONDS:g} s, {MOST_BYTES / 1e6:g} MB, an exception of others")
    print("\n".join(over))
    raise SystemExit(bool(over))


if __name__ == "__main__":
    main()
