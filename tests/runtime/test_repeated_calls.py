"""Calls that are remembered: what they relied on may change between two of them."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch._subclasses import FakeTensorMode
from torch.func import functional_call, vmap
from torch.fx.experimental.proxy_tensor import make_fx

import minits
from minits.runtime import repeated_calls


class Net(nn.Module):
    scale: Tensor | None

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.linspace(-1, 1, 6))
        self.register_buffer("shift", torch.linspace(0, 2, 6))
        self.scale = None
        self.flag = True
        self.inner = nn.Dropout(0.0)

    def forward(
        self, x: Tensor, mask: Tensor | None = None, n: int = 2, check: bool = False
    ) -> Tensor:
        y = torch.relu(x * self.weight + self.shift) * n
        scale = self.scale
        if scale is not None:
            y = y * scale
        if self.flag:
            y = y + 1
        if mask is not None:
            y = y.masked_fill(mask, -1.0)
        if check:
            raise ValueError("checked")
        return self.inner(y)


def warm(*calls: tuple[Any, ...]) -> tuple[Net, Any]:
    """Return a module and what is compiled of it, called often enough to be remembered."""
    net = Net()
    compiled = minits.script(net)
    for _ in range(4):
        for call in calls or [(torch.ones(6),)]:
            compiled(*call)
    assert compiled.compile_method("forward")._repeated.last is not None
    return net, compiled


def same(compiled: Any, net: Net, *args: Any, **kwargs: Any) -> None:
    found, expected = compiled(*args, **kwargs), net(*args, **kwargs)
    assert (found.dtype, found.stride()) == (expected.dtype, expected.stride())
    assert found.requires_grad == expected.requires_grad
    torch.testing.assert_close(found, expected)


def _halve(module: Any) -> None:
    module.weight.requires_grad_(False)
    module.half()


def _replace(module: Any) -> None:
    module.weight.data = torch.ones(2, 6)


def _share(module: Any) -> None:
    module.weight.data = torch.ones(6, 6).t()[0]


CHANGES: dict[str, Callable[[Any], Any]] = {
    "a flag": lambda module: setattr(module, "flag", False),
    "a flag of a submodule": lambda module: module.eval(),
    "an Optional attribute": lambda module: setattr(module, "scale", torch.ones(6) * 3),
    "the shape of an attribute": _replace,
    "the strides of an attribute": _share,
    "dtypes": lambda module: module.double(),
    "halves": _halve,
    "requires_grad": lambda module: module.weight.requires_grad_(False),
    "a value": lambda module: module.shift.fill_(3),
}


@pytest.mark.one_in(8)
@pytest.mark.parametrize("change", CHANGES)
def test_an_attribute_changes_between_calls(change: str) -> None:
    net, compiled = warm()
    for _ in range(3):
        same(compiled, net, torch.ones(6))
    for each in (net, compiled):
        CHANGES[change](each)
    for _ in range(4):
        same(compiled, net, torch.ones(6))
        same(compiled, net, torch.ones(6, dtype=torch.float64))


def test_arguments_change_between_calls() -> None:
    net, compiled = warm()
    x, mask = torch.randn(6), torch.tensor([True, False] * 3)
    calls = [
        (x,), (x, mask), (x, None, 3), (x, mask, 5), (torch.randn(3, 6),), (x.double(),),
        (torch.randn(6, requires_grad=True),), (torch.randn(12)[::2],), (x.int(),),
    ]  # fmt: skip
    for turn in range(3):
        for call in calls:
            for _ in range(turn + 1):
                same(compiled, net, *call)
        same(compiled, net, x=x, n=4)
    with pytest.raises(RuntimeError, match="int"):
        compiled(x, None, 1 << 70)
    with pytest.raises(RuntimeError, match="argument"):
        compiled("x")


def test_a_call_that_raises_shows_the_program() -> None:
    x = torch.ones(6)
    _, compiled = warm((x, None, 2, False))
    with pytest.raises(minits.Error, match="checked"):
        compiled(x, None, 2, True)
    with pytest.raises(RuntimeError, match="size"):
        compiled(torch.ones(5))


def test_objects_of_one_type_are_told_apart() -> None:
    net, compiled = warm()
    other = Net()
    other.flag, other.scale = False, torch.ones(6) * 2
    second = minits.script(other)
    third, third_net = copy.deepcopy(compiled), copy.deepcopy(net)
    third.flag = third_net.flag = False
    for _ in range(4):
        same(second, other, torch.ones(6))
        same(third, third_net, torch.ones(6))
        same(compiled, net, torch.ones(6))


def test_plans_that_are_evicted_are_looked_up_again() -> None:
    net, compiled = warm()
    method = compiled.compile_method("forward")
    last = method._repeated.last
    method._plans._table._forget_unkept()
    for _ in range(3):
        same(compiled, net, torch.ones(6))
    assert method._repeated.last is not last


def test_modes_and_transforms_of_torch_see_a_call() -> None:
    net, compiled = warm()
    x = torch.ones(6)
    with torch.autocast("cpu", torch.bfloat16):
        for _ in range(3):
            same(compiled, net, x)
    same(compiled, net, x)
    torch.testing.assert_close(vmap(compiled)(torch.ones(3, 6)), vmap(net)(torch.ones(3, 6)))
    parameters = {"weight": torch.full((6,), 5.0)}
    torch.testing.assert_close(
        functional_call(compiled, parameters, (x,)), functional_call(net, parameters, (x,))
    )
    traced = make_fx(compiled)(x)
    assert "aten.relu" in traced.code
    recorded = torch.jit.trace(compiled, x)
    assert "aten::relu" in str(recorded.inlined_graph)
    with FakeTensorMode(allow_non_fake_inputs=True) as mode:
        assert compiled(mode.from_tensor(x)).shape == (6,)
    tangent = torch.func.jvp(compiled, (x,), (torch.ones(6),))
    torch.testing.assert_close(tangent, torch.func.jvp(net, (x,), (torch.ones(6),)))
    same(compiled, net, x)


def mixed(x: Tensor, w: Tensor, n: int = 2) -> Tensor:
    return torch.tanh(torch.mm(x * n, w)) + 1


def test_a_function_of_several_steps_is_remembered() -> None:
    compiled = minits.script(mixed)
    x, w = torch.randn(3, 3), torch.randn(3, 3)
    for _ in range(4):
        same(compiled, mixed, x, w)
    assert compiled._repeated.last is not None
    for call in [(x, x), (x.double(), w.double()), (x.t(), w), (x, w, 3), (torch.randn(5, 3), w)]:
        for _ in range(3):
            same(compiled, mixed, *call)
    with pytest.raises(RuntimeError, match="shape"):
        compiled(x, torch.randn(2, 2))


def unfused(x: Tensor) -> Tensor:
    return x.sort(0)[0]


def test_a_plan_without_kernels_is_remembered_for_all_tensors() -> None:
    compiled = minits.script(unfused)
    for size in range(2, 9):
        same(compiled, unfused, torch.randn(size))
        same(compiled, unfused, torch.randint(9, (size, 2)))
    assert compiled._repeated._changes == 1
    with torch.device("meta"):
        assert compiled(torch.empty(3)).device.type == "meta"
    with torch.autocast("cpu", torch.bfloat16):
        same(compiled, unfused, torch.randn(3))
    assert vmap(compiled)(torch.randn(2, 3)).shape == (2, 3)


def test_one_tensor_given_twice_does_not_make_guards_for_ever() -> None:
    compiled = minits.script(mixed)
    x = torch.randn(3, 3)
    for _ in range(100):
        compiled(x, x)
    assert compiled._repeated._changes <= repeated_calls.MOST_CHANGES
