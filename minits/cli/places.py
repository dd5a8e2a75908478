"""`minits explain FILE:LINE[:COLUMN]`: what the compiler knows of a place of a program.

    model.py:7 in f
        z = z + y
      y      Tensor, refined from Optional[Tensor] by line 6; a parameter, annotated in line 4
      z + y  Tensor
    aten::add is in kernel 0 (y is given)

The types are those of the compiler (`minits/queries`), the kernels those of plans for likely calls,
or for the call that `--input` gives.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence, Set

from minits.cli.archives import code_record
from minits.cli.errors import UsageError
from minits.cli.fusion import GIVE_INPUT, variants
from minits.cli.inputs import call_inputs, unfit_inputs
from minits.cli.programs import STDIN, Program, Target, find_programs, read_source
from minits.cli.report import report_note, show
from minits.diagnostics import CompileError
from minits.frontend.python.python_values import PythonModule
from minits.frontend.values.observing import observing
from minits.ir.places import calls_of
from minits.passes.remarks import Remark
from minits.queries.branches import left_out_around, left_out_by
from minits.queries.describing import described
from minits.queries.origins import origin_of
from minits.queries.record import Reading, Record, Typed, contains
from minits.queries.symbols import Symbol, symbols_of
from minits.queries.type_at import type_at
from minits.runtime.argument_faults import ArgumentError
from minits.runtime.script import ScriptFunction
from minits.runtime.script_module import ScriptModule, method_of, methods_of
from minits.source import Position, SourceRange
from minits.syntax import parse_module, tree


def explain_place(filename: str, line: int, column: int | None, options: argparse.Namespace) -> int:
    """Print what is known of a line, or of the expression at a column, which counts from 1.

    Raises `UsageError` where nothing there is compiled, and `CompileError`.
    """
    archived = code_record(filename)
    options.target, recorded = archived or (filename, filename)
    is_as_given = archived or options.no_import or filename == STDIN
    record = Record(recorded) if is_as_given else Record(*_names_of(filename))
    functions: list[tuple[Program, str, ScriptFunction]] = []
    with observing(record):
        for program in find_programs(options):
            functions += [(program, *each) for each in _compiled(program, options)]
    reading = _reading_at(record, line, filename)
    source = reading.range.source
    show(f"{filename}:{line} in {reading.function.short_name}")
    show(f"    {source.line(line).strip()}")
    left_out = left_out_around(reading, line)
    if left_out is not None:
        show(f"  not compiled: {left_out}")
        return 0
    shown = list(_types(record, reading, line, column))
    width = max((len(text) for text, _ in shown), default=0)
    for text, what in shown:
        show(f"  {text:{width}}  {what}".replace("\n", "\n" + " " * (width + 4)))
    for branch in left_out_by(reading, line):
        show(f"  {branch}")
    for told in _kernels(functions, line, column, record.filenames, options):
        show(told)
    return 0


def _names_of(filename: str) -> Iterator[str]:
    """Yield the names under which a file may be imported, a file of a package without links."""
    yield from (os.path.abspath(filename), os.path.realpath(filename))  # noqa: PTH100


def _compiled(
    program: Program, options: argparse.Namespace
) -> Iterator[tuple[str, ScriptFunction]]:
    """Yield the functions of a program; one that does not compile is told, and its types stay."""
    try:
        compiled = program.compile(options.dialect)
        if isinstance(compiled, ScriptFunction):
            yield program.name, compiled
            return
        names = methods_of(compiled) if isinstance(compiled, ScriptModule) else []
        for name in names:
            assert isinstance(compiled, ScriptModule)
            method = method_of(compiled, name)
            if isinstance(method, ScriptFunction) and not name.startswith("__"):
                yield f"{program.name}.{name}", method
    except CompileError:
        report_note(f"{program.name} does not compile: see minits check {options.target}")


def _reading_at(record: Record, line: int, filename: str) -> Reading:
    """Return the reading of the innermost function around a line. Raises `UsageError`."""
    around = [
        each for each in record.readings if each.range.begin.line <= line <= each.range.finish.line
    ]
    if not around:
        raise UsageError(_why_not_compiled(line, filename))
    return min(around, key=lambda each: each.range.end - each.range.start)


def _why_not_compiled(line: int, filename: str) -> str:
    """Return why a line is in no program, and what to do about it."""
    if filename == STDIN or code_record(filename):  # which have been read
        return f"line {line} of {filename} is in no program that is compiled"
    around: list[Symbol] = []
    inside: Sequence[Symbol] = symbols_of(parse_module(read_source(Target.parse(filename))))
    while inside:
        found = [s for s in inside if s.range.begin.line <= line <= s.range.finish.line]
        around += found[:1]
        inside = found[0].inside if found else ()
    name = ".".join(symbol.name for symbol in around)
    if not around:
        return f"line {line} of {filename} is in no function, and so not compiled"
    if name.endswith(".__init__"):
        return f"{name} (line {line} of {filename}) runs in Python: what it has made is compiled"
    if around[0].kind == "class":
        return (
            f"{name} (line {line} of {filename}) is not compiled: the file makes no instance of "
            f"{around[0].name} that runs it; make one with --module '{around[0].name}(...)'"
        )
    return f"{name} (line {line} of {filename}) is not compiled: nothing that is compiled calls it"


# ---- Types -------------------------------------------------------------------------------------


def _types(
    record: Record, reading: Reading, line: int, column: int | None
) -> Iterator[tuple[str, str]]:
    """Yield the text and the type of each expression of a line, or of the one at a column."""
    if column is not None:
        at = Position(line, column - 1)
        inside = [each for each in reading.typed if contains(each.range, at)]
        found = sorted(inside, key=lambda each: each.range.end - each.range.start)[:1]
    else:
        found = [each for each in reading.typed if each.range.begin.line == line]
        found.sort(key=lambda each: (each.range.start, each.range.end))
    seen: dict[SourceRange, Typed] = {}
    for each in found:
        if column is not None or not _says_little(each):
            seen.setdefault(each.range, each)
    for each in seen.values():
        yield " ".join(each.range.text.split()), type_with_reason(record, reading, each)


def type_with_reason(record: Record, reading: Reading, typed: Typed) -> str:
    """Return the type of an expression, the refinement in force or ended, and its origin."""
    places = (typed.range.begin, typed.range.finish)  # another one may begin at the same place
    known = (type_at(record, place) for place in places)
    found = next((each for each in known if each is not None and each.range == typed.range), None)
    origin = origin_of(reading, typed)
    text = described(typed) if found is None else str(found)
    return f"{text}; {origin}" if origin else text


def _says_little(typed: Typed) -> bool:
    """Return whether a line is clear without an expression: constants, modules, `self`."""
    match typed.node:
        case tree.Constant() | tree.UnaryOp(operand=tree.Constant()) | tree.arg(arg="self"):
            return True
        case tree.Name(id="self"):
            return True
    return isinstance(typed.value, PythonModule)


# ---- Kernels -----------------------------------------------------------------------------------


def _kernels(
    functions: list[tuple[Program, str, ScriptFunction]],
    line: int,
    column: int | None,
    filenames: Set[str],
    options: argparse.Namespace,
) -> Iterator[str]:
    """Yield which kernel the operators of a place are in, or why in none."""
    titles: dict[str, list[str]] = {}
    kinds: list[str] = []
    is_unfit = False
    inputs = call_inputs(options) if options.input else None
    for program, name, function in functions:
        here = [
            node
            for node in function.inlined_graph.all_nodes()
            if _is_at((node.range, *calls_of(node)), line, column, filenames)
        ]
        if not here:
            continue
        kinds += [node.kind for node in here if node.kind.startswith("aten::")]
        try:
            for variant in variants(name, function, program.example_inputs, inputs):
                for remark in variant.with_cure(variant.plan.remarks_on_operators):
                    if _is_at((remark.range, *remark.calls), line, column, filenames):
                        text = f"{_told(remark)} [{remark.code}]"
                        is_unfit |= remark.fix == GIVE_INPUT
                        titles.setdefault(text, []).append(variant.title)
        except ArgumentError as problem:
            if inputs is not None:
                raise unfit_inputs(problem, options) from None
        except CompileError:
            continue
    for text, of in titles.items():
        yield f"{text}\n    in {', '.join(dict.fromkeys(of))}"
    if is_unfit:
        yield f"help: {GIVE_INPUT}"
    if kinds and not titles:
        yield f"in no kernel: what runs here computes no tensor ({', '.join(dict.fromkeys(kinds))})"


def _told(remark: Remark) -> str:
    """Return the message of a remark, after the operator if it does not name it."""
    return (
        remark.message
        if remark.operator in remark.message
        else (f"{remark.operator}: {remark.message}")
    )


def _is_at(
    ranges: Sequence[SourceRange | None], line: int, column: int | None, filenames: Set[str]
) -> bool:
    """Return whether an operator of these ranges stands at a place, or was called from there."""
    for loc in ranges:
        if loc is None or loc.source.filename not in filenames:
            continue
        if column is None and loc.begin.line <= line <= loc.finish.line:
            return True
        if column is not None and contains(loc, Position(line, column - 1)):
            return True
    return False
