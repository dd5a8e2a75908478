"""Complex numbers: variables of C of two parts, and in memory lists of their parts.

    %zs : complex[] = ...                        %zs : complex?[] = ...
    %z : complex = aten::__getitem__(%zs, %i)    %b : complex? = aten::__getitem__(%zs, %i)
                                                 %z : complex = native::unbox(%b)

An `mts_value` holds one number. So lists, dicts, tuples, arguments and results have the numbers in
the boxes that Optionals of numbers have, too (`optional_numbers.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from minits.codegen.uses import ALIASES
from minits.ir.graph import Graph, Node, Value
from minits.ir.walks import all_values
from minits.native.c_types import is_number
from minits.native.optional_numbers import BOX, UNBOX
from minits.ops.properties import schema_of
from minits.types import types as t

if TYPE_CHECKING:
    from minits.native.blocks import BlockPrinter

BOXED = t.OptionalType(t.COMPLEX)
_TAKES_APART = frozenset(("prim::TupleUnpack", "prim::TupleIndex", "prim::ListUnpack"))


def box_complex_items(graph: Graph) -> dict[Value, t.Type]:
    """Let lists, dicts, tuples, inputs and outputs of a graph have complex numbers in boxes.

    Return the types that values have had before.
    """
    nodes = list(graph.all_nodes())
    types = {}
    for value in all_values(graph.block):
        if value.type != t.COMPLEX and (boxed := _with_boxes(value.type)) != value.type:
            types[value] = value.type
            value.type = boxed
    for value in graph.inputs:
        if value.type == t.COMPLEX:
            _unbox(graph, value, nodes[0] if nodes else graph.block.end)
    for node in nodes:
        if _takes_out(node):
            for output in node.outputs:
                if output.type == t.COMPLEX:
                    _unbox(graph, output, node.next)
    for index, value in enumerate(graph.outputs):
        if value.type == t.COMPLEX:
            box = graph.create(BOX, [value], [BOXED]).insert_before(graph.block.end)
            graph.block.end.set_input(index, box.output)
    return types


def told_boxes(printer: BlockPrinter, told: Sequence[Value]) -> dict[Value, str]:
    """Return the statements by which a site tells complex numbers: `out` has them in boxes."""
    found = {}
    for slot, value in enumerate(told, len(printer.function.shared)):
        if value.type == t.COMPLEX:
            box = f"out[{slot}].list = mts_complex_box(pool, {printer.variable(value)})"
            found[value] = f"if (!({box})) return MTS_NO_MEMORY;"
    printer.function.has_lists |= bool(found)
    return found


def _with_boxes(type: t.Type) -> t.Type:
    """Return the type of a value that has boxes of complex numbers within it."""
    match type:
        case t.ListType(element=element):
            return t.ListType(boxed(element))
        case t.DictType(key=key, value=value):
            return t.DictType(key, boxed(value))
        case t.OptionalType(element=element) if element != t.COMPLEX:
            return t.OptionalType(_with_boxes(element))
        case t.TupleType(elements=elements) if any(map(_has_complex, elements)):
            return t.TupleType(tuple(map(boxed, elements)), type.name, type.fields)
    return type


def boxed(type: t.Type) -> t.Type:
    """Return the type of an item or an attribute, which has its complex numbers in boxes."""
    return BOXED if type == t.COMPLEX else _with_boxes(type)


def _has_complex(type: t.Type) -> bool:
    return boxed(type) != type


def _takes_out(node: Node) -> bool:
    """Return whether a node gives an item of a list, a dict or a tuple."""
    if node.kind in _TAKES_APART:
        return True
    if node.kind in ALIASES and is_number(node.input.type):
        return False
    schema = schema_of(node) if node.outputs and node.inputs else None
    return schema is not None and any(isinstance(r.type, t.VarType) for r in schema.returns)


def _unbox(graph: Graph, value: Value, before: Node) -> None:
    """Let a value be a box, whose number takes its place."""
    value.type = BOXED
    unbox = graph.create(UNBOX, [value], [t.COMPLEX]).insert_before(before)
    value.replace_all_uses_with(unbox.output)
    unbox.set_input(0, value)
