"""NamedTuple classes: their types, and the calls that make values of them.

Source: torch/csrc/jit/python/python_sugared_value.cpp (`registerNamedTuple`),
torch/jit/_jit_internal.py (`_get_named_tuple_properties`), torch/csrc/jit/frontend/sugared_value.h
(`NamedTupleConstructor`).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ForwardRef

import torch

from minits import torch_internals as internals
from minits.compilation_journal import enter
from minits.compilation_state import STATE
from minits.frontend.calls.defaults import insert_default
from minits.frontend.calls.no_match import no_match
from minits.frontend.calls.schema_matching import NamedValue, match_schema
from minits.frontend.calls.schema_mismatches import Mismatch
from minits.frontend.python.class_registry import no_type
from minits.frontend.values.simple_value import SimpleValue
from minits.frontend.values.sugared_value import Args, SugaredValue
from minits.ir.constants import shared_constant
from minits.live_annotations import annotations_of
from minits.ops.schema import MISSING, Argument, Schema
from minits.records import replace
from minits.source import SourceRange
from minits.types import types as t
from minits.types.annotations import type_from_python
from minits.types.dtypes import enum_code
from minits.types.inference import CannotInfer, infer_type
from minits.types.type_parts import contained_types
from minits.types.types import Type

if TYPE_CHECKING:
    from minits.frontend.values.emitter import Emitter


def named_tuple_type(cls: Any, class_types: Callable[[type], Type | None]) -> t.TupleType:
    """Return the type of a NamedTuple class. Raises `CompileError`."""
    annotations = next(filter(None, map(annotations_of, cls.__mro__)), {})
    elements = tuple(_field_type(cls, annotations.get(f), class_types) for f in cls._fields)
    name = internals.qualified_name(cls)
    for field, element in zip(cls._fields, elements, strict=True):
        if _contains_any(element):
            raise no_type(
                cls,
                f"attempting to add attribute '{field}' of type {element.annotation} to '{name}' "
                "but it contains an Any type. Any types cannot be members of named tuples",
                "write the types that the field may have, as a Union",
            )
    inferred = frozenset(field for field in cls._fields if field not in annotations)
    defaults = _defaults(cls, class_types)
    constants = tuple(map(shared_constant, defaults))
    made = t.TupleType(elements, name, tuple(cls._fields), defaults, inferred, constants)
    return _of_its_own_name(made)


def _of_its_own_name(made: t.TupleType) -> t.TupleType:
    """Return a NamedTuple's type under a name that no other one has."""
    name = made.name or ""
    known = STATE.named_tuples.get(name, [])
    for other in known:
        if replace(other, name=made.name) == made:
            return replace(made, name=other.name)
    if known:
        made = replace(made, name=STATE.unique_name(name))
    enter(STATE.named_tuples, name, [*known, made])
    return made


def _field_type(cls: Any, annotation: Any, class_types: Callable[[type], Type | None]) -> Type:
    if annotation is None:
        return t.TENSOR
    if isinstance(annotation, ForwardRef):  # a string, as typing.NamedTuple keeps it
        annotation = annotation.__forward_arg__
    if isinstance(annotation, str):
        module = inspect.getmodule(cls)
        annotation = eval(annotation, dict(vars(module) if module else {}), dict(vars(cls)))
    return type_from_python(annotation, class_types) or t.TENSOR


def _contains_any(type: Type) -> bool:
    return type == t.ANY or any(map(_contains_any, contained_types(type)))


def _defaults(cls: Any, class_types: Callable[[type], Type | None]) -> tuple[Any, ...]:
    """Return the defaults of the last fields, as values of IR."""
    defaults = [cls._field_defaults[f] for f in cls._fields if f in cls._field_defaults]
    for default in defaults:
        if isinstance(default, torch.Tensor):
            raise no_type(
                cls,
                "Tensors are not supported as default NamedTuple fields",
                "make the default None, and the field Optional",
            )
        try:
            infer_type(default, class_types)
        except CannotInfer as why:
            raise no_type(
                cls,
                f"the default {default!r} of a NamedTuple field has no TorchScript type: {why}",
                "make the default None, and the field Optional",
            ) from None
    return tuple(map(_value_in_ir, defaults))


def _value_in_ir(default: Any) -> Any:
    """Return a default in IR: a dtype or layout is a number, a NamedTuple a plain tuple."""
    if isinstance(default, tuple):
        return tuple(map(_value_in_ir, default))
    code = enum_code(default)
    return default if code is None else code


class NamedTupleConstructor(SugaredValue):
    """A NamedTuple class; calling it makes a tuple."""

    kind = "NamedTuple class"

    def __init__(self, type: t.TupleType) -> None:
        self.type = type

    def call(
        self, loc: SourceRange, emitter: Emitter, args: Args, kwargs: Args, n_binders: int = 1
    ) -> SugaredValue:
        """A tuple of the arguments and defaults. Raises `CompileError` if they do not match."""
        schema = _constructor_schema(self.type)
        given = {*self.type.fields[: len(args)], *(argument.name for argument in kwargs)}
        defaults = [
            NamedValue(_typed_default(emitter, argument, loc), argument.name, loc)
            for argument in schema.arguments
            if argument.has_default and argument.name not in given
        ]
        matched = match_schema(schema, emitter.graph, loc, args, [*kwargs, *defaults])
        if isinstance(matched, Mismatch):
            raise no_match(loc, schema.name, [matched], args, kwargs)
        node = emitter.graph.emit("prim::TupleConstruct", matched.inputs, [self.type], loc)
        return SimpleValue(node.output)


def _typed_default(emitter: Emitter, argument: Argument, loc: SourceRange) -> Any:
    """Insert a default with its own type; unlike an argument it is not converted to the field's."""
    type = infer_type(argument.default, STATE.types.get)
    return insert_default(emitter.graph, argument, argument.default, type, loc)


def _constructor_schema(type: t.TupleType) -> Schema:
    count = len(type.fields)
    defaults = [MISSING] * (count - len(type.defaults)) + list(type.defaults)
    constants = [None] * (count - len(type.constants)) + list(type.constants)
    arguments = tuple(
        Argument(name, element, default, is_inferred=name in type.inferred, constant=constant)
        for name, element, default, constant in zip(
            type.fields, type.elements, defaults, constants, strict=True
        )
    )
    name = (type.name or "").rpartition(".")[2]
    return Schema(name, "", arguments, (Argument("", type),))
