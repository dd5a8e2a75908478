"""Types and functions as text, in TorchScript's spelling."""

from __future__ import annotations

from typing import Any

from minits.diagnostics import CompileError
from minits.frontend.python.python_values import PythonModule
from minits.frontend.values.builtins import BuiltinFunction, ClassValue, FunctionValue
from minits.frontend.values.function import CompiledFunction
from minits.frontend.values.simple_value import MethodValue
from minits.ops.registry import schemas_for
from minits.ops.schema import Argument, Schema
from minits.queries.module_classes import TorchModuleValue
from minits.queries.record import Typed
from minits.queries.unknown_values import UnknownValue
from minits.short_names import with_short_names
from minits.types import types as t
from minits.types.types import Type

_MOST_OVERLOADS = 6


def spelled(type: Type) -> str:
    """Return a type as an annotation: `Optional[Tensor]`; classes by their short names."""
    return with_short_names(type.annotation)


def described(typed: Typed) -> str:
    """Return the type of an expression, or what else it is: a function, a class, a module."""
    match typed.value:
        case FunctionValue(callees=callees):
            return "\n".join(signature(callee) for callee in callees)
        case MethodValue(value=holder, names=names) if isinstance(holder.type, t.ClassType):
            return signature(holder.type.methods[names[0]], spelled(holder.type))
        case ClassValue(type=type):
            return f"class {spelled(type)}"
        case BuiltinFunction(operator=operator):
            return _overloads(operator)
        case TorchModuleValue(name=name):
            return name
        case UnknownValue() if typed.type is None:
            return "known only where the file is imported"
        case PythonModule(module=module):
            return f"module {module.__name__}"
    if typed.type is not None:
        return spelled(typed.type)
    return typed.value.kind if typed.value is not None else "unknown"


def _overloads(operator: str) -> str:
    """Return the schemas of an operator, at most six."""
    texts = [str(schema) for schema in schemas_for(operator)]
    more = len(texts) - _MOST_OVERLOADS
    lines = texts[:_MOST_OVERLOADS] or [operator]
    return "\n".join([*lines, f"and {more} others"] if more > 0 else lines)


def signature(function: CompiledFunction | Any, owner: str | None = None) -> str:
    """Return `def f(x: Tensor, n: int = 2) -> Tensor`, with what the compiler has inferred."""
    name = f"{owner}.{function.name}" if owner else function.name
    try:
        schema: Schema = function.schema
    except CompileError:
        return f"def {name}: cannot be compiled"
    arguments = schema.arguments[1:] if owner else schema.arguments
    texts = ", ".join(_parameter(argument) for argument in arguments)
    result = spelled(schema.returns[0].type) if schema.returns else "None"
    return f"def {name}({texts}) -> {result}"


def _parameter(argument: Argument) -> str:
    default = f" = {argument.default!r}" if argument.has_default else ""
    return f"{argument.name}: {spelled(argument.type)}{default}"
