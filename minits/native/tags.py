"""Values of types that are known at run time only: Unions, Any, and interfaces of script classes.

    %x : Any = native::tag(%n)                   a tuple: (the number of its type, what it is, n)
    %is : bool = prim::isinstance[types=[int]](%x)
    %m : int = prim::unchecked_cast(%x)          %m : int = native::untag(%x)

A function numbers the types of its values. What a value is are bits, one for each `isinstance` of
the function, so that values of types which only Python knows can be asked, too. None is 0, as
everywhere.
"""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

from minits.codegen.uses import ALIASES
from minits.ir.graph import Graph, Node, Value
from minits.native.c_types import (
    HELD,
    NotNative,
    TaggedType,
    c_type_of,
    holds_object,
    is_number,
    is_tagged,
    mapped,
    tagged,
)
from minits.native.named_tuples import met
from minits.native.optional_numbers import expected_types, is_optional_number
from minits.ops.implementations.instances import is_instance
from minits.ops.properties import schema_of
from minits.types import types as t
from minits.types.inference import CannotInfer, infer_type
from minits.types.subtyping import is_subtype, union_members
from minits.types.type_parts import distinct_parts

if TYPE_CHECKING:
    from minits.native.blocks import BlockPrinter

TAG, UNTAG = "native::tag", "native::untag"
_ANYTHING = frozenset(
    "aten::format aten::percentFormat aten::str prim::Print aten::__is__ aten::__isnot__ "
    "aten::_unwrap_optional".split()
)
"""Operators whose printers look at what they are given."""
_MOST = 63
"""The number of tests that have a bit."""
MOST_TYPES = 256
"""The number of types in a function, beyond which values of new ones are for Python."""


class Tags:
    """The numbers of types in one function, and the tests for types that it makes."""

    def __init__(self) -> None:
        self.types: list[t.Type] = []
        self.has_objects = False
        """Whether a value of type Any may be an object."""
        self._numbers: dict[tuple[t.Type, str], int] = {}
        self._tests: dict[tuple[t.Type, ...], int] = {}

    def number(self, type: t.Type) -> int:
        """Return the number of a type."""
        key = type, type.annotation
        if key not in self._numbers:
            self._numbers[key] = len(self.types)
            self.types.append(type)
        return self._numbers[key]

    def bit(self, node: Node) -> int:
        """Return the bit of a test. Raises `NotNative` where there are too many."""
        bit = self._tests.setdefault(tuple(node["types"]), len(self._tests))
        if bit >= _MOST:
            raise NotNative(node, node.kind)
        return bit

    def bits(self, type: t.Type) -> int:
        """Return the tests that values of a type pass, as bits."""
        found = 0
        for types, bit in self._tests.items():
            found |= any(is_subtype(type, wanted) for wanted in types) << bit
        return found

    def made(self, type: t.Type, item: str) -> str:
        """Return the expression of a new value, of this type, with this `mts_value`."""
        holds = "4u" if c_type_of(type) is HELD else "0u"
        items = f"{{.i = {self.number(type)}}}, {{.i = {self.bits(type)}}}, {item}"
        return f"mts_tuple_of(pool, 3, {holds}, (mts_value[]){{{items}}})"

    def at_boundary(self, type: t.Type) -> t.Type:
        """Return a type by which Python and C exchange values: it knows the tags."""
        return mapped(type, lambda part: TaggedType(self, part) if is_tagged(part) else part)

    def type_of(self, value: Any, declared: t.Type) -> t.Type:
        """Return the type of a value of Python that is given as one of a declared type.

        Raises `ctypes.ArgumentError` where C has no such values.
        """
        if isinstance(declared, t.UnionType):
            found = next((x for x in declared.members if is_instance(value, x)), t.ANY)
        else:
            try:
                found = infer_type(value)
            except CannotInfer as why:
                raise ctypes.ArgumentError(str(why)) from None
        is_new = (found, found.annotation) not in self._numbers
        if not _can_be_tagged(found) or (is_new and len(self.types) >= MOST_TYPES):
            raise ctypes.ArgumentError(f"a value of type {found.annotation} is not native")
        return found


def _can_be_tagged(type: t.Type) -> bool:
    is_native = c_type_of(type) is not None and not (is_tagged(type) or is_number(type))
    return is_native and not _has_complex(type)


def _has_complex(type: t.Type) -> bool:
    return type == t.COMPLEX or any(map(_has_complex, distinct_parts(type)))


def make_tags(graph: Graph, tags: Tags) -> None:
    """Make nodes of the conversions to and from such types. Raises `NotNative`."""
    nodes = list(graph.all_nodes())
    for node in nodes:
        _check(node)
        if node.kind == "prim::isinstance" and tagged(node.inputs[0].type):
            tags.bit(node)
        if node.kind in ALIASES:
            _convert(node)
    ends = [block.end for node in nodes for block in node.blocks]
    for node in (*nodes, *ends):
        for found, wanted in met(node):
            if _differ(found, wanted):
                raise NotNative(node, found.annotation)
        for index, wanted in expected_types(node):
            tags.has_objects |= holds_any(wanted) and holds_object(node.inputs[index].type)
            _tag(graph, node, index, wanted)


def _convert(node: Node) -> None:
    """Make a cast a conversion, if one type of its is tagged and the other is not."""
    found, wanted = node.input.type, node.output.type
    if tagged(found) and not tagged(wanted):
        _check_type(node, wanted)
        node.set_kind(UNTAG)
    elif tagged(wanted) and not tagged(found):
        _check_type(node, found)
        node.set_kind(TAG)


def _check_type(node: Node, type: t.Type) -> None:
    if not all(map(_can_be_tagged, union_members(type))):
        raise NotNative(node, type.annotation)


def _check(node: Node) -> None:
    """Check that nothing looks into a tagged value. Raises `NotNative`."""
    schema = schema_of(node) if node.inputs else None
    if schema is None or node.kind in _ANYTHING:
        return
    for argument, value in zip(schema.arguments, node.inputs, strict=False):
        if tagged(value.type) and not isinstance(argument.type, t.VarType):
            raise NotNative(node, node.kind)


def holds_any(type: t.Type) -> bool:
    """Return whether values of a type may hold one of type Any."""
    return type == t.ANY or any(map(holds_any, distinct_parts(type)))


def _differ(found: t.Type, wanted: t.Type, is_whole: bool = True) -> bool:
    """Return whether a part of a value is tagged, and should not be, or the other way round."""
    if found == t.NONE or tagged(wanted):
        return not (is_whole or tagged(found) or found == t.NONE)
    if tagged(found):
        return True
    pairs = zip(distinct_parts(found), distinct_parts(wanted), strict=False)
    if isinstance(wanted, t.OptionalType) and not isinstance(found, t.OptionalType):
        return _differ(found, wanted.element, is_whole)
    if isinstance(found, t.TupleType) and isinstance(wanted, t.TupleType):
        pairs = zip(found.elements, wanted.elements, strict=False)
    return any(_differ(x, y, is_whole=False) for x, y in pairs)


def _tag(graph: Graph, node: Node, index: int, wanted: t.Type) -> None:
    """Let an input of a node be tagged, where it is not and is to be."""
    value = node.inputs[index]
    if not tagged(wanted) or tagged(value.type):
        return
    if value.node.kind == "prim::Uninitialized":
        made = graph.create("prim::Uninitialized", [], [wanted])
    else:
        _check_type(node, value.type)
        made = graph.create(TAG, [value], [wanted])
        made.range, made.callstack = node.range, node.callstack
    node.set_input(index, made.insert_before(node).output)


def print_tag(printer: BlockPrinter, node: Node) -> None:
    """Print the making of a tagged value. Raises `NotNative`."""
    value: Value = node.input
    type = value.type
    if type == t.NONE:
        printer.finish(node.output, "0")
        return
    if is_number(type):
        _print_tag_of_number(printer, node)
        return
    if not isinstance(type, t.OptionalType):
        found = c_type_of(type)
        assert found is not None
        item = f"{{.{found.slot} = {printer.read(value)}}}"
        printer.make(node.output, printer.function.tags.made(type, item))
        return
    if is_number(type.element):
        raise NotNative(node, type.annotation)
    name = printer.variable(value)
    item = f"{name}->items[0]" if is_optional_number(type) else f"{{.list = {name}}}"
    made = printer.function.tags.made(type.element, item)
    printer.make_or_none(printer.function.names.of(node.output), name, made)


def _print_tag_of_number(printer: BlockPrinter, node: Node) -> None:
    """Print the tagged value of a number whose type is known when the program runs, too."""
    name, made = printer.variable(node.input), printer.function.tags.made
    of_float, of_int = made(t.FLOAT, f"{name}->items[1]"), made(t.INT, f"{name}->items[1]")
    printer.make(node.output, f"mts_number_kind({name}) == 'f' ? {of_float} : {of_int}")


def print_untag(printer: BlockPrinter, node: Node) -> None:
    """Print what a tagged value is once its type is known. Raises `NotNative`."""
    type = node.output.type
    found = c_type_of(type)
    if found is None or _has_complex(type) or is_optional_number(type):
        raise NotNative(node, type.annotation)
    if isinstance(type, t.OptionalType) and is_number(type.element):
        raise NotNative(node, type.annotation)
    name = printer.variable(node.input)
    if type == t.NONE:
        printer.finish(node.output, "0")
        return
    if is_number(type):
        is_int = f"{name}->items[0].i == {printer.function.tags.number(t.INT)}"
        of_int = f"mts_number_of_int(pool, {name}->items[2].i)"
        of_float = f"mts_number_of_float(pool, {name}->items[2].d)"
        printer.make(node.output, f"{is_int} ? {of_int} : {of_float}")
        return
    text = f"{name}->items[2].{found.slot}"
    if isinstance(type, t.OptionalType):
        text = f"({name} ? {text} : 0)"
    printer.finish(node.output, text)


def print_test(printer: BlockPrinter, node: Node) -> None:
    """Print `isinstance(x, types)`. Raises `NotNative`."""
    value, types = node.inputs[0], node["types"]
    accepts_none = any(is_subtype(t.NONE, wanted) for wanted in types)
    if tagged(value.type):
        name = printer.variable(value)
        text = f"{name} && {name}->items[1].i >> {printer.function.tags.bit(node)} & 1"
        printer.finish(node.output, f"(!{name} || ({text}))" if accepts_none else f"({text})")
        return
    if not isinstance(value.type, t.OptionalType):
        printer.finish(node.output, printer.function.literal(_passes(node, value.type)))
    elif (passes := _passes(node, value.type.element)) == accepts_none:
        printer.finish(node.output, printer.function.literal(passes))
    else:
        printer.finish(node.output, f"{printer.operand(value)} {'!=' if passes else '=='} 0")


def _passes(node: Node, type: t.Type) -> bool:
    """Return whether values of a type pass a test. Raises `NotNative` if only some do."""
    wanted = node["types"]
    passes = any(is_subtype(type, each) for each in wanted)
    if not passes and any(is_subtype(each, type) for each in wanted):
        raise NotNative(node, node.kind)
    return passes
