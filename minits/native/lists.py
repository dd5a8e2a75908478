"""Lists that are made of items, and taken apart."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

import torch

from minits.codegen.uses import is_used, resolve, uses_of
from minits.ir.constants import NOT_CONSTANT, has_containers, to_python
from minits.ir.graph import Node, Value
from minits.native import dicts, tuples
from minits.native.c_types import HELD, NotNative, c_type, c_type_of, tagged
from minits.native.optional_numbers import boxed, is_optional_number
from minits.types import types as t
from minits.types.subtyping import unwrap_optional

if TYPE_CHECKING:
    from minits.native.blocks import BlockPrinter

_OF_ITEMS: dict[str, dict[t.Type, str]] = {
    "prim::min": {t.INT: "mts_minimum_i64", t.FLOAT: "mts_lesser_float"},
    "prim::max": {t.INT: "mts_maximum_i64", t.FLOAT: "mts_greater_float"},
}
"""The helper that compares two items; with NaN, Python's `min` is not torch's."""


def slot_of(element: t.Type) -> str:
    """Return the member of `mts_value` that holds items of this type."""
    found = c_type_of(element)
    return "" if found is None else found.slot


def print_construct(printer: BlockPrinter, node: Node) -> None:
    """Print `prim::ListConstruct`; nothing where a `min` or `max` of the items is all its use."""
    if _is_only_compared(node.output):
        return
    c_type(node.output)
    printer.show(node)
    texts = [printer.read(value) for value in node.inputs]
    printer.make(node.output, _made(node.output.type, texts))


def print_constant(printer: BlockPrinter, value: Value) -> None:
    """Print the list, dict or tuple that a constant is, at its place."""
    if is_made(value):
        c_type(value)
        print_items(printer, value.type, to_python(value), printer.function.names.of(value))


def is_made(value: Value) -> bool:
    """Return whether a constant is a variable: a list, a dict, or a tuple that something holds."""
    if isinstance(value.type, t.TupleType):
        return tuples.is_held(value) or (is_used(value) and has_containers(to_python(value)))
    return isinstance(value.type, (t.ListType, t.DictType)) and is_used(value)


def print_items(printer: BlockPrinter, type: t.Type, items: Any, name: str) -> None:
    """Print the list, dict or tuple of constants, after those that it holds."""
    if isinstance(type, t.DictType):
        keys = [printer.function.literal(key) for key in items]
        values = [_constant(printer, type.value, item, name) for item in items.values()]
        dicts.print_items(printer, type, [*zip(keys, values, strict=True)], name)
        return
    assert isinstance(type, (t.ListType, t.TupleType))
    is_list = isinstance(type, t.ListType)
    elements = [type.element] * len(items) if is_list else type.elements  # type: ignore[union-attr]
    pairs = zip(items, elements, strict=True)
    texts = [_constant(printer, element, item, name) for item, element in pairs]
    made = _made(type, texts) if isinstance(type, t.ListType) else tuples.made(type, texts)
    printer.make_named(name, made)


def _constant(printer: BlockPrinter, type: t.Type, item: Any, name: str) -> str:
    """Return the expression of a constant that another one, of this name, holds."""
    if tagged(type) and item is not None:
        return _tagged(printer, unwrap_optional(type), item, name)
    if isinstance(item, (list, tuple, dict)):
        name = printer.function.names.new(name)
        content = type.element if isinstance(type, t.OptionalType) else type
        print_items(printer, content, item, name)
        return name
    if is_optional_number(type) and item is not None:
        name = printer.function.names.new(name)
        printer.make_named(name, boxed(type, printer.function.literal(item)))
        return name
    if isinstance(item, torch.Tensor):
        name = printer.function.names.new("constant")
        printer.make_named(name, printer.function.constant_tensor(item))
        return name
    return printer.function.literal(item)


def _tagged(printer: BlockPrinter, declared: t.Type, item: Any, name: str) -> str:
    """Return the variable of a constant whose type is not told. Raises `NotNative`."""
    tags, names = printer.function.tags, printer.function.names
    try:
        type = tags.type_of(item, declared)
    except ctypes.ArgumentError:
        raise NotNative(printer.function.graph.block.end, declared.annotation) from None
    text = _constant(printer, type, item, name)
    printer.make_named(made := names.new(name), tags.made(type, f"{{.{slot_of(type)} = {text}}}"))
    return made


def _made(type: t.Type, texts: list[str]) -> str:
    """Return the expression of a new list of items."""
    assert isinstance(type, t.ListType)
    slot = slot_of(type.element)
    maker = "mts_list_of_lists" if slot == HELD.slot else "mts_list_of"
    items = ", ".join([f"{{.{slot} = {text}}}" for text in texts])
    return f"{maker}(pool, {len(texts)}, {f'(mts_value[]){{{items}}}' if texts else '0'})"


def print_unpack(printer: BlockPrinter, node: Node) -> None:
    """Print `prim::ListUnpack`, which raises for a list of another length."""
    (source,) = node.inputs
    c_type(source)
    assert isinstance(source.type, t.ListType)
    printer.show(node)
    name = printer.variable(source)
    printer.leave_if(f"{name}->length != {len(node.outputs)}", node)
    for index, output in enumerate(node.outputs):
        text = f"{name}->items[{index}].{slot_of(source.type.element)}"
        printer.finish(output, text, reads=True)


def operands_of_slice(printer: BlockPrinter, node: Node) -> list[str]:
    """Return the texts of the list, its start, end and step; ends that are None are far away."""
    _, start, end, step = node.inputs
    number = to_python(step)
    name = printer.variable(step)
    if number is NOT_CONSTANT:
        far = (f"({name} > 0 ? 0 : INT64_MAX)", f"({name} > 0 ? INT64_MAX : INT64_MIN)")
    else:
        far = ("0", "INT64_MAX") if number > 0 else ("INT64_MAX", "INT64_MIN")
    ends = [
        text if value.type == t.NONE else printer.variable(value)
        for value, text in zip((start, end), far, strict=True)
    ]
    return [printer.variable(node.inputs[0]), *ends, name]


def is_of_items(node: Node) -> bool:
    """Return whether a node is the `min` or `max` of a list that nothing else has."""
    return len(node.inputs) == 1 and _is_only_compared(node.inputs[0])


def print_of_items(printer: BlockPrinter, node: Node) -> None:
    """Print the `min` or `max` of the items of a list that is not made: the first of equal ones."""
    items = resolve(node.inputs[0]).node.inputs
    helper = _OF_ITEMS[node.kind][items[0].type]
    printer.has_read = False
    found, *others = [printer.read(item) for item in items]
    for other in others:
        found = f"{helper}({other}, {found})"
    printer.finish(node.output, found, printer.has_read)


def _is_only_compared(value: Value) -> bool:
    if value.node.kind != "prim::ListConstruct" or not value.node.inputs:
        return False
    numbers = all(item.type in (t.INT, t.FLOAT) for item in value.node.inputs)
    uses = [use.user for use in uses_of(value)]
    return numbers and len(uses) == 1 and uses[0].kind in _OF_ITEMS and len(uses[0].inputs) == 1
