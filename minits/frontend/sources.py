"""The source of a live function, and its tree.

`inspect.getsource` runs Python's tokenizer over the function to find its end, which takes longer
than our parser. Here the end is the first line that is no deeper than the definition; where that
line is inside brackets or a string, the parser says so, and the next such line is tried.
"""

from __future__ import annotations

import inspect
import linecache
import re
import sys
import types
from collections.abc import Iterator
from typing import Any

from minits.diagnostics import CompileError, error, not_supported
from minits.source import SourceFile, SourceRange
from minits.syntax import parse_function, tree

_BLANK = re.compile(r"\s*(#.*)?$")
_HEADS = ("def ", "async ", "def\t", "class ")
_UNFINISHED = ("TS003", "TS007", "TS009", "TS010")

_definitions: dict[int, tuple[types.CodeType, tree.FunctionDef]] = {}
"""By the identity of the code: two functions of different files may have equal codes."""


def function_definition(function: Any) -> tree.FunctionDef:
    """Return the tree of a Python function, parsed once. Raises `CompileError`."""
    code = function.__code__
    if id(code) not in _definitions:
        if function.__name__ == "<lambda>":
            raise not_supported(
                None, "TS104", "a lambda is not TorchScript", fix="define a function with def"
            )
        _definitions[id(code)] = (code, _parse(function))
    return _definitions[id(code)][1]


def has_class_source(cls: type) -> bool:
    """Whether the file of a class's module has a `class` statement of its name."""
    filename = getattr(sys.modules.get(cls.__module__), "__file__", None)
    if filename is None:
        return False
    statement = re.compile(rf"\s*class\s+{cls.__name__}\b")
    return any(map(statement.match, linecache.getlines(filename)))


def declaration_of(cls: type, name: str) -> SourceRange | None:
    """Return where a class's text says `name: ...` or names it in `__constants__`, if it does."""
    filename = getattr(sys.modules.get(cls.__module__), "__file__", None)
    if filename is None:
        return None
    head = re.compile(rf"\s*class\s+{cls.__name__}\b")
    declared = re.compile(rf"\s+({name}(?=\s*:)|__constants__\b.*[\"']{name}[\"'])")
    is_inside = False
    for number, line in enumerate(linecache.getlines(filename), 1):
        is_inside = is_inside or head.match(line) is not None
        found = declared.match(line) if is_inside else None
        if found:
            return SourceRange(SourceFile(filename, line, number), *found.span(1))
    return None


def _parse(function: Any) -> tree.FunctionDef:
    first: CompileError | None = None
    for source in _candidates(function):
        try:
            return parse_function(source)
        except CompileError as fault:
            if fault.diagnostics[0].code not in _UNFINISHED:
                raise
            first = first or fault
    raise first or _no_source(function)


def _no_source(function: Any) -> CompileError:
    return error(
        None,
        "TS608",
        f"the source of {function.__qualname__} cannot be found",
        fix="define the function in a file",
    )


def _candidates(function: Any) -> Iterator[SourceFile]:
    """Yield the undedented lines of a function, to each line where it may end."""
    code = inspect.unwrap(function).__code__
    filename, start = code.co_filename, code.co_firstlineno
    linecache.checkcache(filename)
    lines = linecache.getlines(filename, function.__globals__)
    for end in _possible_ends(lines, start - 1):
        yield SourceFile(filename, "".join(lines[start - 1 : end]), start)


def _possible_ends(lines: list[str], first: int) -> Iterator[int]:
    if not 0 <= first < len(lines):
        return
    width = _indentation(lines[first])
    has_head = False
    last = first
    for number in range(first, len(lines)):
        line = lines[number]
        if _BLANK.match(line):
            continue
        if has_head and _indentation(line) <= width:
            yield last + 1
        has_head = has_head or line.lstrip().startswith(_HEADS)
        last = number
    yield last + 1


def _indentation(line: str) -> int:
    if line[:1] not in " \t\f":
        return 0
    expanded = line.expandtabs()
    return len(expanded) - len(expanded.lstrip())
