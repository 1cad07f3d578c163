"""Classifiers of images, trained end to end on absolute or on relative codes."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor, nn

from relviz.autoencoders.images import as_images
from relviz.autoencoders.model import CODES, Options, encoder, relative_codes, size
from relviz.autoencoders.training import Learner, descend
from relviz.bootstrapping import Pulse
from relviz.compute.arrays import ArrayLike
from relviz.compute.device import device
from relviz.compute.parallel import spread
from relviz.errors import ParameterError, ShapeError

HIDDEN = 64


@dataclass(frozen=True, eq=False)
class Labeled:
    """Images that train and images that test, with the numbers of their classes."""

    images: Tensor
    goal: Tensor
    unseen: Tensor
    truth: Tensor
    names: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class EpochState:
    """After an epoch: accuracy on the unseen images, and their relative vectors ``(n, k)``."""

    epoch: int
    accuracy: float
    relative: Tensor


@dataclass(frozen=True)
class AccuracyRow:
    """Accuracies ``(seeds,)`` after the last epoch, of classifiers of so many parameters."""

    codes: str
    accuracies: tuple[float, ...]
    parameters: int

    @property
    def mean(self) -> float:
        """Mean over the seeds."""
        return float(np.mean(self.accuracies))

    @property
    def sd(self) -> float | None:
        """Sample standard deviation over the seeds; None for a single one."""
        return float(np.std(self.accuracies, ddof=1)) if len(self.accuracies) > 1 else None


def labeled(
    images: ArrayLike, labels: Sequence[object], unseen: ArrayLike, truth: Sequence[object]
) -> Labeled:
    """Labeled images, checked.

    Raises
    ------
    ShapeError
        If there is not one label for each image.
    ParameterError
        If there is one class only, or one among the unseen that is not among the others.
    """
    given, others = as_images(images), as_images(unseen, "unseen")
    classes, true = [str(label) for label in labels], [str(label) for label in truth]
    for some, names in ((given, classes), (others, true)):
        if len(some) != len(names):
            raise ShapeError(f"There are {len(some)} images but {len(names)} labels; give one for each.")
    names = sorted(set(classes))
    strange = sorted(set(true) - set(names))
    if len(names) < 2 or strange:
        raise ParameterError(
            f"Classes to learn are {', '.join(names[:5])}; at least two are needed, and all that are tested"
            + (f": {strange[0]!r} is not among them." if strange else ".")
        )
    number = {name: at for at, name in enumerate(names)}
    goal, right = (torch.tensor([number[name] for name in some]) for some in (classes, true))
    return Labeled(given, goal, others, right, tuple(names))


def train_classifier(
    data: Labeled, options: Options | None = None, pulse: Pulse | None = None
) -> Iterator[EpochState]:
    """Train a classifier, epoch by epoch: it is trained as far as it is asked for.

    With as many anchors as latents, absolute and relative have the same parameters. ``kind`` and ``beta`` of
    the options say nothing here. The same data and options give the same states on one device.
    """
    chosen = options or Options()
    learner = _Classification(chosen, data)
    for step in descend(learner.networks, learner.losses, len(data.images), chosen, learner.random):
        if pulse is not None:
            pulse()
        if step.index % (step.of // chosen.epochs) == 0:
            yield learner.state(step.epoch)


def accuracy_table(
    data: Labeled,
    seeds: Sequence[int] = range(5),
    options: Options | None = None,
    on_step: Callable[[int, int], object] | None = None,
    pulse: Pulse | None = None,
) -> tuple[AccuracyRow, ...]:
    """Accuracy of classifiers trained on absolute and on relative codes.

    Source: Moschella et al. 2023 (arXiv 2209.15430), table 2. Each training is one task of joblib.
    ``on_step`` is told after every training which of how many it was; it may raise to stop.
    """
    base = options or Options()
    wanted = [replace(base, codes=codes, seed=int(seed)) for codes in CODES for seed in seeds]
    found: dict[str, list[float]] = {}
    with spread(_accuracy, [(data, chosen, pulse) for chosen in wanted]) as results:
        for index, (accuracy, chosen) in enumerate(zip(results, wanted, strict=True)):
            found.setdefault(chosen.codes, []).append(accuracy)
            if on_step is not None:
                on_step(index, len(wanted))
    return tuple(
        AccuracyRow(codes, tuple(values), _parameters(replace(base, codes=codes), data))
        for codes, values in found.items()
    )


class _Classification(Learner):
    """A classifier while it is trained."""

    def __init__(self, chosen: Options, data: Labeled) -> None:
        super().__init__(chosen, data.images, *_networks(chosen, data))
        self.goal, self.unseen, self.truth = (
            part.to(device()) for part in (data.goal, data.unseen, data.truth)
        )

    def losses(self, rows: Tensor) -> tuple[Tensor, Tensor]:
        rows = rows.to(device())
        loss = nn.functional.cross_entropy(
            self.tail(self.codes(self.latents(self.images[rows]))), self.goal[rows]
        )
        return loss, loss

    def state(self, epoch: int) -> EpochState:
        with torch.no_grad():
            latents = self.latents(self.unseen)
            right = self.tail(self.codes(latents)).argmax(1) == self.truth
            relative = relative_codes(latents, self.anchor_latents())
        return EpochState(epoch, float(right.float().mean()), relative.cpu())


def _networks(chosen: Options, data: Labeled) -> tuple[nn.Sequential, nn.Sequential]:
    _, channels, side, _ = data.images.shape
    with torch.random.fork_rng(devices=[]):
        tail = nn.Sequential(nn.Linear(chosen.inputs, HIDDEN), nn.SiLU(), nn.Linear(HIDDEN, len(data.names)))
        return encoder(channels, side, chosen.latent, chosen.width), tail


def _parameters(chosen: Options, data: Labeled) -> int:
    return sum(map(size, _networks(chosen, data)))


def _accuracy(data: Labeled, chosen: Options, pulse: Pulse | None) -> float:
    *_, last = train_classifier(data, chosen, pulse)
    return last.accuracy
