"""The parameters of a function that Python calls, and the making of its lists, dicts and strs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from minits.ir.graph import Value
from minits.native import dicts, given, optional_numbers, texts
from minits.native.c_types import HELD, c_type, c_type_of
from minits.native.optional_numbers import is_optional_number
from minits.types import types as t

if TYPE_CHECKING:
    from minits.native.blocks import BlockPrinter


def parameters_of(body: BlockPrinter, value: Value) -> list[str]:
    """Return the parameters of an input, of which the function makes it."""
    type, name = c_type(value), body.function.names.of(value)
    if type is not HELD:
        return [type.of(name)]
    if value.type == t.TENSOR or value.type == t.OptionalType(t.TENSOR):
        return _of_tensor(name, body)
    if given.is_given_as_words(value.type):
        return given.parameters(body, value)
    if value.type == t.STR or value.type == t.OptionalType(t.STR):
        return texts.parameters_of_text(body, value)
    if is_optional_number(value.type):
        return optional_numbers.parameters(body, value)
    if isinstance(value.type, t.DictType):
        return _of_dict(body, value, value.type)
    assert isinstance(value.type, t.ListType)
    return _of_list(name, value.type, body)


def _of_tensor(name: str, body: BlockPrinter) -> list[str]:
    """Return the parameter of a tensor of the caller, or of None, and take a handle of it."""
    handle = body.function.names.new(f"{name}_handle")
    body.make_or_none(name, handle, f"mts_tensor_given(pool, {handle})")
    return [f"void *{handle}"]


def _of_dict(body: BlockPrinter, value: Value, type: t.DictType) -> list[str]:
    """Make a dict of the list of its keys and that of its values."""
    names = body.function.names
    name = names.of(value)
    keys, values = names.new(f"{name}_keys"), names.new(f"{name}_values")
    told = [
        *_of_list(keys, t.ListType(type.key), body),
        *_of_list(values, t.ListType(type.value), body),
    ]
    body.make(value, f"mts_dict_of(pool, {dicts.kind_of(type)}, {keys}, {values})")
    return told


def _of_list(name: str, type: t.ListType, body: BlockPrinter) -> list[str]:
    """Return the parameters of a list of numbers, strs or lists of numbers, and make it."""
    names = body.function.names
    length, items = names.new(f"{name}_length"), names.new(f"{name}_items")
    element = type.element
    if element == t.STR:
        return texts.parameters_of_texts(body, name, length)
    if c_type_of(element) is not HELD:
        body.make_named(name, f"mts_list_of(pool, {length}, {items})")
        return [f"int64_t {length}", f"const mts_value *{items}"]
    lengths = names.new(f"{name}_lengths")
    body.make_named(name, f"mts_list_of_rows(pool, {length}, {lengths}, {items})")
    return [
        f"int64_t {length}", f"const mts_value *{lengths}", f"const mts_value *{items}"
    ]  # fmt: skip
