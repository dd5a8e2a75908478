"""Programs of the extended dialect: Python's results, and refused in the torch dialect."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from torch import nn

import minits
from minits.diagnostics import CompileError
from minits.ir.verifier import verify
from minits.runtime.arguments import bind_arguments
from minits.runtime.interpreter import run
from tests.support.agreement import agree, comparable


def check_agrees(program: Any, *calls: tuple[Any, ...]) -> Any:
    """Check that a function or module returns what it returns in Python; return it compiled.

    The generated code and the reference interpreter both run each call, given as its arguments.
    """
    compiled = minits.script(program, dialect="extended")
    is_module = isinstance(program, nn.Module)
    graph, inlined = compiled.graph, compiled.inlined_graph
    schema = (compiled.forward if is_module else compiled)._minits.schema
    verify(graph)
    verify(inlined)
    for arguments in calls:
        expected = comparable(program(*copy.deepcopy(arguments)))
        found = comparable(compiled(*copy.deepcopy(arguments)))
        assert agree(found, expected, inlined), arguments
        given = ((compiled,) if is_module else ()) + copy.deepcopy(arguments)
        found = comparable(run(graph, *bind_arguments(schema, given, {})))
        assert agree(found, expected, inlined), arguments
    return compiled


def check_refused(program: Any, code: str, extended: bool = True) -> CompileError:
    """Check that the torch dialect refuses a program, and names the extension if it is one."""
    with pytest.raises(CompileError, match=code) as caught:
        minits.script(program)
    notes = [note.message for found in caught.value.diagnostics for note in found.notes]
    assert any("the extended dialect accepts" in note for note in notes) == extended
    return caught.value


def check_extension(program: Any, code: str, *calls: tuple[Any, ...]) -> Any:
    """Check that a program is refused with `code` in the torch dialect, and right in the other."""
    check_refused(program, code)
    return check_agrees(program, *calls)
