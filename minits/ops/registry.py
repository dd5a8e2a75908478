"""torch's registered operators, converted name by name as they are asked for.

torch registers some 4,400 schemas; a program uses a few dozen. The order of overloads is torch's
order of registration, which decides between overloads that match equally well.

Source: torch/csrc/jit/runtime/operator.cpp (`getAllOperatorsFor`).
"""

from __future__ import annotations

from functools import cache
from typing import Any

import torch

from minits.ops.schema import MISSING, AliasInfo, Argument, Schema
from minits.types import types as t

_KINDS: dict[str, t.Type] = {
    "TensorType": t.TENSOR, "IntType": t.INT, "FloatType": t.FLOAT, "BoolType": t.BOOL,
    "ComplexType": t.COMPLEX, "StringType": t.STR, "NoneType": t.NONE, "AnyType": t.ANY,
    "NumberType": t.NUMBER, "DeviceObjType": t.DEVICE, "GeneratorType": t.GENERATOR,
    "StreamObjType": t.STREAM, "StorageType": t.STORAGE, "CapsuleType": t.CAPSULE,
    "AnyListType": t.ANY_LIST, "AnyTupleType": t.ANY_TUPLE, "AnyEnumType": t.ANY_ENUM,
    "AnyClassType": t.ANY_CLASS, "QSchemeType": t.QSCHEME, "QuantizerType": t.QUANTIZER,
    "SymIntType": t.INT, "SymBoolType": t.BOOL,
}  # fmt: skip


@cache
def schemas_for(name: str) -> tuple[Schema, ...]:
    """Return the overloads registered for a name such as `aten::add`; none if it is unknown."""
    registered = torch._C._jit_get_schemas_for_operator(name)
    return tuple(schema_of_torch(schema) for schema in registered)


def find_schema(name: str, overload: str = "") -> Schema:
    """Return one overload. Raises `KeyError`."""
    for schema in schemas_for(name):
        if schema.overload == overload:
            return schema
    raise KeyError(f"{name}.{overload}" if overload else name)


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
