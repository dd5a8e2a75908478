"""Operators that are Python's own where a test holds: the other cases are the operator's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

import minits
from minits.codegen.python import python_source


def unpacked_sizes(x: Tensor) -> int:
    a, b, c = x.shape
    return a + 2 * b + 3 * c


def unpacked_list(xs: list[float]) -> float:
    a, b, c = xs
    return a + 2 * b + 3 * c


def unpacked_tensors(x: Tensor) -> Tensor:
    a, b, c = x.split(1)
    return a - b * c


def int_of_number(x: Tensor) -> int:
    return int(x.item())


def int_of_tensor(x: Tensor) -> int:
    return int(x)


def float_of_tensor(x: Tensor) -> float:
    return float(x)


_NUMBERS = (
    torch.tensor(3), torch.tensor(-4, dtype=torch.int8), torch.tensor(True), torch.tensor(2.75),
    torch.tensor(2**62), torch.tensor(3e9), torch.tensor(float("inf")), torch.tensor(1 + 0j),
    torch.tensor(1 + 2j), torch.tensor([7]), torch.tensor([1, 2]),
    torch.tensor(5, dtype=torch.uint64), torch.tensor(2**63, dtype=torch.uint64),
)  # fmt: skip
_CASES: list[tuple[Callable[..., Any], Any]] = [
    *[(unpacked_sizes, torch.zeros(size)) for size in ((4, 5, 6), (4, 5), (4, 5, 6, 7))],
    *[(unpacked_list, xs) for xs in ([0.5, 1.5, 2.5], [0.5], [])],
    *[(unpacked_tensors, torch.rand(size)) for size in (3, 2, 4)],
    *[(each, x) for each in (int_of_number, int_of_tensor, float_of_tensor) for x in _NUMBERS],
]


def _said(function: Callable[..., Any], argument: Any) -> Any:
    try:
        result = function(argument)
    except RuntimeError as error:
        return str(error).rpartition("Error: ")[2].strip()
    return type(result), result.tolist() if isinstance(result, Tensor) else result


@pytest.mark.parametrize("number", range(len(_CASES)))
def test_results_and_errors_are_torchs(number: int) -> None:
    program, argument = _CASES[number]
    mine, expected = minits.script(program), _said(torch.jit.script(program), argument)
    for _ in range(3):
        assert _said(mine, argument) == expected


def test_lists_of_tensors_are_kept_by_no_variable() -> None:
    source = python_source(minits.script(unpacked_tensors).graph, "f")
    assert "_l" not in source.replace("prim_ListUnpack", "")
    assert "len((_l := list(x.shape))) == 3" in python_source(
        minits.script(unpacked_sizes).graph, "f"
    )
