"""The defaults of a function's parameters, out of its tree: those that are literals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minits.syntax import tree


def literal_defaults(
    definition: tree.FunctionDef, value_of: Callable[[tree.expr], Any] | None = None
) -> dict[str, Any]:
    """Return the defaults of parameters; `value_of` reads one, and raises for what is no literal.

    Without it, `CompileError` is raised.
    """
    value_of = value_of or literal_value
    arguments = definition.args
    positional = [*arguments.posonlyargs, *arguments.args]
    with_default = positional[len(positional) - len(arguments.defaults) :]
    pairs: list[tuple[tree.arg, tree.expr | None]] = [
        *zip(with_default, arguments.defaults, strict=True),
        *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True),
    ]
    return {parameter.arg: value_of(default) for parameter, default in pairs if default is not None}


def literal_value(node: tree.expr) -> Any:
    """Return the Python value of a literal. Raises `CompileError` (TS213)."""
    from minits.diagnostics import error

    match node:
        case tree.Constant(value=value):
            return value
        case tree.UnaryOp(op="-", operand=operand):
            return -literal_value(operand)
        case tree.Tuple(elts=items):
            return tuple(map(literal_value, items))
        case tree.List(elts=items):
            return list(map(literal_value, items))
    raise error(
        node.range, "TS213", "this default is no literal, and the file is not run",
        fix="write a literal, or compile without --no-import",
    )  # fmt: skip
