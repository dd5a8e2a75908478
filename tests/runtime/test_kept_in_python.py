"""What of a module stays Python, or is replaced, when the module is compiled."""

import types
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import minits

BOTH = pytest.mark.parametrize("jit", [torch.jit, minits], ids=["torch", "minits"])


class Named(nn.Module):
    @torch.jit.ignore
    def title(self) -> str:
        return "the class's"

    def forward(self, x: Tensor) -> Tensor:
        """Add one."""
        return x + 1

    @torch.jit.export
    def twice(self, x: int) -> int:
        return 2 * x


@BOTH
def test_a_method_of_one_object_stays_python(jit: Any) -> None:
    @torch.jit.ignore
    def title(self: Named) -> str:
        return "the object's"

    module = Named()
    module.title = types.MethodType(title, module)  # type: ignore[method-assign]
    assert jit.script(module).title() == "the object's"
    assert jit.script(Named()).title() == "the class's"


@BOTH
def test_a_method_of_one_object_hides_an_exported_one(jit: Any) -> None:
    class Hiding(Named):
        """Its type is this test's alone: torch shares a type whatever the objects' methods are."""

    module = Hiding()
    module.twice = types.MethodType(lambda self, x: 3 * x, module)  # type: ignore[method-assign]
    assert not hasattr(jit.script(module), "twice")


class Ignoring(nn.Module):
    __jit_ignored_attributes__ = ("shared", "own", "rank")
    shared = object()

    def __init__(self) -> None:
        super().__init__()
        self.own = object()

    @property
    def rank(self) -> int:
        return 3

    def forward(self) -> int:
        return self.rank


@BOTH
def test_ignored_attributes_are_kept(jit: Any) -> None:
    module = Ignoring()
    compiled = jit.script(module)
    assert compiled.shared is Ignoring.shared and compiled.own is module.own
    assert compiled() == 3


def test_an_ignored_property_has_its_value() -> None:
    """Where torch hands out a property object."""
    assert minits.script(Ignoring()).rank == 3


class Replaced(nn.Module):
    def __prepare_scriptable__(self) -> nn.Module:
        return nn.Tanh()

    def forward(self, x: Tensor) -> Tensor:
        raise ValueError("this one is never compiled")


@BOTH
def test_submodules_may_have_a_substitute(jit: Any) -> None:
    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            shared = Replaced()
            self.layers = nn.Sequential(Replaced(), nn.Sequential(shared), shared)

        def forward(self, x: Tensor) -> Tensor:
            return self.layers(x)

    x = torch.ones(2)
    torch.testing.assert_close(jit.script(Net())(x), x.tanh().tanh().tanh())


@BOTH
def test_methods_have_their_docstrings(jit: Any) -> None:
    class Documented(jit.ScriptModule):
        @jit.script_method
        def first(self, x: Tensor) -> Tensor:
            """The first."""
            return x

        @jit.script_method
        def second(self, x: Tensor) -> Tensor:
            return x

    module = Documented()
    assert (module.first.__doc__, module.second.__doc__) == ("The first.", None)
    assert jit.script(Named()).forward.__doc__ == "Add one."


@BOTH
def test_a_compiled_module_is_called_as_a_submodule_only(jit: Any) -> None:
    compiled = jit.script(Named())

    def call(x: Tensor) -> Tensor:
        return compiled(x)

    with pytest.raises(RuntimeError, match="Cannot call a ScriptModule that is not a submodule"):
        jit.script(call)


class Inner(nn.Module):
    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number

    def forward(self, x: Tensor) -> Tensor:
        return x * 10 + self.number


class Outer(nn.Module):
    def __init__(self, inner: nn.Module) -> None:
        super().__init__()
        self.inner = inner

    def forward(self, x: Tensor) -> Tensor:
        return self.inner(x)


class Prepared(nn.Module):
    """Nobody holds it once what it makes is in its place, and others may get its address."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number

    def __prepare_scriptable__(self) -> nn.Module:
        inner = Inner(self.number)
        return Outer(inner)


def test_each_module_is_replaced_by_what_it_has_made() -> None:
    compiled = minits.script(nn.Sequential(*map(Prepared, range(12))))
    assert compiled(torch.zeros(1, dtype=torch.int64)).item() == 12345679011
