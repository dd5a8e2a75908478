"""Give values the narrowest type that what they were made of allows.

Before:
    graph(%x : Tensor, %mask : NoneType):
      %m : Tensor? = prim::If(%c)
        block0():
          -> (%mask)
        block1():
          -> (%mask)
After:
      %m : NoneType = prim::If(%c)
        ...

Run after the inputs were specialised: `peephole` then decides `is None` by the types.

Needs and keeps: a verified graph.
Source: torch/csrc/jit/passes/refine_tuple_types.cpp does the like for tuples.
"""

from __future__ import annotations

from minits.ir.constants import to_python
from minits.ir.graph import Graph, Node, Value
from minits.types import types as t
from minits.types.subtyping import is_subtype, unify
from minits.types.types import Type


def refine_types(graph: Graph) -> bool:
    """Return whether the graph changed."""
    changed = False
    for node in graph.all_nodes():
        if node.kind == "prim::TupleConstruct":
            changed |= _refine_tuple(node)
        elif node.kind == "prim::TupleIndex":
            changed |= _refine_item(node)
        elif node.kind == "prim::If":
            for index, output in enumerate(node.outputs):
                changed |= _narrow(output, _joined(node, index))
    return changed


def _refine_tuple(node: Node) -> bool:
    type = node.output.type
    if not isinstance(type, t.TupleType):
        return False
    elements = tuple(value.type for value in node.inputs)
    return _narrow(node.output, t.TupleType(elements, type.name, type.fields, type.defaults))


def _refine_item(node: Node) -> bool:
    type, index = node.inputs[0].type, to_python(node.inputs[1])
    if not isinstance(type, t.TupleType) or not isinstance(index, int):
        return False
    return _narrow(node.output, type.elements[index])


def _joined(node: Node, index: int) -> Type | None:
    first, second = (block.outputs[index].type for block in node.blocks)
    return unify(first, second)


def _narrow(value: Value, type: Type | None) -> bool:
    if type is None or type == value.type or not is_subtype(type, value.type):
        return False
    value.type = type
    return True
