"""From what a pickle describes to values of the types that the code declares.

Compiled code relies on the types of attributes, so every value is checked here; torch trusts the
file. What is described once becomes one object, wherever it is used.

Source: torch/csrc/jit/serialization/import.cpp (`ScriptModuleDeserializer::readArchive`).
Differs: values and interfaces are checked, and objects that contain themselves are refused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import torch
from torch import Tensor, nn

from minits import torch_internals as internals
from minits.archive.errors import ArchiveError
from minits.archive.pickling.descriptions import (
    DictOf,
    EnumOf,
    ListOf,
    ObjectOf,
    SparseOf,
    TensorOf,
    is_shared,
)
from minits.archive.pickling.globals import CPP_CLASSES, PACKED_CLASSES, is_of_library
from minits.archive.reading.definitions import Definitions
from minits.archive.reading.old_packed_params import second_state, type_of_state
from minits.archive.reading.packed_params import Unpackable, packed_bytes, packed_object
from minits.archive.reading.tensors import TensorReader
from minits.frontend.modules.module_info import ModuleInfo
from minits.frontend.values.function import CompiledFunction
from minits.ir.constants import SIMPLE_TYPES
from minits.ops.implementations.instances import new_object
from minits.ops.libraries import registered_by
from minits.ops.named_tuples import named_tuple_class
from minits.ops.native_methods import declare_bound_methods
from minits.types import types as t
from minits.types.subtyping import is_subtype, union_members
from minits.types.types import Type


class Maker(Protocol):
    """Makes the objects of a program; the runtime knows how."""

    def script_class(self, type: t.ClassType) -> type:
        """Return the Python class of a script class."""

    def module(self, info: ModuleInfo, values: dict[str, Any]) -> Any:
        """Return a module; attributes that have no value yet are set by its `__setstate__`."""

    def spend(self, size: int) -> None:
        """Take bytes from what loading may use. Raises an exception if there are not so many."""

    def call(self, function: CompiledFunction, *arguments: Any) -> None:
        """Run a compiled function. Raises its exceptions, or if it runs for too long."""


class ObjectReader:
    """Makes the values that one pickle describes."""

    def __init__(
        self, definitions: Definitions, tensors: TensorReader, maker: Maker, record: str
    ) -> None:
        self.definitions, self.tensors, self.maker = definitions, tensors, maker
        self.record = record
        self._made: dict[Any, Any] = {}
        self._open: set[ObjectOf] = set()
        self._tags: dict[str, Type] = {}
        self._tuples: dict[tuple[int, int], tuple[Any, Type, Any]] = {}
        self._types: dict[int, tuple[Any, Type]] = {}
        self._declared: dict[int, tuple[ListOf | DictOf, Type]] = {}
        self._depth = 0

    # ---- Values --------------------------------------------------------------------------------

    def read(self, described: Any, type: Type, path: str) -> Any:
        """Return the described value of a type. Raises `ArchiveError` if it is of another type.

        `path` tells where the value stands, for the error: `M.weight`.
        """
        self._depth += 1
        if self._depth > 2 * self.definitions.limits.nesting:
            raise self._fault(f"the value of {path} is nested too deeply, or contains itself")
        try:
            return self._read(described, type, path)
        finally:
            self._depth -= 1

    def _read(self, described: Any, type: Type, path: str) -> Any:
        match type:
            case t.ListType(element=element) if isinstance(described, ListOf):
                return self._container(
                    described,
                    type,
                    path,
                    lambda: [self.read(x, element, path) for x in described.items],
                )
            case t.DictType() if isinstance(described, DictOf):
                return self._container(
                    described, type, path, lambda: self._dict(described, type, path)
                )
            case t.TupleType(elements=elements) if isinstance(described, tuple):
                if len(elements) == len(described):
                    return self._tuple_once(described, type, path)
            case t.OptionalType() | t.UnionType():
                return self._member(described, union_members(type), type, path)
            case t.EnumType() if isinstance(described, EnumOf):
                return self._enum(described, type, path)
            case t.ClassType() if isinstance(described, ObjectOf):
                return self._object_of(described, type, path)
            case t.TENSOR if isinstance(described, (TensorOf, SparseOf)):
                return self._once(described, lambda: self.tensors.read(described))
            case t.ANY | t.ANY_LIST | t.ANY_TUPLE:
                return self.read(described, self.type_of(described, path), path)
        if _is_simple(described, type):
            return self._placed(described) if type == t.DEVICE else described
        raise self._wrong(described, type, path)

    def _placed(self, device: torch.device) -> torch.device:
        moved = self.definitions.moved
        return device if moved is None else moved(device)

    def _once(self, described: Any, make: Any) -> Any:
        if described not in self._made:
            self._made[described] = make()
        return self._made[described]

    def _container(
        self, described: ListOf | DictOf, type: Type, path: str, make: Callable[[], Any]
    ) -> Any:
        """Return a list or dict; one that stands in several values is of one type in all of them.

        Raises `ArchiveError` if its tag or another value says otherwise.
        """
        self._check_tag(described, type, path)
        _, known = self._declared.get(id(described), (described, type))
        if known is not type and known != type:
            also = known.annotation[:200]
            message = f"{path} is to be {type.annotation[:200]}, but it is elsewhere a {also}"
            raise self._fault(message)
        made = self._once(described, make)
        self._declared[id(described)] = described, type
        return made

    def _check_tag(self, described: ListOf | DictOf, type: Type, path: str) -> None:
        """Check that the type in the file is the declared one; old files have none."""
        tag = described.tag
        if tag is None:
            return
        if tag not in self._tags:
            self._tags[tag] = self.definitions.type_of_text(tag, self.record)
        if self._tags[tag] != type:
            raise self._wrong(described, type, path)

    def _dict(self, described: DictOf, type: t.DictType, path: str) -> dict[Any, Any]:
        return {
            self.read(key, type.key, path): self.read(value, type.value, path)
            for key, value in described.items
        }

    def _tuple_once(self, described: tuple[Any, ...], type: t.TupleType, path: str) -> Any:
        """Return a tuple's value; one that the pickle has many times is read once.

        Otherwise tuples of a tuple that is there twice would take twice the time of that one.
        """
        key = id(described), id(type)
        if key not in self._tuples:
            try:
                made = self._tuple(described, type, path)
            except ArchiveError as fault:
                made = fault
            self._tuples[key] = described, type, made  # both are kept, and so their ids
        made = self._tuples[key][2]
        if isinstance(made, ArchiveError):
            raise made
        return made

    def _tuple(self, described: tuple[Any, ...], type: t.TupleType, path: str) -> Any:
        pairs = zip(described, type.elements, strict=True)
        values = tuple(self.read(item, element, path) for item, element in pairs)
        return values if type.name is None else named_tuple_class(type)(values)

    def _member(
        self, described: Any, members: list[Type] | tuple[Type, ...], type: Type, path: str
    ) -> Any:
        """Read a value as the first member of a union that it fits."""
        likely = [member for member in members if self._may_be(described, member)]
        for member in likely[:-1]:
            try:
                return self.read(described, member, path)
            except ArchiveError:
                continue
        if not likely:
            raise self._wrong(described, type, path)
        return self.read(described, likely[-1], path)

    def _may_be(self, described: Any, type: Type) -> bool:
        """Shallow type check: compares the container kind, not the element types."""
        match described:
            case ListOf():
                return isinstance(type, t.ListType) or type in (t.ANY, t.ANY_LIST)
            case DictOf():
                return isinstance(type, t.DictType) or type == t.ANY
            case ObjectOf():
                return isinstance(type, t.ClassType) or type == t.ANY
            case EnumOf():
                return isinstance(type, t.EnumType) or type == t.ANY
            case TensorOf() | SparseOf():
                return type in (t.TENSOR, t.ANY)
            case tuple():
                return isinstance(type, t.TupleType) or type in (t.ANY, t.ANY_TUPLE)
        return _is_simple(described, type) or type == t.ANY

    def _enum(self, described: EnumOf, type: t.EnumType, path: str) -> Any:
        values = [value for _, value in type.members]
        if described.class_name != type.name or described.value not in values:
            raise self._wrong(described, type, path)
        assert type.cls is not None
        return type.cls(described.value)

    # ---- Objects -------------------------------------------------------------------------------

    def _object_of(self, described: ObjectOf, type: t.ClassType, path: str) -> Any:
        found = self.class_of(described)
        if not is_subtype(found, type):
            raise self._wrong(described, type, path)
        return self.object(described)

    def class_of(self, described: ObjectOf) -> t.ClassType:
        """Return the class that an object says it is of. Raises `ArchiveError`."""
        name = described.class_name
        found = self.definitions.type(name)
        if isinstance(found, t.ClassType) and not found.is_interface:
            return found
        if name in PACKED_CLASSES or is_of_library(name):
            bound = t.bound_class(name)
            declare_bound_methods(bound)
            if "__setstate__" in bound.methods:  # torch may be built without quantization
                return bound
        if name.startswith(CPP_CLASSES):
            namespace = name.removeprefix(CPP_CLASSES).partition(".")[0]
            raise self._fault(
                f"it has an object of the C++ class {name}, which no library that is loaded has "
                "registered with its states",
                described.offset,
                fix=registered_by(namespace),
            )
        raise self._fault(f"its code does not define the class {name}", described.offset)

    def object(self, described: ObjectOf) -> Any:
        """Return the module or object of a script class. Raises `ArchiveError`."""
        if described in self._made:
            return self._made[described]
        if described in self._open:
            raise self._fault("an object contains itself", described.offset)
        self._open.add(described)
        self._made[described] = self._new_object(described, self.class_of(described))
        self._open.discard(described)
        return self._made[described]

    def _new_object(self, described: ObjectOf, type: t.ClassType) -> Any:
        methods = type.methods
        if type.is_bound and type.name not in PACKED_CLASSES:
            return self._of_library(described, type)
        if type.is_bound:
            return self._packed(described, type)
        if "__getstate__" in methods and "__setstate__" in methods:
            return self._with_state(described, type)
        if not isinstance(described.state, DictOf):
            raise self._fault(f"the state of {type.name} is no dict", described.offset)
        state = {name: value for name, value in described.state.items if isinstance(name, str)}
        values = {}
        for name, attribute in type.attributes.items():
            if name not in state:
                message = f"{type.name} lacks a value of its attribute '{name}'"
                raise self._fault(message, described.offset)
            path = f"{type.short_name}.{name}"
            values[name] = self.read(state[name], attribute.type, path)
        return self._make(type, values)

    def _of_library(self, described: ObjectOf, type: t.ClassType) -> Any:
        """Return the object that the `__setstate__` of a library makes of a state, once checked."""
        declared = type.methods["__setstate__"].schema.arguments[1].type
        state = self.read(described.state, declared, f"the state of {type.short_name}")
        try:
            return internals.cpp_object(type.name, state)
        except (RuntimeError, IndexError, TypeError) as why:
            raise self._fault(f"{type.name} cannot be made: {why}", described.offset) from None

    def _packed(self, described: ObjectOf, type: t.ClassType) -> Any:
        """Return packed parameters: torch packs the weight of a state, which is checked before."""
        declared = type.methods["__getstate__"].schema.returns[0].type
        state_type = type_of_state(type.name, described.state, declared)
        state = self.read(described.state, state_type, f"the state of {type.short_name}")
        try:
            state = second_state(state_type, state)
            self.maker.spend(packed_bytes(type.name, state))
            return packed_object(type.name, state)
        except (Unpackable, RuntimeError) as why:
            raise self._fault(f"{type.name} cannot be made: {why}", described.offset) from None

    def _make(self, type: t.ClassType, values: dict[str, Any]) -> Any:
        for name, attribute in type.attributes.items():
            if attribute.is_parameter and isinstance(values.get(name), Tensor):
                as_parameter(values[name])
        if type.is_module:
            return self.maker.module(self.definitions.info(type), values)
        made = new_object(type)
        made.__dict__.update(values)
        return made

    def _with_state(self, described: ObjectOf, type: t.ClassType) -> Any:
        """Make an object whose class says itself how it is saved."""
        state_type = type.methods["__getstate__"].schema.returns[0].type
        state = self.read(described.state, state_type, f"the state of {type.short_name}")
        made = self._make(type, {})
        try:
            self.maker.call(type.methods["__setstate__"], made, state)
        except ArchiveError:
            raise
        except Exception as why:
            message = f"__setstate__ of {type.name} failed: {why}"
            raise self._fault(message, described.offset) from why
        self._check_attributes(made, described, type)
        return made

    def _check_attributes(self, made: Any, described: ObjectOf, type: t.ClassType) -> None:
        """Check that `__setstate__` set each attribute that cannot be None, else raise."""
        for name, attribute in type.attributes.items():
            value = getattr(made, name, None)
            if value is None and t.NONE not in union_members(attribute.type):
                message = f"__setstate__ of {type.name} did not set '{name}'"
                raise self._fault(message, described.offset)
            if attribute.is_parameter and isinstance(value, Tensor):
                as_parameter(value)

    # ---- Types of values -----------------------------------------------------------------------

    def type_of(self, described: Any, path: str) -> Type:
        """Return the type that a description has by itself. Raises `ArchiveError`."""
        match described:
            case TensorOf() | SparseOf():
                return t.TENSOR
            case ListOf(tag=str(tag)) | DictOf(tag=str(tag)):
                return self.definitions.type_of_text(tag, self.record)
            case tuple():
                return self._type_of_tuple(described, path)
            case ObjectOf():
                return self.class_of(described)
            case EnumOf(class_name=name):
                found = self.definitions.type(name)
                if isinstance(found, t.EnumType):
                    return found
        for cls, type in SIMPLE_TYPES.items():
            if described.__class__ is cls:
                return type
        raise self._fault(f"the type of {path} is not known")

    def _type_of_tuple(self, described: tuple[Any, ...], path: str) -> Type:
        known = self._types.get(id(described))
        if known is None:
            made = t.TupleType(tuple(self.type_of(item, path) for item in described))
            type = self.definitions.limited(made, self.record)
            known = self._types[id(described)] = described, type
        return known[1]

    # ---- Errors --------------------------------------------------------------------------------

    def _wrong(self, described: Any, type: Type, path: str) -> ArchiveError:
        found = described.__class__.__name__
        match described:
            case ListOf(tag=str(tag)) | DictOf(tag=str(tag)):
                found = tag[:200]
            case ObjectOf(class_name=name) | EnumOf(class_name=name):
                found = name[:200]
            case _ if is_shared(described):
                found = found.removesuffix("Of").lower()
        offset = getattr(described, "offset", None)
        where = offset if isinstance(described, (ObjectOf, EnumOf)) else None
        return self._fault(f"{path} is to be {type.annotation[:200]}, found {found}", where)

    def _fault(
        self, message: str, offset: int | None = None, *, fix: str | None = None
    ) -> ArchiveError:
        return ArchiveError(message, self.record, offset, fix=fix)


def _is_simple(described: Any, type: Type) -> bool:
    """Return whether a description is a plain Python value of this type."""
    found = SIMPLE_TYPES.get(described.__class__)
    if type == t.NUMBER:
        return found in (t.INT, t.FLOAT, t.BOOL, t.COMPLEX)
    return found is not None and found == type


def as_parameter(tensor: Tensor) -> None:
    """Make a tensor a parameter, so that wherever it is shared it is one."""
    if not isinstance(tensor, nn.Parameter):
        tensor.__class__ = nn.Parameter
