"""Optionals of numbers: boxes, made where a number becomes one, and read where it is refined.

    %n : int = prim::unchecked_cast(%o)      %n : int = native::unbox(%o)
    -> (%n)  into an output of type int?     %b : int? = native::box(%n)
                                             -> (%b)

A box is a list of the number (`c/lists.c`), and None is 0, as for all that has holders.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from minits.codegen.uses import ALIASES
from minits.ir.constants import to_python
from minits.ir.graph import Graph, Node, Value
from minits.native.awaits import RESOLVE, element_of
from minits.native.c_types import HELD, NotNative, c_type, c_type_of
from minits.native.tasks import RESULT, type_of_result
from minits.ops.properties import schema_of
from minits.types import types as t

if TYPE_CHECKING:
    from minits.native.blocks import BlockPrinter

BOX, UNBOX = "native::box", "native::unbox"


def is_optional_number(type: t.Type) -> bool:
    return isinstance(type, t.OptionalType) and c_type_of(type.element) not in (None, HELD)


def is_looked_up(node: Node) -> bool:
    """Return whether a node is `table.get(key)` of a dict of numbers, which has no boxes."""
    container = node.inputs[0].type if node.kind == "aten::get" else None
    is_of_numbers = isinstance(container, t.DictType) and not is_optional_number(container.value)
    return is_of_numbers and is_optional_number(node.output.type)


def make_boxes(graph: Graph) -> None:
    """Make the conversions between numbers and Optionals of them nodes of the graph."""
    nodes = list(graph.all_nodes())
    for node in nodes:
        if node.kind == "prim::Constant" and is_optional_number(node.output.type):
            _box_constant(graph, node.output)
        is_refined = node.kind in ALIASES and is_optional_number(node.input.type)
        if is_refined and not is_optional_number(node.output.type):
            node.set_kind(UNBOX)
    ends = [block.end for node in nodes for block in node.blocks]
    for node in (*nodes, *ends):
        for index, type in expected_types(node):
            _box(graph, node, index, type)


def _box_constant(graph: Graph, value: Value) -> None:
    """Let a constant be a number, as an item of a tuple is one that is an Optional, and box it."""
    type = value.type
    if to_python(value) is None or not isinstance(type, t.OptionalType):
        return
    value.type = type.element
    box = graph.create(BOX, [value], [type]).insert_before(value.node.next)
    value.replace_all_uses_with(box.output)
    box.set_input(0, value)


def expected_types(node: Node) -> Iterator[tuple[int, t.Type]]:
    """Yield which inputs of a node become values of which types."""
    owner = node.owner.owning_node
    if node.kind == "prim::Return" and owner is not None and owner.blocks[0].outputs:
        first = 1 if owner.kind == "prim::Loop" else 0
        for index, output in enumerate(owner.outputs, first):
            yield index, output.type
    elif node.kind == "prim::Loop":
        for index, output in enumerate(node.outputs, 2):
            yield index, output.type
    elif node.kind in ("prim::ListConstruct", "prim::TupleConstruct", "prim::DictConstruct"):
        yield from enumerate(_parts(node.output.type, len(node.inputs)))
    elif node.kind == "prim::SetAttr":
        attributes = getattr(node.inputs[0].type, "attributes", {})
        if node["name"] in attributes:
            yield 1, attributes[node["name"]].type
    else:
        yield from _of_operator(node)


def _parts(type: t.Type, count: int) -> list[t.Type]:
    match type:
        case t.ListType(element=element):
            return [element] * count
        case t.TupleType(elements=elements):
            return list(elements)
        case t.DictType(key=key, value=value):
            return [key, value] * (count // 2)
    return []


def _of_operator(node: Node) -> Iterator[tuple[int, t.Type]]:
    """Yield the inputs that become items of a list or dict, and the type of those."""
    container = node.inputs[0].type if node.inputs else t.NONE
    if node.kind == RESULT:
        yield 0, type_of_result(node)
    elif node.kind == RESOLVE:
        yield 1, element_of(node.inputs[0])
    if not isinstance(container, (t.ListType, t.DictType)):
        return
    schema = schema_of(node)
    if schema is None:
        return
    item = container.value if isinstance(container, t.DictType) else container.element
    for index, argument in enumerate(schema.arguments):
        if isinstance(argument.type, t.VarType):
            yield index, item


def _box(graph: Graph, node: Node, index: int, type: t.Type) -> None:
    """Let an input of a node be a box, where it is a number and is to be an Optional."""
    value = node.inputs[index]
    if isinstance(type, t.OptionalType) and is_optional_number(type) and value.type == type.element:
        box = graph.create(BOX, [value], [type]).insert_before(node)
        node.set_input(index, box.output)


def print_box(printer: BlockPrinter, node: Node) -> None:
    """Print the making of a box."""
    printer.make(node.output, boxed(node.output.type, printer.read(node.input)))


def boxed(type: t.Type, number: str) -> str:
    """Return the expression of a new box, of this type, of a number."""
    assert isinstance(type, t.OptionalType)
    if type.element == t.COMPLEX:
        return f"mts_complex_box(pool, {number})"
    found = c_type_of(type.element)
    assert found is not None
    return f"mts_list_of(pool, 1, (mts_value[]){{{{.{found.slot} = {number}}}}})"


def print_index(printer: BlockPrinter, node: Node) -> None:
    """Print the index of a device, which may have none."""
    printer.show(node)
    name, device = printer.function.names.of(node.output), printer.variable(node.input)
    printer.make_or_none(
        name, f"((int32_t){device} != -1)", boxed(node.output.type, f"(int32_t){device}")
    )


def print_unbox(printer: BlockPrinter, node: Node) -> None:
    """Print the number of a box."""
    if node.output.type == t.COMPLEX:
        printer.finish(node.output, f"mts_complex_in({printer.read(node.input)})")
        return
    text = f"{printer.variable(node.input)}->items[0].{c_type(node.output).slot}"
    printer.finish(node.output, text)


def print_look_up(printer: BlockPrinter, node: Node) -> None:
    """Print `table.get(key)` of a dict of numbers: a box of what is found, or None.

    Raises `NotNative` for one with a default that may be None.
    """
    table, key = node.inputs[0], node.inputs[1]
    if len(node.inputs) != 2:
        raise NotNative(node, node.kind)
    c_type(table)
    printer.show(node)
    name, text = printer.variable(table), printer.variable(key)
    entry = f"mts_dict_find({name}, (mts_value){{.{c_type(key).slot} = {text}}})"
    made = f"mts_list_of(pool, 1, {entry} + 1)"
    printer.make_or_none(printer.function.names.of(node.output), entry, made)


def print_unwrap(printer: BlockPrinter, node: Node) -> None:
    """Print `aten::_unwrap_optional`, which raises for None."""
    value = node.inputs[0]
    if value.type == t.NONE:
        printer.leave(node)
        return
    name = printer.variable(value)
    printer.show(node)
    if isinstance(value.type, t.OptionalType):
        printer.leave_if(f"!{name}", node)
    if is_optional_number(value.type):
        node.set_kind(UNBOX)
        print_unbox(printer, node)
    else:
        printer.finish(node.output, name)


def parameters(body: BlockPrinter, value: Value) -> list[str]:
    """Make a box of a number that a pointer is of, or none."""
    name = body.function.names.of(value)
    pointer = body.function.names.new(f"{name}_value")
    body.make_or_none(name, pointer, f"mts_list_of(pool, 1, {pointer})")
    return [f"const mts_value *{pointer}"]
