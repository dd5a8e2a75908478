"""What a program was compiled to before is used again only where all names still mean the same."""

from __future__ import annotations

import functools
import runpy
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import minits
from minits.ops.builtins import find_builtin
from minits.users_objects import known_info


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
    assert first._minits is second._minits
    assert known_info(minits.script(Net())) is known_info(minits.script(Net()))


def test_a_method_that_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _call(Net()) == 20.0
    monkeypatch.setattr(Net, "step", Net.other)
    assert _call(Net()) == 1.0


def test_a_forward_of_the_instances_own() -> None:
    for method, result in (("step", 10.0), ("other", 0.0), ("forward", 20.0)):
        net = Net()
        net.forward = getattr(net, method)  # type: ignore[method-assign]
        assert _call(net) == result


def test_a_function_that_is_ignored_later() -> None:
    assert _call(indirectly) == 4.0
    torch.jit.ignore(add_one)
    try:
        kinds = [node.kind for node in minits.script(by_global).graph.all_nodes()]
        assert "prim::PythonOp" in kinds
    finally:
        del add_one._torchscript_modifier
    assert _call(indirectly) == 4.0


class Counter:
    def __init__(self, n: int) -> None:
        self.n = n

    def count(self) -> int:
        return step(self.n)

    def back(self) -> int:
        return self.n - 1


def step(n: int) -> int:
    return n + 1


def step_far(n: int) -> int:
    return n + 100


def counts(n: int) -> int:
    return Counter(n).count()


class Counting(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.counter = Counter(5)

    def forward(self) -> int:
        return self.counter.count()


def test_a_method_of_a_script_class_that_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    before = minits.script(counts)
    assert [before(5), minits.script(Counting())()] == [6, 6]
    monkeypatch.setattr(Counter, "count", Counter.back)
    assert [minits.script(counts)(5), minits.script(Counting())()] == [4, 4]
    assert before(5) == 6
    monkeypatch.undo()
    assert [minits.script(counts)(5), minits.script(Counting())()] == [6, 6]


def test_a_global_of_a_script_class_that_is_bound_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    assert minits.script(counts)(5) == 6
    monkeypatch.setitem(globals(), "step", step_far)
    assert [minits.script(counts)(5), minits.script(Counting())()] == [105, 105]


def test_classes_are_compiled_once_where_nothing_changes() -> None:
    assert minits.script(counts)._minits is minits.script(counts)._minits
    assert known_info(minits.script(Counting())) is known_info(minits.script(Counting()))


_PAIR = """
from typing import NamedTuple
class Pair(NamedTuple):
    a: int
    {field}: int
def make():
    return Pair(1, 2)
"""


def _pairs(folder: Path, field: str) -> Any:
    file = folder / f"{field}.py"
    file.write_text(_PAIR.format(field=field))
    return runpy.run_path(str(file), run_name="pairs")["make"]


def test_a_named_tuple_that_is_defined_again(tmp_path: Path) -> None:
    first, again = _pairs(tmp_path, "b"), _pairs(tmp_path, "c")
    assert minits.script(first)()._fields == ("a", "b")
    assert minits.script(again)()._fields == ("a", "c")
    assert minits.script(first)()._fields == ("a", "b")


def test_two_named_tuples_of_one_name_in_one_program(tmp_path: Path) -> None:
    first, again = _pairs(tmp_path, "d"), _pairs(tmp_path, "e")

    def both() -> int:
        return first().a + again().a

    with pytest.raises(minits.CompileError, match="Can't redefine NamedTuple Pair"):
        minits.script(both)
    assert [minits.script(each)().a for each in (first, again)] == [1, 1]
    with pytest.raises(minits.CompileError, match="Can't redefine NamedTuple Pair"):
        minits.script(both)


def test_torchs_function_under_another_of_its_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch, "zeros", torch.relu)
    assert find_builtin(torch.relu) == "aten::relu"


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


@pytest.mark.slow
def test_torch_dynamo_may_be_imported_later(tmp_path: Any) -> None:
    file = tmp_path / "program.py"
    file.write_text(_AFTER_DYNAMO)
    done = subprocess.run([sys.executable, file], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "True", done.stderr
