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
from functools import lru_cache
from typing import Any

import torch

from minits.ops.facts import NodeLike, key_of, schema_of
from minits.ops.implementations import BY_OVERLOAD, FACTORIES, TABLE
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


_UNSCHEMATISED = frozenset(("prim::Print", "prim::tolist", "aten::format", "prim::Uninitialized"))


@lru_cache(maxsize=4096)
def evaluator_for(schema: Schema) -> Operation:
    """Return the function that computes an overload. Raises `LookupError`."""
    function = TABLE.get(key_of(schema))
    return _torch_operator(schema) if function is None else function


def is_python(schema: Schema) -> bool:
    """Whether the overload is implemented in Python here."""
    return key_of(schema) in TABLE


def _torch_operator(schema: Schema) -> Operation:
    found = torch._C._get_operation_overload(schema.name, schema.overload)
    if found is None:
        raise LookupError(f"torch has no operator {key_of(schema)}")
    operation: Operation = found[0]
    keywords = [argument.name for argument in schema.arguments if argument.kwarg_only]
    if not keywords:
        return operation
    positional = len(schema.arguments) - len(keywords)

    def call(*arguments: Any) -> Any:
        named = dict(zip(keywords, arguments[positional:], strict=False))
        return operation(*arguments[:positional], **named)

    return call
