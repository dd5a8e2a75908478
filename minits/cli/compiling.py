"""`minits compile`: what becomes of a program, at the stage that `--emit` names."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from minits.cli.errors import UsageError
from minits.cli.inputs import Inputs, call_inputs, unfit_inputs
from minits.cli.passes import PassWatch, refuse_idle_options, watching_passes
from minits.cli.programs import Compiled, Program, find_programs
from minits.cli.report import report_note, report_remarks
from minits.diagnostics import CompileError, Diagnostic, each_once
from minits.ir.graph import Graph
from minits.ir.printer import print_graph
from minits.passes.remarks import Remark
from minits.records import dataclass, field
from minits.runtime.argument_faults import ArgumentError
from minits.runtime.script import ScriptFunction
from minits.runtime.script_module import method_of, methods_of
from minits.runtime.script_variants import VariadicFunction
from minits.terminal_text import printable

KERNEL_KINDS = ("loops", "cpp", "cuda")
"""The kinds of `--emit` that show kernels."""


@dataclass(eq=False, slots=True)
class Shown:
    """A function or method that is shown, with the arguments of a call, if there are any."""

    name: str
    function: ScriptFunction
    inputs: Inputs | None
    example_inputs: Any
    options: argparse.Namespace
    watch: PassWatch
    remarks: list[Remark] = field(default_factory=list)


def run_compile(options: argparse.Namespace) -> int:
    """Compile and print; faults of one program do not keep the others from being shown.

    Raises `UsageError` where there is no program, and in the end `CompileError` with all faults.
    """
    faults: list[Diagnostic] = []
    parts: list[str] = []
    remarks: list[Remark] = []
    refuse_idle_options(options)
    with watching_passes(options) as watch:
        for program in _programs(options):
            try:
                compiled = program.compile(options.dialect)
                for shown in _shown(program, compiled, options, watch):
                    parts += [_section(name, text) for name, text in _emit(shown)]
                    remarks += shown.remarks
            except CompileError as fault:
                faults += fault.diagnostics
        if not faults:
            watch.refuse_passes_that_did_not_run(options)
    write_text("\n".join(parts), options.output)
    if options.remarks_output:
        from minits.cli.fusion import write_remarks

        write_remarks(remarks, options.remarks_output)
    if faults:
        raise CompileError(each_once(faults))
    return 0


def _programs(options: argparse.Namespace) -> list[Program]:
    """Return the programs to compile. Raises `UsageError` where there are none, or too many."""
    programs = [*find_programs(options)]
    names = ", ".join(program.name for program in programs)
    if not programs:
        raise UsageError(
            f"{options.target} has no function and no module instance; make a module with --module"
        )
    if options.input and len(programs) > 1:
        raise UsageError(f"--input is for one program: name it, as FILE:NAME, of {names}")
    return programs


def _section(name: str, text: str) -> str:
    return f"# {name}\n{text.rstrip()}\n"


def write_text(text: str, output: str | None) -> None:
    """Write to a file, or to standard output. Raises `UsageError` where that fails."""
    if output is None:
        sys.stdout.write(printable(text) if sys.stdout.isatty() else text)
        return
    try:
        Path(output).write_text(text, encoding="utf-8", errors="backslashreplace")
    except OSError as problem:
        raise UsageError(f"cannot write {output}: {problem.strerror}") from None


# ---- Which functions ---------------------------------------------------------------------------


def _shown(
    program: Program, compiled: Compiled, options: argparse.Namespace, watch: PassWatch
) -> Iterator[Shown]:
    """Yield the functions of a program: itself, or its methods."""
    inputs = call_inputs(options) if options.input else None
    for name, function in _functions(program, compiled, options):
        given = inputs
        if isinstance(function, VariadicFunction):
            if inputs is None:
                report_note(
                    f"{name} takes any number of arguments, and is compiled for each way of "
                    "calling it: show one with --input"
                )
                continue
            try:
                function, named = function.bind(inputs.args, inputs.kwargs)
            except ArgumentError as problem:
                raise unfit_inputs(problem, options) from None
            given = Inputs(inputs.args, named)
        yield Shown(name, function, given, program.example_inputs, options, watch)


def _functions(
    program: Program, compiled: Compiled, options: argparse.Namespace
) -> Iterator[tuple[str, ScriptFunction | VariadicFunction]]:
    if isinstance(compiled, ScriptFunction | VariadicFunction):
        program.refuse_method(options)
        yield program.name, compiled
        return
    names = [name for name in methods_of(compiled) if not name.startswith("__")]
    if not names:
        report_note(f"{program.name} has no method to compile")
    wanted = program.method or options.method
    if wanted is not None and wanted not in names:
        raise UsageError(f"{program.name} has no compiled method {wanted!r}: it has {names}")
    if wanted is None and options.input and "forward" in names:
        wanted = "forward"
    for name in names if wanted is None else [wanted]:
        yield f"{program.name}.{name}", method_of(compiled, name)


# ---- What of them ------------------------------------------------------------------------------


def _emit(shown: Shown) -> Iterator[tuple[str, str]]:
    """Yield (title, text) for a function; for kernels, for each of its variants."""
    kind = shown.options.emit
    if kind in KERNEL_KINDS:
        yield from _emit_kernels(shown)
        return
    try:
        yield shown.name, _SHOW[kind](shown)
    except ArgumentError as problem:
        raise unfit_inputs(problem, shown.options) from None
    if shown.options.remarks is not None or shown.options.remarks_output:
        for _ in _emit_kernels(shown):
            pass


def _emit_kernels(shown: Shown) -> Iterator[tuple[str, str]]:
    """Yield the kernels of each variant of a function, and print the remarks on it."""
    from minits.cli.fusion import kernels_text, variants, wanted_kinds

    options = shown.options
    kinds = wanted_kinds(options.remarks)
    try:
        for variant in variants(shown.name, shown.function, shown.example_inputs, shown.inputs):
            remarks = variant.with_cure(variant.plan.remarks)
            shown.remarks += remarks
            report_remarks(variant.title, [r for r in remarks if r.kind in kinds])
            if options.emit in KERNEL_KINDS:
                yield variant.title, kernels_text(variant.plan, options.emit)
    except ArgumentError as problem:
        raise unfit_inputs(problem, options) from None


def _show_ast(shown: Shown) -> str:
    from minits.cli.dump import dump_tree

    return dump_tree(shown.function._minits.definition)


def _show_types(shown: Shown) -> str:
    """The signature, and the type of every value at its line, those of refined values included."""
    lines = [str(shown.function.schema)]
    for node in shown.function.graph.all_nodes():
        loc, made = node.range, f"= {node.kind}"
        if node.kind == "prim::unchecked_cast":
            test = node.owner.owning_node
            loc = test.range if loc is None and test is not None else loc
            made = f"refined from {node.inputs[0].type.annotation}"
        if loc is None or node.kind == "prim::Constant" or not node.outputs:
            continue
        line, column = loc.begin
        values = ", ".join(f"{v.name}: {v.type.annotation}" for v in node.outputs)
        lines.append(f"  {line}:{column + 1}  {values}  {made}")
    return "\n".join(lines)


def _optimized(shown: Shown) -> Graph:
    """The graph after the passes that are named, or of the plan of a call."""
    names, call = shown.options.passes, shown.inputs
    if call is None:
        return shown.function.graph_after(names or ["optimize"])
    if not names:
        return shown.function.graph_for(*call.args, **call.kwargs)
    return shown.function.graph_after(names, call.args, call.kwargs)


def _show_dot(shown: Shown) -> str:
    from minits.ir.dot import print_dot

    wants_other = shown.options.passes or shown.inputs is not None
    return print_dot(_optimized(shown) if wants_other else shown.function.graph, shown.name)


def _show_python(shown: Shown) -> str:
    from minits.codegen.python import python_source

    return python_source(shown.function.graph, shown.function.name)


def _show_native(shown: Shown) -> str:
    """The program as C, or why it is not."""
    from minits.native.c_types import NotNative
    from minits.native.printer import printed

    function = shown.function
    try:
        return printed(function.graph_after(["optimize"]), function.name)[1]
    except NotNative as fault:
        loc = fault.node.range
        return f"# {fault}" if loc is None else f"# {loc.source.filename}:{loc.begin.line}: {fault}"


_SHOW: dict[str, Callable[[Shown], str]] = {
    "ast": _show_ast,
    "types": _show_types,
    "ssa-before": lambda shown: shown.watch.emitted(shown.function.graph),
    "ir": lambda shown: print_graph(shown.function.graph),
    "inlined": lambda shown: print_graph(shown.function.inlined_graph),
    "optimized": lambda shown: print_graph(_optimized(shown)),
    "dot": _show_dot,
    "code": lambda shown: shown.function.code,
    "python": _show_python,
    "native": _show_native,
}
