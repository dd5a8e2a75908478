"""Warnings of traces: each tells the line of the program, and none comes from torch's own code."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch.nn import functional as F

import minits

USES: dict[str, Callable[[torch.Tensor], Any]] = {
    "a Python boolean": lambda x: bool(x.sum()),
    "a Python integer": lambda x: int(x.sum()),
    "a Python float": lambda x: float(x.sum()),
    "a Python complex number": lambda x: complex(x.sum()),
    "a Python index": lambda x: [1, 2, 3, 4, 5][x.sum().long()],
    "a Python number": lambda x: x.sum().item(),
    "a Python list": lambda x: x.tolist(),
    "a NumPy array": lambda x: x.numpy(),
    "len": lambda x: len(x),
    "Iterating over a tensor": lambda x: [row + 1 for row in x],
}


@pytest.mark.parametrize("what", USES)
def test_what_is_baked_in_is_told(what: str) -> None:
    def program(x: torch.Tensor) -> torch.Tensor:
        USES[what](x)
        return x + 1

    with pytest.warns(minits.TracerWarning, match=what) as told:
        minits.trace(program, torch.ones(2, 2))
    (warning,) = told
    assert warning.filename == __file__
    assert warning.lineno == USES[what].__code__.co_firstlineno


@minits.script
def scaled(x: torch.Tensor, by: list[int], bias: float) -> torch.Tensor:
    return x * by[0] + bias


def test_numbers_for_compiled_functions_are_told_once() -> None:
    with pytest.warns(minits.TracerWarning, match="is given a tensor as a number") as told:
        traced = minits.trace(lambda x: scaled(x, [x.shape[0], 1], x.sum()), torch.ones(2))
    (warning,) = told
    assert warning.filename == __file__
    assert [node.kind for node in traced.graph.nodes].count("prim::CallFunction") == 1
    assert "aten::numel" not in str(traced.graph)


def test_a_list_as_a_result_is_told_in_strict_mode() -> None:
    def program(x: torch.Tensor) -> list[torch.Tensor]:
        return [x, x + 1]

    with pytest.warns(minits.TracerWarning, match="a list is returned"):
        minits.trace(program, torch.ones(2))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        minits.trace(program, torch.ones(2), strict=False)


def test_shared_memory_is_told_where_a_new_tensor_is_recorded() -> None:
    def program(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        row = x[0]
        return row.mul_(2), x

    with pytest.warns(minits.TracerWarning, match="2 tensors share its memory"):
        minits.trace(program, torch.ones(2, 2), _force_outplace=True, check_trace=False)


def test_checks_in_the_library_are_silent() -> None:
    def program(x: torch.Tensor) -> torch.Tensor:
        return F.multi_head_attention_forward(
            x, x, x, 4, 2, torch.ones(12, 4), torch.zeros(12), None, None, False, 0.0,
            torch.ones(4, 4), torch.zeros(4), training=False,
        )[0]  # fmt: skip

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        minits.trace(program, torch.ones(3, 1, 4))


def test_sizes_are_silent() -> None:
    def program(x: torch.Tensor) -> torch.Tensor:
        rows, columns = x.shape
        return x.view(columns, rows)[: rows - 1].narrow(1, 0, columns // 2)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        traced = minits.trace(program, torch.ones(2, 3))
    assert traced(torch.ones(3, 4)).shape == (2, 2)


def test_devices_are_told_to_be_baked_in() -> None:
    x = torch.zeros(2, device="meta")
    with pytest.warns(minits.TracerWarning, match="the device meta becomes a constant") as caught:
        minits.trace(lambda x: x + torch.zeros(2, device=x.device), x, check_trace=False)
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error", minits.TracerWarning)
        minits.trace(lambda x: x + torch.zeros(2, device=x.device), torch.zeros(2))
