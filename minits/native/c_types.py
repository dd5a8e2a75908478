"""The types of values that are native, and constants of these types.

int         int64_t       wraps around (the compiler is given -fwrapv)
float       double        is rounded as the program says (-ffp-contract=off)
bool        bool
complex     mts_complex   two parts, which are in a box where one is held (complex_numbers.py)
List[T]     mts_list *    has a count of its holders (c/lists.c)
str         mts_list *    the list of its bytes (c/texts.c)
Dict[K, T]  mts_list *    the list of its items, with an index (c/dicts.c)
Tuple[...]  mts_list *    in lists and dicts: the list of its items (c/tuples.c)
enums       int64_t       the number of the member (enums.py)
objects     mts_list *    of script classes: the list of their attributes (objects.py)
number      mts_list *    its kind, and its parts (dynamic_numbers.py)
Tensor      mts_list *    of a whole function: the handle that torch gives out (c/tensors.c)
Future[T]   mts_list *    a result, and where there is none, why (tasks.py)
Await[T]    mts_list *    a result, or what it is to be computed from (awaits.py)
objects     int64_t       of Python: Generators, Streams, RRefs, modules (answers.py)
Union, Any  mts_list *    and interfaces: the number of its type, and a value (tags.py)
Device      int64_t       its type in the upper half, its index in the lower
None        mts_list *    0: so an Optional of a list or a str is one of these, or 0, and that of a
                          number is a box (optional_numbers.py), or 0
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Iterable
from typing import Any

import torch

from minits.codegen.uses import uses_of
from minits.ir.graph import Node, Value
from minits.records import dataclass, replace
from minits.types import types as t
from minits.types.int64 import MIN_INT
from minits.types.type_parts import distinct_parts


class NotNative(Exception):
    """Native code does not have a node or a type. `node` is where, `what` its operator or type.

    cure: what to write instead, where that is known
    """

    def __init__(self, node: Node, what: str, cure: str | None = None) -> None:
        super().__init__(f"{what} is not native")
        self.node, self.what, self.cure = node, what, cure


@dataclass(frozen=True, slots=True)
class CType:
    """A type of C: its name, and the type of ctypes by which Python hands over a value.

    slot: the member of `mts_value` by which a value comes out of a function, and is in a list
    code: the same for `struct.unpack`
    zero: the text of a value that is not set, because the program never reads it
    """

    name: str
    argument: Any
    slot: str
    code: str
    zero: str

    def of(self, name: str) -> str:
        """Return the declaration of a variable: `int64_t n`, `mts_list *xs`."""
        return f"{self.name}{'' if self.name.endswith('*') else ' '}{name}"


C_TYPES: dict[t.Type, CType] = {
    t.INT: CType("int64_t", ctypes.c_int64, "i", "q", "0"),
    t.FLOAT: CType("double", ctypes.c_double, "d", "d", "0.0"),
    t.BOOL: CType("bool", ctypes.c_bool, "i", "q", "false"),
}
BEYOND_64_BITS = "!({0} >= -0x1p63 && {0} < 0x1p63)"
"""The condition under which a float is no int."""
HELD = CType("mts_list *", ctypes.c_void_p, "list", "q", "0")
"""The type of what has holders: lists; strs, dicts, tuples and objects are lists, too."""
C_TYPES |= dict.fromkeys((t.STR, t.NONE, t.TENSOR, t.NUMBER, t.ANY), HELD)
C_TYPES[t.DEVICE] = CType("int64_t", ctypes.c_int64, "i", "q", "0")
OBJECT = t.SimpleType("object", "object")
"""The type of an object that is Python's, to which C passes on."""
_OF_PYTHON = CType("int64_t", ctypes.c_int64, "i", "q", "0")
C_TYPES |= dict.fromkeys((OBJECT, t.GENERATOR, t.STREAM), _OF_PYTHON)
DEVICE_TYPES = {
    name: number
    for number, name in enumerate(
        "cpu cuda mkldnn opengl opencl ideep hip fpga maia xla vulkan metal xpu mps meta hpu ve "
        "lazy ipu mtia privateuseone".split()
    )
}
"""The numbers that torch has for types of devices. Source: c10/core/DeviceType.h."""
_COMPLEX = CType("mts_complex", None, "", "", "0.0")
"""The type of complex numbers, which no `mts_value` holds (complex_numbers.py)."""
C_TYPES[t.COMPLEX] = _COMPLEX
_PLAIN = (t.INT, t.FLOAT, t.BOOL, t.STR, t.NONE, t.DEVICE)
STATE = "mts state"
"""The name of the class whose object has the attributes of a module (`native_build/state.py`)."""

_KEYS = (t.INT, t.BOOL, t.STR, t.FLOAT, t.DEVICE)
"""The types of keys of dicts."""


@dataclass(frozen=True, slots=True)
class TaggedType(t.Type):
    """A type whose values tell their own, as Python and C exchange them (tags.py)."""

    tags: Any
    declared: t.Type


@dataclass(frozen=True, slots=True)
class ElementType(t.Type):
    """The type of a tensor without dimensions that is a number of C while a function runs."""

    dtype: torch.dtype


ELEMENTS = {
    torch.float32: "float", torch.float64: "double", torch.int64: "int64_t",
    torch.int32: "int32_t", torch.int16: "int16_t", torch.int8: "int8_t", torch.uint8: "uint8_t",
    torch.bool: "bool",
}  # fmt: skip
"""By dtype: the type of an element."""


def c_type_of(type: t.Type) -> CType | None:
    """Return the type of C that values of a type have, if it is native."""
    if isinstance(type, t.SimpleType):
        return C_TYPES.get(type)
    if isinstance(type, t.ListType):
        return HELD if _can_be_held(type.element) else None
    if is_tagged(type):
        return HELD if all(map(_can_be_held, distinct_parts(type))) else None
    if isinstance(type, t.ClassType):
        is_plain = not (type.is_module or type.is_interface or type.is_bound)
        types = [attribute.type for attribute in type.attributes.values()]
        has_room = len(types) <= 64 or type.name == STATE
        are_native = has_room and all(map(_can_be_held, types))
        return HELD if is_plain and are_native else None
    if isinstance(type, t.TupleType):
        are_native = all(map(_can_be_held, type.elements))
        return HELD if are_native and len(type.elements) <= 64 else None
    if isinstance(type, t.DictType):
        is_native = type.key in _KEYS and _can_be_held(type.value)
        return HELD if is_native else None
    if isinstance(type, t.OptionalType):
        return None if c_type_of(type.element) is None else HELD
    if isinstance(type, (t.FutureType, t.AwaitType)):
        return HELD if _can_be_held(type.element) else None
    if isinstance(type, t.UnionType):
        return HELD if is_number(type) else None
    if isinstance(type, t.EnumType):
        return None if type.cls is None else C_TYPES[t.INT]
    if isinstance(type, ElementType):
        name, is_float = ELEMENTS.get(type.dtype), type.dtype.is_floating_point
        slot, code = ("d", "d") if is_float else ("i", "q")
        return None if name is None else CType(name, ctypes.c_void_p, slot, code, "0")
    return _OF_PYTHON if isinstance(type, t.RRefType) else None


def is_of_python(type: t.Type) -> bool:
    """Return whether values of a type are objects of Python, which C has by their addresses."""
    return c_type_of(type) is _OF_PYTHON


def is_tagged(type: t.Type) -> bool:
    """Return whether values of a type tell their own, which is known at run time only."""
    if isinstance(type, t.SimpleType):
        return type == t.ANY
    is_interface = isinstance(type, t.ClassType) and type.is_interface
    is_union = isinstance(type, t.UnionType) and not is_number(type)
    return is_interface or is_union or isinstance(type, TaggedType)


def tagged(type: t.Type) -> bool:
    """Return whether values of a type, or Optionals of it, tell their own."""
    return is_tagged(type.element if isinstance(type, t.OptionalType) else type)


def mapped(type: t.Type, change: Callable[[t.Type], t.Type]) -> t.Type:
    """Return a type in which a function has changed the parts, inner ones first."""
    match type:
        case t.ListType(element=element) | t.OptionalType(element=element):
            type = replace(type, element=mapped(element, change))
        case t.DictType(value=value):
            type = replace(type, value=mapped(value, change))
        case t.TupleType(elements=elements) if any(mapped(x, change) != x for x in elements):
            changed = tuple([mapped(element, change) for element in elements])
            type = t.TupleType(changed, type.name, type.fields)
    return change(type)


def is_plain(type: t.Type) -> bool:
    """Return whether C has values of a type, and of its parts, in one way wherever they are: not
    those of Optionals, Unions, complex numbers or objects, which are converted."""
    if isinstance(type, t.SimpleType):
        return type in _PLAIN
    is_container = isinstance(type, (t.ListType, t.DictType, t.TupleType))
    return is_container and all(map(is_plain, distinct_parts(type)))


def is_number(type: t.Type) -> bool:
    """Return whether values of a type are numbers that are told apart when the program runs."""
    if isinstance(type, t.SimpleType):
        return type == t.NUMBER
    numbers = (t.INT, t.FLOAT, t.COMPLEX)
    return isinstance(type, t.UnionType) and all(each in numbers for each in type.members)


def _can_be_held(type: t.Type) -> bool:
    """Return whether an `mts_value` holds values of a type."""
    return c_type_of(type) not in (None, _COMPLEX)


def held_mask(types: Iterable[t.Type]) -> int:
    """Return the number with a bit for each of some items, which is set for those with holders."""
    return sum(1 << i for i, type in enumerate(types) if c_type_of(type) is HELD)


def held_bits(types: Iterable[t.Type]) -> str:
    """Return the C text of their `held_mask`."""
    return f"{held_mask(types)}u"


def type_of_attributes(type: t.ClassType) -> t.TupleType:
    """Return the type of the tuple of an object's attributes, which is like the object in C."""
    return t.TupleType(tuple([attribute.type for attribute in type.attributes.values()]))


def holds_object(type: t.Type) -> bool:
    """Return whether an object of a class, a future or an await is a part of a type."""
    return isinstance(type, (t.ClassType, t.FutureType, t.AwaitType)) or any(
        map(holds_object, distinct_parts(type))
    )


def is_tensor(value: Value) -> bool:
    return value.type == t.TENSOR or isinstance(value.type, ElementType)


def has_tensors(type: t.Type) -> bool:
    """Return whether values of a type are tensors, or may hold some."""
    if isinstance(type, t.ClassType):
        return any(has_tensors(each.type) for each in type.attributes.values())
    if isinstance(type, t.TupleType):
        return any(map(has_tensors, type.elements))
    if isinstance(type, t.DictType):
        return has_tensors(type.value)
    if isinstance(type, (t.ListType, t.OptionalType, t.FutureType, t.AwaitType)):
        return has_tensors(type.element)
    if isinstance(type, t.UnionType):
        return any(map(has_tensors, type.members))
    return type in (t.TENSOR, t.ANY)


def number_of_device(device: torch.device) -> int:
    """Return the number that a device is in C. Raises `KeyError` for a type that has none."""
    index = -1 if device.index is None else device.index
    return DEVICE_TYPES[device.type] << 32 | (index & 0xFFFFFFFF)


def device_of_number(number: int) -> torch.device:
    """Return the device of a number. Raises `KeyError` for a type that has none."""
    names = {code: name for name, code in DEVICE_TYPES.items()}
    index = number & 0xFFFFFFFF
    return torch.device(names[number >> 32], None if index == 0xFFFFFFFF else index)


def c_type(value: Value) -> CType:
    """Return the type of C that a value has. Raises `NotNative`."""
    found = c_type_of(value.type)
    if found is None:
        raise NotNative(node_of(value), value.type.annotation)
    return found


def node_of(value: Value) -> Node:
    """Return the node at which a value is met: that of its loop, or else the first that reads it,
    for the input of a block."""
    if value.node.kind != "prim::Param":
        return value.node
    loop = value.node.owner.owning_node
    return next(uses_of(value)).user if loop is None else loop


def literal(value: Any) -> str:
    """Return the C text of a constant number, or of None."""
    if value is None:
        return "0"
    if isinstance(value, torch.device):
        return str(number_of_device(value))
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, complex):
        return f"mts_complex_of({literal(value.real)}, {literal(value.imag)})"
    if isinstance(value, int):
        return f"(-{-(MIN_INT + 1)} - 1)" if value == MIN_INT else str(value)
    if math.isnan(value):
        return '(-__builtin_nan(""))' if math.copysign(1.0, value) < 0 else '__builtin_nan("")'
    if math.isinf(value):
        return "__builtin_inf()" if value > 0 else "(-__builtin_inf())"
    return repr(value)
