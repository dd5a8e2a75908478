"""Functions, types and names have one owner, which tests may empty; another one has its own."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
import torch

import minits
from minits.compilation_state import STATE, CompilationState
from minits.frontend.values.builtin_functions import BuiltinFunction, builtin_functions
from minits.frontend.values.function import CompiledFunction

PROGRAM = """
from typing import NamedTuple

import torch
from torch import Tensor, nn

import minits
from minits.compilation_state import STATE


class Pair(NamedTuple):
    a: Tensor
    b: int


class Box:
    def __init__(self, x: Tensor):
        self.x = x

    def get(self) -> Tensor:
        return self.x * 2


class Net(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x + 1


def function(x: Tensor) -> Tensor:
    return Box(x).get() + Pair(x, 1).b


def compile_all():
    net, compiled = minits.script(Net()), minits.script(function)
    names = net.qualified_name, compiled.qualified_name, STATE.types[Box].name, STATE.types[Pair]
    return net, compiled, names


net, compiled, names = compile_all()
net_again, compiled_again, names_again = compile_all()
assert names == names_again
assert compiled_again.graph is compiled.graph
assert net_again.graph is net.graph
assert minits.script(Net(), dialect="extended").qualified_name != names[0], "the name is taken"
STATE.clear()
new_net, new_compiled, new_names = compile_all()
assert names == new_names, "a name is mangled though it is free"
assert new_compiled.graph is not compiled.graph
assert new_net.graph is not net.graph
x = torch.ones(2)
assert compiled(x).equal(new_compiled(x)) and net(x).equal(new_net(x))
"""


@pytest.mark.slow
def test_cleared_state_has_forgotten_all(tmp_path: Path) -> None:
    """In another process: the other tests' programs are not to be forgotten."""
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    subprocess.run([sys.executable, str(program)], check=True, cwd=Path(minits.__file__).parents[1])


def test_another_state_knows_nothing_of_this_one() -> None:
    def function(x: torch.Tensor) -> torch.Tensor:
        return x + 1

    minits.script(function)
    other = CompilationState()
    assert function in STATE.functions
    assert function not in other.functions
    other.functions[function] = {}
    other.clear()
    assert function not in other.functions
    assert "torch" in STATE.functions[function]


def test_names_are_mangled_where_they_are_taken() -> None:
    state = CompilationState()
    names = [state.unique_name("__torch__.module.Net") for _ in range(3)]
    assert names == [
        "__torch__.module.Net",
        "__torch__.module.___torch_mangle_0.Net",
        "__torch__.module.___torch_mangle_1.Net",
    ]
    assert state.unique_name("__torch__.module.___torch_mangle_1.Net") == (
        "__torch__.module.___torch_mangle_2.Net"
    )


def test_another_thread_may_compile_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    """Operators written in TorchScript are missing for what defines one of them alone."""
    found: list[list[BuiltinFunction]] = []

    def ask_twice(function: CompiledFunction) -> None:
        other = threading.Thread(target=lambda: found.append(builtin_functions("aten::mul")))
        other.start()
        other.join()
        found.append(builtin_functions("aten::mul"))

    builtin: Any = builtin_functions("aten::mul")[0]
    monkeypatch.setattr(CompiledFunction, "ensure_defined", ask_twice)
    builtin._compiled()
    in_other_thread, here = found
    assert in_other_thread
    assert here == []
