"""Diagnostics and types of a text that nobody runs, such as one that is being typed."""

from __future__ import annotations

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

    Faults are told of what may be a program (`partial_scope.py`).
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

    functions: list[CompiledFunction] = []
    programs: set[int] = set()
    with deep_recursion(), observing(record):
        try:
            with internal_errors(f"reading {source.filename}"):
                module = parse_module(source)
                scope = PartialScope(module, dialect)
                declare_all(scope, module)
                functions = list(scope.programs(module))
                programs = {id(each) for each in functions}
                functions += [each for each in scope.everything() if id(each) not in programs]
        except (CompileError, InternalError) as fault:
            collect(fault)
        for function in functions:
            try:
                with internal_errors(f"compiling {function.short_name}"):
                    function.ensure_defined()
            except (CompileError, InternalError) as fault:
                if id(function) in programs:  # the others are compiled for their types alone
                    collect(fault)
    return TextAnalysis(source, module, tuple(faults.values()), record, tuple(failures))
