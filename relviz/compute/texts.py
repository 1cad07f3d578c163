"""Texts as two arrays, in which entries of the store and workspaces hold them."""

from collections.abc import Mapping, Sequence

import numpy as np

from relviz.errors import ReadError


def packed(name: str, texts: Sequence[str]) -> dict[str, np.ndarray]:
    """Two arrays, ``name.bytes`` uint8 and ``name.ends`` int64, that hold the texts.

    >>> {key: len(array) for key, array in packed("ids", ["é", ""]).items()}
    {'ids.bytes': 2, 'ids.ends': 2}
    """
    raw = [text.encode("utf-8", "surrogatepass") for text in texts]
    ends = np.cumsum([len(one) for one in raw], dtype=np.int64)
    return {f"{name}.bytes": np.frombuffer(b"".join(raw), np.uint8), f"{name}.ends": ends}


def unpacked(name: str, arrays: Mapping[str, np.ndarray]) -> tuple[str, ...] | None:
    """The texts that ``packed`` put under that name; None if there are none.

    Raises
    ------
    ReadError
        If the arrays are not such as ``packed`` makes: where texts end must rise, and end with the bytes.
    """
    if f"{name}.ends" not in arrays:
        return None
    raw, ends = arrays.get(f"{name}.bytes", np.empty(0)), arrays[f"{name}.ends"]
    if raw.dtype != np.uint8 or raw.ndim != 1 or ends.dtype != np.int64 or ends.ndim != 1:
        raise ReadError(
            f"The {name} are {raw.dtype} of shape {raw.shape} and {ends.dtype} of shape {ends.shape}; texts "
            "are bytes and where each of them ends. Save the file again."
        )
    starts = np.concatenate([[0], ends[:-1]]) if len(ends) else ends
    last = int(ends[-1]) if len(ends) else 0
    if (ends < starts).any() or last != len(raw):
        raise ReadError(
            f"The {name} do not lie one after the other within their {len(raw):,} bytes: {len(ends):,} "
            f"texts, the last ends at {last:,}. The file is damaged; save it again."
        )
    content = raw.tobytes()
    return tuple(
        content[start:end].decode("utf-8", "surrogatepass")
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True)
    )
