"""From text to syntax tree: lexer, LALR parser, builder, and the fence around TorchScript."""

from __future__ import annotations

from typing import Any

from minits.diagnostics import error
from minits.source import SourceFile, SourceRange
from minits.syntax import tree

__all__ = ["parse_class", "parse_expression", "parse_function", "parse_module"]


def parse_module(source: SourceFile) -> tree.Module:
    """Parse a file. Raises `CompileError` (TS0xx) at the first fault."""
    from minits.syntax.lexer import tokenize
    from minits.syntax.parser import parse

    module: tree.Module = parse(source, tokenize(source), "module")
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
    where = SourceRange(source, 0, min(1, len(source.text)))
    raise error(where, "TS012", f"there is no {name} in this text")
