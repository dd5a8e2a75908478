"""The tree of a function. minits has a grammar of its own; here Python's `ast` does the work."""

import ast
import inspect
import textwrap
from collections.abc import Callable
from typing import Any, NoReturn


def parse(function: Callable[..., Any]) -> ast.stmt:
    """Return the tree of a function. Its lines are those of the file."""
    lines, first = inspect.getsourcelines(function)
    return ast.increment_lineno(ast.parse(textwrap.dedent("".join(lines))), first - 1).body[0]


def fault(tree: ast.AST, message: str) -> NoReturn:
    """Raise an error with the place of a tree; the message ends with the cure.

    Since it never returns, one can write `table.get(key) or fault(tree, "...")`.
    """
    raise SyntaxError(f"{tree.lineno}:{tree.col_offset + 1}: {message}")


def assigned(tree: ast.AST) -> list[str]:
    """Return the names that are assigned to within a tree, sorted."""
    names = [each for each in ast.walk(tree) if isinstance(each, ast.Name)]
    return sorted({name.id for name in names if isinstance(name.ctx, ast.Store)})
