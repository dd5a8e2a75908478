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

from minits.bounded_cache import BoundedCache
from minits.diagnostics import CompileError, error, not_supported
from minits.frontend.calls.hints import OR_IN_PYTHON
from minits.source import SourceFile, SourceRange
from minits.syntax import parse_function, tree

_HEADS = ("def ", "async ", "def\t", "class ")
_DEFINITION = r"(\s*)(?:class|def|async|@)"
_UNFINISHED = ("TS003", "TS007", "TS009", "TS010")

MOST_DEFINITIONS = 8192
_definitions: BoundedCache[int, tuple[types.CodeType, tree.FunctionDef]] = BoundedCache(
    MOST_DEFINITIONS
)
"""By the identity of the code: two functions of different files may have equal codes."""


def function_definition(function: Any) -> tree.FunctionDef:
    """Return the tree of a Python function, parsed once. Raises `CompileError`.

    For a decorated function, the wrapped one is parsed: all functions with one decorator share the
    code of its wrapper.
    """
    code = getattr(inspect.unwrap(function), "__code__", None)
    if code is None:  # of C
        raise _no_source(function)
    found = _definitions.get(id(code))
    if found is None:
        if function.__name__ == "<lambda>":
            loc = SourceRange.of_line(code.co_filename, code.co_firstlineno)
            raise not_supported(
                loc if loc.text else None,
                "TS104",
                "a lambda is not TorchScript",
                fix="define a function with def",
            )
        found = _definitions.put(id(code), (code, _parse(function)))
    return found[1]


def has_class_source(cls: type) -> bool:
    """Return whether the file of a class's module has a `class` statement of its name."""
    filename = getattr(sys.modules.get(cls.__module__), "__file__", None)
    if filename is None:
        return False
    statement = re.compile(rf"\s*class\s+{cls.__name__}\b")
    return any(map(statement.match, linecache.getlines(filename)))


def statement_of(cls: type) -> SourceRange | None:
    """Return the range of `class Name` in the file of a class's module, None without one."""
    filename = getattr(sys.modules.get(cls.__module__), "__file__", None)
    head = re.compile(rf"\s*(class\s+{cls.__name__})\b")
    for number, line in enumerate(linecache.getlines(filename or ""), 1):
        found = head.match(line)
        if found:
            return SourceRange(SourceFile(str(filename), line, number), *found.span(1))
    return None


def located_at_class(fault: CompileError, cls: type) -> CompileError:
    """Return the error with the place of a class where it has none; raise it `from None`.

    torch's classes are no place for it: the class of the program that has such a module is.
    """
    is_torchs = cls.__module__.partition(".")[0] == "torch"
    if is_torchs or all(each.range is not None for each in fault.diagnostics):
        return fault
    loc = statement_of(cls)
    return fault if loc is None else fault.located(loc)


def declaration_of(cls: type, name: str) -> SourceRange | None:
    """Return the range of `name: ...`, or of the name in `__constants__`, in a class's text.

    None if there is neither.
    """
    return _find_in_class(cls, rf"{name}(?=\s*:)|__constants__\b.*[\"']{name}[\"']")


def assignment_of(cls: type, name: str) -> SourceRange | None:
    """Return the range of the first `self.name = ...` in a class's text, or None."""
    return _find_in_class(cls, rf"self\.{name}(?=\s*[:=][^=])")


def _find_in_class(cls: type, pattern: str) -> SourceRange | None:
    """Return the range of the first line in a class's text that begins with `pattern`, or None."""
    wanted = re.compile(rf"\s+({pattern})")
    for number, line in _class_lines(cls):
        found = wanted.match(line)
        if found:
            source = SourceFile(inspect.getfile(cls), line, number)
            return SourceRange(source, *found.span(1))
    return None


def _class_lines(cls: type) -> Iterator[tuple[int, str]]:
    """The numbered lines of a class's text: up to a class or function that is not inside it."""
    filename = getattr(sys.modules.get(cls.__module__), "__file__", None)
    head = re.compile(rf"(\s*)class\s+{cls.__name__}\b")
    margin: int | None = None
    for number, line in enumerate(linecache.getlines(filename or ""), 1):
        if margin is None:
            begun = head.match(line)
            margin = begun.end(1) if begun else None
            continue
        beyond = re.match(_DEFINITION, line)
        if beyond and beyond.end(1) <= margin:
            return
        yield number, line


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
    name = getattr(function, "__qualname__", repr(function))
    code = getattr(inspect.unwrap(function), "__code__", None)
    where = f": it was defined in {code.co_filename}, line {code.co_firstlineno}" if code else ""
    fix = (
        "define it in a file or a cell of a notebook, execute its text by minits.exec_source, "
        f"{OR_IN_PYTHON}"
    )
    return error(None, "TS608", f"the source of {name} cannot be found{where}", fix=fix)


def _candidates(function: Any) -> Iterator[SourceFile]:
    """Yield the undedented lines of a function, to each line where it may end."""
    function = inspect.unwrap(function)
    code = function.__code__
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
        if line.lstrip()[:1] in ("", "#"):
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
