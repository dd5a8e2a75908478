"""Programs of which torch.jit makes something else than they say. minits does what Python does."""

from __future__ import annotations

from enum import Enum

import pytest
import torch
from torch import Tensor, nn

import minits
from minits.diagnostics import CompileError


def renamed(n: int) -> int:
    g = len
    g = n
    return g + 1


def test_a_name_of_a_function_may_become_a_value() -> None:
    assert minits.script(renamed)(3) == renamed(3)
    with pytest.raises(RuntimeError, match="cannot be used as a value"):
        torch.jit.script(renamed)


class Scale(nn.Module):
    def __init__(self, factor: float) -> None:
        super().__init__()
        self.factor = factor

    def forward(self, x: Tensor) -> Tensor:
        return x * self.factor


class TwoLoops(nn.Module):
    """The variable of its first loop is a module, that of the second a value."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList([Scale(2.0), Scale(3.0), Scale(5.0)])

    def forward(self, x: Tensor) -> Tensor:
        for layer in self.layers:
            x = layer(x)
        for layer in self.layers[1:]:
            x = x + layer.forward(x)
        return x


class CallsInASlice(TwoLoops):
    def forward(self, x: Tensor) -> Tensor:
        for layer in self.layers:
            x = layer(x)
        for layer in self.layers[1:]:
            x = x + layer(x)
        return x


def test_a_loop_over_a_slice_binds_its_variable_anew() -> None:
    x = torch.ones(1)
    assert minits.script(TwoLoops())(x) == TwoLoops()(x)
    assert torch.jit.script(TwoLoops())(x) != TwoLoops()(x)


def test_a_call_in_a_slice_is_refused_as_it_is_without_the_loop_before() -> None:
    assert torch.jit.script(CallsInASlice())(torch.ones(1)) != CallsInASlice()(torch.ones(1))
    with pytest.raises(CompileError, match="cannot be called") as caught:
        minits.script(CallsInASlice())
    assert [found.code for found in caught.value.diagnostics] == ["TS703"]


def writes_after_loop(values: list[int], n: int) -> list[int]:
    first = values
    for i in range(n):
        values = [i]
    values[0] = 7
    return first


def doubled(values: list[int]) -> list[int]:
    values += values
    return values


def test_a_list_may_be_added_to_itself() -> None:
    assert minits.script(doubled)([2, 100]) == [2, 100, 2, 100]
    assert torch.jit.script(doubled)([2, 100]) == [2, 100, None, None]


def test_a_write_to_what_a_loop_returns_without_running_is_kept() -> None:
    assert minits.script(writes_after_loop)([1, 2], 0) == writes_after_loop([1, 2], 0) == [7, 2]
    assert torch.jit.script(writes_after_loop)([1, 2], 0) == [1, 2]


class Lines(nn.Module):
    def forward(self, x: Tensor) -> str:
        return """one
        two"""


def test_a_string_over_several_lines_keeps_its_indentation() -> None:
    assert minits.script(Lines())(torch.ones(1)) == Lines()(torch.ones(1))
    assert torch.jit.script(Lines())(torch.ones(1)) == "one\n    two"


@torch.jit.interface
class Shape:
    def area(self) -> int:
        pass


@torch.jit.script
class Square:
    def __init__(self, side: int) -> None:
        self.side = side

    def area(self) -> int:
        return self.side * self.side


@torch.jit.script
class Wave:
    def __init__(self) -> None:
        self.height = 7

    def area(self) -> int:
        return self.height


def side_or_area(shape: Shape) -> int:
    if isinstance(shape, Square):
        return shape.side
    return shape.area()


def sides(n: int) -> tuple[int, int]:
    return side_or_area(Square(n)), side_or_area(Wave()) * 2


def test_isinstance_looks_at_the_object_behind_an_interface() -> None:
    assert minits.script(sides)(3) == sides(3) == (3, 14)
    graph = torch.jit.script(side_or_area).graph
    assert graph.findNode("prim::isinstance") is None  # torch reads `side` of every Shape


def shapes_by_comprehension(n: int) -> int:
    shapes: list[Shape] = [Square(side) for side in range(n)]
    total = 0
    for shape in shapes:
        total += shape.area()
    return total


def test_a_comprehension_makes_objects_for_a_list_of_an_interface() -> None:
    assert minits.script(shapes_by_comprehension)(4) == shapes_by_comprehension(4)
    with pytest.raises(RuntimeError, match="INTERNAL ASSERT"):
        torch.jit.script(shapes_by_comprehension)


class Season(Enum):
    WINTER = 1
    SUMMER = 2


def is_same(a: Season, b: Season) -> tuple[bool, bool]:
    return a is b, a is Season.WINTER


def test_there_is_one_object_for_each_member_of_an_enum() -> None:
    both = (Season.WINTER, Season.WINTER)
    assert minits.script(is_same)(*both) == is_same(*both) == (True, True)
    assert torch.jit.script(is_same)(*both) == (False, False)


def device_of(n: int) -> torch.device:
    return torch.device("cpu", n)


def test_the_index_of_a_device_is_looked_at_in_each_call() -> None:
    scripted = minits.script(device_of)
    assert [scripted(0).index, scripted(1).index] == [0, 1]
    wrong = torch.jit.script(device_of)
    assert [wrong(0).index, wrong(0).index, wrong(1).index] == [0, 0, 0]


LARGEST = 2**63 - 1
"""What torch's operators for slices write for a bound that is left out, also where one is given."""


def from_the_largest(items: list[int], text: str) -> tuple[list[int], str]:
    return items[9223372036854775807:], text[9223372036854775807::2]


def down_to_the_largest(items: list[int], last: int) -> tuple[list[int], list[int]]:
    return items[:9223372036854775807:-1], items[1:last:-1]


def test_a_slice_from_the_largest_int_is_empty() -> None:
    items = [1, 2, 3]
    assert minits.script(from_the_largest)(items, "abc") == from_the_largest(items, "abc")
    assert from_the_largest(items, "abc") == ([], "")
    assert torch.jit.script(from_the_largest)(items, "abc") == (items, "ac")


def test_a_slice_that_goes_down_to_the_largest_int_is_empty() -> None:
    items = [1, 2, 3]
    assert minits.script(down_to_the_largest)(items, LARGEST) == ([], [])
    assert down_to_the_largest(items, LARGEST) == ([], [])
    assert torch.jit.script(down_to_the_largest)(items, LARGEST) == ([3, 2, 1], [2, 1])
    assert torch.jit.script(down_to_the_largest)(items, LARGEST - 1) == ([3, 2, 1], [])


def lengths_of_ends(t: tuple[int, str]) -> tuple[int, int]:
    return len(t[9223372036854775807:]), len(t[:9223372036854775807:-1])


def test_a_slice_of_a_tuple_from_or_down_to_the_largest_int_is_empty() -> None:
    assert minits.script(lengths_of_ends)((1, "a")) == lengths_of_ends((1, "a")) == (0, 0)
    assert torch.jit.script(lengths_of_ends)((1, "a")) == (2, 2)


class Counter(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def forward(self, n: int) -> int:
        self.count += n
        return self.count


class Twins(nn.Module):
    """A submodule under two names, which is one object in Python."""

    def __init__(self) -> None:
        super().__init__()
        self.left = Counter()
        self.right = self.left

    def forward(self, n: int) -> int:
        return self.left(n) * 100 + self.right(n)


def test_a_submodule_with_two_names_is_one_object() -> None:
    compiled, eager = minits.script(Twins()), Twins()
    assert [compiled(n) for n in (1, 2, 3)] == [eager(n) for n in (1, 2, 3)]
    assert compiled.left is compiled.right
    assert torch.jit.script(Twins())(1) == 101 != Twins()(1)
