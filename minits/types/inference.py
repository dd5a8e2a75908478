"""Types inferred from values: the TorchScript type of a Python object.

Source: torch/csrc/jit/python/pybind_utils.h (`tryToInferType`).
"""

from __future__ import annotations

import enum
from typing import Any

import torch

from minits import torch_internals as internals
from minits.types import types as t
from minits.types.annotations import ClassTypes
from minits.types.dict_keys import key_fault
from minits.types.subtyping import unify
from minits.types.types import Type


class CannotInfer(Exception):
    """Raised for a value whose type cannot be inferred; the message says why."""


def infer_type(value: Any, class_types: ClassTypes = lambda cls: None) -> Type:
    """Return the type of a Python value, such as a module's attribute. Raises `CannotInfer`."""
    simple = _infer_simple(value)
    if simple is not None:
        return simple
    if isinstance(value, enum.Enum):
        found = class_types(type(value))
        if found is not None:
            return found
    if isinstance(value, tuple):  # a NamedTuple too: its names are not seen
        return t.TupleType(tuple(infer_type(item, class_types) for item in value))
    if isinstance(value, list):
        return t.ListType(_infer_elements(value, "list", class_types))
    if isinstance(value, dict):
        key = _infer_elements(list(value.keys()), "dict", class_types)
        fault = key_fault(key)
        if fault is not None:
            raise CannotInfer(fault)
        return t.DictType(key, _infer_elements(list(value.values()), "dict", class_types))
    if isinstance(value, internals.CPP_OBJECT):
        return t.bound_class(internals.name_of_cpp_class(value))
    if isinstance(value, torch.nn.Module):
        raise CannotInfer(
            "Cannot infer concrete type of torch.nn.Module: only nn.ModuleList and nn.ModuleDict "
            "hold modules"
        )
    found = class_types(type(value))
    if found is None:
        raise CannotInfer(f"a value of type '{type(value).__name__}' has no TorchScript type")
    return found


def _infer_simple(value: Any) -> Type | None:
    if isinstance(value, torch.Tensor):
        return t.TENSOR
    for python_type, type_ in (
        (bool, t.BOOL), (int, t.INT), (float, t.FLOAT), (complex, t.COMPLEX), (str, t.STR),
        (bytes, t.STR),        (type(None), t.NONE), (torch.device, t.DEVICE), (torch.dtype, t.INT),
        (torch.layout, t.INT), (torch.qscheme, t.INT), (torch.Generator, t.GENERATOR),
        (torch.Stream, t.STREAM),
    ):  # fmt: skip
        if isinstance(value, python_type):
            return type_
    return None


def _infer_element(item: Any, what: str, class_types: ClassTypes) -> Type:
    try:
        return infer_type(item, class_types)
    except CannotInfer as why:
        if what == "list":
            raise CannotInfer(f"Could not infer type of list element: {why}") from None
        raise


def _infer_elements(items: list[Any], what: str, class_types: ClassTypes) -> Type:
    if not items:
        raise CannotInfer(f"the {what} is empty, so its element type cannot be told: annotate it")
    element = _infer_element(items[0], what, class_types)
    for item in items[1:]:
        unified = unify(element, _infer_element(item, what, class_types))
        if unified is None:
            raise CannotInfer(f"the elements of the {what} have different types")
        element = unified
    return element
