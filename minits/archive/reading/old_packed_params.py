"""Packed parameters as other versions of torch wrote them.

The state of a convolution is one of three, of which torch writes the second:

    (weight, bias, [stride, ...], [padding, ...], [dilation, ...], groups)    1: numbers are tensors
    ("2", [numbers, weight], [bias])                                          2: 16 bits a number
    (3, [number, ...], [None, weight, bias])                                  3

Before torch 1.6 packed parameters were tensors to the code: the attributes of some of torch's own
classes say `Tensor` and have a packed weight.

Source: aten/src/ATen/native/quantized/cpu/conv_serialization.h (`parse_conv_serialized_state`),
torch/csrc/jit/serialization/import_source.cpp (`attributeAssignmentSpecialHandlingHack`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from minits.archive.pickling.descriptions import TensorOf
from minits.archive.pickling.globals import CPP_CLASSES
from minits.archive.reading.packed_params import Unpackable
from minits.types import types as t
from minits.types.types import Type

_TENSOR_OR_NONE, _TENSORS = t.OptionalType(t.TENSOR), t.ListType(t.TENSOR)
FIRST = t.TupleType((t.TENSOR, _TENSOR_OR_NONE, _TENSORS, _TENSORS, _TENSORS, t.TENSOR))
THIRD = t.TupleType((t.INT, t.ListType(t.INT), t.ListType(_TENSOR_OR_NONE)))
"""The types of the states 1 and 3."""
_INT16 = range(-(2**15), 2**15)

_MANGLED = re.compile(r"\.___torch_mangle_\d+")
_QUANTIZED = re.compile(
    r"__torch__\.torch\.(?:ao\.)?nn\.(?:intrinsic\.)?quantized\.(?:dynamic\.)?modules\."
    r"(?:linear\.Linear(?:PackedParams)?|conv(?:_relu)?\.Conv(?:ReLU)?([123])d)"
)
"""The classes whose packed parameters were tensors, with the rank of a convolution."""


def type_of_attribute(class_name: str, attribute: str, declared: Type) -> Type:
    """Return the type of a class's attribute; that of packed parameters for a Tensor of old."""
    if attribute != "_packed_params" or declared != t.TENSOR:
        return declared
    found = _QUANTIZED.fullmatch(_MANGLED.sub("", class_name))
    if found is None:
        return declared
    kind = "Linear" if found[1] is None else f"Conv{max(int(found[1]), 2)}d"
    return t.bound_class(f"{CPP_CLASSES}quantized.{kind}PackedParamsBase")


def type_of_state(name: str, described: Any, declared: Type) -> Type:
    """Return the type of the state that a pickle has of packed parameters of class `name`."""
    if ".Conv" not in name or not isinstance(described, tuple) or not described:
        return declared
    if isinstance(described[0], TensorOf):
        return FIRST
    return THIRD if described[0].__class__ is int else declared


def second_state(type: Type, state: Any) -> Any:
    """Return a state of a type of `type_of_state` as torch writes it. Raises `Unpackable`."""
    if type is FIRST:
        weight, bias, *lists, groups = state
        stride, padding, dilation = ([_number(x) for x in items] for items in lists)
        rank = weight.dim() - 2
        numbers = [rank, *stride, *padding, *dilation, *[0] * rank, _number(groups), 0]
        return _second(numbers, weight, bias)
    if type is THIRD:
        version, numbers, tensors = state
        if version != 3 or len(tensors) != 3 or tensors[1] is None:
            raise Unpackable("a state of version 3 has a weight and a bias")
        return _second(numbers, tensors[1], tensors[2])
    return state


def _number(value: Tensor) -> int:
    if value.dtype != torch.int64 or tuple(value.shape) != (1,):
        raise Unpackable("a number of a state of version 1 is a tensor of one int64")
    return int(value.item())


def _second(numbers: Sequence[int], weight: Tensor, bias: Tensor | None) -> Any:
    if any(number not in _INT16 for number in numbers):
        raise Unpackable("the numbers of a state have 16 bits")
    return "2", [torch.tensor(numbers, dtype=torch.int16), weight], [bias]
