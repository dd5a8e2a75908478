"""Scalars as C expressions: constants, operations, casts, elements; steps of reductions and scans.

    (float)v2, v3 * (-0.5f), mts_exp_f32(v3)             what is computed
    row_in0[i * g[5]], kept_v3[i], of_row_v4[r]          an element of a tensor or of a buffer
    sum_v4 += v3;                                        a step of a reduction

A value is rounded to its dtype where it is computed in another one.
"""

from __future__ import annotations

import math

import numpy as np
import torch

from minits.kernels.cpu.arguments import Arguments
from minits.kernels.ir.kernel import Scalar
from minits.kernels.ir.layout import Stride
from minits.kernels.ir.printing import HALVES, Names, is_rounded, source_line
from minits.kernels.scalar_ops import SCALAR_OPS
from minits.kernels.scalar_ops.row import C_TYPES, SHORT_NAMES, computed_in, kind_of
from minits.kernels.schedule.cpu import is_float_sum
from minits.kernels.schedule.loops import Buffer, Over, Schedule
from minits.kernels.schedule.selection import Call
from minits.kernels.schedule.usual import rare_dtype

COMBINE = {"sum": "+", "prod": "*", "any": "|", "all": "&"}
"""Operators that add an element to a reduction."""
_NOTHING = {"sum": "0", "prod": "1", "any": "0", "all": "1"}


def expression(
    value: Scalar, names: Names, takes_all: bool = False, call: Call | None = None
) -> str:
    """Return the C expression of a value that is neither loaded nor reduced, rounded to its dtype.

    If not `takes_all`, that is right for usual operands: see `schedule.usual`. It is a `call` of a
    function if one was selected.
    """
    operands = [names[operand] for operand in value.operands]
    match value.op:
        case "parameter":
            return f"p{value.payload}"
        case "count":
            return rounded(f"({C_TYPES[value.dtype]})count", value.dtype)
        case "cast" if _is_truncation(value):
            # gcc makes (float)(int)x a truncation of x, whose zero may be negative
            wide = "f64" if value.dtype == torch.float64 else "f32"
            return rounded(f"mts_whole_{wide}({operands[0]})", value.dtype)
        case "cast":
            text = _convert(operands[0], value.operands[0].dtype, value.dtype)
            return rounded(text, value.dtype)
    row = SCALAR_OPS[value.op]
    dtype = computed_in(value.operands[row.like].dtype)
    if call is not None:
        given = ", ".join([names[operand] for operand in call.operands])
        return rounded(f"mts_{call.function}_{SHORT_NAMES[dtype]}({given})", value.dtype)
    text = row.c[kind_of(dtype)]
    if takes_all and rare_dtype(value) is not None:
        text = text.replace("mts_", "mts_any_", 1)
    text = text.format(*operands, T=SHORT_NAMES[dtype], t=C_TYPES[dtype])
    return text if is_rounded(value) else rounded(text, value.dtype)


def rare_test(value: Scalar, dtype: torch.dtype, names: Names) -> str:
    """Return the text that tells whether the operands of a value, computed in `dtype`, are rare."""
    operands = ", ".join([names[operand] for operand in value.operands])
    return f"mts_rare_{value.op}_{SHORT_NAMES[dtype]}({operands})"


def _convert(text: str, given: torch.dtype, wanted: torch.dtype) -> str:
    if wanted == torch.bool and given != torch.bool:
        return f"{text} != 0"
    if given.is_floating_point and wanted in (torch.uint8, torch.int8, torch.int16):
        return f"({C_TYPES[wanted]})(int){text}"  # negative numbers wrap around, as in eager
    return text if C_TYPES[given] == C_TYPES[wanted] else f"({C_TYPES[wanted]}){text}"


def _is_truncation(value: Scalar) -> bool:
    """Return whether a cast makes a float of an integer that was made of a float."""
    (operand,) = value.operands
    return (
        value.dtype.is_floating_point
        and kind_of(operand.dtype) == "i"
        and operand.op == "cast"
        and operand.operands[0].dtype.is_floating_point
    )


def rounded(text: str, dtype: torch.dtype) -> str:
    """Round a float expression to one of the halves."""
    return f"mts_round_{SHORT_NAMES[dtype]}({text})" if dtype in HALVES else text


def literal(payload: bool | int | float, dtype: torch.dtype) -> str:
    """Return a Python number as a C constant of the type that `dtype` is computed in."""
    if dtype == torch.bool:
        return "true" if payload else "false"
    if not dtype.is_floating_point:
        wrapped = int(torch.tensor(int(payload)).to(dtype))
        if wrapped == -(2**63):
            return "(-9223372036854775807LL - 1)"
        text = f"{wrapped}LL" if dtype == torch.int64 else str(wrapped)
        return f"({text})" if wrapped < 0 else text
    number = _rounded_number(float(payload), dtype)
    suffix = "" if dtype == torch.float64 else "f"
    if math.isnan(number):
        return f'__builtin_nan{suffix}("")'
    sign = "-" if math.copysign(1, number) < 0 else ""
    text = f"__builtin_inf{suffix}()" if math.isinf(number) else f"{abs(number)!r}{suffix}"
    return f"({sign}{text})" if sign else text


def _rounded_number(number: float, dtype: torch.dtype) -> float:
    """The shortest decimal number that reads as the value in `dtype`."""
    value = torch.tensor(number, dtype=torch.float64).to(dtype)
    if dtype == torch.float64:
        return number
    return float(str(np.float32(value.item())))


def comment(value: Scalar) -> str:
    """Return a comment with the source line of a value: `// model.py:12`."""
    line = source_line(value)
    return "" if line is None else f"  // {line}"


# ---- Elements ------------------------------------------------------------------------------------


def _load(dtype: torch.dtype, element: str) -> str:
    """Return an element as a value."""
    if dtype in HALVES:
        return f"mts_load_{SHORT_NAMES[dtype]}({element})"
    return f"{element} != 0" if dtype == torch.bool else element


def stored(dtype: torch.dtype, text: str) -> str:
    """Return a value as an element."""
    return f"mts_store_{SHORT_NAMES[dtype]}({text})" if dtype in HALVES else text


class Elements:
    """The elements of tensors and buffers, and their indices, at the indices of the loops.

    `in_columns` tells whether there is a column. Buffers of rows that are `side_by_side` have the
    same element of each row next to each other.
    """

    def __init__(self, schedule: Schedule, arguments: Arguments, names: Names) -> None:
        self.layout = schedule.layout
        self.arguments = arguments
        self.names = names
        self.rows = schedule.loop.step
        self.side_by_side = schedule.loop.over is Over.NEIGHBOURS
        self.in_columns = False

    def text(self, value: Scalar) -> str | None:
        """Return the text of a value that is an element, an index or a size; None for others."""
        match value.op:
            case "load" | "look_up":
                return self._loaded(value)
            case "position":
                dim = dict(self.layout.positions)[value.payload]
                return "0" if dim is None else self._position(dim)
            case "index":
                return self.index
            case "length":
                return self.arguments.table_number(*value.payload)
        return None

    def output(self, number: int) -> str:
        """Return the element of an output."""
        offset = self._offset(len(self.arguments.inputs) + number)
        return f"{self._pointer}_out{number}[{offset}]"

    def _loaded(self, value: Scalar) -> str:
        number = value.payload
        terms = [self._offset(number)]
        indices, guard = value.indices
        for dim, index in enumerate(indices):
            is_unit = self.layout.tables[number][dim] is Stride.UNIT
            terms.append(f"{self.names[index]}{'' if is_unit else f' * step{number}_{dim}'}")
        text = _load(value.dtype, f"{self._pointer}_in{number}[{' + '.join(terms)}]")
        return text if guard is None else f"{self.names[guard]} ? {text} : 0"

    def waiting(self, value: Scalar, buffer: Buffer) -> str:
        """Return the element of a buffer in which a value waits."""
        name = self.names[value]
        if buffer is Buffer.BLOCK:
            return f"block_{name}[i - block]"
        if self.side_by_side:
            kept = f"kept_{name}[({self.index}) * {self.rows} + r]"
            return f"row_{name}[r]" if buffer is Buffer.ROW else kept
        return f"of_row_{name}[r]" if buffer is Buffer.ROW else f"kept_{name}[{self.index}]"

    def block(self, value: Scalar, buffer: Buffer | None) -> str:
        """Return the address of the elements of a block that are summed."""
        is_flat, operand = self.layout.inner == 1, value.operands[0]
        match buffer:
            case Buffer.BLOCK:
                return f"block_{self.names[value]}"
            case Buffer.KEPT:
                return f"kept_{self.names[operand]} + {'block' if is_flat else 'base + block'}"
        return f"{'row' if is_flat else 'at'}_in{operand.payload} + block"

    @property
    def index(self) -> str:
        """The index of an element in its row."""
        return "i" if self.layout.inner == 1 else "base + i"

    @property
    def _pointer(self) -> str:
        """The prefix of the names of pointers: to a row, or to some of its elements."""
        return "at" if self.in_columns and self.layout.inner > 1 else "row"

    def _position(self, dim: int) -> str:
        """Return the index along a dimension."""
        if dim == self.layout.rank - 1:
            return "i"
        if self.side_by_side:
            return f"i{dim} + r" if dim == self.layout.row_dims - 1 else f"i{dim}"
        return f"at_{dim}[r]" if dim < self.layout.outer and self.layout.inner else f"i{dim}"

    def _offset(self, tensor: int) -> str:
        """Return the offset of an element of a tensor in its row, or from the first neighbour."""
        strides, terms = self.arguments.tensors[tensor].strides, []
        last, row = self.layout.rank - 1, self.layout.row_dims - 1
        if self.side_by_side and strides[row] is not Stride.ZERO:
            terms.append(f"r * {self.arguments.stride(tensor, row)}")
        if self.in_columns and strides[last] is Stride.UNIT:
            terms.append("i")
        if self.in_columns and strides[last] is Stride.ANY:
            terms.append(f"i * {self.arguments.stride(tensor, last)}")
        return " + ".join(terms) or "0"


# ---- Reductions ----------------------------------------------------------------------------------


def extreme(value: Scalar) -> str:
    """Return the identity of a maximum or minimum: an infinity, or a limit of the dtype."""
    dtype, is_greatest = value.operands[0].dtype, value.op.endswith("max")
    if kind_of(dtype) == "f":
        return literal(float("-inf") if is_greatest else float("inf"), dtype)
    if dtype == torch.bool:
        return "false" if is_greatest else "true"
    limits = torch.iinfo(dtype)
    return literal(limits.min if is_greatest else limits.max, dtype)


def accumulators(value: Scalar, side_by_side: bool) -> list[tuple[str, str, str]]:
    """Return the variables in which a value is reduced: the type, the name's prefix, the start.

    Rows that are `side_by_side` have an element of an array each, and sums of floats are made a
    block at a time. Else a loop makes vectors of one row: NaN are noted beside maxima, what a sum
    of doubles has lost is kept, and indices are looked for once the extreme is known.
    """
    operand = C_TYPES[value.operands[0].dtype]
    is_float = kind_of(value.operands[0].dtype) == "f"
    match value.op:
        case "any" | "all":
            return [("int", "sum", _NOTHING[value.op])]
        case "max" | "min":
            nan = [("int", "nan", "0")] if is_float and not side_by_side else []
            return [(operand, "sum", extreme(value)), *nan]
        case "argmax" | "argmin" if side_by_side:
            return [(operand, "best", extreme(value)), ("long long", "sum", "0")]
        case "argmax" | "argmin":
            return [("long long", "sum", "count")]
    kind, nothing = "double" if kind_of(value.dtype) == "f" else "long long", _NOTHING[value.op]
    if side_by_side and is_float_sum(value):
        return [(C_TYPES[value.dtype], "sum", nothing), (C_TYPES[value.dtype], "block", "0")]
    lost = [("double", "lost", "0")] if _has_lost(value) and not side_by_side else []
    return [(kind, "sum", nothing), *lost]


def clause(value: Scalar, name: str) -> str:
    """Return the OpenMP clause of the accumulators of one row."""
    if value.op in COMBINE:
        return f" reduction({COMBINE[value.op]}:sum_{name})"
    if value.op in ("argmax", "argmin"):
        return f" reduction(min:sum_{name})"
    nan = f" reduction(|:nan_{name})" if kind_of(value.operands[0].dtype) == "f" else ""
    return f" reduction({value.op}:sum_{name}){nan}"


def accumulate_extreme(value: Scalar, names: Names, index: str, note: str) -> list[str]:
    """Return the statements that accumulate an extreme of one row, or the index of one."""
    name, operand = names[value], names[value.operands[0]]
    is_float = kind_of(value.operands[0].dtype) == "f"
    if value.op in ("max", "min"):
        sign = ">" if value.op == "max" else "<"
        text = f"sum_{name} = {operand} {sign} sum_{name} ? {operand} : sum_{name};{note}"
        return [text, *([f"nan_{name} |= {operand} != {operand};"] if is_float else [])]
    found = f"{operand} == {names[value.operands[1]]}"
    found = f"({found} || {operand} != {operand})" if is_float else found
    return [f"sum_{name} = {found} && {index} < sum_{name} ? {index} : sum_{name};{note}"]


def accumulate_extremes(value: Scalar, names: Names, index: str, note: str) -> list[str]:
    """Return the statements that accumulate an extreme of each of several rows."""
    name, operand = names[value], names[value.operands[0]]
    is_index = value.op.startswith("arg")
    best = f"best_{name}" if is_index else f"sum_{name}"
    better = f"{operand} {'>' if value.op.endswith('max') else '<'} {best}[r]"
    if kind_of(value.operands[0].dtype) == "f":
        better = f"({better}) | ({operand} != {operand}) & ({best}[r] == {best}[r])"
    index = f"sum_{name}[r] = better_{name} ? {index} : sum_{name}[r];"
    return [
        f"const int better_{name} = {better};",
        f"{best}[r] = better_{name} ? {operand} : {best}[r];{note}",
        *([index] if is_index else []),
    ]


def add_block(value: Scalar, name: str, elements: str) -> str:
    """Return the statement that adds a block of elements in memory to a sum."""
    text = f"mts_sum_{SHORT_NAMES[computed_in(value.dtype)]}({elements}, stop - block)"
    if _has_lost(value):
        return f"sum_{name} = mts_add_f64(sum_{name}, {text}, &lost_{name});"
    return f"sum_{name} += {text};"


def reduced(value: Scalar, name: str, side_by_side: bool) -> str:
    """Return the result of a reduction."""
    total = f"sum_{name}[r]" if side_by_side else f"sum_{name}"
    if _has_lost(value) and not side_by_side:
        return f"lost_{name} == lost_{name} ? sum_{name} + lost_{name} : sum_{name}"
    if value.op in ("sum", "prod"):
        return rounded(f"({C_TYPES[value.dtype]}){total}", value.dtype)
    is_extreme = value.op in ("max", "min") and kind_of(value.operands[0].dtype) == "f"
    return (
        f'nan_{name} ? __builtin_nanf("") : {total}' if is_extreme and not side_by_side else total
    )


def _has_lost(value: Scalar) -> bool:
    return value.op == "sum" and value.dtype == torch.float64


# ---- Scans ---------------------------------------------------------------------------------------


def scan_type(value: Scalar) -> str:
    """Return the type in which a scan of rows side by side is accumulated."""
    is_wide = value.dtype == torch.float32 or value.op == "logcumsumexp"
    return "double" if is_wide else C_TYPES[value.dtype]


SCAN_STARTS = {"cumsum": "0", "cumprod": "1", "logcumsumexp": "-__builtin_inf()"}
"""The value before the first element; that of other scans is this element."""
SCANNED = {
    "cumsum": "{0} + {1}",
    "cumprod": "{0} * {1}",
    "cummax": "{1} >= {0} || {1} != {1} ? {1} : {0}",
    "cummin": "{1} <= {0} || {1} != {1} ? {1} : {0}",
    "logcumsumexp": "mts_logaddexp_f64({0}, {1})",
}
"""C text of a scan's next value: {0} is the value before, {1} the next element."""
