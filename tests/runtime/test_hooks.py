"""A module's hooks: run by calls from Python, and part of its type."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn

import minits
from minits.diagnostics import CompileError


class Twice(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * 2


def shifted(self: Any, inputs: tuple[torch.Tensor]) -> torch.Tensor:
    return inputs[0] + 1


def with_inputs(
    self: Any,
    inputs: tuple[torch.Tensor],
    output: torch.Tensor,
) -> torch.Tensor:
    return output + inputs[0]


def another() -> Callable[..., Any]:
    def shifted(self: Any, inputs: tuple[torch.Tensor]) -> None:
        pass

    return shifted


def test_a_call_from_python_runs_them() -> None:
    module = Twice()
    module.register_forward_pre_hook(shifted)
    module.register_forward_hook(with_inputs)
    x = torch.tensor([1.0, -3.0])
    compiled = minits.script(module)
    assert compiled(x).equal(module(x))
    assert compiled(x).equal(torch.jit.script(module)(x))
    assert compiled.forward(x).equal(x * 2)


def test_instances_with_other_hooks_have_another_type() -> None:
    plain, hooked = Twice(), Twice()
    hooked.register_forward_hook(with_inputs)
    both = minits.script(nn.Sequential(plain, hooked, plain))
    x = torch.ones(2)
    assert both(x).equal(nn.Sequential(plain, hooked, plain)(x))
    assert "with_inputs" in str(both.graph)


def test_two_hooks_of_one_name_are_refused() -> None:
    module = Twice()
    module.register_forward_pre_hook(shifted)
    module.register_forward_pre_hook(another())
    with pytest.raises(CompileError, match="TS616"):
        minits.script(module)


@pytest.mark.filterwarnings("ignore::FutureWarning")  # weight_norm is deprecated
@pytest.mark.parametrize("wrap", [nn.utils.weight_norm, nn.utils.spectral_norm])
def test_a_hook_that_is_no_function_is_refused(wrap: Callable[[nn.Module], nn.Module]) -> None:
    with pytest.raises(CompileError, match=r"object of class (Weight|Spectral)Norm[^$]*TS616"):
        minits.script(wrap(nn.Linear(2, 2)))
