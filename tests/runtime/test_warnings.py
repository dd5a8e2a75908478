"""`warnings.warn` in a program: shown once in each call, at the program's line, as in torch.jit."""

from __future__ import annotations

import warnings
from typing import Any

import pytest
import torch

import minits
from minits.runtime import interpreter


def in_a_loop(n: int):
    for i in range(n):
        warnings.warn("number " + str(i))


def at_two_lines(n: int):
    warnings.warn("first")
    warnings.warn("second", stacklevel=1)


def warn_of(message: str):
    warnings.warn(message)


def in_a_called_function(n: int):
    warn_of("first")
    warn_of("second")


def in_a_function_called_in_a_loop(n: int):
    for i in range(n):
        warn_of("number " + str(i))


PROGRAMS = [in_a_loop, at_two_lines, in_a_called_function, in_a_function_called_in_a_loop]


def _shown(call: Any, filter: Any) -> list[Any]:
    """What two calls show: message, class and place."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter(filter)
        call(2)
        call(2)
    return [(str(w.message), w.category, w.filename, w.lineno) for w in caught]


@pytest.mark.parametrize("filter", ["always", "default", "once", "ignore"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_warns_as_torch_does(program: Any, filter: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = torch.jit.script(program)
    compiled = minits.script(program)
    wanted = _shown(expected, filter)
    assert _shown(compiled, filter) == wanted
    graph = compiled.graph
    assert _shown(lambda n: interpreter.run(graph, n), filter) == wanted


def test_a_warning_that_is_an_error_ends_the_call() -> None:
    compiled = minits.script(at_two_lines)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning, match="first"):
            compiled(1)
