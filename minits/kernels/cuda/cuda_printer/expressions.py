"""Scalars as CUDA expressions: constants, operations, casts, and elements of tensors.

    row_in0 + i1                    where a chunk begins in an input
    x0.at[k]                        an element of the chunk that was read there
    (float)v2, v3 * -0.5f           what is computed of elements

A value is rounded to its dtype where it is computed in another one.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import copysign, isinf, isnan

import numpy as np
import torch

from minits.kernels.ir.kernel import Kernel, Scalar
from minits.kernels.ir.layout import Layout, Stride
from minits.kernels.ir.printing import HALVES, STORED, Names, is_rounded, source_line
from minits.kernels.scalar_ops import SCALAR_OPS
from minits.kernels.scalar_ops.row import C_TYPES, SHORT_NAMES, computed_in, kind_of
from minits.kernels.schedule.selection import Call


def expression(
    value: Scalar, names: Names, call: Call | None = None, is_stored: bool = False
) -> str:
    """Return the expression of a value that is neither loaded nor reduced.

    It is rounded to its dtype, unless it `is_stored` next, and a `call` of a function if one was
    selected.
    """
    text, is_exact = _computed(value, [names[operand] for operand in value.operands], call)
    return text if is_exact or is_stored else rounded(text, value.dtype)


def stored_alone(kernel: Kernel) -> set[Scalar]:
    """Return the values that are stored and used for nothing else: stores round them."""
    used = {operand for value in kernel.values for operand in value.operands}
    return {output.value for output in kernel.outputs} - used


def _computed(value: Scalar, operands: list[str], call: Call | None) -> tuple[str, bool]:
    """Return the text of a value, and whether it is rounded to its dtype."""
    if call is not None:
        return f"{call.function}({', '.join(operands)})", False
    if value.op == "parameter":
        is_bool = value.dtype == torch.bool
        return f"p{value.payload} != 0" if is_bool else f"p{value.payload}", True
    if value.op == "length":
        input, dim = value.payload
        return f"g.in{input}_length{dim}", True
    if value.op == "count":
        return f"({C_TYPES[value.dtype]})count", False
    if value.op == "cast":
        given = value.operands[0].dtype
        return _convert(operands[0], given, value.dtype), given == value.dtype
    row = SCALAR_OPS[value.op]
    dtype = computed_in(value.operands[row.like].dtype if value.operands else value.dtype)
    text = row.cuda[kind_of(dtype)].format(*operands, T=SHORT_NAMES[dtype], t=C_TYPES[dtype])
    return _bare(text), is_rounded(value)


def _convert(text: str, given: torch.dtype, wanted: torch.dtype) -> str:
    if wanted == torch.bool and given != torch.bool:
        return f"{text} != 0"
    if wanted == torch.uint8 and given.is_floating_point:
        return f"(unsigned char)(long long){text}"  # negative numbers wrap around, as in eager
    return text if C_TYPES[given] == C_TYPES[wanted] else f"({C_TYPES[wanted]}){text}"


def _bare(text: str) -> str:
    """Leave out brackets around the whole text."""
    depth = 0
    for index, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            is_bracketed = text.startswith("(") and index == len(text) - 1
            return text[1:-1] if is_bracketed else text
    return text


def rounded(text: str, dtype: torch.dtype) -> str:
    """Round a float expression to one of the halves."""
    return f"round_{SHORT_NAMES[dtype]}({text})" if dtype in HALVES else text


def loaded(element: str, dtype: torch.dtype) -> str:
    """Return the value of an element in memory."""
    if dtype == torch.bool:
        return f"{element} != 0"
    return f"from_{SHORT_NAMES[dtype]}({element})" if dtype in HALVES else element


def stored(value: str, dtype: torch.dtype) -> str:
    """Return the element in memory of a value."""
    return f"to_{SHORT_NAMES[dtype]}({value})" if dtype in HALVES else value


def literal(number: bool | int | float, dtype: torch.dtype) -> str:
    """Return a constant of a dtype, rounded to it."""
    wide = torch.float64 if isinstance(number, float) else None
    exact = torch.tensor(number, dtype=wide).to(dtype).item()
    if dtype == torch.bool:
        return "true" if exact else "false"
    if dtype.is_floating_point:
        return _float_literal(float(exact), computed_in(dtype))
    if exact == -(1 << 63):
        return "(-9223372036854775807LL - 1)"
    text = f"{exact}LL" if dtype == torch.int64 else f"{exact}"
    text = f"({C_TYPES[dtype]}){text}" if dtype.itemsize < 4 else text
    return f"({text})" if exact < 0 or dtype.itemsize < 4 else text


def _float_literal(number: float, dtype: torch.dtype) -> str:
    is_double = dtype == torch.float64
    if isnan(number) or isinf(number):
        bits = 0x7FF8 if isnan(number) else 0x7FF0 if copysign(1, number) > 0 else 0xFFF0
        if is_double:
            return f"__longlong_as_double(0x{bits:x}000000000000LL)"
        bits = {0x7FF8: 0x7FC0, 0x7FF0: 0x7F80, 0xFFF0: 0xFF80}[bits]
        return f"__int_as_float(0x{bits:x}0000)"
    text = repr(number) if is_double else str(np.float32(number)) + "f"
    return f"({text})" if copysign(1, number) < 0 else text


def commented(line: str, value: Scalar) -> str:
    """Put the value's source line behind a line of text."""
    source = source_line(value)
    return line if source is None else f"{line:<56}  // {source}"


# ---- Elements of tensors -------------------------------------------------------------------------


def offset(name: str, strides: Sequence[Stride], dims: range) -> str:
    """Return ` + i0 * g.in0_0 + i1`: a tensor's offset along some dimensions."""
    steps = {Stride.ZERO: "", Stride.UNIT: " + i{0}", Stride.ANY: " + i{0} * g.{1}_{0}"}
    return "".join([steps[strides[dim]].format(dim, name) for dim in dims])


def element(layout: Layout, index: int) -> str:
    """Return an input's element within the chunk that has been read."""
    is_still = layout.inputs[index][-1] is Stride.ZERO
    return f"x{index}" if is_still else f"x{index}.at[k]"


def looked_up(value: Scalar, address: str, names: Names, where: str = "") -> str:
    """Return the text for an element of a table; `address` is that without looking up.

    It is read `where` a bool is true, if there is one; else it is zero.
    """
    number = value.payload
    indices, guard = value.indices
    terms = [
        f" + (Index)({names[index]}) * g.in{number}_step{dim}" for dim, index in enumerate(indices)
    ]
    element = f"*({address}{''.join(terms)})"
    guards = [where] * bool(where) + ([names[guard]] if guard is not None else [])
    if not guards:
        return element
    return f"({' && '.join(guards)} ? {element} : ({STORED[value.dtype]})0)"


def position(value: Scalar, layout: Layout) -> str:
    """Return the text for the index along a dimension of the domain."""
    dim = dict(layout.positions)[value.payload]
    if dim is None:
        return "0"
    return f"(long long)(i{dim} + k)" if dim == layout.rank - 1 else f"(long long)i{dim}"


def flat_index(layout: Layout) -> str:
    """Return the index of element `k` along the reduced dimensions, flattened."""
    text = f"i{layout.outer}"
    for dim in range(layout.outer + 1, layout.rank):
        text = f"({text}) * g.size{dim} + i{dim}"
    return f"(long long)({text} + k)"


# ---- Reductions and scans ------------------------------------------------------------------------


def scanned_as(value: Scalar) -> str:
    """Return the type in which a scan is accumulated."""
    is_chosen = value.op in ("cummax", "cummin")
    is_wide = value.dtype == torch.float32 and not is_chosen
    return "double" if is_wide else C_TYPES[value.dtype]


def accumulator(value: Scalar) -> str:
    """Return the type in which a thread gathers its part of a reduction."""
    kind = C_TYPES[value.operands[0].dtype]
    return f"Indexed<{kind}>" if value.op.startswith("arg") else kind


def reduced_nothing(value: Scalar) -> str:
    """Return the identity of a reduction, in CUDA: its result over no columns."""
    dtype = computed_in(value.operands[0].dtype)
    if value.op in ("any", "all"):
        return "true" if value.op == "all" else "false"
    if value.op in ("sum", "prod"):
        return literal(value.op == "prod", dtype)
    is_low = value.op in ("max", "argmax")
    if dtype.is_floating_point:
        bound: bool | int | float = float("-inf" if is_low else "inf")
    elif dtype == torch.bool:
        bound = not is_low
    else:
        bound = torch.iinfo(dtype).min if is_low else torch.iinfo(dtype).max
    text = literal(bound, dtype)
    return f"{{{text}, 0x7fffffffffffffffLL}}" if value.op.startswith("arg") else text
