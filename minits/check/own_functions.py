"""Functions that are meant for Python alone: entry points, factories, decorators.

In a file that compiles nothing and defines no module, functions are taken to be programs, as in a
file of operators that others compile; but for those whose text says that they are not.
"""

from __future__ import annotations

import ast
import sys

from minits.check.compiled_names import Function, TextScan, full_name

_OF_PROGRAMS = {
    "__future__", "builtins", "collections", "dataclasses", "enum", "functools", "math", "numbers",
    "typing", "warnings",
}  # fmt: skip
_OF_PYTHON = frozenset(sys.stdlib_module_names) - _OF_PROGRAMS
"""Modules of the standard library that TorchScript does not know."""
_RUN_BY_TOOLS = ("test_", "pytest_")
_FUNCTIONS_OF_NN = ("torch.nn.functional", "torch.nn.utils", "torch.nn.init")


def reason_for_python(function: Function, scan: TextScan) -> str | None:
    """Return why a function is no program, or None where it may be one."""
    if function.name == "main" or function.name in scan.main_names:
        return "it is run by the file itself"
    if function.name.startswith(_RUN_BY_TOOLS):
        return "it is run by a tool for tests"
    parts = [*ast.walk(function)]
    inner = {each.name for each in parts if isinstance(each, Function) and each is not function}
    return next((why for why in (_reason(each, inner, scan) for each in parts) if why), None)


def _reason(node: ast.AST, inner: set[str], scan: TextScan) -> str | None:
    match node:
        case ast.Return(value=ast.Name(id=name)) if name in inner:
            return "it makes a function"
        case ast.Name(id=name) if _module_of(name, scan) in _OF_PYTHON:
            return f"it uses the module {_module_of(name, scan)}"
        case ast.Call(func=function):
            name = full_name(function, scan.imports) or ""
            if name.startswith("torch.nn.") and not name.startswith(_FUNCTIONS_OF_NN):
                return f"it makes a module, {name.removeprefix('torch.')}"
    return None


def _module_of(name: str, scan: TextScan) -> str:
    return scan.imports.get(name, "").partition(".")[0]
