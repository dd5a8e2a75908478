"""Loops over the items of a list, which IR writes as loops over its indices.

    %n : int = aten::len(%xs)                               for x in xs:
    prim::Loop(%n, %true)                                       ...
      block0(%i : int):
        %x : int = aten::__getitem__(%xs, %i)
        ...

Python's loop does the same as long as nothing in it changes the list: IR has fixed the length.
Where all that it does is `total = total + x`, of ints, Python's `sum` does it in a quarter of the
time.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from minits.codegen.integer_bounds import IntegerBounds
from minits.codegen.uses import resolve, uses_of
from minits.ir.graph import Block, Node, Value
from minits.ops.properties import schema_of
from minits.types import types as t

_CALLS = frozenset(
    "prim::CallFunction prim::CallMethod prim::PythonOp prim::Enter prim::Exit prim::fork "
    "prim::awaitable".split()
)
_FRESH = frozenset("prim::ListConstruct aten::list aten::copy aten::slice aten::keys".split())
"""Nodes whose list is in nobody else's hands."""


def item_of_list(loop: Node, bounds: IntegerBounds) -> Node | None:
    """Return the node that takes the list's item, if the loop is over a list and leaves it alone.

    The node is the first of the body, apart from constants.
    """
    length = resolve(loop.inputs[0]).node
    body = loop.blocks[0]
    index = body.inputs[0]
    uses = list(uses_of(index))
    if bounds.key(length) != "aten::len.t" or len(uses) != 1:
        return None
    first = next((node for node in body.nodes if node.kind != "prim::Constant"), None)
    item = uses[0].user
    if item is not first or bounds.key(item) != "aten::__getitem__.t":
        return None
    values = resolve(item.inputs[0])
    if values is not resolve(length.inputs[0]):
        return None
    return item if all(_leaves(node, values) for node in _nodes(body)) else None


def is_sum(body: Sequence[ast.stmt], total: str, item: str) -> bool:
    """Return whether a loop's statements are `total = total + item`, or the other way round."""
    match body:
        case [ast.Assign([ast.Name(target)], ast.BinOp(ast.Name(a), ast.Add(), ast.Name(b)))]:
            return target == total != item and {a, b} == {total, item}
    return False


def _nodes(block: Block) -> Iterator[Node]:
    for node in block.nodes:
        yield node
        for inner in node.blocks:
            yield from _nodes(inner)


def _leaves(node: Node, values: Value) -> bool:
    """Return whether a node leaves all lists as they are."""
    if node.kind in _CALLS:
        return False
    schema = schema_of(node)
    if schema is None:
        return True
    for formal, actual in zip(schema.arguments, node.inputs, strict=False):
        writes = formal.alias is not None and formal.alias.is_write
        if writes and isinstance(formal.type, t.ListType) and not _differ(actual, values):
            return False
    return True


def _differ(a: Value, b: Value) -> bool:
    """Return whether two lists are known to be different objects."""
    a, b = resolve(a), resolve(b)
    if a is b or not all(_is_fresh(v) or _is_parameter(v) for v in (a, b)):
        return False
    return _is_fresh(a) or _is_fresh(b)


def _is_fresh(value: Value) -> bool:
    return value.node.kind in _FRESH


def _is_parameter(value: Value) -> bool:
    return value.node.kind == "prim::Param" and value.node.owner.owning_node is None
