"""Objects of script classes that are known by an interface."""

from typing import Any

import pytest
import torch
from torch import nn

import minits
from minits.diagnostics import CompileError
from minits.runtime.interpreter import run

BOTH = pytest.mark.parametrize("script", [torch.jit.script, minits.script], ids=["torch", "minits"])


@torch.jit.interface
class Shape:
    def area(self, n: int) -> int:
        pass


@torch.jit.script
class Square:
    def __init__(self, side: int) -> None:
        self.side = side

    def area(self, n: int) -> int:
        return self.side * n


@torch.jit.script
class Wave:
    def __init__(self) -> None:
        self.asked = 0

    def area(self, n: int) -> int:
        self.asked += n
        return self.asked


def chosen(n: int) -> int:
    """Both branches, and the loop, join objects of two classes."""
    if n > 2:
        shape: Shape = Square(n)
    else:
        shape: Shape = Wave()
    total = shape.area(10)
    for i in range(n):
        total += shape.area(1)
        if i == 1:
            shape = Square(100)
    return total


@pytest.mark.parametrize("n", [0, 2, 3, 5])
def test_a_variable_is_bound_to_objects_of_two_classes(n: int) -> None:
    scripted = minits.script(chosen)
    assert scripted(n) == run(scripted.graph, n) == torch.jit.script(chosen)(n) == chosen(n)


def area(shape: Shape) -> int:
    return shape.area(2)


@BOTH
def test_python_passes_an_object_of_a_class_with_the_methods(script: Any) -> None:
    assert script(area)(Square(3)) == 6


@BOTH
@pytest.mark.parametrize("given", [3, None, torch.ones(1), nn.ReLU()])
def test_python_cannot_pass_what_is_no_such_object(script: Any, given: Any) -> None:
    with pytest.raises(RuntimeError):
        script(area)(given)


def test_the_refusal_names_the_class() -> None:
    with pytest.raises(RuntimeError, match="TorchScript compatible type: a ReLU has no methods"):
        minits.script(area)(nn.ReLU())


@torch.jit.script
class Ring:
    def __init__(self) -> None:
        self.radius = 5

    def area(self, n: int) -> int:
        return self.radius * n


def total_area(shapes: list[Shape]) -> int:
    total = 0
    for shape in shapes:
        total += shape.area(1)
    return total


@BOTH
def test_python_passes_a_list_of_objects(script: Any) -> None:
    assert script(total_area)([Square(3), Ring()]) == 8
    with pytest.raises(RuntimeError):
        script(total_area)([Square(3), 4])


def count_shapes(n: int) -> int:
    mixed: list[Any] = [n, Square(n), "s", Wave()]
    found = 0
    for x in mixed:
        if isinstance(x, Shape):
            found += x.area(1)
    return found


def test_isinstance_finds_objects_with_the_methods_at_run_time() -> None:
    scripted = minits.script(count_shapes)
    assert scripted(3) == run(scripted.graph, 3) == torch.jit.script(count_shapes)(3) == 4


def area_of(shape: Shape, n: int) -> int:
    return shape.area(n)


def assigned_beside_a_call(shape: Shape, n: int, s: str) -> int:
    x = n
    for _ in range(n):
        n = area_of(shape, n)
        x = s
    return n + x


def test_a_fault_beside_a_call_of_a_method_is_told() -> None:
    with pytest.raises(CompileError, match="'x' previously had type int"):
        minits.script(assigned_beside_a_call)
