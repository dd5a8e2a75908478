"""Errors for calls whose arguments do not fit the function.

The texts begin with torch's phrases, which programs and tests look for, and show what is to be
compared: the argument's position and value, and what the function declares.

Source: torch/csrc/jit/python/pybind_utils.h (`argumentToIValue`, `createStackForSchema`) and
aten/src/ATen/core/function_schema.cpp (`formatTypeMismatchMsg`, `findErrorInKwargs`).
"""

from __future__ import annotations

from typing import Any

from minits.ops.schema import Argument, Schema
from minits.ops.unfit_parts import unfit_part
from minits.types.inference import CannotInfer, infer_type

_WIDEST = 300
"""Characters of a value that are shown."""


class ArgumentError(RuntimeError):
    """A call of compiled code has arguments that do not fit its schema."""


def too_many(schema: Schema, given: int) -> ArgumentError:
    most = len(schema.arguments)
    return ArgumentError(
        f"{schema.name}() expected at most {most} argument(s) but received {given} argument(s). "
        f"Declaration: {schema}"
    )


def too_many_positional(schema: Schema, most: int, given: int) -> ArgumentError:
    return ArgumentError(
        f"{schema.name}() takes {most} positional argument(s) but {given} was/were given. "
        f"Declaration: {schema}"
    )


def missing(schema: Schema, argument: Argument) -> ArgumentError:
    return ArgumentError(
        f"{schema.name}() is missing value for argument '{argument.name}'. Declaration: {schema}"
    )


def unknown(schema: Schema, name: str) -> ArgumentError:
    return ArgumentError(
        f"Unknown keyword argument '{name}' for operator '{schema.name}'. Schema: {schema}"
    )


def given_twice(schema: Schema, name: str) -> ArgumentError:
    return ArgumentError(
        f"Argument '{name}' specified both as positional and keyword argument. Schema: {schema}"
    )


def wrong_type(schema: Schema, argument: Argument, value: Any, details: str) -> ArgumentError:
    """Return the error for an argument of another type than its parameter's.

    details: the reason why part of a container does not fit; may be empty.
    """
    name = argument.name
    inferred = " (inferred)" if argument.is_inferred else ""
    lines = [
        f"{schema.name}() Expected a value of type '{argument.type.annotation}{inferred}' for "
        f"argument '{name}' but instead found type '{type_name(value)}'."
    ]
    if argument.is_inferred:
        lines.append(
            f"Inferred '{name}' to be of type 'Tensor' because it was not annotated with an "
            "explicit type."
        )
        lines += _annotation(name, value)
    lines += [f"Position: {schema.arguments.index(argument)}", f"Value: {_shown(value)}"]
    lines.append(f"Declaration: {schema}")
    reasons = [unfit_part(name, argument.type, value), details]
    if any(reasons):
        lines.append(f"Cast error details: {': '.join(filter(None, reasons))}")
    return ArgumentError("\n".join(lines))


def _shown(value: Any) -> str:
    """Return the text of a value, shortened; that of its class where it cannot tell its text."""
    try:
        text = repr(value)
    except Exception:
        text = object.__repr__(value)
    return text if len(text) <= _WIDEST else f"{text[:_WIDEST]}..."


def _annotation(name: str, value: Any) -> list[str]:
    """Return the line that names the annotation which takes the value; empty if it has no type."""
    try:
        type = infer_type(value, lambda cls: None)
    except CannotInfer:
        return []
    return [f"Annotate it: `{name}: {type.annotation}`"]


def type_name(value: Any) -> str:
    """Return the name of a value's class; for a NamedTuple with the names of its fields."""
    name, fields = type(value).__name__, getattr(value, "_fields", None)
    if isinstance(value, tuple) and fields is not None:
        return f"{name} (aka NamedTuple({', '.join(fields)}))"
    return name
