"""Tables of texts, pictures and zips, made in memory."""

import csv
import io
import zipfile
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from PIL import Image

from relviz.items import Pictures, TextContents, Texts, look_texts, read_pictures, read_texts


def texts(raw: bytes, filename: str = "x.csv", **options: Any) -> Texts:
    return read_texts(io.BytesIO(raw), filename=filename, **options)


def looked(raw: bytes, filename: str = "x.csv", **options: Any) -> TextContents:
    return look_texts(io.BytesIO(raw), filename=filename, **options)


def table(rows: Iterable[Sequence[Any]], **how: Any) -> bytes:
    file = io.StringIO(newline="")
    csv.writer(file, **how).writerows(rows)
    return file.getvalue().encode()


def parquet(columns: dict[str, Any]) -> bytes:
    file = io.BytesIO()
    pq.write_table(pa.table(columns), file)
    return file.getvalue()


def noise(seed: int, width: int = 20, height: int = 20) -> Image.Image:
    return Image.fromarray(np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8))


def picture(seed: int = 0, kind: str = "PNG", **size: int) -> bytes:
    file = io.BytesIO()
    noise(seed, **size).save(file, kind)
    return file.getvalue()


def zipped(files: dict[str, bytes] | Sequence[tuple[Any, bytes]], **how: Any) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", **how) as archive:
        for name, content in files.items() if isinstance(files, dict) else files:
            archive.writestr(name, content)
    return file.getvalue()


def pictures(raw: bytes, filename: str = "x.zip", **options: Any) -> Pictures:
    return read_pictures(io.BytesIO(raw), filename=filename, **options)
