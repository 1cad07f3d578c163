"""Decoder swap (zero-shot stitching): one encoder with another's decoder, and the table of its errors."""

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from relviz.autoencoders.images import as_images
from relviz.autoencoders.model import CODES, KINDS, Autoencoder, Options, mean_squared_error
from relviz.autoencoders.training import train
from relviz.bootstrapping import Pulse
from relviz.compute.arrays import ArrayLike
from relviz.compute.parallel import spread
from relviz.errors import ParameterError
from relviz.names import Record
from relviz.translation import Options as TranslatorOptions
from relviz.translation import anchor_pairs, fit_translator
from relviz.translation.methods import check_method


def swap(
    encoder: Autoencoder,
    decoder: Autoencoder,
    images: ArrayLike,
    method: str | None = None,
    options: TranslatorOptions | None = None,
) -> Tensor:
    """Images ``(n, channels, side, side)`` encoded by one and decoded by the other, neither ever tuned to it.

    Source: Moschella et al. 2023 (arXiv 2209.15430), section 5.1.

    Parameters
    ----------
    encoder, decoder
        Trained on the same codes.
    images
        As the encoder takes them.
    method
        One of ``relviz.TRANSLATORS``, fitted on the latents of the shared anchors: it carries
        latents into the decoder's space first. Without it codes go straight into the decoder.
    options
        Of the translator.

    Raises
    ------
    ParameterError
        If the two were trained on different codes or anchors, or the translator cannot be had.
    ShapeError
        If latents go straight into a decoder of another latent size.
    """
    return decoder.decode(swapped_codes(encoder, decoder, images, method, options))


def swapped_codes(
    encoder: Autoencoder,
    decoder: Autoencoder,
    images: ArrayLike,
    method: str | None = None,
    options: TranslatorOptions | None = None,
) -> Tensor:
    """What ``swap`` gives the decoder ``(n, latent)`` or ``(n, k)``."""
    one, other = encoder.options, decoder.options
    if one.codes != other.codes:
        raise ParameterError(
            f"The encoder was trained with {one.codes} codes, the decoder with {other.codes}. Use two "
            "trained on the same codes."
        )
    if encoder.anchor_digest != decoder.anchor_digest and (method or one.codes == "relative"):
        raise ParameterError(
            f"They do not share anchors ({one.anchors} of seed {one.anchor_seed}, {other.anchors} of seed "
            f"{other.anchor_seed}); train both on the same images, with the same anchors and anchor_seed."
        )
    if method is None:
        return encoder.codes(images)
    pairs = anchor_pairs(encoder.anchors, decoder.anchors)
    t = fit_translator(pairs, check_method(method), options)
    return decoder.codes_of(t(encoder.encode(images)))


def grid(models: Sequence[Autoencoder], images: ArrayLike, method: str | None = None) -> Tensor:
    """``(encoders, decoders, n, channels, side, side)``: images by every pair; on the diagonal, unswapped."""
    return torch.stack(
        [
            torch.stack([swap(one, other, images, None if one is other else method) for other in models])
            for one in models
        ]
    )


OWN, STITCHED = "own", "stitched"
"""Paths through an autoencoder's own decoder, and straight into another's; others are translators."""


@dataclass(frozen=True, eq=False)
class MseCell:
    """``values``: one mean squared error for each seed's decoder, a mean over the encoders of the others."""

    kind: str
    codes: str
    path: str
    values: tuple[float, ...]
    parameters: int

    @property
    def mean(self) -> float:
        """Mean over the seeds."""
        return statistics.mean(self.values)

    @property
    def sd(self) -> float | None:
        """Sample standard deviation over the seeds; None for a single one."""
        return statistics.stdev(self.values) if len(self.values) > 1 else None


@dataclass(frozen=True, eq=False)
class MseTable:
    """All cells, on ``n`` unseen images."""

    seeds: tuple[int, ...]
    n: int
    cells: tuple[MseCell, ...]

    def cell(self, kind: str, codes: str, path: str) -> MseCell:
        """The cell of these; KeyError where there is none."""
        for cell in self.cells:
            if (cell.kind, cell.codes, cell.path) == (kind, codes, path):
                return cell
        raise KeyError((kind, codes, path))

    def times(self, kind: str, codes: str, path: str = STITCHED) -> float:
        """How many times the error of unswapped decoders another path has."""
        return self.cell(kind, codes, path).mean / self.cell(kind, codes, OWN).mean

    def records(self) -> list[Record]:
        """One flat record for each cell: kind, codes, path, mse, its sd, times, parameters."""
        return [
            {
                "kind": cell.kind,
                "codes": cell.codes,
                "path": cell.path,
                "mse": cell.mean,
                "mse_sd": cell.sd,
                "times": self.times(cell.kind, cell.codes, cell.path),
                "parameters": cell.parameters,
            }
            for cell in self.cells
        ]


@dataclass(frozen=True)
class TableStep:
    """``index`` of ``of`` trainings are done, counted from 0; the last was of these."""

    index: int
    of: int
    kind: str
    codes: str
    seed: int


def mse_table(
    images: ArrayLike,
    unseen: ArrayLike,
    seeds: Sequence[int] = range(5),
    kinds: Sequence[str] = tuple(KINDS),
    codes: Sequence[str] = tuple(CODES),
    methods: Sequence[str] = (),
    options: Options | None = None,
    on_step: Callable[[TableStep], object] | None = None,
    pulse: Pulse | None = None,
) -> MseTable:
    """Mean squared error of unseen images, encoded by one seed and decoded by itself or by another.

    Source: Moschella et al. 2023 (arXiv 2209.15430), table 3. Each training is one task of joblib:
    ``joblib.parallel_config`` says where it runs.

    Parameters
    ----------
    images, unseen
        ``(n, channels, side, side)`` that train, and that are measured.
    seeds
        At least two. All share their anchors.
    kinds, codes
        Of the autoencoders; see ``Options``.
    methods
        Translators by which absolute latents are translated as well.
    options
        What else is said of all of them.
    on_step
        Called after every training; truthy stops, and the table has what then has two seeds or more; it may
        raise to stop.
    pulse
        Called at every step of a training; leave it out where that is another process.

    Raises
    ------
    ShapeError, ParameterError
        As ``train`` and ``swap``.
    """
    given, measured, base = as_images(images), as_images(unseen, "unseen"), options or Options()
    if len(set(seeds)) < 2 or not kinds or not codes:
        raise ParameterError(f"Give at least two different seeds, a kind and codes; seeds are {list(seeds)}.")
    methods = (methods,) if isinstance(methods, str) else methods
    for method in methods:
        check_method(method)
    wanted = [
        replace(base, kind=kind, codes=which, seed=int(seed))
        for kind in kinds
        for which in codes
        for seed in seeds
    ]
    made = []
    with spread(_trained, [(given, chosen, pulse) for chosen in wanted]) as results:
        for index, (model, chosen) in enumerate(zip(results, wanted, strict=False)):
            made.append(model)
            step = TableStep(index, len(wanted), chosen.kind, chosen.codes, chosen.seed)
            if on_step and on_step(step):
                break
    return table_of(made, measured, methods)


def table_of(models: Sequence[Autoencoder], unseen: ArrayLike, methods: Sequence[str] = ()) -> MseTable:
    """The table of autoencoders that are trained already; those alike in all but the seed are swapped.

    Raises
    ------
    ShapeError, ParameterError
        As ``swap``.
    """
    measured = as_images(unseen, "unseen")
    made: dict[tuple[str, str], list[Autoencoder]] = {}
    for model in models:
        made.setdefault((model.options.kind, model.options.codes), []).append(model)
    cells = []
    for (kind, which), alike in made.items():
        if len(alike) > 1:
            paths = (OWN, STITCHED, *(methods if which == "absolute" else ()))
            size = sum(alike[0].parameters)
            cells += [MseCell(kind, which, path, _through(path, alike, measured), size) for path in paths]
    seeds = dict.fromkeys(model.options.seed for model in models)
    return MseTable(tuple(seeds), len(measured), tuple(cells))


def _trained(images: Tensor, chosen: Options, pulse: Pulse | None) -> Autoencoder:
    return train(images, chosen, pulse=pulse)


def _through(path: str, models: list[Autoencoder], images: Tensor) -> tuple[float, ...]:
    if path == OWN:
        return tuple(model.mse(images) for model in models)
    method = None if path == STITCHED else path
    return tuple(
        statistics.mean(
            mean_squared_error(swap(other, model, images, method), images)
            for other in models
            if other is not model
        )
        for model in models
    )
