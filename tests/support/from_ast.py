"""CPython's `ast` as our syntax tree: the oracle that the parser is compared with."""

from __future__ import annotations

import ast
from typing import Any

from minits.source import SourceFile, SourceRange
from minits.syntax import tree

OPERATORS = {
    "Add": "+", "Sub": "-", "Mult": "*", "MatMult": "@", "Div": "/", "Mod": "%", "Pow": "**",
    "LShift": "<<", "RShift": ">>", "BitOr": "|", "BitXor": "^", "BitAnd": "&", "FloorDiv": "//",
    "Invert": "~", "Not": "not", "UAdd": "+", "USub": "-", "And": "and", "Or": "or",
    "Eq": "==", "NotEq": "!=", "Lt": "<", "LtE": "<=", "Gt": ">", "GtE": ">=",
    "Is": "is", "IsNot": "is not", "In": "in", "NotIn": "not in",
}  # fmt: skip


def tree_from_ast(source: SourceFile) -> tree.Module:
    """Parse with CPython and convert. A node without a position in `ast` has an empty range."""
    parsed = ast.parse(source.text, type_comments=True)
    return _Converter(source).convert(parsed)


class _Converter:
    def __init__(self, source: SourceFile) -> None:
        self.source = source

    def convert(self, node: Any) -> Any:
        if isinstance(node, list):
            kept = (item for item in node if not isinstance(item, ast.TypeIgnore))
            return tuple(self.convert(item) for item in kept)
        if not isinstance(node, ast.AST):
            return node
        name = type(node).__name__
        if name in OPERATORS:
            return OPERATORS[name]
        cls = getattr(tree, name)
        values = {
            field: self.convert(getattr(node, field, None if field == "default_value" else ()))
            for field in cls.__match_args__
            if field != "range"
        }
        return cls(self.range_of(node), **values)

    def range_of(self, node: ast.AST) -> SourceRange:
        if not hasattr(node, "lineno"):
            return SourceRange(self.source, 0, 0)
        start = self.offset(node.lineno, node.col_offset)  # type: ignore[attr-defined]
        end = self.offset(node.end_lineno, node.end_col_offset)  # type: ignore[attr-defined]
        return SourceRange(self.source, start, end)

    def offset(self, line: int, column: int) -> int:
        start = self.source.line_starts[line - 1]
        text = self.source.line(self.source.first_line + line - 1)
        return start + len(text.encode()[:column].decode())
