"""The numbers by which IR writes dtypes, layouts and memory formats: in IR they are ints.

Source: torch/headeronly/core/ScalarType.h, c10/core/Layout.h, c10/core/MemoryFormat.h. The numbers
are part of torch's archive format and never change.
"""

from __future__ import annotations

from typing import Any

import torch

_DTYPES = (
    "uint8 int8 int16 int32 int64 float16 float32 float64 complex32 complex64 "
    "complex128 bool qint8 quint8 qint32 bfloat16 quint4x2 quint2x4 bits1x8 bits2x4 "
    "bits4x2 bits8 bits16 float8_e5m2 float8_e4m3fn float8_e5m2fnuz float8_e4m3fnuz "
    "uint16 uint32 uint64 uint1 uint2 uint3 uint4 uint5 uint6 uint7 "
    "int1 int2 int3 int4 int5 int6 int7 float8_e8m0fnu float4_e2m1fn_x2"
).split()
_LAYOUTS = ("strided sparse_coo sparse_csr _mkldnn sparse_csc sparse_bsr sparse_bsc jagged").split()
_MEMORY_FORMATS = ("contiguous_format preserve_format channels_last channels_last_3d").split()


def _codes(names: list[str]) -> dict[Any, int]:
    return {getattr(torch, name): code for code, name in enumerate(names) if hasattr(torch, name)}


DTYPE_CODES: dict[torch.dtype, int] = _codes(_DTYPES)
LAYOUT_CODES: dict[torch.layout, int] = _codes(_LAYOUTS)
MEMORY_FORMAT_CODES: dict[torch.memory_format, int] = _codes(_MEMORY_FORMATS)
QSCHEME_CODES: dict[torch.qscheme, int] = _codes(
    (
        "per_tensor_affine per_channel_affine per_tensor_symmetric "
        "per_channel_symmetric per_channel_affine_float_qparams"
    ).split()
)

DTYPES: dict[int, torch.dtype] = {code: dtype for dtype, code in DTYPE_CODES.items()}
LAYOUTS: dict[int, torch.layout] = {code: layout for layout, code in LAYOUT_CODES.items()}
MEMORY_FORMATS: dict[int, torch.memory_format] = {
    code: memory_format for memory_format, code in MEMORY_FORMAT_CODES.items()
}


def enum_code(value: Any) -> int | None:
    """Return the number of a dtype, layout, memory format or quantisation scheme, else None."""
    if isinstance(value, torch.dtype):
        return DTYPE_CODES.get(value)
    if isinstance(value, torch.layout):
        return LAYOUT_CODES.get(value)
    if isinstance(value, torch.memory_format):
        return MEMORY_FORMAT_CODES.get(value)
    if isinstance(value, torch.qscheme):
        return QSCHEME_CODES.get(value)
    return None
