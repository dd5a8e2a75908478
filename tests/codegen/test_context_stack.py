"""Blocks of context managers are left where something is raised in them."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

import minits
from minits.ops.errors import ScriptError
from minits.runtime import interpreter


def raises_without_gradients(x: Tensor, n: int) -> Tensor:
    with torch.no_grad():
        y = x * 2
        for i in range(n):
            with torch.no_grad():
                y = y + torch.ones(i + 2)
    return y


@pytest.mark.parametrize("kind", ["python", "interpreter"])
def test_gradients_are_recorded_again(kind: str) -> None:
    compiled = minits.script(raises_without_gradients)
    x = torch.ones(2, requires_grad=True)

    def run(n: int) -> Tensor:
        if kind == "python":
            return compiled(x, n)
        return interpreter.run(compiled.inlined_graph, x, n)

    assert run(1).tolist() == [3.0, 3.0]
    for mode in (torch.enable_grad, torch.no_grad):
        with mode():
            before = torch.is_grad_enabled()
            with pytest.raises((ScriptError, RuntimeError), match="must match the size"):
                run(2)
            assert torch.is_grad_enabled() == before
    assert torch.is_grad_enabled()


def fails(x: Tensor) -> Tensor:
    with torch.no_grad():
        assert x.sum() > 0, "nothing"
        return x * 2


def calls(x: Tensor) -> Tensor:
    with torch.no_grad():
        return fails(x) + 1


def test_callers_leave_theirs_too() -> None:
    compiled = minits.script(calls)
    assert compiled(torch.ones(1)).tolist() == [3.0]
    with torch.no_grad():
        with pytest.raises(ScriptError, match="nothing"):
            compiled(torch.zeros(1))
        assert not torch.is_grad_enabled()
    assert torch.is_grad_enabled()
