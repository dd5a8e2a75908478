"""Operators made for each node: tuples, lists and dicts built and unpacked, attributes.

Each row maps a node kind to a function that makes the operation for one node.

Source: torch/csrc/jit/runtime/vararg_functions.cpp, register_prim_ops_fulljit.cpp.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import torch

from minits.ops.copies import copied
from minits.ops.errors import ScriptError, raised, raised_by_operator, raised_in_python
from minits.ops.from_python import converter
from minits.ops.implementations.conversions import tensor_of_list
from minits.ops.implementations.instances import is_instance, new_object, set_slot, slot_of
from minits.ops.named_tuples import named_tuple_class
from minits.ops.numbers_from_python import Unfit
from minits.ops.properties import NodeLike
from minits.types import types as t
from minits.types.types import Type

Operation = Callable[..., Any]


def make_tuple(node: NodeLike) -> Operation:
    type = node.outputs[0].type
    if isinstance(type, t.TupleType) and type.name is not None:
        make = named_tuple_class(type)
        return lambda *elements: make(elements)
    return lambda *elements: elements


def unpack_tuple(node: NodeLike) -> Operation:
    if len(node.outputs) == 1:
        return lambda values: values[0]
    return lambda values: values


def unpack_list(node: NodeLike) -> Operation:
    wanted = len(node.outputs)

    def result(values: list[Any]) -> Any:
        if len(values) != wanted:
            raise ScriptError(f"Expected {wanted} elements in a list but found {len(values)}")
        return values[0] if wanted == 1 else tuple(values)

    return result


def slice_tuple(node: NodeLike) -> Operation:
    begin, end = node["beg"], node["end"]
    return lambda values: tuple(values[begin:end])


def index_tuple(node: NodeLike) -> Operation:
    def result(values: Any, index: int) -> Any:
        if not -len(values) <= index < len(values):
            raise ScriptError("Tuple index out of range")
        return values[index]

    return result


def make_list(node: NodeLike) -> Operation:
    return lambda *elements: list(elements)


def make_dict(node: NodeLike) -> Operation:
    return lambda *items: dict(zip(items[::2], items[1::2], strict=True))


def get_attribute(node: NodeLike) -> Operation:
    return reader_of(node["name"])


def reader_of(name: str) -> Operation:
    """Return the function that reads an attribute of an object."""

    return lambda owner: slot_of(owner, name)


def set_attribute(node: NodeLike) -> Operation:
    return setter_of(node["name"])


def setter_of(name: str) -> Operation:
    """Return the function that sets an attribute of an object."""

    return lambda owner, value: set_slot(owner, name, value)


def create_object(node: NodeLike) -> Operation:
    type = node.outputs[0].type
    return lambda: new_object(type)


def test_type(node: NodeLike) -> Operation:
    types = tuple(node["types"])
    return lambda value: any(is_instance(value, type) for type in types)


def call_python(node: NodeLike) -> Operation:
    """Return a function that calls a Python function and converts its result to the declared type.

    A function without an annotation is declared to return a tensor, but may return None. Its
    exceptions become errors of the program, and what it does to a list or dict that it is given the
    program does not see, as in torch.
    """
    function: Operation = node["pyobj"]
    type = node.outputs[0].type if node.outputs else t.NONE
    convert = converter(type)

    def result(*values: Any) -> Any:
        try:
            returned = function(*map(copied, values))
        except Exception as error:
            raise raised_in_python(error) from error
        if returned is None and type == t.TENSOR:
            return None
        try:
            return convert(returned)
        except Unfit as unfit:
            details = f" Cast error details: {unfit}" if str(unfit) else ""
        raise ScriptError(
            f"{node['name']}() expected value of type {type.annotation} for return value but "
            f"instead got value of type {returned.__class__.__name__}. Value: {returned!r}{details}"
        )

    return result


def raise_exception(node: NodeLike) -> Operation:
    maker: Any = raised_by_operator if "by_operator" in node.attributes else raised

    def result(message: str, class_name: str | None = None) -> None:
        raise maker(message, class_name)

    return result


def warn(node: NodeLike) -> Operation:
    """`warnings.warn`, at the node's own line whatever `stacklevel` says.

    A call of the program shows each of its warnings once, a later call shows it again. `warned`
    holds the numbers of those that this call has shown; copies of a node share a number.
    Source: torch/csrc/jit/runtime/interpreter.cpp (`WARN`).
    """
    number, loc = node.attributes.get("warn_id"), node.range

    def result(message: str, stacklevel: int, warned: set[int]) -> None:
        if number is not None:
            if number.value in warned:
                return
            warned.add(number.value)
        if loc is None:
            warnings.warn(message, stacklevel=2)
        else:
            filename, line = loc.source.filename, loc.begin.line
            warnings.warn_explicit(message, UserWarning, filename, line)

    return result


def chunk(node: NodeLike) -> Operation:
    chunks, dim, wanted = node["chunks"], node["dim"], len(node.outputs)

    def result(tensor: torch.Tensor) -> Any:
        parts = torch.chunk(tensor, chunks, dim)
        if len(parts) != wanted:
            raise ScriptError(
                f"Expected chunk to return at least {wanted} outputs, but got only {len(parts)}"
            )
        return parts[0] if wanted == 1 else parts

    return result


def container_item(node: NodeLike) -> Operation:
    """An item of a ModuleList or ModuleDict, whose modules are attributes by number or name."""

    return lambda container, key: slot_of(container, str(key))


def make_tensor(node: NodeLike) -> Operation:
    """`torch.tensor(list)`: an empty list has the dtype of its elements' type."""
    element = node.inputs[0].type
    while isinstance(element, t.ListType):
        element = element.element
    if element == t.COMPLEX:  # of the default dtype when it is called
        return lambda data, *others: tensor_of_list(
            data, torch.get_default_dtype().to_complex(), *others
        )
    if element not in _DTYPES:
        return _no_numbers(element)
    dtype = _DTYPES[element]
    return lambda data, *others: tensor_of_list(data, dtype, *others)


_DTYPES = {t.INT: torch.int64, t.FLOAT: None, t.BOOL: torch.bool}
"""The dtypes of the elements; None stands for the default dtype at the time of the call."""


def _no_numbers(element: Type) -> Operation:
    def result(data: Any, *others: Any) -> Any:
        fix = ""
        if element == t.TENSOR and not data:
            fix = (
                "\nEmpty lists default to List[Tensor]. Annotate the list to make an empty one of "
                "another type"
            )
        found = "NoneType" if element == t.NONE else element.annotation
        raise ScriptError(f"Input must be of ints, floats, or bools, got {found}{fix}")

    return result


_ZEROS: dict[Type, Any] = {t.INT: 0, t.FLOAT: 0.0, t.BOOL: False, t.COMPLEX: 0j}


def uninitialized(node: NodeLike) -> Operation:
    """Return a function that returns a placeholder, which no program reads: 0 for a number."""
    value = _ZEROS.get(node.outputs[0].type)
    return lambda: value


FACTORIES: dict[str, Callable[[NodeLike], Operation]] = {
    "prim::Uninitialized": uninitialized,
    "prim::TupleConstruct": make_tuple,
    "prim::TupleUnpack": unpack_tuple,
    "prim::TupleIndex": index_tuple,
    "prim::TupleSlice": slice_tuple,
    "prim::ListConstruct": make_list,
    "prim::ListUnpack": unpack_list,
    "prim::DictConstruct": make_dict,
    "prim::GetAttr": get_attribute,
    "prim::SetAttr": set_attribute,
    "prim::CreateObject": create_object,
    "prim::isinstance": test_type,
    "prim::PythonOp": call_python,
    "prim::RaiseException": raise_exception,
    "prim::ConstantChunk": chunk,
    "aten::warn": warn,
    "prim::ModuleContainerIndex": container_item,
}
BY_OVERLOAD: dict[str, Callable[[NodeLike], Operation]] = {
    "aten::tensor": make_tensor,
    "aten::as_tensor.list": make_tensor,
}
