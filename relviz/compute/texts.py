"""Texts as arrays, for what takes no texts: all of them in one row of bytes, and where each ends."""

from collections.abc import Mapping, Sequence

import numpy as np


def packed(name: str, texts: Sequence[str]) -> dict[str, np.ndarray]:
    """Two arrays, ``name.bytes`` uint8 and ``name.ends`` int64, that hold the texts.

    >>> {key: len(array) for key, array in packed("ids", ["é", ""]).items()}
    {'ids.bytes': 2, 'ids.ends': 2}
    """
    raw = [text.encode("utf-8", "surrogatepass") for text in texts]
    ends = np.cumsum([len(one) for one in raw], dtype=np.int64)
    return {f"{name}.bytes": np.frombuffer(b"".join(raw), np.uint8), f"{name}.ends": ends}


def unpacked(name: str, arrays: Mapping[str, np.ndarray]) -> tuple[str, ...] | None:
    """The texts that ``packed`` put under that name; None if there are none."""
    if f"{name}.ends" not in arrays:
        return None
    raw, ends = arrays[f"{name}.bytes"].tobytes(), arrays[f"{name}.ends"].tolist()
    starts = [0, *ends][: len(ends)]
    return tuple(
        raw[start:end].decode("utf-8", "surrogatepass") for start, end in zip(starts, ends, strict=True)
    )
