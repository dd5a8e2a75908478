"""`minits.script(f, example_inputs=...)`, and the other parameters that `torch.jit.script` has.

The schemas are those that torch 2.13 prints with MonkeyType installed.
"""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn

import minits

X = torch.ones(2)


def scaled(a, b):
    return a * b


def adding(x, n, y=None):
    if y is not None:
        x = x + y
    return scaled(x, n)


def test_all_functions_that_are_called_get_types() -> None:
    compiled = minits.script(adding, example_inputs=[(X, 3), (X, 3, X)])
    assert str(compiled.schema) == "adding(Tensor x, int n, Tensor? y=None) -> Tensor"
    assert compiled(X, 4).tolist() == [4.0, 4.0]
    assert str(minits.script(scaled).schema) == "scaled(Tensor a, int b) -> Tensor"


def adding_one(x):
    return x + 1


class Inner(nn.Module):
    def forward(self, x, k):
        return x * k


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = Inner()

    def forward(self, x, ns):
        return self.inner(x, len(ns)) + self.other(x, 2.0)

    def other(self, x, by):
        return x * by

    @torch.jit.export
    def named(self, x, table):
        return x + table["a"]


def test_methods_of_a_module_and_its_submodules_get_types() -> None:
    net = Net()
    examples: Any = {net: [(X, [1, 2])], net.named: [(X, {"a": 1})]}
    compiled = minits.script(net, example_inputs=examples)
    arguments = {
        name: [each.type.annotation_str for each in method.schema.arguments[1:]]
        for name, method in {
            "forward": compiled.forward,
            "other": compiled.other,
            "named": compiled.named,
            "inner": compiled.inner.forward,
        }.items()
    }
    assert arguments == {
        "forward": ["Tensor", "List[int]"],
        "other": ["Tensor", "float"],
        "named": ["Tensor", "Dict[str, int]"],
        "inner": ["Tensor", "int"],
    }
    assert compiled(X, [5]).tolist() == [3.0, 3.0]


def test_other_examples_make_another_type() -> None:
    first = minits.script(Inner(), example_inputs=[(X, 3)])
    second = minits.script(Inner(), example_inputs=[(X, 0.5)])
    third = minits.script(Inner())
    types = [str(each.forward.schema.arguments[2].type) for each in (first, second, third)]
    assert types == ["int", "float", "Tensor"]
    assert first(X, 2).tolist() == [2.0, 2.0] and second(X, 0.5).tolist() == [0.5, 0.5]


ONE: list[tuple[Any, str]] = [
    ([(1,), (2.0,)], "Any"),
    ([(None,), (2,)], "int?"),
    ([([],)], "Any[]"),
    ([((1, 2.0),)], "(int, float)"),
    ([({"a": [1]},)], "Dict(str, int[])"),
    ([("a",)], "str"),
    ([(None,)], "NoneType"),
    ([(1,), (2,), (True,)], "Any"),
    ([(torch.float32,)], "int"),
    ([(torch.device("cpu"),)], "Device"),
]


@pytest.mark.parametrize(("examples", "expected"), ONE)
def test_the_type_of_one_parameter(examples: Any, expected: str) -> None:
    def same(x):
        return x

    compiled = minits.script(same, example_inputs=examples)
    assert str(compiled.schema).startswith(f"same({expected} x) -> ")


def test_annotations_stand() -> None:
    def by(x, n: float):
        return x * n

    compiled = minits.script(by, example_inputs=[(X, 2)])
    assert str(compiled.schema) == "by(Tensor x, float n) -> Tensor"


def test_a_value_without_a_type_leaves_the_parameter_a_tensor() -> None:
    def first(x, n):
        return x

    compiled = minits.script(first, example_inputs=[(X, len)])
    assert str(compiled.schema) == "first(Tensor x, Tensor n) -> Tensor"


def test_examples_of_another_form_are_refused() -> None:
    with pytest.raises(ValueError, match="a list of tuples of arguments, or a dict"):
        minits.script(scaled, example_inputs=((X, 1),))  # type: ignore[arg-type]


def test_an_error_of_the_program_is_its_own() -> None:
    def raising(x):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        minits.script(raising, example_inputs=[(X,)])


def test_optimize_warns_and_has_no_effect() -> None:
    with pytest.warns(FutureWarning, match="`optimize` has no effect"):
        assert minits.script(adding_one, True)(X).tolist() == [2.0, 2.0]


def test_a_callback_says_what_names_mean() -> None:
    def calling(x):
        return renamed(x) + len([1])  # noqa: F821

    names: Callable[[str], Any] = {"renamed": torch.relu}.get
    assert minits.script(calling, None, 0, names)(-X).tolist() == [1.0, 1.0]
    with pytest.raises(minits.CompileError, match="renamed"):
        minits.script(calling)
