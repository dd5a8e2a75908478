"""`minits build`, and the calls of `minits run --native`: programs as libraries in C."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from minits.cli.errors import UsageError
from minits.cli.inputs import call_inputs, unfit_inputs
from minits.cli.programs import Compiled, find_programs
from minits.cli.report import report_note
from minits.diagnostics import CompileError, Note, error
from minits.ir.places import calls_of, place_in_program
from minits.kernels.cpu.c_build import NoCompiler
from minits.native.c_types import NotNative
from minits.native_build.building import build_library, build_model, write_library
from minits.native_build.checking import called_program, check_library, specialised
from minits.native_build.loading import NativeModel
from minits.native_build.model_text import model_text
from minits.native_build.programs import Exported, exported
from minits.native_build.state import state_of
from minits.passes.remarks import location_in_library
from minits.runtime.argument_faults import ArgumentError


def run_build(options: argparse.Namespace) -> int:
    """Write the library of a program, or of all programs of a file that can be C, and build it.

    Raises `CompileError` where a program that was named cannot be C, and `UsageError`.
    """
    folder = Path(options.output)
    if not options.name.isidentifier() or not options.name.isascii():
        raise UsageError(f"--name {options.name} is no name of C")
    if options.name == "mts":
        raise UsageError("--name mts is the beginning of names that all libraries have")
    programs = _programs(options)
    arguments: list[Any] = []
    program = None
    if options.input:
        program, arguments, programs = _for_call(programs, options)
    try:
        paths = write_library(
            programs, folder, options.name, options.line_directives, options.embed, report_note
        )
        if not options.no_compile:
            paths.append(build_library(folder, options.name))
    except NotNative as fault:
        raise not_native(fault) from None
    except NoCompiler as fault:
        raise UsageError(str(fault)) from None
    except OSError as problem:
        raise UsageError(f"cannot write to {folder}: {problem.strerror}") from None
    for path in paths:
        print(path)
    if program is not None:
        print(check_library(folder, program, arguments))
    return 0


def _for_call(
    programs: list[Exported], options: argparse.Namespace
) -> tuple[Exported, list[Any], list[Exported]]:
    """Return the program that is called, for such calls, its arguments, and all programs with it.

    Raises `CompileError` for unfit arguments, and `UsageError` where nothing is to be called.
    """
    if options.no_compile:
        raise UsageError("--input calls the library, which --no-compile does not build")
    inputs = call_inputs(options)
    try:
        called, arguments = called_program(programs, inputs.args, inputs.kwargs)
    except ArgumentError as problem:
        raise unfit_inputs(problem, options) from None
    found = specialised(called, arguments)
    return found, arguments, [found if program is called else program for program in programs]


def native_model(compiled: Compiled, name: str) -> NativeModel:
    """Return a library of one program, built in the user's cache.

    Raises `CompileError` where it cannot be C, and `UsageError` where there is no compiler.
    """
    try:
        return build_model([*exported(compiled, name, report_note)], report_note)
    except NotNative as fault:
        raise not_native(fault) from None
    except (NoCompiler, TypeError) as fault:
        raise UsageError(str(fault)) from None


def not_native(fault: NotNative) -> CompileError:
    """Return the error of a program that cannot be a library.

    An operator in a library's file is reported at the innermost call that is the program's own.
    """
    loc = fault.node.range
    place = loc and place_in_program(loc, calls_of(fault.node))
    notes = [Note(f"it is in {location_in_library(loc)}")] if loc and place != loc else []
    others = "name the functions that can, as FILE:NAME; `minits docs native` lists what is native"
    return error(
        place,
        "TS806",
        f"{fault}: the program cannot be a library in C",
        notes=notes,
        fix=fault.cure or others,
    )


def _programs(options: argparse.Namespace) -> list[Exported]:
    """Return the functions for the library: of a file with several, those that can be C.

    Raises `UsageError` where there is nothing, or a module beside others.
    """
    compiled = [*_compiled(options)]
    if len(compiled) == 1:
        ((name, program),) = compiled
        try:
            return [*exported(program, name, report_note)]
        except TypeError as fault:
            raise UsageError(str(fault)) from None
    found = []
    for name, program in compiled:
        try:
            parts = [*exported(program, name)]
            if any(part.owner is not None for part in parts):
                raise TypeError(f"{name} is a module: build it alone, as FILE:NAME")
            model_text(state_of(parts), options.name)
            found += parts
        except (NotNative, TypeError) as fault:
            report_note(f"{name} is left out: {fault}")
    if not found:
        raise UsageError(f"{options.target} has no program that can be a library in C")
    return found


def _compiled(options: argparse.Namespace) -> Iterator[tuple[str, Compiled]]:
    """Yield the programs of a file, or the module of an archive, compiled, with their names."""
    for program in find_programs(options, map_location="cpu"):
        yield program.name, program.compile(options.dialect)
