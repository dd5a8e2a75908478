"""`super()` in the methods of modules and script classes, and script classes that inherit."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn

import minits
from minits.diagnostics import CompileError
from tests.support.extended import check_agrees, check_extension, check_refused


class Base(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.tensor([1.0, 2.0]))
        self.calls = 0

    def factor(self) -> float:
        return 2.0

    def forward(self, x: Tensor, scale: float = 1.0) -> Tensor:
        self.calls += 1
        return x * self.weight * self.factor() * scale


class Middle(Base):
    def factor(self) -> float:
        return super().factor() + 1.0

    def forward(self, x: Tensor, scale: float = 1.0) -> Tensor:
        return super().forward(x, scale=scale) + 1


class Leaf(Middle):
    def factor(self) -> float:
        return 10.0 * super().factor()

    def forward(self, x: Tensor, scale: float = 1.0) -> Tensor:
        if scale > 1.0:
            return super(Leaf, self).forward(x)  # noqa: UP008
        return super().forward(x, scale) - super().forward(x)


def test_each_parent_is_called_with_the_same_self() -> None:
    x = torch.tensor([1.0, -1.0])
    for module in (Middle(), Leaf()):
        compiled = check_agrees(module, (x,), (x, 0.5), (x, 2.0))
        assert compiled.calls > 0
    refused = check_refused(Middle(), "TS403")
    assert "super().forward" in str(refused)


class Left(Base):
    def forward(self, x: Tensor, scale: float = 1.0) -> Tensor:
        return super().forward(x, scale) + 100


class Right(Base):
    def forward(self, x: Tensor, scale: float = 1.0) -> Tensor:
        return super().forward(x, scale) * -1


class Both(Left, Right):
    def forward(self, x: Tensor, scale: float = 1.0) -> Tensor:
        return super().forward(x, scale)


def test_the_order_of_the_bases_decides_who_comes_next() -> None:
    check_agrees(Both(), (torch.ones(2),), (torch.ones(2), 3.0))
    check_agrees(Left(), (torch.ones(2),))


class SameName:
    class Base(Base):
        def forward(self, x: Tensor, scale: float = 1.0) -> Tensor:
            return super().forward(x, scale) + 5


class OverNamesake(SameName.Base):
    def forward(self, x: Tensor, scale: float = 1.0) -> Tensor:
        return super().forward(x, scale) * 3


def test_parents_of_one_name_are_told_apart() -> None:
    check_agrees(OverNamesake(), (torch.ones(2),))


class Members(nn.Module):
    @staticmethod
    def twice(x: Tensor) -> Tensor:
        return x * 2

    @property
    def offset(self) -> int:
        return 3

    @torch.jit.ignore
    def in_python(self, x: Tensor) -> Tensor:
        return torch.from_numpy(x.numpy() + 1)


class UsesMembers(Members):
    @property
    def offset(self) -> int:
        return super().offset * 2

    def forward(self, x: Tensor) -> Tensor:
        return super().twice(x) + super().offset + super().in_python(x) + self.offset


def test_static_methods_properties_and_ignored_methods_of_a_parent() -> None:
    check_agrees(UsesMembers(), (torch.zeros(2),))


class NoForward(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return super().forward(x)


def outside(x: Tensor) -> Tensor:
    return super().forward(x)


@pytest.mark.parametrize(("program", "code"), [(NoForward(), "TS302"), (outside, "TS711")])
def test_what_super_does_not_lead_to_is_refused(program, code) -> None:
    with pytest.raises(CompileError, match=code):
        minits.script(program, dialect="extended")


class Shape:
    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    def area(self) -> float:
        return 0.0

    def describe(self) -> str:
        return self.name + " of area " + str(self.area() > 1.0)

    @property
    def is_large(self) -> bool:
        return self.area() > 10.0

    @staticmethod
    def unit() -> str:
        return "cm"


class Square(Shape):
    def __init__(self, side: float) -> None:
        super().__init__("square")
        self.side = side

    def area(self) -> float:
        return self.side * self.side + super().area()


class Framed(Square):
    def describe(self) -> str:
        return "framed " + super().describe()


def shapes(side: float) -> tuple[str, str, bool, str]:
    framed = Framed(side)
    return Shape("dot").describe(), framed.describe(), framed.is_large, Framed.unit()


def test_a_script_class_inherits_and_calls_its_parents() -> None:
    check_extension(shapes, "TS403", (0.5,), (4.0,))


class Holder(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.square = Framed(3.0)

    def forward(self, x: Tensor) -> Tensor:
        return x * self.square.area()


def test_an_attribute_of_a_module_may_be_such_an_object() -> None:
    check_agrees(Holder(), (torch.ones(2),))
    assert minits.script(square := Framed(2.0), dialect="extended") is square


class Refused(Square):
    pass


def test_the_torch_dialect_refuses_a_class_with_a_base_and_names_the_extension() -> None:
    with pytest.raises(CompileError, match="TS614") as caught:
        minits.script(Refused)
    assert "the extended dialect accepts it" in str(caught.value)
    assert minits.script(Refused, dialect="extended") is Refused


class Extended(Shape):
    def __init__(self) -> None:
        super().__init__("extended")


class Plain:
    def __init__(self, n: int) -> None:
        self.n = n


def uses_extended() -> str:
    return Extended().name


def uses_plain(n: int) -> int:
    return Plain(n).n


def test_a_class_of_the_extended_dialect_stays_refused_in_the_torch_dialect() -> None:
    check_agrees(uses_extended, ())
    check_refused(uses_extended, "TS403")
    check_agrees(uses_extended, ())
    check_agrees(uses_plain, (3,))
    assert minits.script(uses_plain)(4) == 4
