"""Modules whose `__init__` has not run are refused, but for those that torch.jit makes."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import minits
from minits.diagnostics import CompileError


class WithoutSuper(nn.Module):
    def __init__(self) -> None:
        self.number = 1

    def forward(self, x: Tensor) -> Tensor:
        return x + self.number


class Scripted(torch.jit.ScriptModule):
    @torch.jit.script_method
    def forward(self, x: Tensor) -> Tensor:
        return x + 1


class Holder(nn.Module):
    def __init__(self, inner: nn.Module) -> None:
        super().__init__()
        self._modules["inner"] = inner

    def forward(self, x: Tensor) -> Tensor:
        return x + 1


class Calling(Holder):
    def forward(self, x: Tensor) -> Tensor:
        return self.inner(x)


def bare(cls: Any) -> Any:
    return cls.__new__(cls)


UNINITIALIZED: dict[str, Callable[[], Any]] = {
    "nn.Module": lambda: bare(nn.Module),
    "nn.Linear": lambda: bare(nn.Linear),
    "nn.Sequential": lambda: bare(nn.Sequential),
    "without super": WithoutSuper,
    "torch.jit.ScriptModule": lambda: bare(torch.jit.ScriptModule),
    "torch.jit.RecursiveScriptModule": lambda: bare(torch.jit.RecursiveScriptModule),
    "minits.ScriptModule": lambda: bare(minits.ScriptModule),
    "minits.RecursiveScriptModule": lambda: bare(minits.RecursiveScriptModule),
}
OF_TORCH_JIT: dict[str, Callable[[], Any]] = {
    "torch.jit.script": lambda: torch.jit.script(nn.Linear(2, 2)),
    "torch.jit.ScriptModule": torch.jit.ScriptModule,
    "script methods": Scripted,
    "unfinished": lambda: torch.jit.RecursiveScriptModule(torch.jit.script(nn.ReLU())._c),
}


@pytest.mark.parametrize("kind", UNINITIALIZED)
def test_init_has_not_run(kind: str) -> None:
    with pytest.raises(CompileError, match="has not been initialized") as caught:
        minits.script(UNINITIALIZED[kind]())
    assert [each.code for each in caught.value.diagnostics] == ["TS609"]


@pytest.mark.parametrize("kind", UNINITIALIZED)
@pytest.mark.parametrize("outer", [Holder, Calling])
def test_init_of_a_submodule_has_not_run(outer: Any, kind: str) -> None:
    with pytest.raises(CompileError, match="has not been initialized"):
        minits.script(outer(UNINITIALIZED[kind]()))


class OwnTables(nn.Module):
    """An attribute of the name of one of nn.Module's own tables, without which it does not work."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.__dict__[name] = 2

    def forward(self, x: Tensor) -> Tensor:
        return x + 1


TABLES = [name for name, value in vars(nn.Module()).items() if isinstance(value, (dict, set))]


@pytest.mark.parametrize("outer", [None, Holder, Calling])
@pytest.mark.parametrize("table", TABLES)
def test_an_attribute_hides_a_table_of_nn_module(table: str, outer: Any) -> None:
    module = OwnTables(table) if outer is None else outer(OwnTables(table))
    with pytest.raises(CompileError, match=f"OwnTables.{table} is an object of int") as caught:
        minits.script(module)
    assert [each.code for each in caught.value.diagnostics] == ["TS609"]
    with pytest.raises(CompileError, match=f"OwnTables.{table} is an object of int"):
        minits.trace(module, (torch.ones(2),))


def test_names_of_constants_are_no_names() -> None:
    class Odd(nn.Module):
        __constants__ = 2

        def forward(self, x: Tensor) -> Tensor:
            return x + 1

    with pytest.raises(CompileError, match=r"Odd.__constants__ is an object of int"):
        minits.script(Odd())


@pytest.mark.parametrize("kind", OF_TORCH_JIT)
def test_torch_jit_has_compiled_it(kind: str) -> None:
    """It is taken over, even where it is not done, and has no `forward` or no parameters."""
    module = OF_TORCH_JIT[kind]()
    assert isinstance(minits.script(module), minits.ScriptModule)
    torch.testing.assert_close(minits.script(Holder(module))(torch.ones(2)), torch.full((2,), 2.0))
