"""The tree of a function. minits has a grammar of its own; here Python's `ast` does the work."""

import ast
import inspect
import textwrap
from collections.abc import Callable
from typing import Any


def parse(function: Callable[..., Any]) -> ast.FunctionDef:
    lines, first = inspect.getsourcelines(function)
    (tree,) = ast.parse(textwrap.dedent("".join(lines))).body
    ast.increment_lineno(tree, first - 1)
    if not isinstance(tree, ast.FunctionDef):
        raise fault(tree, "this is not a function")
    return tree


def fault(node: ast.AST, message: str) -> SyntaxError:
    """Return an error with the place of a node of the tree."""
    return SyntaxError(f"{node.lineno}:{node.col_offset}: {message}")


def assigned(statements: list[ast.stmt]) -> list[str]:
    """Return the names that statements assign to, sorted."""
    inside = [node for statement in statements for node in ast.walk(statement)]
    return sorted({name for node in inside for name in _targets(node)})


def _targets(node: ast.AST) -> list[str]:
    match node:
        case ast.Assign([ast.Name(name)]):
            return [name]
    return []
