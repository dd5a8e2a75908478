"""torch's registered operators, converted name by name as they are asked for.

torch registers some 4,400 schemas; a program uses a few dozen. The order of overloads is torch's
order of registration, which decides between overloads that match equally well.

Operators come and go: `torch.library` registers them at any time, and takes them back. So torch is
asked for each that is not its own; what was made of the same schemas before is kept.

Source: torch/csrc/jit/runtime/operator.cpp (`getAllOperatorsFor`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, ParamSpec, TypeVar

from minits import torch_internals as internals
from minits.bounded_cache import BoundedCache
from minits.ops.schema import MISSING, AliasInfo, Argument, Schema
from minits.types import types as t

P = ParamSpec("P")
R = TypeVar("R")
_KINDS: dict[str, t.Type] = {
    "TensorType": t.TENSOR, "IntType": t.INT, "FloatType": t.FLOAT, "BoolType": t.BOOL,
    "ComplexType": t.COMPLEX, "StringType": t.STR, "NoneType": t.NONE, "AnyType": t.ANY,
    "NumberType": t.NUMBER, "DeviceObjType": t.DEVICE, "GeneratorType": t.GENERATOR,
    "StreamObjType": t.STREAM, "StorageType": t.STORAGE, "CapsuleType": t.CAPSULE,
    "AnyListType": t.ANY_LIST, "AnyTupleType": t.ANY_TUPLE, "AnyEnumType": t.ANY_ENUM,
    "AnyClassType": t.ANY_CLASS, "QSchemeType": t.QSCHEME, "QuantizerType": t.QUANTIZER,
    "SymIntType": t.INT, "SymBoolType": t.SYM_BOOL,
}  # fmt: skip


MOST_NAMES = 4096
"""Operators whose schemas are kept; torch has some 2,000."""
_known: BoundedCache[str, tuple[Any, tuple[Schema, ...]]] = BoundedCache(MOST_NAMES)
"""By name: what torch has registered, and the schemas that were made of it."""
_EXTENDED: set[str] = set()
"""Operators of torch that have, or had, overloads of Python code."""


class _Lasting(BoundedCache[str, bool]):
    """The names of operators, and whether they are torch's own; each is worked out once."""

    def __missing__(self, name: str) -> bool:
        return self.put(name, name.startswith(("aten::", "prim::")) and name not in _EXTENDED)


_LASTING = _Lasting(MOST_NAMES)
is_lasting: Callable[[str], bool] = _LASTING.__getitem__
"""Whether an operator is torch's own, which nobody registers anew while a program runs. It is asked
several times for each node, and is no function of Python for that."""


def schemas_for(name: str) -> tuple[Schema, ...]:
    """Return the overloads registered for a name such as `aten::add`; none if it is unknown."""
    known = _known.get(name)
    if known is not None and is_lasting(name):
        return known[1]
    try:
        registered = internals.schemas_of_operator(name)
    except TypeError:  # half of a character in it: no name of C++
        return ()
    if known is not None and known[0] == registered:
        return known[1]
    schemas = tuple(RegisteredSchema(schema) for schema in registered)
    if schemas:
        _known.put(name, (registered, schemas))
    return schemas


def kept_by_operator(function: Callable[P, R]) -> Callable[P, R]:
    """Cache a function whose first argument is the name of an operator, if that is torch's own."""
    kept: Any = lru_cache(maxsize=MOST_NAMES)(function)

    @wraps(function)
    def asked(*arguments: P.args, **keywords: P.kwargs) -> R:
        name: Any = arguments[0]
        result: R = (kept if is_lasting(name) else function)(*arguments, **keywords)
        return result

    return asked


def look_for_overloads() -> None:
    """Find the operators of torch to which Python code has added overloads."""
    names = list(internals.operators_of_python)
    extended = {each.split(".")[0] for each in names if each.startswith("aten::")}
    if not extended <= _EXTENDED:
        _EXTENDED.update(extended)
        _LASTING.clear()


class RegisteredSchema(Schema):
    """A schema that torch has registered, as it is kept here.

    What tells an operator's overloads apart is read at once, and the rest when somebody asks for
    it: a program calls one of a dozen.
    """

    __slots__ = ("_registered",)
    _registered: Any

    def __init__(self, registered: Any) -> None:
        object.__setattr__(self, "_registered", registered)
        object.__setattr__(self, "name", registered.name)
        object.__setattr__(self, "overload", registered.overload_name)
        object.__setattr__(self, "is_mutable", registered.is_mutable)
        first = next(iter(registered.arguments), None)
        self.set_first(first and first.name, first and _type(first.type))

    def __getattr__(self, name: str) -> Any:
        """Read a field at its first use: a slot that has no value yet. Raises AttributeError."""
        if name not in Schema.__slots__:
            raise AttributeError(name)
        complete = schema_of_torch(self._registered)
        for each in ("arguments", "returns", "is_vararg", "is_varret", "has_alias_annotations"):
            object.__setattr__(self, each, getattr(complete, each))
        return getattr(self, name)


def schema_of_torch(schema: Any) -> Schema:
    """Return a schema that torch registered."""
    text = str(schema)
    return Schema(
        schema.name,
        schema.overload_name,
        tuple(map(_argument, schema.arguments)),
        tuple(map(_argument, schema.returns)),
        is_vararg="...)" in text.split(" -> ")[0],
        is_varret=text.endswith(("-> (...)", "-> ...")),
    )


def _argument(argument: Any) -> Argument:
    return Argument(
        argument.name,
        _type(argument.type),
        _default(argument.default_value) if argument.has_default_value() else MISSING,
        argument.kwarg_only,
        argument.N,
        _alias(argument.alias_info),
        str(argument.real_type),
    )


def _default(value: Any) -> Any:
    """Schemas are hashable, and so are their defaults."""
    return tuple(value) if isinstance(value, list) else value


def _alias(info: Any) -> AliasInfo | None:
    if info is None:
        return None
    return AliasInfo(frozenset(info.before_set), frozenset(info.after_set), info.is_write)


def _type(type: Any) -> t.Type:
    kind = type.kind()
    if kind in _KINDS:
        return _KINDS[kind]
    match kind:
        case "VarType":
            return t.VarType(str(type))
        case "ListType":
            return t.ListType(_type(type.getElementType()))
        case "OptionalType":
            return t.OptionalType(_type(type.getElementType()))
        case "FutureType":
            return t.FutureType(_type(type.getElementType()))
        case "AwaitType":
            return t.AwaitType(_type(type.getElementType()))
        case "RRefType":
            return t.RRefType(_type(type.getElementType()))
        case "DictType":
            return t.DictType(_type(type.getKeyType()), _type(type.getValueType()))
        case "TupleType":
            return t.TupleType(tuple(map(_type, type.elements())))
        case "UnionType":
            return t.UnionType(tuple(map(_type, type.containedTypes())))
        case _:
            return t.bound_class(str(type))
