"""NamedTuples: tuples of C, whose class the types tell.

    def f(flag: bool, p: Point) -> Tuple[Point, Tuple[int, int]]:
        q = p if flag else (1, 2)        # a Tuple[int, int] to the checker; a Point stays one

A value keeps the class by which it was made (`ops/named_tuples.py`), C the class of its type. So a
graph in which a value goes where another class is expected is not native.
"""

from __future__ import annotations

from collections.abc import Iterator

from minits.ir.graph import Graph, Node
from minits.ir.walks import types_in
from minits.native.c_types import NotNative
from minits.native.optional_numbers import expected_types
from minits.ops.properties import schema_of
from minits.types import types as t
from minits.types.type_parts import distinct_parts

_CONTAINERS = (t.ListType, t.DictType)


def check_names(graph: Graph) -> None:
    """Check that every value goes where tuples of its classes are expected. Raises `NotNative`."""
    if not any(map(_has_tuple, types_in(graph.block))):
        return
    nodes = list(graph.all_nodes())
    ends = [block.end for node in nodes for block in node.blocks]
    for node in (*nodes, *ends):
        for found, wanted in met(node):
            if differ_in_names(found, wanted):
                raise NotNative(node, found.annotation)


def _has_tuple(type: t.Type) -> bool:
    return isinstance(type, t.TupleType) or any(map(_has_tuple, distinct_parts(type)))


def met(node: Node) -> Iterator[tuple[t.Type, t.Type]]:
    """Yield the types of a node's operands, and of what they become or are joined with."""
    for index, wanted in expected_types(node):
        yield node.inputs[index].type, wanted
    given = [value.type for value in node.inputs]
    if sum(isinstance(type, _CONTAINERS) for type in given) < 2 or node.kind[:6] != "aten::":
        return
    schema = schema_of(node)
    if schema is not None:
        pairs = zip(schema.arguments, given, strict=False)
        whole = [type for argument, type in pairs if not isinstance(argument.type, t.VarType)]
        containers = [type for type in whole if isinstance(type, _CONTAINERS)]
        for other in containers[1:]:
            yield other, containers[0]


def differ_in_names(found: t.Type, wanted: t.Type) -> bool:
    """Return whether tuples at the same place of two types are of different classes."""
    if isinstance(found, t.OptionalType):
        return differ_in_names(found.element, wanted)
    match wanted:
        case t.OptionalType(element=element):
            return differ_in_names(found, element)
        case t.ListType(element=element):
            return isinstance(found, t.ListType) and differ_in_names(found.element, element)
        case t.DictType(value=value):
            return isinstance(found, t.DictType) and differ_in_names(found.value, value)
        case t.TupleType(name=name, elements=elements):
            if not isinstance(found, t.TupleType):
                return False
            pairs = zip(found.elements, elements, strict=False)
            return found.name != name or any(differ_in_names(x, y) for x, y in pairs)
    return False
