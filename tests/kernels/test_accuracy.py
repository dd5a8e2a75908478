"""Functions are as accurate as eager's to one unit in the last place."""

from __future__ import annotations

import pytest
import torch

from benchmarks.accuracy import FUNCTIONS, Function, measure
from tests.kernels.test_c_printer import needs_compiler

NAMES = set("tanh tan sin cos asin acos atan mish erf erfc erfinv erfcx log_ndtr".split())
NAMES |= {"pow 2.7", "pow -33.3", "1.7 pow"}


@pytest.mark.one_in(25, over="dtype")
@needs_compiler
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
@pytest.mark.parametrize(
    "function", [pytest.param(f, id=f.name) for f in FUNCTIONS if f.name in NAMES]
)
def test_errors_are_at_most_one_ulp_above_eagers(function: Function, dtype: torch.dtype) -> None:
    ours, eager = measure(function, dtype)
    assert ours <= eager + 1.0
