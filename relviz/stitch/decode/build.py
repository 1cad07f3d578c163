"""Train the autoencoders that the project carries anew, from the digits of the demo (about 10 minutes).

    python -m relviz.stitch.decode.build [NAME ...] [--out DIR]

The same machine gives the same weights.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from relviz.stitch.decode.autoencoder import Autoencoder
from relviz.stitch.decode.carried import CARRIED, DATA, demo_digits, keep
from relviz.stitch.decode.training import train


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 0 if all went well."""
    parser = argparse.ArgumentParser(
        "python -m relviz.stitch.decode.build", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("names", nargs="*", help="all by default")
    parser.add_argument("--out", type=Path, default=DATA, help="folder to write to")
    given = parser.parse_args(arguments)
    unknown = sorted(set(given.names) - set(CARRIED))
    if unknown:
        parser.error(f"there is no {', '.join(unknown)}; there are {', '.join(CARRIED)}")
    digits = demo_digits()
    for name in given.names or CARRIED:
        began = time.perf_counter()
        model = train(digits.train, CARRIED[name])
        rounded = {key: array.astype("float16") for key, array in model.arrays().items()}
        mse = Autoencoder.of(rounded, model.meta).mse(digits.test)
        path = keep(model, mse, given.out)
        print(
            f"{name}: mean squared error {model.mse(digits.test):.5f}, {mse:.5f} as float16; "
            f"{path.stat().st_size / 1000:.0f} kB, {time.perf_counter() - began:.0f} s",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
