"""Imports inside functions: done while compiling, in the branch that is compiled."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

import minits
from minits.diagnostics import CompileError
from minits.frontend.python.text_scope import read_text
from minits.source import SourceFile
from tests.support.extended import check_agrees, check_extension


def packages(x: float) -> tuple[float, float]:
    import math
    import math as m

    return math.sqrt(x), m.floor(x) + 0.5


def members(x: float, t: Tensor) -> tuple[float, float, Tensor]:
    from math import ceil as up
    from math import floor, pi

    from torch.nn import functional

    return pi * floor(x), up(x) + 0.5, functional.relu(t)


def dotted(t: Tensor) -> Tensor:
    import torch.nn.functional
    import torch.nn.functional as f

    return torch.nn.functional.relu(t) + f.relu6(t)


def in_branches(x: float, up: bool) -> float:
    if up:
        from math import ceil as rounded

        return rounded(x) + 0.0
    from math import floor as rounded

    return rounded(x) - 0.0


def annotated(n: int) -> list[int]:
    import typing

    xs: typing.List[int] = []  # noqa: UP006
    y: int | None = None
    if y is None:
        xs.append(n)
    return xs


def own_function(n: int) -> int:
    from tests.frontend.extended.imported import doubled

    return doubled(n)


CALLS = [
    (packages, [(2.5,)]),
    (members, [(2.5, torch.tensor([-1.0, 1.0]))]),
    (dotted, [(torch.tensor([-1.0, 1.0]),)]),
    (in_branches, [(2.5, True), (2.5, False)]),
    (annotated, [(3,)]),
    (own_function, [(4,)]),
]


@pytest.mark.parametrize(("program", "inputs"), CALLS)
def test_an_import_means_what_it_means_in_python(program, inputs) -> None:
    check_extension(program, "TS108", *inputs)


def only_in_python(x: float) -> float:
    if torch.jit.is_scripting():
        import math

        return math.sqrt(x)
    import no_such_package

    return no_such_package.root(x)


def test_a_branch_that_is_not_compiled_imports_nothing() -> None:
    assert minits.script(only_in_python, dialect="extended")(4.0) == 2.0


def missing_package(x: float) -> float:
    import no_such_package

    return no_such_package.root(x)


def missing_member(x: float) -> float:
    from math import no_such_function

    return no_such_function(x)


@pytest.mark.parametrize(
    ("program", "why"), [(missing_package, "no_such_package"), (missing_member, "no_such_function")]
)
def test_a_failing_import_is_told_at_its_place(program, why) -> None:
    with pytest.raises(CompileError, match="TS715") as caught:
        minits.script(program, dialect="extended")
    (fault,) = caught.value.diagnostics  # the name that is not bound is no fault of its own
    assert why in fault.message and fault.range is not None and "import" in fault.range.text


TEXT = """
def root(x: float) -> float:
    import math
    from torch import nn
    return math.sqrt(x)


def listed(x: float) -> float:
    import os
    return x
"""


def test_a_text_that_is_not_run_imports_what_its_top_may_import() -> None:
    scope = read_text(SourceFile("text.py", TEXT), "extended")
    assert scope.functions["root"].schema.returns[0].type.annotation == "float"
    with pytest.raises(CompileError, match="TS715"):
        scope.functions["listed"].ensure_defined()


def test_the_names_are_those_of_the_function_alone() -> None:
    check_agrees(packages, (4.0,))
    with pytest.raises(CompileError, match="TS311"):
        minits.script(uses_another_ones_import, dialect="extended")


def uses_another_ones_import(x: float) -> float:
    return math.sqrt(x)  # noqa: F821
