"""Generated code stands in the user's file: tracebacks and breakpoints find it there."""

# ruff: noqa: UP006, UP035
from __future__ import annotations

import bdb
import inspect
import traceback
from typing import Any, List

import pytest
import torch

from minits.codegen.python import compile_graph, python_source
from minits.ops.errors import ScriptRaise, as_script_error
from tests.support.from_torch import graph_from_torch


def program(xs: List[int], x: torch.Tensor) -> torch.Tensor:
    total = 0
    for i in range(3):
        total += xs[i]
    y = x * total
    if total > 100:
        raise ValueError("too great")
    return y @ torch.ones(2)


def compiled(function: Any) -> Any:
    graph = graph_from_torch(torch.jit.script(function).graph)
    return compile_graph(graph, function.__name__)


def line_of(text: str) -> int:
    lines, first = inspect.getsourcelines(program)
    return first + next(i for i, line in enumerate(lines) if text in line)


def failing_line(error: BaseException) -> int | None:
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.name == "program"]
    return [frame.lineno for frame in frames if frame.filename == __file__][-1]


@pytest.mark.parametrize(
    "arguments, text",
    [
        (([1], torch.ones(2)), "total += xs[i]"),
        (([1, 2, 3], torch.ones(3)), "return y @"),
        (([1, 2, 300], torch.ones(2)), "raise ValueError"),
    ],
)
def test_a_traceback_names_the_line_that_fails(arguments: Any, text: str) -> None:
    with pytest.raises((RuntimeError, IndexError)) as caught:
        compiled(program)(*arguments)
    assert failing_line(caught.value) == line_of(text)


def test_a_raise_is_a_script_error_and_the_class_it_names() -> None:
    with pytest.raises(ValueError, match=r"^too great$") as caught:
        compiled(program)([1, 2, 300], torch.ones(2))
    assert isinstance(caught.value, ScriptRaise)


def test_faults_of_lists_and_dicts_become_script_errors() -> None:
    with pytest.raises(IndexError) as caught:
        compiled(program)([], torch.ones(2))
    error = as_script_error(caught.value)
    assert isinstance(error, RuntimeError) and isinstance(error, IndexError)
    assert error.__traceback__ is caught.value.__traceback__
    assert str(as_script_error(KeyError("x"))) == "KeyError: x"


class _Debugger(bdb.Bdb):
    """Collects the variables at each stop."""

    def __init__(self) -> None:
        super().__init__()
        self.stops: list[tuple[int, dict[str, Any]]] = []

    def user_line(self, frame: Any) -> None:
        if self.break_here(frame):
            self.stops.append((frame.f_lineno, dict(frame.f_locals)))
        self.set_continue()


def test_a_breakpoint_stops_with_the_variables_of_the_program() -> None:
    function = compiled(program)
    debugger = _Debugger()
    line = line_of("y = x * total")
    assert debugger.set_break(__file__, line) is None
    debugger.runcall(function, [1, 2, 3], torch.ones(2))
    ((stopped, variables),) = debugger.stops
    assert stopped == line
    assert variables["total"] == 6 and variables["xs"] == [1, 2, 3]


def test_the_code_object_has_the_name_and_the_file() -> None:
    code = compiled(program).__code__
    assert (code.co_name, code.co_filename) == ("program", __file__)


def test_generated_source_is_like_the_program() -> None:
    graph = graph_from_torch(torch.jit.script(program).graph)
    source = python_source(graph, "program")
    assert "for i in range(3):\n        total = total + xs[i]" in source
    assert "y = torch_mul(x, total)" in source
