"""Programs in which expressions are replaced by names that are not defined.

    return torch.add(x, n)      becomes      return torch.add(unknown_a, n)

Each such name is a fault, and the only one: whatever else is told is false. Not replaced are

- what is no expression of the program: annotations, types in `isinstance` and the like, defaults,
  decorators, names in `getattr` and `hasattr`, which must be literals;
- conditions that are known while compiling: without them, code is compiled that never was;
- assignment expressions: without them, a variable is not defined.

A part of a condition is replaced by a call of the unknown name that names the same variables,
`if unknown_a(x):` for `if x is not None:`, since a condition may tell of the variables in it.
"""

from __future__ import annotations

import ast
import importlib.util
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import accumulate, count
from pathlib import Path
from types import ModuleType
from typing import Any

import minits
from minits.diagnostics import CompileError, Diagnostic
from minits.frontend.values.observing import observing
from minits.queries.record import Record

Span = tuple[tuple[int, int], tuple[int, int]]
"""Begin and end in a file, each a line and a column in bytes."""
_NUMBERS = count()


@dataclass(frozen=True)
class Place:
    """An expression that can be replaced.

    statement: tells expressions of one statement from others.
    arguments: `(x, y)` where it is a part of a condition that names x and y, else empty.
    """

    span: Span
    statement: Span
    arguments: str

    def is_before(self, other: Place) -> bool:
        return self.span[1] <= other.span[0]


class NotBuilt(Exception):
    """Python itself fails to make the program."""


@dataclass(frozen=True)
class Program:
    """A program that minits accepts.

    make: makes it of the module that the file is.
    lines: those of the file that it is in.
    """

    path: Path
    make: Callable[[ModuleType], Any]
    dialect: str = "torch"
    lines: range = range(sys.maxsize)

    def faults(self, text: str, folder: Path) -> Sequence[Diagnostic]:
        """Return the faults of the program if this is the text of its file.

        folder: is written into. Raises `NotBuilt`.
        """
        with _imported(folder, self.path.name, text) as (_, module):
            try:
                made = self.make(module())
            except Exception as failure:
                raise NotBuilt from failure
            try:
                minits.script(made, dialect=self.dialect)
            except CompileError as fault:
                return fault.diagnostics
        return ()

    def places(self, folder: Path) -> list[Place]:
        """Return the expressions that can be replaced; none of a program that is refused."""
        text = self.path.read_text("utf-8")
        with _imported(folder, self.path.name, text) as (file, module):
            record = Record(str(file))
            try:
                with observing(record):
                    minits.script(self.make(module()), dialect=self.dialect)
            except CompileError:
                return []
        tests = (test for reading in record.readings for test in reading.tests)
        known = [(test.range.begin, test.range.finish) for test in tests if test.truth is not None]
        return [
            place
            for place in _places(ast.parse(text))
            if place.span[0][0] in self.lines and not any(_is_in(place.span, k) for k in known)
        ]


@contextmanager
def _imported(
    folder: Path, filename: str, text: str
) -> Iterator[tuple[Path, Callable[[], ModuleType]]]:
    """Write a file; yield it, and a function that imports it by a name of its own.

    The file is in a folder of its own, too: Python takes a file of the same path, size and second
    for the one that it has compiled.
    """
    name = f"undefined_names_{next(_NUMBERS)}"
    file = folder / name / filename
    file.parent.mkdir()
    file.write_text(text, "utf-8")
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None and spec.loader is not None
    module, loader = importlib.util.module_from_spec(spec), spec.loader
    sys.modules[name] = module

    def load() -> ModuleType:
        loader.exec_module(module)
        return module

    try:
        yield file, load
    finally:
        del sys.modules[name]


def replaced(text: str, names: dict[Place, str]) -> str:
    """Return the text with names instead of some expressions that do not overlap."""
    source = text.encode()
    starts = [0, *accumulate(map(len, source.splitlines(keepends=True)))]
    for place in sorted(names, key=lambda each: each.span, reverse=True):
        start, end = (starts[line - 1] + column for line, column in place.span)
        name = f" {names[place]}{place.arguments} "  # `return-1` has no space there
        source = source[:start] + name.encode() + source[end:]
    return source.decode()


# ---- Which expressions ---------------------------------------------------------------------------

_MADE_BY_PYTHON = ("inputs", "build", "example", "freezing", "options")
"""Functions of a case that are not compiled."""
_TAKES_TYPE_FIRST = ("annotate", "cast", "unchecked_cast")


def _places(module: ast.Module) -> Iterator[Place]:
    excluded = {id(part) for node in ast.walk(module) for part in _excluded(node)}
    in_tests = {id(part) for node in ast.walk(module) for part in _parts_of_tests(node)}
    for function in ast.walk(module):
        if isinstance(function, ast.FunctionDef) and function.name not in _MADE_BY_PYTHON:
            for part, statement in _expressions(function, function):
                if id(part) not in excluded:
                    names = _names_in(part) if id(part) in in_tests else []
                    arguments = f"({', '.join(names)})" if names else ""
                    yield Place(_span(part), _span(statement), arguments)


def _expressions(node: ast.AST, statement: ast.stmt) -> Iterator[tuple[ast.expr, ast.stmt]]:
    """Yield the expressions below a node that stand for a value, each with its statement.

    Not those of functions and classes in it.
    """
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.ClassDef, ast.arguments)):
            continue
        is_value = isinstance(child, ast.expr) and not isinstance(child, (ast.Starred, ast.Slice))
        is_index = isinstance(node, ast.Subscript) and isinstance(child, ast.Tuple)
        is_text = isinstance(node, ast.JoinedStr)
        loads = isinstance(getattr(child, "ctx", ast.Load()), ast.Load)
        if is_value and loads and not is_index and not is_text:
            assert isinstance(child, ast.expr)
            yield child, statement
        if not isinstance(node, ast.FormattedValue) or child is node.value:
            here = child if isinstance(child, ast.stmt) else statement
            yield from _expressions(child, here)


def _excluded(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what is no expression of the program, or decides what others mean."""
    if isinstance(node, ast.expr) and any(isinstance(p, ast.NamedExpr) for p in ast.walk(node)):
        yield node
    match node:
        case ast.FunctionDef(decorator_list=decorators, returns=result):
            for each in (*decorators, *([result] if result else [])):
                yield from ast.walk(each)
        case ast.AnnAssign(annotation=annotation):
            yield from ast.walk(annotation)
        case ast.Call(args=[first, *others]):
            name = ast.unparse(node.func).rpartition(".")[2]
            if name in _TAKES_TYPE_FIRST:
                yield from ast.walk(first)
            elif name in ("isinstance", "getattr", "hasattr") and others:
                yield from ast.walk(others[0])
            elif name == "super":
                yield from ast.walk(node)


def _parts_of_tests(node: ast.AST) -> Iterator[ast.AST]:
    tests: Sequence[ast.expr] = ()
    match node:
        case (
            ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test) | ast.Assert(test=test)
        ):
            tests = [test]
        case ast.BoolOp(values=operands) | ast.comprehension(ifs=operands):
            tests = operands
    for test in tests:
        yield from ast.walk(test)


def _names_in(node: ast.AST) -> list[str]:
    return list(dict.fromkeys(part.id for part in ast.walk(node) if isinstance(part, ast.Name)))


def _span(node: ast.expr | ast.stmt) -> Span:
    assert node.end_lineno is not None and node.end_col_offset is not None
    return (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)


def _is_in(inner: Span, outer: Span) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]
