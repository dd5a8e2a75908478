"""Faults: all of them, at their places, with what the user needs to mend them."""

import pytest
import torch
from torch import Tensor

import minits
from minits.diagnostics import CompileError, NotSupportedError


def fault_of(function: object) -> CompileError:
    with pytest.raises(CompileError) as caught:
        minits.script(function)
    return caught.value


def several(x: Tensor | None, values: list[int]):
    y = x + 1
    z = nothing
    values.push(2)
    for value in values:
        w = value.upper()
    return y, z, w


def test_one_compilation_finds_all_faults() -> None:
    codes = [found.code for found in fault_of(several).diagnostics]
    assert codes == ["TS402", "TS311", "TS302", "TS302"]


def test_a_compile_error_is_a_runtime_error() -> None:
    assert isinstance(fault_of(several), RuntimeError)


def test_a_fault_tells_where_a_type_came_from() -> None:
    first = fault_of(several).diagnostics[0]
    notes = [note.message for note in first.notes]
    assert "'x' got the type Optional[Tensor] here" in notes
    assert first.fix is not None and "is not None" in first.fix


def test_no_fault_takes_more_than_twelve_lines() -> None:
    for found in fault_of(several).diagnostics:
        assert len(found.render().splitlines()) <= 12


def outside(n: int):
    return [x for x in range(n) if x > 1]


def test_unsupported_syntax_has_a_class_of_its_own() -> None:
    fault = fault_of(outside)
    assert isinstance(fault, NotSupportedError)
    assert fault.diagnostics[0].range.begin.line == outside.__code__.co_firstlineno + 1


def callee(n: int) -> str:
    return n


def caller(n: int) -> str:
    return callee(n)


def test_a_fault_in_a_callee_is_told_at_its_own_line() -> None:
    (found,) = fault_of(caller).diagnostics
    assert found.range.begin.line == callee.__code__.co_firstlineno + 1


def test_source_that_ends_inside_brackets_and_strings() -> None:
    assert minits.script(odd_layout)(2) == "2\nleft"
    assert minits.script(torch.nn.functional.relu) is not None


def odd_layout(
    n: int,
) -> str:
    text = """{}
left"""
    return text.format(n)


def test_deep_nesting_is_a_fault_not_a_crash(tmp_path: object) -> None:
    from minits.source import SourceFile
    from minits.syntax import parse_module

    for text in ("(" * 10_000 + ")" * 10_000, "[" * 10_000, "x = " + "-" * 50_000 + "1\n"):
        try:
            parse_module(SourceFile("deep.py", text))
        except CompileError as fault:
            assert fault.diagnostics[0].code in ("TS003", "TS006", "TS010")
