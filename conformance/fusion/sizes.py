"""Calls of one compiled program with sizes that change from call to call.

The first calls of a size bind kernels to it, later sizes run by launches for any: what those rely
on must hold for all. Digits were compared before (`conformance.fuzz.check`); here it is what a
launch could mistake: shapes, strides, which elements, and whether there is an error.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from conformance.fuzz.programs import Program

TIMES = (1, 1, 2, 3, 2, 1, 5)
"""How many times as large the sizes are that are not one, call by call."""
TOLERANCE = {torch.float16: 2e-2, torch.bfloat16: 8e-2}
"""Of numbers that are rounded to these after each operator, or once; of others, 1e-3."""


def check_sizes_in_turn(program: Program, compiled: Any) -> None:
    """Raise AssertionError where a call is not what eager is."""
    eager = program.function()
    for times in TIMES:
        arguments = [_larger(each, times) for each in program.arguments]
        theirs, mine = _outcome(eager, arguments), _outcome(compiled, arguments)
        if isinstance(theirs, Exception) or isinstance(mine, Exception):
            assert isinstance(theirs, Exception) and isinstance(mine, Exception), (
                f"sizes times {times}: {mine!r} for {theirs!r}"
            )
            continue
        for found, expected in zip(mine, theirs, strict=True):
            _compare(found, expected, f"sizes times {times}")


def _larger(value: Any, times: int) -> Any:
    if isinstance(value, Tensor):
        return value.repeat([times if size > 1 else 1 for size in value.shape])
    return value


def _outcome(function: Any, arguments: list[Any]) -> Any:
    try:
        return function(*arguments)
    except Exception as fault:
        return fault


def _compare(found: Tensor, expected: Tensor, when: str) -> None:
    assert strides_of(found) == strides_of(expected), f"{when}: strides {found.stride()}"
    limit = TOLERANCE.get(expected.dtype, 1e-3)
    exact = not (expected.is_floating_point() or expected.is_complex())
    torch.testing.assert_close(
        found,
        expected,
        rtol=0 if exact else limit,
        atol=0 if exact else limit,
        equal_nan=True,
        msg=lambda text: f"{when}: {text}",
    )


def strides_of(tensor: Tensor) -> list[int]:
    """Return the strides that matter: those of dimensions that have more than one index."""
    if tensor.numel() == 0:
        return []
    return [stride for size, stride in zip(tensor.shape, tensor.stride(), strict=True) if size > 1]
