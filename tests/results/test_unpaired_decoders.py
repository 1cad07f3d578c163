"""Two autoencoders of the digits, matched without a known pair and without an image in common."""

import pytest

from relviz.results.autoencoders import two_of
from relviz.results.unpaired_decoders import (
    OWN,
    SWAPPED,
    TRANSLATED,
    halves,
    latents_matched,
    passed_unpaired,
)
from relviz.state.image_sets import DIGITS, image_set
from relviz.state.view import Decoding


@pytest.mark.parametrize("many", [160, 8001])
def test_the_models_encode_different_images(many):
    one, other = (set(rows.tolist()) for rows in halves(many))
    assert not one & other
    assert min(len(one), len(other)) == min(3000, many // 2)
    assert max(one | other) < many


@pytest.mark.parametrize("path", [(0, 1), (1, 0)])
def test_what_is_translated_is_decoded_nearly_as_well_as_by_the_own_decoder(path):
    digits = image_set(DIGITS)
    matched = latents_matched(Decoding(), digits).stored()
    assert matched is not None, "it comes along"
    assert matched.verdict.converged
    two = two_of(Decoding(), digits)
    found = passed_unpaired(two, matched, digits.test[:500], path)
    mse = {one.way: one.mse.mean() for one in found}
    assert mse[TRANSLATED] < 2 * mse[OWN]
    assert mse[SWAPPED] > 10 * mse[OWN]
