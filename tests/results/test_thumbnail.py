"""The small map of one space, and its picture."""

import numpy as np
import pytest
import torch

import relviz
from relviz.results.thumbnail import MOST, thumbnail
from relviz.ui.thumbnail import pixels

WIDTH, HEIGHT = 132, 84


def test_a_sample_of_many_rows_lies_much_as_all_rows_do():
    space = relviz.load_demo("words").spaces["glove50"]
    made = thumbnail(space).run()
    assert len(made.rows) == len(set(made.rows.tolist())) == MOST < len(space)
    (whole,) = relviz.project([space.vectors])
    for axis in range(2):
        assert abs(np.corrcoef(made.points[:, axis], whole[made.rows, axis])[0, 1]) > 0.9


def test_one_dimension_is_no_map():
    with pytest.raises(relviz.ShapeError):
        thumbnail(relviz.Space(torch.arange(9.0)[:, None])).run()


def test_rows_are_dots_of_their_colors_where_they_lie():
    points = np.array([[-1.0, 0.5], [1.0, -0.5], [0.0, 0.0]])
    image = pixels(points, ["#ff0000", "#00ff00", "#0000ff"], (WIDTH, HEIGHT))
    assert image.shape == (2 * HEIGHT, 2 * WIDTH, 4)
    reds, greens = (np.argwhere(image[..., at] == 255).mean(0) for at in (0, 1))
    assert reds[0] < HEIGHT < greens[0]  # a larger second component lies higher
    assert reds[1] < WIDTH < greens[1]
    assert (image[HEIGHT, WIDTH] == (0, 0, 255, 200)).all()
    assert (image[0] == 0).all()


def test_rows_in_one_place_and_far_off_stay_in_the_picture():
    assert pixels(np.zeros((5, 2)), ["#ff0000"] * 5, (WIDTH, HEIGHT))[HEIGHT, WIDTH, 3] == 200
    far = np.r_[np.random.default_rng(0).normal(size=(200, 2)), [[1e6, 1e6]]]
    drawn = pixels(far, ["#0072B2"] * 201, (WIDTH, HEIGHT))[..., 3] > 0
    assert drawn.mean() > 0.02
