"""The declarations of overloaded functions: what `@torch.jit._overload` was put on.

    @torch.jit._overload
    def scaled(x: Tensor, by: int) -> Tensor: ...
    @torch.jit._overload
    def scaled(x: Tensor, by: float) -> Tensor: ...
    def scaled(x, by): return x * by

torch keeps them in a table until it compiles the function. So that both can compile it in one
process, the table is copied; what torch has taken before is read from the function's file.

Source: torch/_jit_internal.py (`_overload`) and torch/jit/_script.py (`_get_overloads`).
"""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterator
from types import FunctionType
from typing import Any

from minits import torch_internals as internals
from minits.compilation_state import STATE
from minits.frontend.values.qualified_names import qualified_name


def declarations_of(function: Any) -> list[Any]:
    """Return the declarations of an overloaded function, none for others."""
    _remember()
    name = qualified_name(function)
    found = STATE.declared_overloads.get(name)
    if found is None and internals.has_taken_overloads(function):
        found = STATE.declared_overloads[name] = list(_read(function))
    return found or []


def _remember() -> None:
    """Copy torch's table.

    A module that is reloaded declares its overloads again: the last one at each line counts.
    """
    for name, overloads in internals.overloads_of_functions():
        by_line = {declaration.__code__.co_firstlineno: declaration for declaration in overloads}
        STATE.declared_overloads[name] = list(by_line.values())


_remember()


def _read(function: FunctionType) -> Iterator[FunctionType]:
    """Yield the declarations in a function's file, made again in its namespace.

    Those that name what is local to another function are left out.
    """
    try:
        module = ast.parse("".join(linecache.getlines(function.__code__.co_filename)))
    except SyntaxError:
        return
    for statement in ast.walk(module):
        if not isinstance(statement, ast.FunctionDef) or statement.name != function.__name__:
            continue
        if any(map(_declares, statement.decorator_list)):
            made = _made(statement, function)
            if made is not None:
                yield made


def _declares(decorator: ast.expr) -> bool:
    return ast.unparse(decorator).rpartition(".")[2] == "_overload"


def _made(statement: ast.FunctionDef, function: FunctionType) -> FunctionType | None:
    """Execute a declaration without its decorators, as the lines of its file."""
    alone = ast.Module([statement], [])
    statement.decorator_list = []
    code = compile(alone, function.__code__.co_filename, "exec", dont_inherit=True)
    namespace = dict(function.__globals__)
    try:
        exec(code, namespace)
    except NameError:
        return None
    made: FunctionType = namespace[statement.name]
    made.__module__ = function.__module__
    return made
