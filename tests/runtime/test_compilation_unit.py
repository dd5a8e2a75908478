"""Functions compiled from texts."""

from typing import Any

import pytest
import torch
from torch import Tensor

import minits
from minits.diagnostics import CompileError, NotSupportedError

BOTH = pytest.mark.parametrize("jit", [torch.jit, minits], ids=["torch", "minits"])


@BOTH
def test_functions_are_attributes(jit: Any) -> None:
    unit = jit.CompilationUnit(
        """
        def twice(x):
            return once(once(x))

        def once(x, n: int = 2):
            # type: (Tensor, int) -> Tensor
            return x + n
        """
    )
    assert unit.twice(torch.ones(1)).item() == 5
    assert str(unit.once.schema) == "once(Tensor x, int n=2) -> Tensor"
    assert [function.name for function in unit.get_functions()] == ["twice", "once"]
    assert unit.find_function("once").name == "once"
    assert unit.find_function("never") is None
    with pytest.raises(AttributeError, match="never"):
        unit.never


def half(x: Tensor) -> Tensor:
    return x / 2


@BOTH
def test_names_are_those_of_the_caller(jit: Any) -> None:
    Number = int
    unit = jit.CompilationUnit("def quarter(x):\n    return half(half(x))\n")
    unit.define("def add(x: Number, y: Number) -> Number:\n    return x + y\n")
    assert unit.quarter(torch.ones(1)).item() == 0.25
    assert unit.add(1, 2) == 3
    assert Number is int


@BOTH
def test_a_text_knows_only_its_own_functions(jit: Any) -> None:
    unit = jit.CompilationUnit("def one(x):\n    return x\n")
    with pytest.raises((CompileError, RuntimeError), match="one"):
        unit.define("def two(x):\n    return one(x)\n")
    with pytest.raises((CompileError, RuntimeError), match=r"already defined|defined already"):
        unit.define("def one(x):\n    return x\n")


def test_nothing_of_a_faulty_text_is_added() -> None:
    unit = minits.CompilationUnit()
    with pytest.raises(CompileError, match="TS311"):
        unit.define("def right(x):\n    return x\ndef wrong(x):\n    return y\n")
    assert unit.get_functions() == []
    with pytest.raises(CompileError, match="TS012"):
        unit.define("class Point:\n    pass\n")
    with pytest.raises(NotSupportedError):
        unit.define("def imports(x):\n    import math\n    return x\n")
    with pytest.raises(CompileError, match="TS005"):
        unit.define("    def inner(x):\n        return x\ndef outer(x):\n    return x\n")


def test_a_starred_loop_target_is_refused() -> None:
    text = "def f(xs: List[int]):\n  for *a in xs:\n    pass\n"
    with pytest.raises(minits.CompileError, match="Starred"):
        minits.CompilationUnit(text)


@BOTH
@pytest.mark.parametrize("type, value", [("str", "abc"), ("List[int]", [1, 2])])
def test_the_least_step_of_a_slice_has_no_opposite(jit: Any, type: str, value: Any) -> None:
    unit = jit.CompilationUnit(f"def f(x: {type}):\n    return x[::-9223372036854775808]\n")
    with pytest.raises(RuntimeError, match="List slice step is out of bounds"):
        unit.f(value)


@BOTH
def test_a_tuple_in_parentheses_is_iterated_over(jit: Any) -> None:
    text = """
    def f(x: int):
        for i in (x, 2):
            x += i
        for i in ((x), (x)):
            x += i
        return x
    """
    assert jit.CompilationUnit(text).f(1) == 12
    with pytest.raises(RuntimeError, match="List of iterables is not supported"):
        jit.CompilationUnit(text.replace("((x), (x))", "(x), (x)"))
