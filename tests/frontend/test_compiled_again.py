"""What a program was compiled to before is used again only where all names still mean the same."""

from __future__ import annotations

import functools
import subprocess
import sys
from types import ModuleType
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import minits
from minits.ops.builtins import find_builtin


def add_one(x: Tensor) -> Tensor:
    return x + 1


def add_two(x: Tensor) -> Tensor:
    return x + 2


helper = add_one
library = ModuleType("library")
vars(library)["helper"] = add_one


def by_global(x: Tensor) -> Tensor:
    return helper(x)


def by_attribute(x: Tensor) -> Tensor:
    return library.helper(x)


def indirectly(x: Tensor) -> Tensor:
    return by_global(x) + by_attribute(x)


class Net(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return self.step(by_global(x))

    def step(self, x: Tensor) -> Tensor:
        return x * 10

    def other(self, x: Tensor) -> Tensor:
        return x - 1


def _call(program: Any) -> float:
    return float(minits.script(program)(torch.ones(())))


def test_a_global_that_is_bound_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [_call(by_global), _call(indirectly), _call(Net())] == [2.0, 4.0, 20.0]
    monkeypatch.setitem(globals(), "helper", add_two)
    assert [_call(indirectly), _call(by_global), _call(Net())] == [5.0, 3.0, 30.0]


def test_an_attribute_that_is_bound_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _call(indirectly) == 4.0
    monkeypatch.setattr(library, "helper", add_two)
    assert [_call(indirectly), _call(by_attribute)] == [5.0, 3.0]


def test_a_program_is_compiled_once_where_nothing_changes() -> None:
    first, second = minits.script(indirectly), minits.script(indirectly)
    assert first._minits_function is second._minits_function
    assert minits.script(Net())._minits_info is minits.script(Net())._minits_info


def test_a_method_that_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _call(Net()) == 20.0
    monkeypatch.setattr(Net, "step", Net.other)
    assert _call(Net()) == 1.0


def test_a_forward_of_the_instances_own() -> None:
    for method, result in (("step", 10.0), ("other", 0.0), ("forward", 20.0)):
        net = Net()
        net.forward = getattr(net, method)  # type: ignore[method-assign]
        assert _call(net) == result


class Unready:
    def __init__(self, n: int) -> None:
        self.n = not_there_yet(n)  # noqa: F821


def makes_unready(n: int) -> int:
    return Unready(n).n


def _increment(n: int) -> int:
    return n + 1


def test_a_class_that_could_not_be_compiled_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(minits.CompileError, match="not_there_yet"):
        minits.script(makes_unready)
    monkeypatch.setitem(globals(), "not_there_yet", _increment)
    assert minits.script(makes_unready)(1) == 2


def test_a_wrapper_of_torchs_function_is_the_operator(monkeypatch: pytest.MonkeyPatch) -> None:
    original = torch.manual_seed
    assert find_builtin(original) == "aten::manual_seed"

    @functools.wraps(original)
    def wrapper(*args: Any) -> Any:
        return original(*args)

    monkeypatch.setattr(torch, "manual_seed", wrapper)
    assert find_builtin(wrapper) == find_builtin(original) == "aten::manual_seed"


def test_a_users_function_in_torchs_namespace_is_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    original = torch.relu
    monkeypatch.setattr(torch, "relu", add_two)
    assert find_builtin(add_two) is None
    assert find_builtin(original) == "aten::relu"


_AFTER_DYNAMO = """
import torch, minits
def f(x: torch.Tensor): return torch.relu(x)
def g(s: int):
    torch.manual_seed(s)
    return torch.rand(2)
minits.script(f)
import torch._dynamo
print(minits.script(g)(3).tolist() == g(3).tolist())
"""


def test_torch_dynamo_may_be_imported_later(tmp_path: Any) -> None:
    file = tmp_path / "program.py"
    file.write_text(_AFTER_DYNAMO)
    done = subprocess.run([sys.executable, file], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "True", done.stderr
