"""Numbers whose type is known when the program runs: of type `number`, as `x.item()` is.

    %s : Scalar = aten::item(%x)        mts_list *s = mts_number_of_tensor(pool, x);
    %n : Scalar = native::box(%i)       mts_list *n = mts_number_of_int(pool, i);
    %i : int = native::unbox(%s)        int64_t i = s->items[1].i;

Such a number is a list of the letter of its type and its two parts (`c/numbers.c`), and to the rest
of C a list that nothing writes to. An int, a float or a complex number becomes one where it goes
into an operand, a branch, a list or a result of type `number`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from minits.codegen.uses import ALIASES
from minits.ir.graph import Graph, Node
from minits.native import optional_numbers
from minits.native.c_types import NotNative, c_type, is_number
from minits.native.optional_numbers import BOX, UNBOX, expected_types
from minits.ops.properties import schema_of
from minits.types import types as t

if TYPE_CHECKING:
    from minits.native.blocks import BlockPrinter

_LETTERS: dict[t.Type, str] = {
    t.INT: "iu", t.FLOAT: "f", t.COMPLEX: "c", t.BOOL: "b", t.NUMBER: "iufc"
}  # fmt: skip
"""The letters of numbers that are of a type."""


_LEFT_TO_PYTHON = ("aten::div", "aten::pow", "aten::eq", "aten::ne")


def left_to_python(graph: Graph) -> Node | None:
    """Return the first operator that C leaves to Python for some numbers, complex ones and bools,
    whose type is known when the program runs; None if there is none."""
    for node in graph.nodes_of_kind(*_LEFT_TO_PYTHON):
        schema = schema_of(node)
        if (
            schema is not None
            and all(argument.type == t.NUMBER for argument in schema.arguments)
            and any(is_number(value.type) for value in node.inputs)
        ):
            return node
    return None


def box_numbers(graph: Graph) -> None:
    """Make the conversions to the type `number`, and from it, nodes of the graph.

    Raises `NotNative`.
    """
    nodes = list(graph.all_nodes())
    for node in nodes:
        if node.kind in ALIASES and is_number(node.input.type) and not is_number(node.output.type):
            node.set_kind(UNBOX)
    ends = [block.end for node in nodes for block in node.blocks]
    for node in (*nodes, *ends):
        for index, type in [*expected_types(node), *_operands(node)]:
            _box(graph, node, index, type)


def _operands(node: Node) -> list[tuple[int, t.Type]]:
    """Return the operands of an operator of numbers, if one is not known to be real.

    Raises `NotNative` for an operator whose result is a float by its type alone: `z / 2`.
    """
    types = [value.type for value in node.inputs]
    if node.kind in (BOX, UNBOX) or not any(is_number(x) or x == t.COMPLEX for x in types):
        return []
    schema = schema_of(node)
    if schema is None or any(argument.type != t.NUMBER for argument in schema.arguments):
        return []
    if t.COMPLEX in types and [x.type for x in node.outputs] == [t.FLOAT]:  # which is complex then
        raise NotNative(node, node.kind)
    return [(index, t.NUMBER) for index in range(len(node.inputs))]


def _box(graph: Graph, node: Node, index: int, type: t.Type) -> None:
    value = node.inputs[index]
    wanted = type.element if isinstance(type, t.OptionalType) else type
    if is_number(wanted) and value.type in _LETTERS and not is_number(value.type):
        box = graph.create(BOX, [value], [wanted]).insert_before(node)
        node.set_input(index, box.output)


def print_box(printer: BlockPrinter, node: Node) -> None:
    """Print the making of a number, or of an Optional of one."""
    if not is_number(node.output.type):
        optional_numbers.print_box(printer, node)
        return
    made = f"mts_number_of_{node.input.type.annotation}(pool, {printer.read(node.input)})"
    printer.make(node.output, made)


def print_unbox(printer: BlockPrinter, node: Node) -> None:
    """Print the number that a value has been found to be."""
    if not is_number(node.input.type):
        optional_numbers.print_unbox(printer, node)
        return
    if node.output.type == t.COMPLEX:
        printer.finish(node.output, f"mts_number_to_complex({printer.read(node.input)})")
        return
    text = f"{printer.variable(node.input)}->items[1].{c_type(node.output).slot}"
    printer.finish(node.output, text)


def print_test(printer: BlockPrinter, node: Node) -> None:
    """Print `isinstance(number, types)`."""
    letters = set[str]()
    for type in node["types"]:
        for member in type.members if isinstance(type, t.UnionType) else (type,):
            letters |= {*_LETTERS.get(member, "")}
    name = printer.variable(node.inputs[0])
    tests = [f"mts_number_kind({name}) == '{letter}'" for letter in sorted(letters)]
    printer.finish(node.output, " || ".join(tests) or "false")
