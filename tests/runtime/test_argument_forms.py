"""Calls that come again, by the forms of their arguments: containers, texts, names, other classes.

What is remembered of a call must refuse, convert and copy as the first call does.
"""

from __future__ import annotations

import linecache
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import minits
from benchmarks import argument_programs
from benchmarks.argument_programs import (
    PROGRAMS,
    A,
    B,
    Given,
    Pair,
    with_device,
    with_list,
    with_named,
)
from minits.runtime.argument_faults import ArgumentError
from minits.runtime.arguments import ByPosition


@pytest.mark.one_in(3, over="form")
@pytest.mark.parametrize("form", ["function", "module"])
@pytest.mark.parametrize("given", PROGRAMS, ids=lambda given: given.program.__name__)
def test_a_remembered_call_converts_and_refuses_as_the_first_one(given: Given, form: str) -> None:
    program, good, bad = given
    compiled = _compiled(program, form)
    for value in good:
        for _ in range(4):
            _same(compiled, program, value)
        assert _is_remembered(compiled, (A.clone(), value))
        for other in (*good, *bad):
            if any(other is each for each in bad):
                with pytest.raises((ArgumentError, TypeError)):
                    compiled(A.clone(), other)
            else:
                _same(compiled, program, other)
            _same(compiled, program, value)


def _compiled(program: Callable[..., Any], form: str) -> Any:
    if form == "function":
        return minits.script(program)
    module = type("Holder", (nn.Module,), {"forward": _method_of(program)})()
    module.program = program
    return minits.script(module)


def _method_of(program: Callable[..., Any]) -> Any:
    """Return a method that calls a program; its second parameter has the program's annotation."""
    annotation = list(program.__annotations__.values())[1]
    names: dict[str, Any] = {"program": program, **vars(argument_programs)}
    lines = f"def forward(self, x: Tensor, s: {annotation}) -> Tensor:\n    return program(x, s)\n"
    return _defined(lines, names)


def _defined(lines: str, names: dict[str, Any]) -> Any:
    filename = f"<forward {abs(hash(lines))}>"
    linecache.cache[filename] = (len(lines), None, lines.splitlines(True), filename)
    exec(compile(lines, filename, "exec", dont_inherit=True), names)
    return names["forward"]


def _is_remembered(compiled: Any, call: tuple[Any, ...]) -> bool:
    function = compiled if hasattr(compiled, "_repeated") else compiled.compile_method("forward")
    direct, again = function._direct.last, function._repeated.last
    if direct and direct[0](call):
        return True
    return bool(again) and again.is_like(call, function._receiver)


def _copied(value: Any) -> Any:
    return value.copy() if isinstance(value, (list, dict)) else value


def _same(compiled: Any, program: Callable[..., Any], value: Any) -> None:
    given, expected = _copied(value), _copied(value)
    if program is with_named and not isinstance(value, Pair):
        expected = Pair(*value)
    if program is with_device:
        expected = torch.device(value)
    if program is with_list:
        expected = list(value)
    found = compiled(A.clone(), given)
    torch.testing.assert_close(found, program(A.clone(), expected))
    if isinstance(value, (list, dict)):
        assert len(given) == len(value), "what the program adds is not the caller's"


def growing(x: Tensor, s: list[Tensor]) -> Tensor:
    s.append(x)
    return torch.relu(s[0] + s[-1]) * len(s)


def test_a_list_is_copied_in_each_call() -> None:
    compiled, given = minits.script(growing), [A]
    for _ in range(5):
        torch.testing.assert_close(compiled(B, given), growing(B, [A]))
        assert given == [A]


def test_what_is_read_once_is_not_remembered() -> None:
    compiled = minits.script(with_list)
    for _ in range(4):
        given = (each for each in (A, B))
        torch.testing.assert_close(compiled(A, given), with_list(A, [A, B]))
        assert list(given) == []


def with_defaults(x: Tensor, a: int = 2, mask: Tensor | None = None, b: float = 0.5) -> Tensor:
    y = torch.relu(x * a) + b
    return y if mask is None else y + mask


@pytest.mark.one_in(2)
@pytest.mark.parametrize("kwargs", [
    {}, {"a": 3}, {"mask": A}, {"b": 1.5}, {"mask": A, "a": 4}, {"b": 2.5, "mask": B},
    {"mask": None}, {"mask": A.double(), "b": 1},
])  # fmt: skip
def test_arguments_by_name_are_remembered_as_those_by_position(kwargs: dict[str, Any]) -> None:
    compiled = minits.script(with_defaults)
    for _ in range(4):
        torch.testing.assert_close(compiled(B, **kwargs), with_defaults(B, **kwargs))
        torch.testing.assert_close(compiled(x=B, **kwargs), with_defaults(B, **kwargs))
    assert (compiled._direct.last or compiled._repeated.last) is not None
    torch.testing.assert_close(compiled(B.double(), **kwargs), with_defaults(B.double(), **kwargs))
    for wrong in ({"x": B}, {"c": 1}, {"a": "x"}, {"mask": 1}):
        for _ in range(3):
            with pytest.raises(ArgumentError):
                compiled(B, **{**kwargs, **wrong})
    with pytest.raises(ArgumentError):
        compiled(**kwargs)


def test_placing_arguments_needs_all_before_the_last() -> None:
    schema = minits.script(with_defaults).schema
    placed = ByPosition(schema).placed
    assert placed((A,), {"b": 1.0}) == (A, 2, None, 1.0)
    assert placed((), {"a": 1, "x": A}) == (A, 1)
    assert placed((), {"a": 1}) is None
    assert placed((A,), {"x": A}) is None
    assert placed((A,), {"unknown": A}) is None
    assert ByPosition(schema, owners=1).placed((3,), {"b": 1.0}) == (3, None, 1.0)


def only_by_name(x: Tensor, *, scale: float, shift: float) -> Tensor:
    return torch.relu(x * scale) + shift


def test_parameters_that_have_no_position() -> None:
    compiled = minits.script(only_by_name)
    for _ in range(4):
        kwargs = {"shift": 1.0, "scale": 4.0}
        torch.testing.assert_close(compiled(B, **kwargs), only_by_name(B, **kwargs))
        torch.testing.assert_close(compiled(x=B, **kwargs), only_by_name(B, **kwargs))
        with pytest.raises(ArgumentError):
            compiled(B, 3.0, shift=1.0)
        with pytest.raises(ArgumentError):
            compiled(B, scale=3.0)


def makes_pair(x: Tensor) -> Pair:
    return Pair(torch.relu(x) + 1, torch.tanh(x) * 2)


def test_named_results_of_a_remembered_call() -> None:
    compiled = minits.script(makes_pair)
    for _ in range(5):
        result = compiled(B)
        assert type(result).__name__ == "Pair"
        torch.testing.assert_close(result.second, makes_pair(B).second)
    assert compiled._repeated.last is not None


def products(x: Tensor, y: Tensor, z: Tensor) -> Tensor:
    return torch.relu(torch.tanh(x) * y + z) * 2


def steps(x: Tensor, y: Tensor, z: Tensor) -> Tensor:
    w = torch.mm(x, y)
    return torch.relu(torch.tanh(w) * y + z) * y + w


@pytest.mark.parametrize("program", [products, steps])
def test_a_tensor_that_is_given_twice_is_remembered(program: Callable[..., Tensor]) -> None:
    compiled = minits.script(program)
    a, b, c = torch.randn(3, 4, 4)
    calls = [(a, a, a), (a, b, c), (a, a, b), (b, a, a), (a, b, a), (a, a, a)]
    for call in [*calls, *calls]:
        for _ in range(4):
            torch.testing.assert_close(compiled(*call), program(*call))
        assert _is_remembered(compiled, call)
        others = [tuple(each.double() if each is call[0] else each for each in call)]
        others += [(call[0].t(), *call[1:]), (call[0][:2], *call[1:])]
        assert not any(_is_remembered(compiled, other) for other in others)
