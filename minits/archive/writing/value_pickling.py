"""Values in pickle streams, written by their types: values that mean the same look the same.

An `int` attribute may hold a dtype in Python and a `float` one an int; a list tells the reader what
its elements are. Objects, tensors, lists and dicts that are met again are written as references, so
that what is shared is shared again.

Source: torch/csrc/jit/serialization/pickler.cpp (`pushIValueImpl`).
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum
from typing import Any

import torch

from minits.archive.errors import SaveError
from minits.archive.pickling.globals import PACKED_CLASSES, is_of_library
from minits.archive.pickling.writer import (
    APPENDS,
    BUILD,
    EMPTY_DICT,
    EMPTY_LIST,
    EMPTY_TUPLE,
    MARK,
    NEW_OBJECT,
    REDUCE,
    SETITEMS,
    TUPLE,
    PickleWriter,
)
from minits.archive.writing.qualified_names import QualifiedNames
from minits.archive.writing.tensor_pickling import TensorPickler
from minits.codegen.objects import type_of_object
from minits.frontend.python.class_registry import class_types
from minits.frontend.values.function import CompiledFunction
from minits.ops.implementations.instances import is_instance, slot_of
from minits.ops.native_methods import declare_bound_methods
from minits.torch_internals import state_of_cpp_object
from minits.types import types as t
from minits.types.dtypes import enum_code
from minits.types.inference import CannotInfer, infer_type
from minits.types.types import Type

Call = Callable[[CompiledFunction, list[Any]], Any]
"""Runs a compiled method: `call(method, [object, ...])`."""
_BUILDERS: dict[Type, str] = {
    t.INT: "build_intlist",
    t.FLOAT: "build_doublelist",
    t.BOOL: "build_boollist",
    t.TENSOR: "build_tensorlist",
}


class ValuePickler:
    """Writes the values of one stream.

    names: what classes are called in the archive; call: runs `__getstate__`.
    modules: the compiled modules that were met, the first of each type.
    """

    def __init__(self, names: QualifiedNames, call: Call) -> None:
        self.names, self.call = names, call
        self.out = PickleWriter()
        self.tensors = TensorPickler(self.out)
        self.modules: dict[t.ClassType, Any] = {}
        self._path: list[str] = []
        self._open: set[int] = set()
        self._alive: list[Any] = []

    @contextmanager
    def at(self, part: str) -> Iterator[None]:
        """Say in errors where a value stands: `Model`, `.layer`, `[3]`."""
        self._path.append(part)
        yield
        self._path.pop()

    def fault(self, message: str, fix: str = "") -> SaveError:
        return SaveError(message, subject="".join(self._path), fix=fix)

    def write(self, value: Any, type: Type) -> None:
        """Write a value of a type. Raises `SaveError`."""
        match type:
            case t.OptionalType(element=element):
                self.write(value, t.NONE if value is None else element)
            case t.UnionType():
                self.write(value, self._member(value, type))
            case t.ListType():
                self._shared(value, type, self._list)
            case t.DictType():
                self._shared(value, type, self._dict)
            case t.TupleType():
                self._tuple(value, type)
            case t.EnumType():
                self._enum(value, type)
            case t.ClassType():
                self._shared(value, type, self._object)
            case t.TENSOR:
                self._shared(value, type, lambda tensor, _: self._tensor(tensor))
            case _:
                self._simple(value, type)

    def _member(self, value: Any, type: t.UnionType) -> Type:
        for member in type.members:
            if is_instance(value, member):
                return member
        raise self.fault(f"a {value.__class__.__name__} is no {type.annotation}")

    def _shared(self, value: Any, type: Type, write: Callable[[Any, Any], None]) -> None:
        """Write an object that has an identity once, and later a reference to it."""
        if self.out.recall(("object", id(value))):
            return
        if id(value) in self._open:
            raise self.fault(
                "objects that contain themselves cannot be saved",
                "clear the attribute that leads back before saving, or define __getstate__",
            )
        self._open.add(id(value))
        write(value, type)
        self._open.remove(id(value))
        self._alive.append(value)
        self.out.remember(("object", id(value)))

    # ---- Simple values -------------------------------------------------------------------------

    def _simple(self, value: Any, type: Type) -> None:
        writer = _SIMPLE.get(type)
        if writer is None:
            raise self.fault(f"values of type {type.annotation} cannot be saved")
        try:
            writer(self, value)
        except (TypeError, ValueError, struct.error):
            found = value.__class__.__name__
            raise self.fault(f"this {found} cannot be saved as {type.annotation}") from None

    def _int(self, value: Any) -> None:
        code = enum_code(value)
        self.out.integer(int(value) if code is None else code)

    def _complex(self, value: Any) -> None:
        self.out.global_("builtins", "complex")
        self.out.real(complex(value).real)
        self.out.real(complex(value).imag)
        self.out.tuple_of(2)
        self.out.op(REDUCE)

    def _string(self, value: Any) -> None:
        self.out.string(value.decode() if isinstance(value, bytes) else value)

    def _device(self, value: Any) -> None:
        self.out.global_("torch", "device")
        self.out.string(str(torch.device(value)))
        self.out.tuple_of(1)
        self.out.op(REDUCE)

    def _number(self, value: Any) -> None:
        self._simple(value, infer_type(value))

    def _anything(self, value: Any) -> None:
        try:
            self.write(value, infer_type(value, class_types))
        except CannotInfer as why:
            raise self.fault(f"a value of type Any cannot be saved: {why}") from None

    def _tensor(self, value: torch.Tensor) -> None:
        try:
            self.tensors.write(value)
        except SaveError as fault:
            raise self.fault(fault.message, fault.fix) from None

    def _enum(self, value: Enum, type: t.EnumType) -> None:
        self._class(self.names.of(type))
        self.write(value.value, type.value_type)
        self.out.op(REDUCE)

    # ---- Containers ----------------------------------------------------------------------------

    def _list(self, values: Any, type: t.ListType) -> None:
        builder = _BUILDERS.get(type.element)
        self.out.global_("torch.jit._pickle", builder or "restore_type_tag")
        self.out.op(EMPTY_LIST + MARK if builder is None else MARK + EMPTY_LIST + MARK)
        for index, item in enumerate(values):
            with self.at(f"[{index}]"):
                self.write(item, type.element)
        self.out.op(APPENDS)
        if builder is None:
            self._tag(type)
        else:
            self.out.op(TUPLE + REDUCE)

    def _dict(self, values: Any, type: t.DictType) -> None:
        self.out.global_("torch.jit._pickle", "restore_type_tag")
        self.out.op(EMPTY_DICT + MARK)
        for key, item in values.items():
            with self.at(f"[{key!r}]"):
                self.write(key, type.key)
                self.write(item, type.value)
        self.out.op(SETITEMS)
        self._tag(type)

    def _tag(self, type: Type) -> None:
        self.out.string(self.names.text(type))
        self.out.tuple_of(2)
        self.out.op(REDUCE)

    def _tuple(self, values: Any, type: t.TupleType) -> None:
        is_short = len(type.elements) <= 3
        if not is_short:
            self.out.op(MARK)
        for index, (item, element) in enumerate(zip(values, type.elements, strict=True)):
            with self.at(f"[{index}]"):
                self.write(item, element)
        if is_short:
            self.out.tuple_of(len(type.elements))
        else:
            self.out.op(TUPLE)

    # ---- Objects -------------------------------------------------------------------------------

    def _class(self, name: str) -> None:
        module, _, last = name.rpartition(".")
        self.out.global_(module, last)

    def _object(self, value: Any, declared: t.ClassType) -> None:
        type = self._type_of(value, declared)
        self._class(self.names.of(type))
        self.out.op(EMPTY_TUPLE + NEW_OBJECT)
        get_state = type.methods.get("__getstate__")
        if type.is_bound and get_state is not None:
            self.write(state_of_cpp_object(value), get_state.schema.returns[0].type)
        elif get_state is not None and "__setstate__" in type.methods:
            state = self.call(get_state, [value])
            self.write(state, get_state.schema.returns[0].type)
        else:
            self._attributes(value, type)
        self.out.op(BUILD)

    def _type_of(self, value: Any, declared: t.ClassType) -> t.ClassType:
        type = declared
        if declared.is_interface or declared.is_module:
            type = type_of_object(value)
        declare_bound_methods(type)
        if type.is_bound and not self._can_be_saved(type):
            raise self.fault(
                f"an object of the C++ class {type.name} cannot be saved",
                "give the class __getstate__ and __setstate__, in C++: .def_pickle(get, set)",
            )
        if type.is_module:
            self.modules.setdefault(type, value)
        return type

    def _can_be_saved(self, type: t.ClassType) -> bool:
        if type.name in PACKED_CLASSES:
            return True
        has_state = "__getstate__" in type.methods and "__setstate__" in type.methods
        return has_state and is_of_library(type.name)

    def _attributes(self, value: Any, type: t.ClassType) -> None:
        self.out.op(EMPTY_DICT + MARK)
        for name, attribute in type.attributes.items():
            with self.at(f".{name}"):
                self.out.string(name)
                self.write(self._attribute(value, name), attribute.type)
        self.out.op(SETITEMS)

    def _attribute(self, value: Any, name: str) -> Any:
        try:
            return slot_of(value, name)
        except (AttributeError, KeyError):
            raise self.fault("the attribute is not set", "set it before saving") from None


_SIMPLE: dict[Type, Callable[[ValuePickler, Any], None]] = {
    t.NONE: lambda pickler, _: pickler.out.none(),
    t.BOOL: lambda pickler, value: pickler.out.boolean(bool(value)),
    t.INT: ValuePickler._int,
    t.FLOAT: lambda pickler, value: pickler.out.real(float(value)),
    t.COMPLEX: ValuePickler._complex,
    t.STR: ValuePickler._string,
    t.DEVICE: ValuePickler._device,
    t.NUMBER: ValuePickler._number,
    t.ANY: ValuePickler._anything,
}
