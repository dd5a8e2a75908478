"""The types of TorchScript.

Types are values: equal by content, hashable, compared with `==`. `ClassType` is the exception; two
classes are the same type only when they are the same object. `str(t)` is the text that IR shows
(`int[]`, `Tensor?`, `Dict(str, Tensor)`), `t.annotation` is the text that Python shows
(`List[int]`, `Optional[Tensor]`).

Source: aten/src/ATen/core/jit_type.h (`str`, `annotation_str`).
"""

from __future__ import annotations

from functools import cache
from typing import Any, TypeGuard

from minits.records import dataclass, field
from minits.types.named_fields import NamedFields
from minits.types.value_text import format_value


class Type:
    """A TorchScript type."""

    __slots__ = ()

    @property
    def annotation(self) -> str:
        """The type as Python source writes it."""
        return str(self)


@dataclass(frozen=True, slots=True, eq=False)
class SimpleType(Type):
    """A type without parameters, identified by its name in IR. Each exists once, below."""

    name: str
    python_name: str

    def __str__(self) -> str:
        return self.name

    @property
    def annotation(self) -> str:
        return self.python_name

    def __repr__(self) -> str:
        return f"<{self.name}>"

    def __reduce__(self) -> str:
        """Return the name below, by which pickle and copy find the one object."""
        return next(name for name, each in globals().items() if each is self)


TENSOR = SimpleType("Tensor", "Tensor")
INT = SimpleType("int", "int")
FLOAT = SimpleType("float", "float")
BOOL = SimpleType("bool", "bool")
COMPLEX = SimpleType("complex", "complex")
STR = SimpleType("str", "str")
NONE = SimpleType("NoneType", "NoneType")
ANY = SimpleType("Any", "Any")
NUMBER = SimpleType("Scalar", "number")
DEVICE = SimpleType("Device", "Device")
GENERATOR = SimpleType("Generator", "Generator")
STREAM = SimpleType("Stream", "Stream")
STORAGE = SimpleType("Storage", "Storage")
CAPSULE = SimpleType("Capsule", "Capsule")
PY_OBJECT = SimpleType("PyObject", "PyObject")
ANY_LIST = SimpleType("list", "list")
ANY_TUPLE = SimpleType("tuple", "tuple")
ANY_ENUM = SimpleType("AnyEnum", "AnyEnum")
ANY_CLASS = SimpleType("AnyClassType", "AnyClassType")
QUANTIZER = SimpleType("Quantizer", "Quantizer")
QSCHEME = SimpleType("QScheme", "QScheme")
SYM_INT = SimpleType("SymInt", "SymInt")
SYM_BOOL = SimpleType("SymBool", "bool")


@dataclass(frozen=True, slots=True)
class VarType(Type):
    """A type variable of an operator schema, such as the `t` of `aten::append.t(t[](a!) self, t
    el)`.
    """

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class ListType(Type):
    element: Type

    def __str__(self) -> str:
        return f"{self.element}[]"

    @property
    def annotation(self) -> str:
        return f"List[{self.element.annotation}]"


@dataclass(frozen=True, slots=True)
class OptionalType(Type):
    element: Type

    def __str__(self) -> str:
        return f"{self.element}?"

    @property
    def annotation(self) -> str:
        return f"Optional[{self.element.annotation}]"


@dataclass(frozen=True, slots=True)
class DictType(Type):
    key: Type
    value: Type

    def __str__(self) -> str:
        return f"Dict({plain_text(self.key)}, {plain_text(self.value)})"

    @property
    def annotation(self) -> str:
        return f"Dict[{self.key.annotation}, {self.value.annotation}]"


@dataclass(frozen=True, slots=True)
class FutureType(Type):
    element: Type

    def __str__(self) -> str:
        return f"Future[{self.element}]"

    @property
    def annotation(self) -> str:
        return f"Future[{self.element.annotation}]"


@dataclass(frozen=True, slots=True)
class AwaitType(Type):
    """A value that is computed on first use (`torch.jit._awaitable_nowait`)."""

    element: Type

    def __str__(self) -> str:
        return f"Await({self.element})"

    @property
    def annotation(self) -> str:
        return f"Await[{self.element.annotation}]"


@dataclass(frozen=True, slots=True)
class RRefType(Type):
    """A reference to a value that another worker may own (`torch.distributed.rpc`)."""

    element: Type

    def __str__(self) -> str:
        return f"RRef[{self.element}]"

    @property
    def annotation(self) -> str:
        return f"RRef[{self.element.annotation}]"


_REMEMBERED: Any = field(default=None, init=False, repr=False, compare=False)
"""The description of a field that is filled when it is first asked for."""


@dataclass(frozen=True, slots=True)
class TupleType(Type):
    """A tuple; a NamedTuple when `name` (qualified, `__torch__.…`) and `fields` are given.

    The results of an operator that names them (`values`, `indices`) have fields but no name.
    """

    elements: tuple[Type, ...]
    name: str | None = None
    fields: tuple[str, ...] = ()
    defaults: tuple[Any, ...] = field(default=(), compare=False)
    inferred: frozenset[str] = field(default=frozenset(), compare=False)
    """Fields without annotation, which are taken for Tensors."""
    constants: tuple[Any, ...] = field(default=(), compare=False)
    """Of each default the attribute of its constant, or None: as in the arguments of schemas."""
    parts: int | None = _REMEMBERED
    leaves: tuple[Type, ...] | None = _REMEMBERED
    """Results of `type_parts.py`."""
    text: str | None = _REMEMBERED
    """Its annotation."""
    known_hash: int | None = _REMEMBERED
    equal: TupleType | None = _REMEMBERED
    """An equal type, which stands for this one when it is compared again."""

    def __eq__(self, other: object) -> bool:
        """Compare by content; equal parts are compared once, however often they are there."""
        if not isinstance(other, TupleType):
            return NotImplemented
        first, second = self._standing_for(), other._standing_for()
        if first is second:
            return True
        is_equal = hash(first) == hash(second) and first._content == second._content
        if is_equal:
            object.__setattr__(first, "equal", second)
        return is_equal

    def __hash__(self) -> int:
        if self.known_hash is None:
            object.__setattr__(self, "known_hash", hash(self._content))
            assert self.known_hash is not None
        return self.known_hash

    @property
    def _content(self) -> tuple[Any, ...]:
        return self.elements, self.name, self.fields

    def _standing_for(self) -> TupleType:
        found = self
        while found.equal is not None:
            found = found.equal
        return found

    def __str__(self) -> str:
        if self.fields:
            missing = len(self.fields) - len(self.defaults)
            defaults = [""] * missing + [f" = {format_value(value)}" for value in self.defaults]
            parts = zip(self.fields, self.elements, defaults, strict=True)
            inner = ", ".join(f"{field} : {type_}{default}" for field, type_, default in parts)
            return f"NamedTuple({inner})"
        return f"({', '.join(map(str, self.elements))})"

    @property
    def annotation(self) -> str:
        if self.name is not None:
            return self.name
        if self.text is None:
            inner = ", ".join(t.annotation for t in self.elements) or "()"
            object.__setattr__(self, "text", f"Tuple[{inner}]")
            assert self.text is not None
        return self.text


@dataclass(frozen=True, slots=True)
class UnionType(Type):
    """A union of two or more types that is not an Optional; `union_of` orders the members."""

    members: tuple[Type, ...]
    parts: int | None = _REMEMBERED

    def __str__(self) -> str:
        numbers = [member for member in self.members if member != NONE]
        if set(numbers) == {INT, FLOAT, COMPLEX}:
            return "Scalar" if len(numbers) == len(self.members) else "Scalar?"
        return f"Union({', '.join(map(plain_text, self.members))})"

    @property
    def annotation(self) -> str:
        return f"Union[{', '.join(t.annotation for t in self.members)}]"


@dataclass(frozen=True, slots=True)
class EnumType(Type):
    """A Python enum.

    `members` are (name, value) pairs; `cls` is the Python class, if there is one.
    """

    name: str
    value_type: Type
    members: tuple[tuple[str, Any], ...]
    cls: type | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return f"Enum<{self.name}>"

    @property
    def annotation(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class FunctionType(Type):
    """The type of a `prim::Constant` that names a compiled function, as the callee of
    `prim::CallFunction`.
    """

    function: Any

    def __str__(self) -> str:
        return "Function"


@dataclass(eq=False, slots=True, repr=False)
class Attribute:
    """A slot of a class: `self.name`, of type `type`."""

    name: str
    type: Type
    is_parameter: bool = False
    is_buffer: bool = False
    named: NamedFields | None = None
    """The names that the object of a module has, and the type has not."""


@dataclass(eq=False, slots=True, repr=False)
class ClassType(Type):
    """A script class, or a module when `is_module`; equal by identity.

    `name` is qualified and unique (`__torch__.mod.Name`, `__torch__.mod.___torch_mangle_0.Name`).
    `constants` are values known at compile time; `methods` maps names to compiled functions (with
    `.graph` and `.schema`), filled as they are compiled; `overloads` maps a name that several
    methods share to theirs: `forward` to `forward__0` and `forward__1`. A script class
    `is_being_compiled` until all of its methods are.
    """

    name: str
    is_module: bool = False
    attributes: dict[str, Attribute] = field(default_factory=dict)
    constants: dict[str, Any] = field(default_factory=dict)
    methods: dict[str, Any] = field(default_factory=dict)
    properties: dict[str, Any] = field(default_factory=dict)
    overloads: dict[str, tuple[str, ...]] = field(default_factory=dict)
    cls: type | None = None
    is_interface: bool = False
    is_being_compiled: bool = False

    def __str__(self) -> str:
        return f"InterfaceType<{self.short_name}>" if self.is_interface else self.name

    @property
    def forwards(self) -> tuple[str, ...]:
        """Return the names that a compiled `forward` may have: its own, or those of overloads."""
        return ("forward", *self.overloads.get("forward", ()))

    @property
    def is_bound(self) -> bool:
        """Return whether it is a class that torch binds from C++ (`bound_class`)."""
        return self.name.startswith("__torch__.torch.classes.")

    @property
    def short_name(self) -> str:
        """The name without its module."""
        return self.name.rpartition(".")[2]

    @property
    def annotation(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"<class {self.name}>"


def is_interface(type: Type | None) -> TypeGuard[ClassType]:
    """Return whether a type is an interface: a class that other classes can implement."""
    return isinstance(type, ClassType) and type.is_interface


@cache
def bound_class(name: str) -> ClassType:
    """Return the class of a C++ binding: `__torch__.torch.classes.profiler._RecordFunction`.

    There is one object for each name, so that schemas and annotations agree.
    """
    return ClassType(name)


def plain_text(type: Type) -> str:
    """Return the text of a type in schemas and inside `Dict(...)`, where a NamedTuple is its name.

    Source: aten/src/ATen/core/jit_type.h (`str`, where `operator<<` is what `__str__` is here).
    """
    match type:
        case TupleType(name=str(name)):
            return name
        case TupleType(elements=elements):
            return f"({', '.join(map(plain_text, elements))})"
        case ListType(element=element):
            return f"{plain_text(element)}[]"
        case OptionalType(element=element):
            return f"{plain_text(element)}?"
        case FutureType(element=element):
            return f"Future({plain_text(element)})"
        case AwaitType(element=element):
            return f"Await({plain_text(element)})"
        case RRefType(element=element):
            return f"RRef({plain_text(element)})"
    return str(type)
