"""Dataclasses that are made at run time: their methods are known by their fields."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import minits
from minits.diagnostics import CompileError
from tests.support.extended import check_extension, check_refused

TEXT = """
import dataclasses

@dataclasses.dataclass(order=True)
class Version:
    major: int
    minor: int = 3

@dataclasses.dataclass
class WithMethod:
    x: int

    def doubled(self) -> int:
        return self.x * 2
"""


def _made_by_exec(name: str) -> Any:
    names: dict[str, Any] = {"__name__": "made_by_exec"}
    exec(compile(TEXT, "<made>", "exec", dont_inherit=True), names)
    return names[name]


def _area(self) -> float:
    return self.width * self.height


Version = _made_by_exec("Version")
WithMethod = _made_by_exec("WithMethod")
Box = dataclasses.make_dataclass(
    "Box", [("width", float), ("height", float, 2.0)], namespace={"area": _area}
)
Named = dataclasses.make_dataclass(
    "Named", [("names", list[str]), ("box", Box), ("limit", int | None, None)]
)


def ordered(n: int) -> tuple[bool, bool, bool, int]:
    first, second = Version(n), Version(n, 4)
    return first < second, first >= second, first == Version(n, 3), second.minor


def boxed(x: float) -> tuple[float, float]:
    box = Box(x)
    wide = Box(height=1.5, width=x)
    wide.width = 4.0
    return box.area() + box.height, wide.area()


def equal(n: int) -> tuple[bool, bool, bool]:
    named = Named(["a"], Box(1.0), n)
    return (
        named == Named(["a"], Box(1.0), n),
        named == Named(["a"], Box(1.5), n),
        named == Named(["a"], Box(1.0)),
    )


def nested(n: int) -> tuple[int, float, list[str]]:
    named = Named(["a"], Box(1.0), n)
    named.names.append("b")
    limit = named.limit
    other = Named([], named.box)
    assert limit is not None and other.limit is None
    return limit, other.box.area(), named.names


CALLS = [
    (ordered, [(3,), (0,)]),
    (boxed, [(2.5,)]),
    (nested, [(3,)]),
    (equal, [(3,)]),
]


@pytest.mark.parametrize(("program", "inputs"), CALLS)
def test_its_methods_do_what_they_do_in_python(program, inputs) -> None:
    check_extension(program, "TS608", *inputs)


class Scaling(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.box = Box(2.0, 3.0)

    def forward(self, x: Tensor) -> Tensor:
        return x * self.box.area()


def area_of(box: Box) -> float:  # type: ignore[valid-type]
    return box.area()


def test_objects_of_it_are_attributes_and_arguments() -> None:
    module = Scaling()
    compiled = minits.script(module, dialect="extended")
    assert torch.equal(compiled(torch.ones(2)), module(torch.ones(2)))
    assert minits.script(area_of, dialect="extended")(Box(2.0, 3.0)) == 6.0


def uses_own_method(n: int) -> int:
    return WithMethod(n).doubled()


def test_a_method_that_is_written_nowhere_is_refused_in_both_dialects() -> None:
    check_refused(uses_own_method, "TS608", extended=False)
    with pytest.raises(CompileError, match=r"the source of WithMethod\.doubled cannot be found"):
        minits.script(uses_own_method, dialect="extended")
