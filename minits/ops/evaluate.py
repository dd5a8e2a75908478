"""The one operator table: from a node, or a schema, to the function that computes it.

The interpreter, the constant folder and the generated Python code all take operators from here, so
that what an operator means is said once. A function takes the node's inputs by position and returns
its output, a tuple where there are several, None where there is none.

    evaluator(node)                      of a node; its input types choose the overload
    evaluator_for(schema)                of an overload

Python implementations come first (`ops/implementations/`); tensor operators, and the rare scalar
ones that need C++'s last digit, are called through torch.
"""

from __future__ import annotations

from collections.abc import Callable
from types import BuiltinFunctionType
from typing import Any

import torch
from torch.overrides import has_torch_function

from minits import torch_internals as internals
from minits.ops.implementations import BY_OVERLOAD, FACTORIES, TABLE
from minits.ops.properties import NodeLike, key_of, schema_of
from minits.ops.registry import kept_by_operator
from minits.ops.schema import Schema

Operation = Callable[..., Any]


def evaluator(node: NodeLike) -> Operation:
    """Return the function that computes a node's outputs from its inputs.

    Raises `LookupError` for a kind that has none: control flow, calls, what is not registered.
    """
    factory = FACTORIES.get(node.kind)
    if factory is not None:
        return factory(node)
    if node.kind in _UNSCHEMATISED:
        return TABLE[node.kind]
    schema = schema_of(node)
    if schema is None:
        types = ", ".join(str(value.type) for value in node.inputs)
        raise LookupError(f"no operator {node.kind}({types})")
    chosen = BY_OVERLOAD.get(key_of(schema))
    return evaluator_for(schema) if chosen is None else chosen(node)


_UNSCHEMATISED = frozenset(("prim::Print", "prim::tolist", "aten::format"))


def evaluator_for(schema: Schema) -> Operation:
    """Return the function that computes an overload. Raises `LookupError`."""
    function = TABLE.get(key_of(schema))
    if function is not None:
        return function
    keywords = tuple(argument.name for argument in schema.arguments if argument.kwarg_only)
    return _torch_operator(
        schema.name, schema.overload, len(schema.arguments) - len(keywords), keywords
    )


def is_python(schema: Schema) -> bool:
    """Return whether the overload is implemented in Python here."""
    return key_of(schema) in TABLE or schema.name in FACTORIES


@kept_by_operator
def _torch_operator(
    name: str, overload: str, positional: int, keywords: tuple[str, ...]
) -> Operation:
    found = internals.operation(name, overload)
    if found is None:
        raise LookupError(f"torch has no operator {name}.{overload}")
    operation: Operation = found[0]

    def call_by_position(*arguments: Any) -> Any:
        if has_torch_function(arguments):
            return operation(*arguments)
        return internals.in_binding(operation, (), arguments, {})

    if not keywords:
        vars(call_by_position)[_OPERATOR] = name, overload, positional, keywords
        return call_by_position

    def call(*arguments: Any) -> Any:
        named = dict(zip(keywords, arguments[positional:], strict=False))
        if has_torch_function(arguments):
            return operation(*arguments[:positional], **named)
        return internals.in_binding(operation, (), arguments[:positional], named)

    vars(call)[_OPERATOR] = name, overload, positional, keywords
    return call


_OPERATOR = "operator"
"""The attribute of such a function that says which operator it calls, how many arguments come by
position, and the names of the others."""


def as_operator(function: Any) -> Any:
    """Return a function that calls the same operator of torch by `torch.ops`, for its tracers.

    They know neither the functions made here, nor bindings that a Python function of torch hides
    (`torch.norm`). Any other function is returned as it is.
    """
    if isinstance(function, BuiltinFunctionType):
        name = function.__name__
        is_binding = getattr(internals.FUNCTIONS, name, None) == function
        is_hidden = is_binding and getattr(torch, name, None) != function
        return getattr(torch.ops.aten, name, function) if is_hidden else function
    called = getattr(function, "__dict__", {}).get(_OPERATOR)
    if called is None:
        return function
    name, overload, positional, keywords = called
    namespace, _, short = name.partition("::")
    operator = getattr(getattr(getattr(torch.ops, namespace), short), overload or "default")
    if not keywords:
        return operator

    def call(*arguments: Any) -> Any:
        named = dict(zip(keywords, arguments[positional:], strict=False))
        return operator(*arguments[:positional], **named)

    return call
