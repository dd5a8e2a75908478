"""The error for an attribute or method that a value does not have.

Source: torch/csrc/jit/frontend/sugared_value.cpp (`SimpleValue::attr`).
"""

from __future__ import annotations

import difflib

import torch

from minits.diagnostics import CompileError, Note, error
from minits.edits import Edit
from minits.frontend.calls import hints
from minits.frontend.calls.operator_receivers import takes_self
from minits.frontend.calls.untyped_containers import stores_of
from minits.ir.constants import to_python
from minits.ir.graph import Node, Value
from minits.source import SourceRange
from minits.types import types as t
from minits.types.named_fields import NamedFields
from minits.types.types import Type

_PYTHON: dict[str, type] = {"str": str, "int": int, "float": float, "complex": complex}


def missing_attribute(
    loc: SourceRange, type: Type, name: str, value: Value | None = None
) -> CompileError:
    """Return the error of `value.name` for a value of this type."""
    message = f"'{type.annotation}' object has no attribute or method '{name}'"
    cls = getattr(type, "cls", None)
    if cls is not None and hasattr(cls, name):
        message += f". '{name}' is defined as a class attribute, which its objects do not have"
    notes = []
    if type == t.TENSOR and hasattr(torch.Tensor, name):
        notes.append(Note("Python's Tensor has it, but it is not one of torch's operators"))
    notes += [
        Note(f"'{store['name']}' is a Tensor because it was not annotated", store.range)
        for store in stores_of(value)
        if "is_inferred" in store.attributes
    ]
    fix, edit = _cure_of_field(value, name) or (_cure(type, name), None)
    return error(loc, "TS302", message, notes=notes, fix=fix, edit=edit)


def _names_of(value: Value | None) -> tuple[NamedFields, Node] | None:
    """Return the names in a value that comes from an attribute of a module, and the node that reads
    the attribute; None if the object there has no names.
    """
    node = value.node if value is not None else None
    if node is None:
        return None
    if node.kind == "prim::GetAttr":
        owner = node.inputs[0].type
        held = owner.attributes.get(node["name"]) if isinstance(owner, t.ClassType) else None
        return (held.named, node) if held is not None and held.named is not None else None
    if node.kind == "prim::Load":
        stores = stores_of(value)
        return _names_of(stores[0].input) if len(stores) == 1 else None
    if node.kind not in ("prim::TupleIndex", "aten::__getitem__"):
        return None
    found = _names_of(node.inputs[0])
    index = to_python(node.inputs[1]) if node.kind == "prim::TupleIndex" else None
    part = found[0].part(index) if found is not None else None
    return (part, found[1]) if found is not None and part is not None else None


def _cure_of_field(value: Value | None, field: str) -> tuple[str, Edit | None] | None:
    """Return the annotation of the attribute that a NamedTuple with this field comes from."""
    from minits.frontend.cures.class_annotations import annotating

    found = _names_of(value)
    if found is None or field not in found[0].fields:
        return None
    node = found[1]
    owner, name = node.inputs[0].type, node["name"]
    assert isinstance(owner, t.ClassType)
    named = owner.attributes[name].named
    if named is None or named.annotation is None:
        return (
            f"make it of a class that inherits from NamedTuple, and annotate '{name}' with it",
            None,
        )
    fix = (
        f"annotate it in the class, since its names are not inferred: `{name}: {named.annotation}`"
    )
    return fix, annotating(owner.cls, name, named.annotation)


def _cure(type: Type, name: str) -> str | None:
    abstract = hints.for_abstract(type)
    if abstract is not None:
        return abstract
    if t.is_interface(type):
        return f"declare {name} in the interface, if it is a method: it has no attributes"
    if isinstance(type, t.ClassType) and type.is_bound:
        return f"its methods are {', '.join(type.methods)}" if type.methods else None
    if isinstance(type, t.ClassType):
        return f"assign self.{name} in __init__"
    close = _close_method(type, name)
    if close:
        return f"did you mean '{close}'?"
    if type == t.TENSOR and hasattr(torch.Tensor, name):
        return f"write it with tensors, {hints.OR_IN_PYTHON}"
    if isinstance(type, t.DictType) and type.key == t.STR:
        return f'an entry is read by its key: ["{name}"]'
    return f"use another of its methods, or the functions for it, {hints.OR_IN_PYTHON}"


def _close_method(type: Type, name: str) -> str | None:
    """Return a method of the type whose name is spelled like `name`, or None."""
    names = dir(torch.Tensor) if type == t.TENSOR else dir(_PYTHON.get(str(type), object))
    if isinstance(type, t.ListType):
        names = dir(list)
    elif isinstance(type, t.DictType):
        names = dir(dict)
    public = [candidate for candidate in names if not candidate.startswith("_")]
    close = difflib.get_close_matches(name, public, 1, 0.7)
    is_there = bool(close) and (
        takes_self(f"aten::{close[0]}", type) or (type == t.TENSOR and close[0] in _OF_TENSORS)
    )
    return close[0] if is_there else None


_OF_TENSORS = ("shape", "dtype", "device", "grad", "data", "layout", "requires_grad", "is_cuda")
"""Attributes of tensors that are no operators of their names."""
