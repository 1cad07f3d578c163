"""Every translator, and the stitching table."""

from collections.abc import Iterator
from functools import partial

from torch import Tensor

import relviz
from relviz.compute.device import device
from relviz.translation import METHODS
from tests.gpu.case import Case, Tolerance, Work, figures
from tests.gpu.made import gaussian, seen_again

FITS = Tolerance(1e-4, 0, "fitted in float64 on the CPU whatever the device; only inputs come from it")
TABLE = Tolerance(1e-3, 0, "heads are trained on the CPU whatever the device")
FOUND = Tolerance(0.02, 0, "anchors are found on the device: one that differs moves a few test rows")


def translators(small: bool) -> Iterator[Case]:
    """Fitted on anchors and applied to all rows, both given on the device."""
    n, d, k = (1000, 32, 100) if small else (20_000, 256, 600)

    def prepare(method: str) -> Work:
        x = gaussian(n, d)
        y = seen_again(x, d).to(device())
        x = x.to(device())
        return lambda: {"translated": relviz.translator(x[:k], y[:k], method)(x)}

    for method in METHODS:
        yield Case(method, f"{n:,} rows, {k} anchors, d {d}", FITS, partial(prepare, method))


def stitching(small: bool) -> Iterator[Case]:
    """The table of two encoders, with the anchors known and with most of them found."""
    n, d, runs = (400, 16, 1) if small else (5000, 128, 2)
    size = f"{n:,} rows, 2 encoders, {runs} run{'s'[: runs - 1]}"

    def prepare(counterparts: str) -> Work:
        x = gaussian(n, d)
        spaces = {"one": x, "other": seen_again(x, d, noise=0.1)}
        labels = (x[:, 0] > 0.3).long() + 2 * (x[:, 1] > 0.3).long()

        def call() -> dict[str, Tensor]:
            table = relviz.stitch(spaces, labels.tolist(), n // 8, n_draws=runs, counterparts=counterparts)
            return figures(
                {f"{cell.encoder} {cell.head} {cell.method}": cell.mean["accuracy"] for cell in table.cells}
            )

        return call

    yield Case("anchors known", size, TABLE, partial(prepare, "true"), slow=True)
    yield Case("15 anchors known, the others found", size, FOUND, partial(prepare, "bootstrap"), slow=True)
