"""Tensors in tuples, NamedTuples, lists and dicts: what is read from them fuses, in every call."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any, NamedTuple

import pytest
import torch
from torch import Tensor

import minits


class Pair(NamedTuple):
    a: Tensor
    b: Tensor


def _computed(a: Tensor, b: Tensor) -> Tensor:
    y = torch.relu(a * 2 + b)
    if a.dim() == 2:
        y = y.exp() + 1
    if b.dtype == torch.float64:
        y = y.sin() - 1
    z = a * 2
    z.add_(b)
    return y + z


def of_tuple(p: tuple[Tensor, Tensor]) -> Tensor:
    return _computed(p[0], p[1])


def of_named(p: Pair) -> Tensor:
    return _computed(p.a, p.b)


def of_list(p: list[Tensor]) -> Tensor:
    return _computed(p[0], p[1])


def of_dict(p: dict[str, Tensor]) -> Tensor:
    return _computed(p["a"], p["b"])


MAKERS: dict[Callable[..., Any], Callable[[Tensor, Tensor], Any]] = {
    of_tuple: lambda a, b: (a, b),
    of_named: Pair,
    of_list: lambda a, b: [a, b],
    of_dict: lambda a, b: {"a": a, "b": b},
}


def _tensors() -> list[Tensor]:
    torch.manual_seed(0)
    return [
        torch.randn(8),
        torch.randn(3, 8),
        torch.randn(8).double(),
        torch.randn(3, 16)[:, ::2],
        torch.randn(1, 1),
        torch.arange(8),
        torch.randn(8, requires_grad=True),
    ]


def _outcome(function: Callable[..., Any], argument: Any) -> Any:
    try:
        return function(argument)
    except RuntimeError:
        return RuntimeError


@pytest.mark.parametrize("function", MAKERS)
def test_calls_with_other_tensors_are_eagers(function: Callable[..., Any]) -> None:
    compiled = minits.script(function)
    for a, b in product(_tensors(), repeat=2):
        argument = MAKERS[function](a, b)
        expected, found = _outcome(function, argument), _outcome(compiled, argument)
        if expected is RuntimeError or found is RuntimeError:
            assert found is expected, (a, b)
        else:
            torch.testing.assert_close(found, expected)
            assert found.stride() == expected.stride()
            assert found.requires_grad == expected.requires_grad


def from_named(p: Pair) -> Tensor:
    return torch.relu(p.a * 2 + p.b)


def from_dict(p: dict[str, Tensor]) -> Tensor:
    return torch.relu(p["a"] * 2 + p["b"])


def from_local_dict(p: Pair) -> Tensor:
    made = {"a": p.a, "b": p.b}
    return torch.relu(made["a"] * 2 + made["b"])


@pytest.mark.parametrize("function", [from_named, from_dict, from_local_dict])
def test_what_is_read_from_containers_fuses(function: Callable[..., Any]) -> None:
    a, b = torch.randn(8), torch.randn(8)
    argument = {"a": a, "b": b} if function is from_dict else Pair(a, b)
    compiled = minits.script(function)
    torch.testing.assert_close(compiled(argument), function(argument))
    fused = [each.operator for each in compiled.remarks(argument) if each.code == "fused"]
    assert fused == ["aten::mul", "aten::add", "aten::relu"]
