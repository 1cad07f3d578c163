"""One device: every case computed and timed, its tensors written to a folder.

``python -m tests.gpu.worker FOLDER [--only KIND …] [--small]``; ``RELVIZ_DEVICE`` says which device. A
process of its own for each device, because the library chooses its device once, and to give memory back.
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from statistics import median

# Set before the encoders are imported: they read it then.
os.environ.setdefault("HF_HUB_OFFLINE", "1")

import torch
from safetensors.torch import save_file
from torch import Tensor

from relviz.compute.device import device_name
from tests.gpu.case import Case, Work, settle
from tests.gpu.cases import KINDS

RUNS = 3
SEEN = "seen.json"
"""What was computed, in order: kind, name, seconds, or the error."""


def timed(work: Work) -> tuple[float, Mapping[str, Tensor]]:
    """Seconds of one call, all that it gave the device to do included, and its tensors."""
    settle()
    begun = time.perf_counter()
    found = work()
    settle()
    return time.perf_counter() - begun, found


def seconds_of(case: Case, twin: Case) -> tuple[float, Mapping[str, Tensor]]:
    """Median seconds of a case after a first run that is not counted, and its tensors.

    The first run loads what the device needs. Of a slow case that is its small ``twin``.
    """
    if case.slow:
        timed(twin.prepare())
        return timed(case.prepare())
    work = case.prepare()
    timed(work)
    runs = [timed(work) for _ in range(RUNS)]
    return median(seconds for seconds, _ in runs), runs[-1][1]


def run(folder: Path, kinds: list[str], small: bool) -> None:
    """Compute all cases of the kinds; one that fails is written down with its error, and the next begins."""
    seen: list[dict[str, object]] = []
    for kind in kinds:
        for case, twin in zip(KINDS[kind](small), KINDS[kind](True), strict=True):
            entry: dict[str, object] = {"kind": kind, "name": case.name}
            try:
                seconds, found = seconds_of(case, twin)
            except Exception as reason:  # whatever a device cannot do is a row of the table
                entry["error"] = f"{type(reason).__name__}: {reason}".splitlines()[0][:200]
            else:
                entry["seconds"] = seconds
                tensors = {name: tensor.detach().cpu().contiguous() for name, tensor in found.items()}
                save_file(tensors, folder / f"{len(seen)}.safetensors")
            seen.append(entry)
            print(
                f"{kind}: {case.name}, {entry.get('error') or f'{seconds:.4f} s'}",
                file=sys.stderr,
                flush=True,
            )
    told = {"device": device_name(), "torch": torch.__version__, "cases": seen}
    (folder / SEEN).write_text(json.dumps(told), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--small", action="store_true")
    told = parser.parse_args()
    run(told.folder, told.only, told.small)


if __name__ == "__main__":
    main()
