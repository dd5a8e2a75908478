"""From text to syntax tree: lexer, LALR parser, builder, and the fence around TorchScript.

tree/            the nodes, which are those of `ast`; begin here
lexer, tokens, soft_keywords, fstrings    from text to tokens
parser, tables   the loop over lark's tables of `grammar/torchscript.lark`
builder, builder_part   the nodes that rules become; `statements`, `definitions`, `calls`,
                 `patterns`, `literals`, `strings` are its parts
faults           what is wrong where no rule fits
recovery         reading on after it, for the next error
fence, text_fence   syntax of Python that TorchScript lacks
signed_numbers, torch_ranges, blocks   trees as torch reads them, and their blocks
extensions/      syntax of the extended dialect as other syntax

`frontend/python/sources.py` calls it for functions and classes, `archive/reading` for files.
"""

from __future__ import annotations

from typing import Any

from minits.diagnostics import CompileError, error
from minits.source import SourceFile, SourceRange
from minits.syntax import tree
from minits.syntax.signed_numbers import with_signed_numbers

__all__ = [
    "parse_class",
    "parse_definitions",
    "parse_expression",
    "parse_function",
    "parse_module",
    "parse_part",
    "parse_program",
]


def parse_module(source: SourceFile, most_blocks: int | None = None) -> tree.Module:
    """Parse a file. `most_blocks` may be nested in each other, by default as many as in Python.

    Raises `CompileError` (TS0xx) at the first fault.
    """
    from minits.syntax.lexer import MAX_INDENTATION, tokenize
    from minits.syntax.parser import parse

    tokens = tokenize(source, MAX_INDENTATION if most_blocks is None else most_blocks)
    module: tree.Module = parse(source, tokens, "module")
    return module


def parse_program(source: SourceFile) -> tree.Module:
    """Parse a file that is checked. Raises `CompileError` with every syntax error."""
    try:
        return parse_module(source)
    except CompileError as fault:
        from minits.syntax.recovery import every_fault

        raise every_fault(source, fault, parse_module) from None


def parse_part(source: SourceFile, start: int, end: int) -> tree.Module:
    """Parse the statements between two offsets of a file; they get their ranges in the file."""
    from minits.syntax.lexer import tokenize
    from minits.syntax.parser import parse

    blanked = SourceFile(source.filename, "\n" * start + source.text[start:end])
    module: tree.Module = parse(source, tokenize(blanked), "module")
    return module


def parse_expression(source: SourceFile) -> tree.expr:
    """Parse a single expression, such as an annotation in quotes."""
    from minits.syntax.lexer import tokenize_part
    from minits.syntax.parser import parse

    tokens = tokenize_part(source, 0, len(source.text))
    expression: tree.expr = parse(source, tokens, "expression_only")
    return expression


def parse_function(source: SourceFile) -> tree.FunctionDef:
    """Parse one function, its decorators included; its lines may be indented."""
    return _parse_definition(source, tree.FunctionDef, "function")  # type: ignore[no-any-return]


def parse_definitions(source: SourceFile) -> list[tree.FunctionDef]:
    """Parse functions, and nothing else; their lines may all be indented. Raises `CompileError`."""
    from minits.syntax.lexer import tokenize_definition
    from minits.syntax.parser import parse

    tokens = tokenize_definition(source)
    module: tree.Module = parse(source, tokens, "module")
    for statement in module.body:
        if not isinstance(statement, tree.FunctionDef):
            raise error(
                statement.range,
                "TS012",
                "only functions can be defined by a text",
                fix="write it as Python, and use it by its name",
            )
    end = module.body[-1].range.end if module.body else 0
    _require_nothing(source, end)
    return [
        with_signed_numbers(statement)
        for statement in module.body
        if isinstance(statement, tree.FunctionDef)
    ]


def _require_nothing(source: SourceFile, start: int) -> None:
    """Raise an error if anything follows the last statement: a line that is indented less."""
    for line in source.text[start:].splitlines(keepends=True):
        code = line.partition("#")[0]
        if code.strip():
            begin = start + len(code) - len(code.lstrip())
            loc = SourceRange(source, begin, start + len(code.rstrip()))
            raise error(
                loc,
                "TS005",
                "this line is less indented than the first one",
                fix="indent all functions of the text alike",
            )
        start += len(line)


def parse_class(source: SourceFile) -> tree.ClassDef:
    """Parse one class; its lines may be indented."""
    return _parse_definition(source, tree.ClassDef, "class")  # type: ignore[no-any-return]


def _parse_definition(source: SourceFile, kind: type, name: str) -> Any:
    from minits.syntax.lexer import tokenize_definition
    from minits.syntax.parser import parse

    module: tree.Module = parse(source, tokenize_definition(source), "module")
    for statement in module.body:
        if isinstance(statement, (kind, tree.AsyncFunctionDef)):
            return statement
    loc = SourceRange(source, 0, min(1, len(source.text)))
    raise error(
        loc,
        "TS012",
        f"there is no {name} at this line: its file has changed since it was imported",
        fix="import the file again: start Python anew, or reload the module",
    )
