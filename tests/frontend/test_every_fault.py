# ruff: noqa: F821 - undefined names are what is tested
"""Every fault of a program is told at once: of all its methods and submodules, after one that fails
in the same function, and none that only follows from another one.
"""

from collections.abc import Iterator
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import minits
from minits.diagnostics import CompileError


def places(program: Any) -> list[str]:
    """Return the first line of the text at the place of each fault."""
    with pytest.raises(CompileError) as caught:
        minits.script(program)
    return list(_texts(caught.value))


def _texts(fault: CompileError) -> Iterator[str]:
    for each in fault.diagnostics:
        assert each.range is not None
        yield each.range.text.partition("\n")[0]


class Child(nn.Module):
    def forward(self, x: Tensor):
        return self.helper(x), x.in_forward()

    def helper(self, x: Tensor):
        return x.in_helper()

    @torch.jit.export
    def exported(self, x: Tensor):
        return self.helper(x), x.in_export()


class Base(nn.Module):
    def common(self, x: Tensor):
        return x.in_base()


class Net(Base):
    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = Child(), Child()
        self.held = {1}

    def forward(self, x: Tensor):
        y = self.common(x)
        z = self.held
        return self.first.helper(x), y, z

    @torch.jit.export
    def other(self, x: Tensor):
        return x.in_other()


def test_of_submodules_base_classes_and_exported_methods_each_once() -> None:
    assert places(Net()) == [
        "x.in_helper",
        "x.in_forward",
        "x.in_export",
        "x.in_base",
        "self.held",
        "x.in_other",
    ]


class Constants(nn.Module):
    first: torch.jit.Final[object]
    second: torch.jit.Final[object]

    def __init__(self) -> None:
        super().__init__()
        self.first = self.second = object()
        self.child = Child()

    def forward(self) -> int:
        return 1


def test_of_attributes_and_of_the_submodules_beside_them() -> None:
    assert places(Constants()) == [
        "first", "second", "x.in_helper", "x.in_forward", "x.in_export",
    ]  # fmt: skip


class Point:
    def __init__(self, x: int) -> None:
        self.x = x

    def a(self):
        return self.y

    def b(self):
        return [n for n in range(3) if n]

    def c(self):
        return nothing


def test_of_all_methods_of_a_class() -> None:
    assert places(Point) == ["[n for n in range(3) if n]", "self.y", "nothing"]


class Unmade:
    def __init__(self) -> None:
        self.x = nothing

    def get(self):
        return self.x


def test_not_of_methods_that_lack_what_a_failed_init_declares() -> None:
    assert places(Unmade) == ["nothing"]


def heads(x: Tensor, mask: Tensor | None, n: int):
    if x.sum() > limit:
        y = x.in_if()
    else:
        y = x
    if mask is not None and unknown:
        x = x + mask
    for i in counted(n):
        x = x + i
        x.in_for()
    while n > many:
        n += 1
        x.in_while()
        break
    with opened() as file:
        x.in_with()
        file.read()
    return y + 1


def test_in_the_bodies_of_statements_whose_heads_fail() -> None:
    """What the head would have told of a variable is unknown: no fault follows from it."""
    assert places(heads) == [
        "limit", "x.in_if", "unknown", "counted", "x.in_for", "many", "x.in_while",
        "opened", "x.in_with",
    ]  # fmt: skip


def beside_refused_syntax(x: Tensor, n: int):
    def inner(a: int) -> int:
        return a

    try:
        m = inner(n)
    except ValueError as problem:
        m = problem
    m.lower()
    evens = [i for i in range(n) if i > 1]
    if evens:
        x.in_if()
    global somewhere
    somewhere.read()
    return x.at_the_end()


def test_beside_syntax_that_is_refused() -> None:
    texts = places(beside_refused_syntax)
    assert texts[1:4] == ["try:", "[i for i in range(n) if i > 1]", "global somewhere"]
    assert texts[4:] == ["x.in_if", "x.at_the_end"]


def assigned_anew(n: int):
    text = n
    text = unknown
    return text.upper()


def test_what_was_assigned_by_a_failed_statement_has_no_type() -> None:
    assert places(assigned_anew) == ["unknown"]


def stays_a_tensor(x: Tensor):
    x = x.first()
    return x.second()


def test_a_tensor_is_taken_to_stay_one() -> None:
    assert places(stays_a_tensor) == ["x.first", "x.second"]


class Halved(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.Linear(2, 2)
        self.inner.register_forward_hook(undefined_in_hook)
        self.inner.register_forward_pre_hook(unknown_method_in_hook)

    def forward(self, x: Tensor) -> Tensor:
        return self.inner(x) + self.inner(-x)


def undefined_in_hook(module: nn.Module, inputs: tuple[Tensor], output: Tensor) -> Tensor:
    return output / nothing


def unknown_method_in_hook(module: nn.Module, inputs: tuple[Tensor]) -> tuple[Tensor]:
    return (inputs[0].in_hook(),)


def test_of_all_hooks_of_a_module_that_is_called_twice() -> None:
    assert places(Halved()) == ["nothing", "inputs[0].in_hook"]


class Counter:
    def __init__(self, n: int) -> None:
        self.n = n
        self.step = nothing
        if n > 0:
            self.step = 2
        self.total = self.step * 2
        self.count()

    def count(self) -> int:
        return self.n + self.step


def twice_counted(n: int) -> int:
    return Counter(n).count()


def test_not_of_attributes_whose_first_assignment_fails() -> None:
    assert places(twice_counted) == ["nothing"]


class Pair(nn.Module):
    def forward(self, x: Tensor):
        return x, nothing


class Sum(nn.Module):
    def forward(self, pair: tuple[Tensor, Tensor]):
        return pair[0] + pair[1]


class Chain(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.both = nn.ModuleList([Pair(), Sum()])

    def forward(self, x: Tensor):
        for each in self.both:
            x = each(x)
        return x


def test_what_a_failed_function_returns_is_no_tensor() -> None:
    assert places(Chain()) == ["nothing"]


def in_branches(n: int | None, flag: bool, x: Tensor):
    m: int | None = None
    if flag:
        m = unknown
    else:
        m = 1
    if flag:
        if n:
            xs = [unknown_too]
        else:
            xs = [x]
    else:
        xs: list[Tensor] = []
    shape = x
    shape = unknown_three
    return m + 1, xs[0].shape, shape[0].upper()


def test_of_what_branches_assign_nothing_follows() -> None:
    assert places(in_branches) == ["unknown", "n", "unknown_too", "unknown_three"]


class Guarded(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.module = None

    def forward(self, x: Tensor) -> Tensor:
        if not self.module:
            return x
        return self.module(x)


class Chosen(Guarded):
    def forward(self, x: Tensor) -> Tensor:
        if self.module:
            x = self.module(x)
        else:
            return x
        return self.module(x)


@pytest.mark.parametrize("cls", [Guarded, Chosen])
def test_not_behind_a_test_of_none_that_always_leaves(cls: type[nn.Module]) -> None:
    with pytest.raises(CompileError) as caught:
        minits.script(cls())
    assert [each.code for each in caught.value.diagnostics] == ["TS508"]
