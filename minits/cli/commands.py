"""The commands `check` and `inspect`."""

from __future__ import annotations

import argparse

from minits.cli.errors import UsageError
from minits.cli.programs import Target, find_programs, read_source
from minits.diagnostics import CompileError, Diagnostic, each_once, error
from minits.ir.parser import parse_graph
from minits.ir.verifier import InvalidIR, verify
from minits.source import SourceRange

# ---- check -------------------------------------------------------------------------------------


def run_check(options: argparse.Namespace) -> int:
    """Compile everything; of a file of IR, read and verify it.

    Raises `CompileError` with the faults of all programs.
    """
    if options.target.endswith(".ir"):
        return _check_ir(options.target)
    faults: list[Diagnostic] = []
    count = 0
    for program in find_programs(options):
        count += 1
        try:
            program.compile(options.dialect)
        except CompileError as fault:
            faults += fault.diagnostics
    if faults:
        raise CompileError(each_once(faults))
    print(f"{options.target}: {count} program{'s' if count != 1 else ''}, no errors")
    return 0


def _check_ir(filename: str) -> int:
    source = read_source(Target(filename, None))
    try:
        verify(parse_graph(source.text, filename))
    except InvalidIR as broken:
        loc = SourceRange(source, 0, len(source.line(1)))
        raise error(loc, "TS906", str(broken)) from None
    print(f"{filename}: one graph, no errors")
    return 0


# ---- inspect -----------------------------------------------------------------------------------


def run_inspect(options: argparse.Namespace) -> int:
    """Print what is in an archive; the status is 1 if `minits.load` would refuse it.

    Raises `UsageError` where there is no file.
    """
    from minits.archive.inspecting.inspector import inspect_archive
    from minits.cli.inspection import print_inspection, print_json

    try:
        found = inspect_archive(options.file, module=options.module)
    except OSError as problem:
        raise UsageError(f"cannot read {options.file}: {problem.strerror}") from None
    if options.json:
        print_json(found, options.code)
    else:
        print_inspection(found, options.code)
    return 1 if found.is_refused else 0
