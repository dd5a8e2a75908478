"""`minits report`: a compilation as one HTML page."""

from __future__ import annotations

import argparse
import copy
import io
from collections.abc import Iterator
from contextlib import redirect_stdout, suppress
from importlib.util import find_spec
from pathlib import Path

from torch import nn

from minits import __version__
from minits.cli.debugging import recording_in
from minits.cli.errors import UsageError
from minits.cli.inputs import Inputs, call_inputs
from minits.cli.places import type_with_reason
from minits.cli.programs import Compiled, Program, Target, find_programs
from minits.cli.report import report_note
from minits.cli.sample_inputs import NoSample, sample_inputs
from minits.diagnostics import CompileError, Diagnostic
from minits.frontend.values.observing import observing
from minits.passes.instrumentation import instrumented
from minits.queries.record import Record
from minits.report.collecting import Collector, RecordedRun
from minits.report.model import Page
from minits.report.modules import module_tree
from minits.report.recording import Recorder
from minits.report.run import add_recording
from minits.runtime.argument_faults import ArgumentError
from minits.runtime.plan import Plan
from minits.runtime.script import ScriptFunction, ScriptMethod
from minits.runtime.script_module import ScriptModule, method_of, methods_of
from minits.runtime.script_variants import VariadicFunction
from minits.stepping.recording import MOST_STEPS, record

NEEDS = ("jinja2", "pygments", "grandalf")


def run_report(options: argparse.Namespace) -> int:
    """Write the page. Raises `CompileError` with the faults of all programs, and `UsageError`."""
    require_packages()
    page, faults = recorded_page(options) if is_recording(options) else collect(options)
    if page.compilations or not faults:
        from minits.report.page import render

        output = Path(options.output)
        try:
            output.write_text(render(page), encoding="utf-8", errors="xmlcharrefreplace")
        except OSError as problem:
            raise UsageError(f"cannot write {output}: {problem.strerror}") from None
        for note in page.notes:
            report_note(note)
        print(output)
    if faults:
        raise CompileError(faults)
    return 0


def require_packages() -> None:
    """Raise `UsageError` where a package is missing that pages are made with."""
    missing = [name for name in NEEDS if find_spec(name) is None]
    if missing:
        raise UsageError(
            f"a report is made with {', '.join(missing)}, which you do not have: "
            "pip install 'minits[report]'"
        )


def is_recording(options: argparse.Namespace) -> bool:
    """Return whether a file of `minits run --record` is to be shown, not a program."""
    return str(options.target).endswith(".json")


def recorded_page(options: argparse.Namespace) -> tuple[Page, list[Diagnostic]]:
    """Return the data of a recording's page, and no faults. Raises `UsageError`."""
    if options.record:
        raise UsageError("a recording is played as it is: --record does not fit")
    page = Page(title=options.target, version=__version__)
    add_recording(page, recording_in(options))
    return page, []


def collect(options: argparse.Namespace) -> tuple[Page, list[Diagnostic]]:
    """Compile what the options name; return what a page shows of it, and the faults.

    Raises `UsageError` where there is nothing to compile.
    """
    inputs: Inputs | None = None
    page = Page(title=options.target, version=__version__)
    recorder = Recorder()
    collector = Collector(page, recorder)
    faults: list[Diagnostic] = []
    record = Record(str(target_file(options).absolute()))
    with instrumented(recorder), observing(record):
        for program in find_programs(options):
            if options.input and inputs is None:
                inputs = call_inputs(options)
            given = inputs
            if given is None and program.example_inputs is not None:
                given = Inputs(tuple(program.example_inputs), {})
            try:
                compiled = program.compile(options.dialect)
                for name, function in _functions(program.name, compiled, page):
                    _add(collector, name, function, given, options.record)
            except CompileError as fault:
                faults += [found for found in fault.diagnostics if found not in faults]
            if isinstance(program.value, nn.Module):
                _add_modules(page, program, given)
    for reading in record.readings:
        for typed in reading.typed:
            text = " ".join(typed.range.text.split())
            reason = type_with_reason(record, reading, typed)
            collector.ranges.note_reason(typed.range, f"{text}: {reason}")
    if not page.compilations and not faults:
        raise UsageError(f"there is nothing to compile in {options.target}")
    return page, faults


# ---- Programs ----------------------------------------------------------------------------------


def _functions(name: str, compiled: Compiled, page: Page) -> Iterator[tuple[str, ScriptFunction]]:
    if isinstance(compiled, ScriptFunction):
        yield name, compiled
    elif isinstance(compiled, VariadicFunction):
        page.notes.append(f"{name} takes any number of arguments: it is compiled when it is called")
    else:
        methods = [each for each in methods_of(compiled) if not each.startswith("__")]
        for each in methods:
            method = method_of(compiled, each)
            if isinstance(method, ScriptFunction):
                yield f"{name}.{each}", method


def _add(
    collector: Collector, name: str, function: ScriptFunction, given: Inputs | None, records: bool
) -> None:
    """Add a function for a call with these arguments, or for likely ones; record these calls.

    Raises `CompileError` for arguments that do not fit.
    """
    notes = collector.page.notes
    try:
        samples = [("", given)] if given is not None else list(_samples(function))
    except NoSample as reason:
        notes.append(f"{name}: {reason}; give its arguments with --input to see its kernels")
        samples = []
    if records and given is None and any(inputs.args for _, inputs in samples):
        notes.append(f"{name} was recorded with likely arguments; give your own with --input")
    added = 0
    for text, inputs in samples:
        title = f"{name} ({text})" if text else name
        try:
            plan = _plan_for(function, inputs)
        except ArgumentError as problem:
            notes.append(f"{title}: the arguments do not fit, so that it has no plan: {problem}")
            continue
        if plan is None:
            notes.append(f"{title}: always raises")
        if plan is not None or records:
            run = _recorded(function, inputs, title, notes) if records else None
            collector.add(name, title, function, plan, run)
            added += 1
    if not added:
        collector.add(name, name, function, None)


def _plan_for(function: ScriptFunction, inputs: Inputs) -> Plan | None:
    """Return the plan for a call, None if it always raises. Raises `ArgumentError`."""
    plan = function.plan_for(*inputs.args, **inputs.kwargs)
    raises = any(node.kind == "prim::RaiseException" for node in plan.graph.block.nodes)
    return None if raises else plan


def _recorded(
    function: ScriptFunction, inputs: Inputs, title: str, notes: list[str]
) -> RecordedRun:
    """Record a call. The page has what the program prints."""
    with suppress(RuntimeError):  # some tensors cannot be copied: those that autograd computed
        inputs = copy.deepcopy(inputs)
    with redirect_stdout(io.StringIO()):
        recording, outcome = record(function, function.bound(inputs.args, inputs.kwargs))
    if recording["cut"]:
        notes.append(f"{title}: the recording is cut after {MOST_STEPS} steps")
    return RecordedRun(recording, outcome.graphs)


def _samples(function: ScriptFunction) -> Iterator[tuple[str, Inputs]]:
    """Yield likely arguments. Raises `NoSample`."""
    for text, arguments in sample_inputs(
        function._minits.schema, isinstance(function, ScriptMethod)
    ):
        yield text, Inputs(tuple(arguments), {})


def _add_modules(page: Page, program: Program, given: Inputs | None) -> None:
    timed = given if not isinstance(program.value, ScriptModule) else None
    try:
        entries = module_tree(program.value, timed)
    except Exception as problem:  # the module's own
        page.notes.append(f"{program.name}: no times, since plain Python raises {problem}")
        entries = module_tree(program.value, None)
    for entry in entries:
        entry.path = ".".join(filter(None, (program.name, entry.path)))
    page.modules += entries


def target_file(options: argparse.Namespace) -> Path:
    """Return the file that is compiled."""
    return Path(Target.parse(options.target).filename)
