"""The commands of the command line."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch

from minits.cli.errors import UsageError
from minits.cli.fixing import fix_file, is_fixing
from minits.cli.passes import watching_passes
from minits.cli.programs import Compiled, Program, Target, evaluate, find_programs, read_source
from minits.cli.report import report_note, report_remarks, report_stats
from minits.codegen.script_traceback import class_name_of, message_of
from minits.diagnostics import CompileError, Diagnostic, Note, each_once, error
from minits.internal_error import InternalError, told
from minits.ir.parser import parse_graph
from minits.ir.printer import print_graph
from minits.ir.verifier import InvalidIR, verify
from minits.runtime.argument_faults import ArgumentError
from minits.runtime.script import ScriptFunction
from minits.runtime.script_module import ScriptModule
from minits.runtime.script_variants import VariadicFunction
from minits.source import SourceFile, SourceRange

EMIT_KINDS = (
    "ast", "types", "ir", "inlined", "optimized", "code", "python", "native",
    "loops", "cpp", "cuda",
)  # fmt: skip
KERNEL_KINDS = ("loops", "cpp", "cuda")
"""The kinds of `--emit` that show kernels."""


# ---- compile -----------------------------------------------------------------------------------


def run_compile(options: argparse.Namespace) -> int:
    """Compile and print; faults of one program do not keep the others from being shown.

    Raises `UsageError` where there is no program, and in the end `CompileError` with all faults.
    """
    faults: list[Diagnostic] = []
    parts: list[str] = []
    options.all_remarks = []
    with watching_passes(options):
        for program in find_programs(options):
            try:
                compiled = program.compile(options.dialect)
                parts += [_section(name, text) for name, text in _emit(program, compiled, options)]
            except CompileError as fault:
                faults += fault.diagnostics
    if not parts and not faults:
        raise UsageError(
            f"{options.target} has no function and no module instance; make a module with --module"
        )
    _write("\n".join(parts), options.output)
    if options.remarks_output:
        from minits.cli.fusion import write_remarks

        write_remarks(options.all_remarks, options.remarks_output)
    if faults:
        raise CompileError(each_once(faults))
    return 0


def _section(name: str, text: str) -> str:
    return f"# {name}\n{text.rstrip()}\n"


def _write(text: str, output: str | None) -> None:
    if output is None:
        sys.stdout.write(text)
        return
    try:
        Path(output).write_text(text, encoding="utf-8")
    except OSError as problem:
        raise UsageError(f"cannot write {output}: {problem.strerror}") from None


def _emit(
    program: Program, compiled: Compiled, options: argparse.Namespace
) -> Iterator[tuple[str, str]]:
    """Yield (title, text) for a function, or for each method of a module."""
    if isinstance(compiled, VariadicFunction):
        yield program.name, "# takes any number of arguments: compiled for each way of calling it"
        return
    for name, function in _functions(program, compiled):
        if options.emit in KERNEL_KINDS:
            yield from _emit_kernels(name, function, program, options)
        else:
            yield name, _SHOW[options.emit](function, options)
            if options.remarks is not None or options.remarks_output:
                for _ in _emit_kernels(name, function, program, options):
                    pass


def _functions(
    program: Program, compiled: ScriptFunction | ScriptModule
) -> Iterator[tuple[str, ScriptFunction]]:
    if isinstance(compiled, ScriptFunction):
        yield program.name, compiled
        return
    names = [name for name in compiled.method_names() if not name.startswith("__")]
    if not names:
        report_note(f"{program.name} has no method to compile")
    for name in names:
        method = compiled.compile_method(name)
        if isinstance(method, ScriptFunction):
            yield f"{program.name}.{name}", method


def _emit_kernels(
    name: str, function: ScriptFunction, program: Program, options: argparse.Namespace
) -> Iterator[tuple[str, str]]:
    """Yield the kernels of each variant of a function, and print the remarks on it."""
    from minits.cli.fusion import kernels_text, variants, wanted_kinds

    kinds = wanted_kinds(options.remarks)
    try:
        for variant in variants(name, function, program.example_inputs, options):
            remarks = variant.plan.remarks
            options.all_remarks += remarks
            report_remarks(variant.title, [r for r in remarks if r.kind in kinds])
            if options.emit in KERNEL_KINDS:
                yield variant.title, kernels_text(variant.plan, options.emit)
    except ArgumentError as problem:
        raise unfit_inputs(problem, options) from None


def _show_ast(function: ScriptFunction, options: argparse.Namespace) -> str:
    from minits.cli.dump import dump_tree

    return dump_tree(function._minits.definition)


def _show_types(function: ScriptFunction, options: argparse.Namespace) -> str:
    """The signature, and the type of every value at its line."""
    lines = [str(function.schema)]
    for node in function.graph.all_nodes():
        if node.range is None or node.kind == "prim::Constant":
            continue
        line, column = node.range.begin
        values = ", ".join(f"{v.name}: {v.type.annotation}" for v in node.outputs)
        if values:
            lines.append(f"  {line}:{column + 1}  {values}  = {node.kind}")
    return "\n".join(lines)


def _show_optimized(function: ScriptFunction, options: argparse.Namespace) -> str:
    arguments = [evaluate(text, None, "TS802") for text in options.input]
    names = options.passes.split(",") if options.passes else ["optimize"]
    try:
        if options.input and not options.passes:
            return print_graph(function.graph_for(*arguments))
        return print_graph(function.graph_after(names, arguments if options.input else None))
    except ArgumentError as problem:
        raise unfit_inputs(problem, options) from None


def unfit_inputs(problem: ArgumentError, options: argparse.Namespace) -> CompileError:
    """Return the error of arguments that do not fit a program."""
    shown = " ".join(f"--input '{text}'" for text in options.input)
    loc = SourceRange(SourceFile("<command line>", shown), 0, len(shown)) if shown else None
    fix = "give --input once for each argument, in order, as Python expressions of these types"
    return error(loc, "TS804", str(problem), fix=fix)


def _show_python(function: ScriptFunction, options: argparse.Namespace) -> str:
    from minits.codegen.python import python_source

    return python_source(function.graph, function.name)


def _show_native(function: ScriptFunction, options: argparse.Namespace) -> str:
    """The program as C, or why it is not."""
    from minits.native.c_types import NotNative
    from minits.native.printer import FunctionPrinter

    try:
        return FunctionPrinter(function.graph_after(["optimize"]), function.name).text()
    except NotNative as fault:
        loc = fault.node.range
        return f"# {fault}" if loc is None else f"# {loc.source.filename}:{loc.begin.line}: {fault}"


_SHOW: dict[str, Callable[[ScriptFunction, argparse.Namespace], str]] = {
    "ast": _show_ast,
    "types": _show_types,
    "ir": lambda function, options: print_graph(function.graph),
    "inlined": lambda function, options: print_graph(function.inlined_graph),
    "optimized": _show_optimized,
    "code": lambda function, options: function.code,
    "python": _show_python,
    "native": _show_native,
}


# ---- run ---------------------------------------------------------------------------------------


def run_run(options: argparse.Namespace) -> int:
    """Compile one program, call it, print what it returns.

    Raises `UsageError` unless there is exactly one program, and it has the method.
    """
    programs = list(find_programs(options))
    if len(programs) != 1:
        names = ", ".join(program.name for program in programs) or "nothing"
        raise UsageError(f"name what to run: {options.target} has {names}")
    (program,) = programs
    compiled = program.compile(options.dialect)
    called: Any = compiled
    if isinstance(compiled, ScriptModule):
        try:
            called = compiled.compile_method(options.method)
        except AttributeError as missing:
            raise UsageError(str(missing)) from None
    if options.native:
        from minits.cli.libraries import native_model

        name = options.method if isinstance(compiled, ScriptModule) else program.name
        called = getattr(native_model(compiled, program.name), name)
    arguments = [evaluate(text, None, "TS802") for text in options.input]
    print(_call(called, arguments, options))
    if options.stats and not options.native:
        report_stats(called.plan_report())
    return 0


def _call(called: Any, arguments: list[Any], options: argparse.Namespace) -> Any:
    """Call the program; its exceptions become errors that show a line of the program."""
    try:
        return called(*arguments)
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


# ---- build --------------------------------------------------------------------------------------


def run_build(options: argparse.Namespace) -> int:
    """Make a library in C (`libraries.py`). Raises `CompileError` and `UsageError`."""
    from minits.cli.libraries import run_build

    return run_build(options)


# ---- check -------------------------------------------------------------------------------------


def run_check(options: argparse.Namespace) -> int:
    """Compile everything; of a file of IR, read and verify it.

    Raises `CompileError` with the faults of all programs.
    """
    fixes = is_fixing(options)
    if options.target.endswith(".ir"):
        return _check_ir(options.target)
    if fixes:
        return _fix(options)
    count, faults = _check(options)
    if faults:
        raise CompileError(faults)
    print(f"{options.target}: {count} program{'s' if count != 1 else ''}, no errors")
    return 0


def _check(options: argparse.Namespace, text: SourceFile | None = None) -> tuple[int, Any]:
    """Return the number of programs, and their faults, each once.

    text: the text of the file, where it is not the one on disk.
    """
    faults: list[Diagnostic] = []
    count = 0
    try:
        for program in find_programs(options, text):
            count += 1
            try:
                program.compile(options.dialect)
            except CompileError as fault:
                faults += fault.diagnostics
    except CompileError as fault:  # it cannot be read, or run
        faults += fault.diagnostics
    return count, each_once(faults)


def _fix(options: argparse.Namespace) -> int:
    """Mend the file. Raises `CompileError` with the faults that are left."""
    target = Target.parse(options.target)
    source = read_source(target)

    def check(text: str) -> Any:
        return _check(options, SourceFile(source.filename, text))[1]

    done = fix_file(source, check, options, target.filename)
    if options.diff:
        return 1 if done.mended else 0
    report_note(f"{len(done.mended)} mended, {len(done.left)} left")
    if done.left:
        raise CompileError(done.left)
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
