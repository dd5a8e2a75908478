"""The coefficients in the C functions are those that `tests.support.minimax` finds."""

from __future__ import annotations

from pathlib import Path

import pytest

from minits.kernels.cpu import c_math
from tests.support.minimax import FITS, rounded, texts

FOLDER = Path(c_math.__file__).parent


@pytest.mark.one_in(10, over="")
@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("sin_f32", "trigonometry"),
        ("cos_f32", "trigonometry"),
        ("tan_f32", "trigonometry"),
        ("sin_f64", "trigonometry"),
        ("asin_f32", "inverse_trigonometry"),
        ("tanh_f32", "hyperbolic"),
        ("sigmoid_f32", "hyperbolic"),
        ("pow_log_f64", "power"),
        ("erfinv_f32", "error_function"),
        ("sin_of_turns_f64", "gamma"),
    ],
)
def test_coefficients_are_those_of_the_best_polynomial(name: str, file: str) -> None:
    coefficients, worst = rounded(FITS[name])
    text = (FOLDER / f"{file}.c").read_text(encoding="utf-8")
    places = [text.find(found) for found in texts(FITS[name], coefficients)]
    assert -1 not in places
    assert places == sorted(places)
    assert worst * 2 ** FITS[name].bits < 0.1
