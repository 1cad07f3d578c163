"""Similarity to a reference model predicts accuracy (RR figure 3), over many small runs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from torch import Tensor
from torch.nn.functional import cosine_similarity

from relviz.autoencoders.classifier import EpochState, Labeled, train_classifier
from relviz.autoencoders.model import Options
from relviz.bootstrapping import Pulse
from relviz.bootstrapping.options import check_whole
from relviz.compute.parallel import spread
from relviz.errors import ParameterError
from relviz.names import Record

REFERENCE = Options(codes="absolute", width=16, rate=3e-3, seed=1000)


@dataclass(frozen=True)
class Curve:
    """One run: after each epoch the accuracy on unseen images, and the similarity to the reference.

    ``similarity`` is the mean cosine between the relative vectors of the unseen images in both models.
    """

    options: Options
    accuracy: tuple[float, ...]
    similarity: tuple[float, ...]


@dataclass(frozen=True)
class Curves:
    """All runs, and the reference's accuracy."""

    reference: float
    runs: tuple[Curve, ...]

    @property
    def correlation(self) -> float:
        """Spearman's, of similarity and accuracy over all points; NaN if there are fewer than three."""
        from scipy.stats import spearmanr

        points = [pair for run in self.runs for pair in zip(run.similarity, run.accuracy, strict=True)]
        return float(spearmanr(points).statistic) if len(points) > 2 else float("nan")

    def records(self) -> list[Record]:
        """One flat record for each point: run, epoch, accuracy, similarity, and what the run was."""
        return [
            {
                "run": number,
                "epoch": epoch,
                "accuracy": accuracy,
                "similarity": similarity,
                "width": run.options.width,
                "latent": run.options.latent,
                "rate": run.options.rate,
                "seed": run.options.seed,
            }
            for number, run in enumerate(self.runs)
            for epoch, (accuracy, similarity) in enumerate(zip(run.accuracy, run.similarity, strict=True))
        ]


def small_runs(count: int = 24, epochs: int = 5, anchors: int = 64, seed: int = 0) -> tuple[Options, ...]:
    """Options of runs of different widths, latent sizes, rates and seeds, drawn at random."""
    check_whole("count", count, 1)
    rng = np.random.default_rng([20220930, seed])
    return tuple(
        Options(
            codes="absolute",
            latent=int(rng.choice([8, 16, 32, 64])),
            anchors=anchors,
            epochs=epochs,
            width=int(rng.choice([1, 2, 4, 8])),
            rate=float(10 ** rng.uniform(-4.5, -2)),
            seed=number,
        )
        for number in range(count)
    )


def training_curves(
    data: Labeled,
    runs: Sequence[Options],
    reference: Options = REFERENCE,
    on_step: Callable[[int, int], object] | None = None,
    pulse: Pulse | None = None,
) -> Curves:
    """Accuracy and similarity to a reference over the training of many small classifiers.

    Source: Moschella et al. 2023 (arXiv 2209.15430), figure 3, there on graphs. Each run is one task of
    joblib.

    Parameters
    ----------
    data
        Of ``labeled``.
    runs
        See ``small_runs``.
    reference
        What they are compared with, trained first; it must have the same anchors.
    on_step
        Told after every training which of how many it was, the reference being the first; truthy stops, and
        what stands then is the result; it may raise to stop.
    pulse
        Called at every step of a training; leave it out where that is another process.

    Raises
    ------
    ParameterError
        If there are no runs, or the anchors differ.
    """
    if not runs:
        raise ParameterError("There are no runs; give at least one.")
    for chosen in runs:
        if (chosen.anchors, chosen.anchor_seed) != (reference.anchors, reference.anchor_seed):
            raise ParameterError(
                f"A run has {chosen.anchors} anchors of seed {chosen.anchor_seed}, the reference "
                f"{reference.anchors} of seed {reference.anchor_seed}; only the same ones can be compared."
            )
    *_, best = train_classifier(data, reference, pulse)
    curves: list[Curve] = []
    if on_step is not None and on_step(0, 1 + len(runs)):
        return Curves(best.accuracy, ())
    with spread(_curve, [(data, chosen, best.relative, pulse) for chosen in runs]) as results:
        for index, curve in enumerate(results, start=1):
            curves.append(curve)
            if on_step is not None and on_step(index, 1 + len(runs)):
                break
    return Curves(best.accuracy, tuple(curves))


def _curve(data: Labeled, chosen: Options, goal: Tensor, pulse: Pulse | None) -> Curve:
    def to_reference(state: EpochState) -> float:
        return float(cosine_similarity(state.relative.double(), goal.double()).mean())

    points = [(state.accuracy, to_reference(state)) for state in train_classifier(data, chosen, pulse)]
    accuracy, similarity = zip(*points, strict=True)
    return Curve(chosen, tuple(accuracy), tuple(similarity))
