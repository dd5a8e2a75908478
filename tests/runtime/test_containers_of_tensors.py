"""Tensors in tuples, NamedTuples, lists and dicts: what is read from them fuses, in every call."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any, NamedTuple

import pytest
import torch
import torch.nn.functional as F
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


def dropped(p: tuple[Tensor, Tensor]) -> Tensor:
    return F.dropout(p[0].sin(), 0.25, True) * p[1].cos()


def dropped_channels(p: list[Tensor]) -> Tensor:
    return torch.feature_dropout(p[0] * 2, 0.5, True) + p[1]


def loss_of_scores(p: dict[str, Tensor]) -> Tensor:
    return F.nll_loss(F.log_softmax(p["a"] * 2, 1), p["b"].argmax(1)) * 3


def loss_of_named(p: Pair) -> Tensor:
    return F.cross_entropy(p.a * 2, p.b.softmax(1), reduction="sum") * 3


def _scores() -> list[Tensor]:
    """Tensors of several ranks and dtypes, some with gradients; those of a rank have one shape."""
    torch.manual_seed(0)
    made = [
        torch.randn(shape).to(dtype)
        for shape in ((4, 3), (2, 3, 5), (2, 3, 2, 2))
        for dtype in (torch.float32, torch.bfloat16, torch.float64)
    ]
    return [x.requires_grad_(number % 2 == 1) for number, x in enumerate(made)]


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("function", "maker"),
    [
        (dropped, MAKERS[of_tuple]),
        (dropped_channels, MAKERS[of_list]),
        (loss_of_scores, MAKERS[of_dict]),
        (loss_of_named, MAKERS[of_named]),
    ],
)
@pytest.mark.parametrize("first", [0, 1, 5, 8])
def test_operators_that_are_taken_apart_fit_other_tensors(
    function: Callable[..., Any], maker: Callable[..., Any], first: int
) -> None:
    """The parts are of the dtype, rank and gradients that are certain: those of no example."""
    compiled, scores = minits.script(function), _scores()
    for x in (*scores[first:], *scores[:first]):
        argument = maker(x, x.detach() / 2)
        torch.manual_seed(5)
        expected = function(argument)
        torch.manual_seed(5)
        found = compiled(argument)
        tolerance = {"rtol": 2e-2, "atol": 2e-2} if x.dtype == torch.bfloat16 else {}
        torch.testing.assert_close(found, expected, **tolerance)
        assert found.requires_grad == expected.requires_grad
        if x.requires_grad:
            (wanted,) = torch.autograd.grad(expected.sum(), x)
            torch.testing.assert_close(torch.autograd.grad(found.sum(), x)[0], wanted, **tolerance)
