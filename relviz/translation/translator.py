"""The door to all translators: anchors and a method in, a fitted translator out."""

from relviz.compute.arrays import ArrayLike, as_seed
from relviz.names import DecidedBy, Length
from relviz.pair import Pair, both_sides
from relviz.translation.file import Parameter
from relviz.translation.fitted import Translator
from relviz.translation.methods import METHODS, TranslationMethod, check_method, check_uses
from relviz.translation.options import Options
from relviz.translation.pairs import AnchorPairs, anchor_pairs, check_directions


def translator(
    xa: ArrayLike | Pair,
    ya: ArrayLike | None = None,
    method: TranslationMethod = "irp_plus",
    delta: float | None = None,
    omega: int | None = None,
    completion: bool | None = None,
    seed: int = 0,
    *,
    decided_by: DecidedBy | None = None,
    strength: float | None = None,
    length: Length | None = None,
    target: ArrayLike | None = None,
) -> Translator:
    """Fit a translator on parallel anchors.

    Source: inverse relative projection, arXiv 2406.15057, section 3; baselines as in Maiorca et al. 2023
    (arXiv 2311.00664).

    Parameters
    ----------
    xa, ya
        ``(k, dx)`` and ``(k, dy)``, row i of one the counterpart of row i of the other; or the ``Pair`` of
        them, ``pair.take(anchors)``.
    method
        One of ``relviz.TRANSLATORS``. ``"irp_plus"``, the default, came nearest on held-out rows of all pairs
        tried; ``"irp"`` is the method as published.
    delta
        irp prunes anchors until the farthest left out has a distance 1 - |cos| below it; 0 keeps all.
        0.8 without it.
    omega
        How many subspaces irp averages, each pruned from a different start; there are never more than
        anchors. 8 without it.
    completion
        Whether irp completes its anchors: each subspace translates the unit vectors first, and takes them
        and their images as its anchors. That makes it least squares on the kept anchors (S_x⁺ S_y, see
        ``relviz.translation.irp.fold``). Without completion it is S_xᵀ (S_yᵀ)⁺, eq. 2 on the anchors
        themselves; images that are used linearly, not inverted, come to the same. True without it: it came
        nearer by cosine on nearly all demo pairs (docs/translation.md).
    seed
        Of the starts. Every method takes one; only irp makes use of it.
    decided_by
        Which distance prunes for irp: ``"source"``, ``"target"`` or ``"both"`` (the smaller); ``"both"``
        without it. ``**relviz.translation.LITERAL`` is irp as in the paper, with nothing added.
    strength
        Of ridge, in units of the mean squared singular value; chosen by leaving anchors out without it.
    length
        ``"own"``: rows keep their length, in units of the mean anchor length, so that an isometry is
        recovered whole; ``"mean"``: all get the mean anchor length; ``"raw"``: rows stay as long as the
        matrix makes them, in units of the mean anchor length, which is the paper read literally. ``"own"``
        without it; absolute makes no use of it.
    target
        ``(m, dy)`` rows of the target space, if ``ya`` lie in the frame of ``relviz.prepare(target)``, as
        ``relviz.bootstrap(x, target, …).anchors`` do; translations then lie in the target space itself.
        Without it they lie where ``ya`` do. The rows ``target[result.indices]`` serve as well, and better
        for all methods but procrustes (docs/translation.md).

    Raises
    ------
    ShapeError
        If ``xa`` and ``ya`` differ in number, or absolute meets spaces of different dimensions.
    ParameterError
        If an option is unknown or out of range, the method makes no use of it, a number is NaN or infinite,
        or the anchors are one or all the same.

    Examples
    --------
    >>> xa = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]]
    >>> ya = [[5.0, 7.0], [3.0, 5.0], [5.0, 3.0]]  # turned by a quarter, twice as long, moved
    >>> translator(xa, ya, method="procrustes")([[0.0, -1.0]])
    tensor([[7., 5.]])
    """
    usual = Options()
    given = {
        "delta": delta,
        "omega": omega,
        "completion": completion,
        "decided_by": decided_by,
        "strength": strength,
        "length": length,
    }
    check_uses(method, [name for name, value in given.items() if value is not None])
    options = Options(
        delta=usual.delta if delta is None else delta,
        omega=usual.omega if omega is None else omega,
        completion=usual.completion if completion is None else completion,
        seed=as_seed(seed),
        decided_by=usual.decided_by if decided_by is None else decided_by,
        strength=strength,
        length=usual.length if length is None else length,
    )
    return fit_translator(anchor_pairs(*both_sides(xa, ya, "xa and ya"), target), method, options)


def fit_translator(
    pairs: AnchorPairs, method: TranslationMethod = "irp_plus", options: Options | None = None
) -> Translator:
    """``translator`` on anchors prepared once by ``anchor_pairs``: what another δ or ω shares is kept.

    Raises
    ------
    ShapeError, ParameterError
        As ``translator``.
    """
    check_method(method)
    settings = options or Options()
    if method != "absolute":
        check_directions(pairs, method)
    used: dict[str, Parameter] = {name: getattr(settings, name) for name in METHODS[method].takes}
    fitted = METHODS[method].fit(pairs, **used)
    return Translator(
        method=method,
        parameters={**used, **dict(fitted.chosen), "length": settings.length},
        condition_number=fitted.condition_number,
        anchors_kept=fitted.anchors_kept,
        pairs=pairs,
        length=settings.length,
        fit=fitted,
    )
