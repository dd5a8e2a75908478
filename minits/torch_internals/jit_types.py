"""torch's own objects for types, as schemas of torch.jit hold them; all since 1.13."""

from __future__ import annotations

from typing import Any

import torch

JIT_CLASS_TYPE: Any = torch._C.ClassType
JIT_ENUM_TYPE: Any = torch._C.EnumType
JIT_INTERFACE_TYPE: Any = torch._C.InterfaceType
JIT_LIST_TYPE: Any = torch._C.ListType
JIT_DICT_TYPE: Any = torch._C.DictType
JIT_OPTIONAL_TYPE: Any = torch._C.OptionalType
JIT_TUPLE_TYPE: Any = torch._C.TupleType
JIT_UNION_TYPE: Any = torch._C.UnionType
JIT_FUTURE_TYPE: Any = torch._C.FutureType
JIT_SIMPLE_TYPES: dict[str, Any] = {
    "Tensor": torch._C.TensorType.get(),
    "int": torch._C.IntType.get(),
    "float": torch._C.FloatType.get(),
    "bool": torch._C.BoolType.get(),
    "str": torch._C.StringType.get(),
    "complex": torch._C.ComplexType.get(),
    "NoneType": torch._C.NoneType.get(),
    "Any": torch._C.AnyType.get(),
    "Device": torch._C.DeviceObjType.get(),
    "number": torch._C.NumberType.get(),
}
"""Types without parts, by their names in annotations."""
