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
from minits.types.subtyping import is_subtype, unify
from minits.types.types import Type


class CannotInfer(Exception):
    """Raised for a value whose type cannot be inferred; the message says why."""


def infer_type(
    value: Any, class_types: ClassTypes = lambda cls: None, is_named: bool = False
) -> Type:
    """Return the type of a Python value, such as a module's attribute. Raises `CannotInfer`.

    is_named: a NamedTuple is of the type that its class declares, if its fields are; torch.jit
    takes it for a plain tuple.
    """
    simple = _infer_simple(value)
    if simple is not None:
        return simple
    if isinstance(value, enum.Enum):
        found = class_types(type(value))
        if found is not None:
            return found
    if isinstance(value, tuple):  # a NamedTuple too
        named = _declared(value, class_types) if is_named else None
        if named is not None:
            return named
        return t.TupleType(tuple(infer_type(item, class_types, is_named) for item in value))
    if isinstance(value, list):
        return t.ListType(_infer_elements(value, "list", class_types, is_named))
    if isinstance(value, dict):
        key = _infer_elements(list(value.keys()), "dict", class_types, is_named)
        fault = key_fault(key)
        if fault is not None:
            raise CannotInfer(fault)
        held = _infer_elements(list(value.values()), "dict", class_types, is_named)
        return t.DictType(key, held)
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


def _declared(value: tuple[Any, ...], class_types: ClassTypes) -> Type | None:
    """Return the type of a NamedTuple's class, None if it does not declare that of each field."""
    cls = type(value)
    fields = getattr(cls, "_fields", ())
    if not fields or len(getattr(cls, "__annotations__", ())) != len(fields):
        return None
    declared = class_types(cls)
    if not isinstance(declared, t.TupleType):
        return None
    fits = all(
        _fits(item, element, class_types)
        for item, element in zip(value, declared.elements, strict=True)
    )
    return declared if fits else None


def _fits(item: Any, element: Type, class_types: ClassTypes) -> bool:
    try:
        return is_subtype(infer_type(item, class_types, True), element)
    except CannotInfer:  # an empty list
        return True


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


def _infer_element(item: Any, what: str, class_types: ClassTypes, is_named: bool) -> Type:
    try:
        return infer_type(item, class_types, is_named)
    except CannotInfer as why:
        if what == "list":
            raise CannotInfer(f"Could not infer type of list element: {why}") from None
        raise


def _infer_elements(items: list[Any], what: str, class_types: ClassTypes, is_named: bool) -> Type:
    if not items:
        raise CannotInfer(f"the {what} is empty, so its element type cannot be told: annotate it")
    element = _infer_element(items[0], what, class_types, is_named)
    for item in items[1:]:
        unified = unify(element, _infer_element(item, what, class_types, is_named))
        if unified is None:
            raise CannotInfer(f"the elements of the {what} have different types")
        element = unified
    return element
