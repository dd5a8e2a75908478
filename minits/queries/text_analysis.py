"""Diagnostics and types of a text that nobody runs, such as one that is being typed."""

from __future__ import annotations

from collections.abc import Callable

from minits.compile_warnings import collected_warnings
from minits.diagnostics import CompileError, Diagnostic
from minits.frontend.python.text_scope import declare_all
from minits.frontend.values.function import CompiledFunction
from minits.frontend.values.observing import observing
from minits.internal_error import InternalError, internal_errors
from minits.queries.partial_scope import PartialScope
from minits.queries.record import Record
from minits.queries.unknown_values import is_unknown
from minits.records import dataclass
from minits.recursion import deep_recursion
from minits.source import SourceFile
from minits.syntax import parse_module, tree


@dataclass(frozen=True, slots=True)
class TextAnalysis:
    """All that is known of a text.

    tree: None where the syntax is wrong.
    failures: faults of minits itself, which kept a function from being analysed.
    """

    source: SourceFile
    tree: tree.Module | None
    diagnostics: tuple[Diagnostic, ...]
    record: Record
    failures: tuple[str, ...] = ()


def analyse_text(source: SourceFile, dialect: str = "torch") -> TextAnalysis:
    """Compile the functions and classes of a text, as far as it tells them; nothing of it is run.

    Faults are told of what may be a program (`partial_scope.py`), and of what programs call: also
    where an argument of the call is unknown, and the call therefore not compiled.
    """
    record = Record(source.filename)
    faults: dict[tuple[object, str, str], Diagnostic] = {}
    failures: list[str] = []
    module: tree.Module | None = None

    def collect(fault: CompileError | InternalError) -> None:
        if isinstance(fault, InternalError):
            failures.append(str(fault))
            return
        for found in fault.diagnostics:  # a fault of a callee is also one of each caller
            if is_unknown(found):
                continue
            faults.setdefault((found.range, found.code, found.message), found)

    scope: PartialScope | None = None

    def compile(function: CompiledFunction, is_program: bool) -> None:
        with collected_warnings() as warnings:
            try:
                with internal_errors(f"compiling {function.short_name}"):
                    function.ensure_defined()
            except (CompileError, InternalError) as fault:
                if is_program:
                    collect(fault)
        if is_program and warnings:
            collect(CompileError(warnings))

    with deep_recursion(), observing(record):
        try:
            with internal_errors(f"reading {source.filename}"):
                module = parse_module(source)
                declared = PartialScope(module, dialect)
                declare_all(declared, module)
                scope = declared
        except (CompileError, InternalError) as fault:
            collect(fault)
        if module is not None and scope is not None:
            _compile_all(module, scope, compile)
    return TextAnalysis(source, module, tuple(faults.values()), record, tuple(failures))


def _compile_all(
    module: tree.Module, scope: PartialScope, compile: Callable[[CompiledFunction, bool], None]
) -> None:
    """Compile the programs, then all that they reach, then the rest, for its types alone."""
    done: set[int] = set()
    pending = list(scope.programs(module))
    while pending:
        for function in pending:
            done.add(id(function))
            compile(function, True)
        pending = [each for each in scope.reached.values() if id(each) not in done]
    for function in scope.everything():
        if id(function) not in done:
            compile(function, False)
