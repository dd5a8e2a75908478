"""Calls of modules that have hooks, from compiled code: as in Python, with the hooks."""

from __future__ import annotations

from collections.abc import Callable
from threading import local
from types import NoneType
from typing import Any

from torch import nn

from minits.codegen.objects import type_of_object
from minits.ir.constants import to_python
from minits.ir.graph import Node
from minits.ops.errors import ScriptError
from minits.ops.from_python import converter
from minits.ops.numbers_from_python import Unfit
from minits.types import types as t


class _Calls(local):
    """The modules that the compiled code of a thread is calling, hooks included."""

    def __init__(self) -> None:
        self.modules: list[nn.Module] = []


CALLS = _Calls()


def hooked_call(node: Node) -> Callable[..., Any]:
    """Return the function that calls a module and converts the result to the declared type.

    Hooks may return anything: the function raises `ScriptError` for what is not of that type. They
    see the arguments that the program gives, all by position.
    """
    type = node.output.type
    convert = converter(type)
    given = _given(node)

    def call(module: nn.Module, *values: Any) -> Any:
        CALLS.modules.append(module)
        try:
            returned = module(*values[:given])
        finally:
            CALLS.modules.pop()
        try:
            return convert(returned)
        except Unfit as why:
            details = f": {why}" if str(why) else ""
        raise ScriptError(
            f"a hook of {type_of_object(module).short_name} returned a "
            f"{returned.__class__.__name__} to compiled code, which expects a value of type "
            f"{type.annotation}{details}"
        )

    return call


def _given(node: Node) -> int:
    """Return how many arguments come before those that have their default value."""
    module, *values = node.inputs
    if not isinstance(module.type, t.ClassType) or module.type.is_interface:
        return len(values)
    arguments = module.type.methods[node["name"]].schema.arguments[1:]
    while values and arguments[len(values) - 1].has_default:
        constant, default = to_python(values[-1]), arguments[len(values) - 1].default
        is_simple = isinstance(constant, (int, float, str, NoneType))
        if not is_simple or type(constant) is not type(default) or constant != default:
            break
        values.pop()
    return len(values)
