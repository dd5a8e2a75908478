"""`minits run`: a program compiled and called."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, NamedTuple

import torch

from minits.cli.errors import UsageError
from minits.cli.inputs import Inputs, call_inputs, unfit_inputs
from minits.cli.programs import Compiled, Program, find_programs
from minits.cli.report import report_stats
from minits.codegen.script_traceback import class_name_of, message_of
from minits.diagnostics import CompileError, Note, error
from minits.internal_error import InternalError, told
from minits.runtime.argument_faults import ArgumentError
from minits.runtime.script_module import ScriptModule, method_of
from minits.source import SourceRange


def run_run(options: argparse.Namespace) -> int:
    """Compile one program, call it, print what it returns. Raises `UsageError`."""
    if options.native and options.stats:
        raise UsageError("--stats tells of plans, which a library in C (--native) has not")
    if options.record:
        from minits.cli.debugging import run_recorded

        return run_recorded(options)
    program, compiled, name, called = called_program(options)
    if options.native:
        from minits.cli.libraries import native_model

        called = getattr(native_model(compiled, program.name), name)
    print(_call(called, call_inputs(options), options))
    if options.stats:
        report_stats(called.plan_report())
    return 0


class Called(NamedTuple):
    """A program, the object that it was compiled to, and the function of that which is called."""

    program: Program
    compiled: Compiled
    name: str
    function: Any


def called_program(options: argparse.Namespace) -> Called:
    """Compile the program of a command line.

    Raises `UsageError` unless there is exactly one, and it has the method; and `CompileError`.
    """
    programs = list(find_programs(options))
    if len(programs) != 1:
        names = ", ".join(program.name for program in programs) or "nothing"
        raise UsageError(f"name what to run: {options.target} has {names}")
    (program,) = programs
    compiled = program.compile(options.dialect)
    if not isinstance(compiled, ScriptModule):
        program.refuse_method(options)
        return Called(program, compiled, program.name, compiled)
    method = program.method or options.method or "forward"
    try:
        return Called(program, compiled, method, method_of(compiled, method))
    except AttributeError as missing:
        raise UsageError(str(missing)) from None


def _call(called: Any, inputs: Inputs, options: argparse.Namespace) -> Any:
    """Call the program; its exceptions become errors that show a line of the program."""
    try:
        return called(*inputs.args, **inputs.kwargs)
    except (InternalError, CompileError):
        raise
    except ArgumentError as problem:
        raise unfit_inputs(problem, options) from None
    except Exception as problem:
        raise _failure(problem) from None


def _failure(problem: Exception) -> CompileError:
    import traceback

    package = str(Path(__file__).parents[1])
    inside = str(Path(torch.__file__).parent)
    frames = [
        frame
        for frame in traceback.extract_tb(problem.__traceback__)
        if not frame.filename.startswith((package, inside)) and frame.lineno
    ]
    message = f"the program raised {told(class_name_of(problem), message_of(problem))}"
    if not frames:
        return error(None, "TS805", message)
    last = frames[-1]
    loc = SourceRange.of_line(last.filename, last.lineno or 1)
    callers = [
        Note(f"called from line {frame.lineno} of {frame.filename}") for frame in frames[:-1]
    ]
    return error(loc, "TS805", message, notes=callers[-5:])
