"""`minits debug` and `minits run --record`: runs by the interpreter that are recorded."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from minits.cli.errors import UsageError
from minits.cli.inputs import call_inputs, unfit_inputs
from minits.cli.report import report_note
from minits.cli.running import called_program
from minits.codegen.script_traceback import class_name_of, message_of
from minits.diagnostics import CompileError, Note, error
from minits.internal_error import told
from minits.runtime.argument_faults import ArgumentError
from minits.runtime.script import ScriptFunction
from minits.stepping.files import read_recording, write_recording
from minits.stepping.recording import MOST_STEPS, Outcome, Recording, record
from minits.stepping.session import Session


def run_debug(options: argparse.Namespace) -> int:
    """Step over a run of a program, or over one that was recorded. Raises `UsageError`."""
    from minits.stepping.terminal import Terminal

    if options.target.endswith(".json"):
        recording = recording_in(options)
    else:
        recording, _ = recorded(options)
    try:
        session = Session(recording)
    except ValueError as problem:
        raise UsageError(f"{options.target}: {problem}") from None
    Terminal(session).cmdloop()
    return 0


def run_recorded(options: argparse.Namespace) -> int:
    """Run a program, write what was recorded, and print what it returned.

    Raises `UsageError`, and `CompileError` for an exception of the program.
    """
    if options.native or options.stats:
        raise UsageError("--record runs the interpreter: --native and --stats do not fit")
    recording, outcome = recorded(options)
    try:
        write_recording(recording, Path(options.record))
    except OSError as problem:
        raise UsageError(f"cannot write {options.record}: {problem.strerror}") from None
    if recording["cut"]:
        report_note(f"the recording is cut after {MOST_STEPS} steps: --record")
    if outcome.error is not None:
        raise failure(outcome)
    print(outcome.result)
    return 0


def recorded(options: argparse.Namespace) -> tuple[Recording, Outcome]:
    """Compile and run the program of a command line.

    Raises `UsageError`, and `CompileError` for a program or arguments at fault.
    """
    called: Any = called_program(options).function
    if not isinstance(called, ScriptFunction):
        raise UsageError("a function with *args, or one that MINITS_JIT=0 leaves as it is, "
                         "cannot be recorded")  # fmt: skip
    inputs = call_inputs(options)
    try:
        values = called.bound(inputs.args, inputs.kwargs)
    except ArgumentError as problem:
        raise unfit_inputs(problem, options) from None
    return record(called, values)


def failure(outcome: Outcome) -> CompileError:
    """Return the error of a program's exception, at its place."""
    problem = outcome.error
    assert problem is not None
    loc, *callers = outcome.places or (None,)
    message = f"the program raised {told(class_name_of(problem), message_of(problem))}"
    notes = [
        Note(f"called from line {each.begin.line} of {each.source.filename}")
        for each in reversed(callers)
        if each is not None
    ]
    return error(loc, "TS805", message, notes=notes[-5:])


def recording_in(options: argparse.Namespace) -> Recording:
    """Return the recording that a command line names. Raises `UsageError`."""
    path = Path(options.target)
    if options.input or options.module or options.fn:
        raise UsageError("a recording has its inputs: --input, --module and --fn do not fit")
    try:
        return read_recording(path)
    except OSError as problem:
        raise UsageError(f"cannot read {path}: {problem.strerror}") from None
    except ValueError as problem:
        raise UsageError(f"{path} is no recording: {problem}") from None
