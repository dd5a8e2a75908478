"""Keyword-only parameters with defaults, of functions and of methods."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn

import minits
from minits.diagnostics import CompileError
from tests.support.extended import check_agrees, check_extension


def scaled(x: float, *, scale: float = 2.0, shift: int = 0) -> float:
    return x * scale + shift


def calls_scaled(x: float) -> tuple[float, float, float]:
    return scaled(x), scaled(x, scale=3.0), scaled(shift=1, x=x)


def with_required(x: int, y: int = 1, *, sign: int, names: list[str] | None = None) -> str:
    text = str((x + y) * sign)
    if names is not None:
        text = text + names[0]
    return text


def calls_with_required(x: int) -> list[str]:
    return [with_required(x, sign=2), with_required(x, 3, sign=-1, names=["a"])]


@pytest.mark.parametrize("program", [scaled, with_required])
def test_the_torch_dialect_refuses_the_default_and_names_the_extension(program) -> None:
    with pytest.raises(CompileError, match="TS190") as caught:
        minits.script(program)
    assert "the extended dialect accepts it" in str(caught.value)


def test_a_default_is_taken_where_the_keyword_is_missing() -> None:
    compiled = check_extension(scaled, "TS190", (1.5,))
    assert compiled(1.5, scale=4.0) == scaled(1.5, scale=4.0)
    assert compiled(1.5, shift=2) == scaled(1.5, shift=2)
    assert compiled(x=1.5, shift=2, scale=0.5) == scaled(x=1.5, shift=2, scale=0.5)
    check_extension(calls_scaled, "TS190", (1.5,), (0.0,))
    check_extension(calls_with_required, "TS190", (2,))


def test_such_a_parameter_takes_no_positional_argument() -> None:
    compiled = minits.script(scaled, dialect="extended")
    with pytest.raises(RuntimeError, match="positional"):
        compiled(1.5, 4.0)


class Scaled(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.bias = nn.Parameter(torch.ones(2))

    def shifted(self, x: Tensor, *, times: int = 2) -> Tensor:
        return x + self.bias * times

    def forward(self, x: Tensor, *, again: bool = False) -> Tensor:
        x = self.shifted(x)
        return self.shifted(x, times=5) if again else x


def test_methods_have_them_too() -> None:
    module = Scaled()
    compiled = check_agrees(module, (torch.zeros(2),))
    x = torch.zeros(2)
    assert torch.equal(compiled(x, again=True), module(x, again=True))
