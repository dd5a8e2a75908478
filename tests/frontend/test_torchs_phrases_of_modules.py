"""torch's phrases for faults of modules, of classes that are named, and of overloads."""

import collections
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import minits

BOTH = pytest.mark.parametrize("script", [torch.jit.script, minits.script], ids=["torch", "minits"])


class Holding(nn.Module):
    def __init__(self, held: Any) -> None:
        super().__init__()
        self.held = held

    def forward(self) -> int:
        return len(self.held)


class HoldingConstant(Holding):
    __constants__ = ("held",)


@BOTH
def test_a_list_of_modules(script: Any) -> None:
    phrase = "Could not infer type of list element: Cannot infer concrete type of torch.nn.Module"
    with pytest.raises(RuntimeError, match=phrase):
        script(Holding([nn.ReLU()]))


@BOTH
@pytest.mark.parametrize(
    "held, name",
    [([nn.Linear(1, 2)], "torch.nn.modules.linear.Linear"), (int, "type"), ({}, "dict")],
)
def test_a_constant_that_cannot_be_one(script: Any, held: Any, name: str) -> None:
    phrase = f"'{name}' object in attribute 'HoldingConstant.held' is not a valid constant"
    with pytest.raises(TypeError, match=phrase):
        script(HoldingConstant(held))


@torch.jit._overload
def half(x: int) -> int:
    pass


@torch.jit._overload
def half(x: float) -> float:  # noqa: F811
    pass


def calls_half() -> float:
    return half(3.5)


class Overloaded(nn.Module):
    @torch.jit._overload_method
    def forward(self, x: int) -> int:
        pass

    @torch.jit._overload_method
    def forward(self, x: Tensor) -> Tensor:  # noqa: F811
        pass


@BOTH
def test_overloads_without_an_implementation(script: Any) -> None:
    with pytest.raises(RuntimeError, match=r'Implementation for the function ".*half" is missing'):
        script(calls_half)
    with pytest.raises(RuntimeError, match=r'Implementation for the method ".*forward" is missing'):
        script(Overloaded())


class First(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x


class Second(First):
    pass


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = First()

    def forward(self, x: Tensor) -> Tensor:
        return self.layer(x)


@BOTH
def test_a_submodule_of_another_type(script: Any) -> None:
    phrase = r"Expected a value of type '__torch__.*First.*' for field 'layer', but found '.*Second"
    with pytest.raises(RuntimeError, match=phrase):
        script(Net()).layer = script(Second())


Pair = collections.namedtuple("Pair", ["left", "right"])


def pair() -> Pair:
    return Pair(1, 2)


@BOTH
def test_fields_without_annotation_are_inferred(script: Any) -> None:
    phrase = r"type 'Tensor \(inferred\)' for argument 'left' but instead found type 'int'"
    with pytest.raises(RuntimeError, match=phrase):
        script(pair)


class Broken:
    def method(self) -> None:
        import os  # noqa: F401


def made() -> Any:
    return Broken()


def taken(x: Broken) -> int:
    return 1


def returned(x: int) -> Broken:
    return x  # type: ignore[return-value]


@pytest.mark.parametrize("function", [made, taken, returned])
def test_a_class_is_compiled_for_its_user(function: Any) -> None:
    """As torch says it the first time; its stack of users outlives an error."""
    with pytest.raises(minits.NotSupportedError) as caught:
        minits.script(function)
    told = str(caught.value)
    assert "import statements" in told
    user = function.__name__
    assert f"Broken' is being compiled since it was called from '{user}'" in told


def broken(x: Tensor) -> Tensor:
    return nowhere  # noqa: F821


class Calling(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.function = broken

    def forward(self, x: Tensor) -> Tensor:
        return self.function(x)


@BOTH
def test_the_faults_of_an_attributes_function_are_shown(script: Any) -> None:
    with pytest.raises(
        RuntimeError, match=r"failed to compile[\s\S]*\n +return nowhere.*\n +~~~~~~~"
    ):
        script(Calling())
