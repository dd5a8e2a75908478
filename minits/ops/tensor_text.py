"""The text of a tensor as torch's C++ prints it: what `print` and `str` show in TorchScript.

Source: aten/src/ATen/core/Formatting.cpp; aten/src/ATen/core/type.cpp (`operator<<`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import product
from typing import NamedTuple

import torch

_LINE_SIZE = 80
_TYPE_NAMES = {
    "float32": "Float", "float64": "Double", "float16": "Half", "bfloat16": "BFloat16",
    "int64": "Long", "int32": "Int", "int16": "Short", "int8": "Char", "uint8": "Byte",
    "bool": "Bool", "complex64": "ComplexFloat", "complex128": "ComplexDouble",
    "complex32": "ComplexHalf", "qint8": "QInt8", "quint8": "QUInt8", "qint32": "QInt32",
    "uint16": "UInt16", "uint32": "UInt32", "uint64": "UInt64",
}  # fmt: skip


def format_tensor(tensor: torch.Tensor) -> str:
    """Return the elements, one row a line, then `[ CPUFloatType{2,3} ]`.

    A sparse COO tensor is the text of its indices and of its values; a quantized one ends with its
    scale and zero point.
    """
    tensor = tensor.detach()
    if tensor.layout == torch.sparse_coo:
        return _sparse(tensor)
    stored = tensor.dequantize() if tensor.is_quantized else tensor
    values = stored.to("cpu", torch.float64)
    if values.dim() == 0:
        body = f"{_shortest(values.item())}\n"
    elif values.numel() == 0:
        body = ""
    elif values.dim() == 1:
        body = _vector(values)
    elif values.dim() == 2:
        body = _matrix(values, 0)
    else:
        body = "\n".join(_slices(values))
    sizes = ",".join(map(str, tensor.shape))
    quantizer = _quantizer(tensor) if tensor.is_quantized else ""
    return f"{body}[ {_type_name(tensor)}{{{sizes}}}{quantizer} ]"


def _sparse(tensor: torch.Tensor) -> str:
    return (
        f"[ {_type_name(tensor)}{{}}\nindices:\n{format_tensor(tensor._indices())}\n"
        f"values:\n{format_tensor(tensor._values())}\nsize:\n{list(tensor.shape)}\n]"
    )


def _quantizer(tensor: torch.Tensor) -> str:
    scheme = tensor.qscheme()
    text = f", qscheme: {str(scheme).removeprefix('torch.')}"
    if scheme == torch.per_tensor_affine:
        scale = _shortest(tensor.q_scale())
        return f"{text}, scale: {scale}, zero_point: {tensor.q_zero_point()}"
    scales = format_tensor(tensor.q_per_channel_scales())
    zero_points = format_tensor(tensor.q_per_channel_zero_points())
    axis = tensor.q_per_channel_axis()
    return f"{text}, scales: {scales}, zero_points: {zero_points}, axis: {axis}"


def type_of_tensor(tensor: torch.Tensor) -> str:
    """Return all that the type of a constant tells: `Float(2, 3, strides=[3, 1], ...)`."""
    flags = [f"requires_grad={int(tensor.requires_grad)}", f"device={tensor.device}"]
    if tensor.layout != torch.strided or tensor.is_nested:
        return f"{name_of_dtype(tensor)}Tensor({', '.join(flags)})"
    parts = list(map(str, tensor.shape))
    if parts:
        parts.append(f"strides=[{', '.join(map(str, tensor.stride()))}]")
    return f"{name_of_dtype(tensor)}({', '.join(parts + flags)})"


def _type_name(tensor: torch.Tensor) -> str:
    layout = "Sparse" if tensor.layout == torch.sparse_coo else ""
    layout = "Quantized" if tensor.is_quantized else layout
    return f"{layout}{tensor.device.type.upper()}{name_of_dtype(tensor)}Type"


def name_of_dtype(tensor: torch.Tensor) -> str:
    """Return torch's C++ name of a tensor's dtype: `Double` for float64."""
    dtype = str(tensor.dtype).removeprefix("torch.")
    return _TYPE_NAMES.get(dtype, dtype[:1].upper() + dtype[1:])


class _Format(NamedTuple):
    """The number format of one tensor: each number is divided by `scale`, and `width` wide."""

    scale: float
    width: int
    write: Callable[[float], str]

    def text(self, number: float) -> str:
        return self.write(number / self.scale).rjust(self.width)


def _shortest(number: float) -> str:
    return repr(number).removesuffix(".0")


def _general(number: float) -> str:
    return f"{number:g}"


def _general_4(number: float) -> str:
    return f"{number:.4f}"


def _scientific(number: float) -> str:
    return f"{number:.4e}"


def _format_of(values: torch.Tensor) -> _Format:
    """Choose a format by the magnitudes of the finite elements."""
    numbers = values.flatten().tolist()
    finite = [number for number in numbers if math.isfinite(number)]
    low, high = _exponents(finite)
    if all(number == math.ceil(number) for number in finite):
        if high > 9:
            return _Format(1.0, 11, _scientific)
        return _Format(1.0, int(high) + 1, _general)
    if high - low > 4:
        wide = abs(high) > 99 or abs(low) > 99
        return _Format(1.0, 12 if wide else 11, _scientific)
    if high > 5 or high < 0:
        return _Format(math.pow(10, high - 1), 7, _general_4)
    return _Format(1.0, 7 if high == 0 else int(high) + 6, _general_4)


def _exponents(finite: list[float]) -> tuple[float, float]:
    """Return the numbers of digits before the point of the least and the greatest magnitude."""
    if not finite:
        return 1.0, 1.0
    magnitudes = [abs(number) for number in finite]
    return _digits(min(magnitudes)), _digits(max(magnitudes))


def _digits(number: float) -> float:
    return math.floor(math.log10(number)) + 1 if number else 1.0


def _scale_line(scale: float) -> str:
    return f"{_shortest(scale)} *\n" if scale != 1 else ""


def _vector(values: torch.Tensor) -> str:
    write = _format_of(values)
    return _scale_line(write.scale) + "".join(f"{write.text(x)}\n" for x in values.tolist())


def _matrix(values: torch.Tensor, indent: int) -> str:
    write, margin = _format_of(values), " " * indent
    rows, columns = values.tolist(), values.shape[1]
    per_line = (_LINE_SIZE - indent) // (write.width + 1)
    text = ""
    for first in range(0, columns, per_line):
        last = min(first + per_line, columns)
        if per_line < columns:
            text += "\n" if first else ""
            text += f"Columns {first + 1} to {last}{margin}"
        if write.scale != 1:
            text += _scale_line(write.scale) + margin
        between = margin + (" " if write.scale != 1 else "")
        lines = [" ".join(map(write.text, row[first:last])) + "\n" for row in rows]
        text += between.join(lines)
    return text


def _slices(values: torch.Tensor) -> Iterator[str]:
    """The matrices of a tensor of three or more dimensions; the first index runs fastest."""
    for reverse in product(*(range(size) for size in reversed(values.shape[:-2]))):
        index = tuple(reversed(reverse))
        position = "".join(f"{i + 1}," for i in index)
        yield f"({position}.,.) = \n{_matrix(values[index], 1)}"
