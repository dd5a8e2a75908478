"""Scalars as C expressions; the types and identities of reductions."""

from __future__ import annotations

import math

import numpy as np
import torch

from minits.kernels.ir.kernel import Scalar
from minits.kernels.ir.printing import HALVES, Names, source_line
from minits.kernels.scalar_ops import SCALAR_OPS
from minits.kernels.scalar_ops.row import C_TYPES, SHORT_NAMES, computed_in, kind_of
from minits.kernels.schedule.usual import exponent_parameter, rare_dtype

_CHOOSING = frozenset(
    "abs ceil clamp clamp_max clamp_min copysign detach floor fmax fmin hardtanh maximum minimum "
    "neg relu relu6 round sgn sign sloped threshold trunc where".split()
)
"""Operations that give one of their operands, perhaps negated, or a whole number near it."""


COMBINE = {"sum": "+", "prod": "*", "any": "|", "all": "&"}
"""Operators that add an element to a reduction."""
_NOTHING = {"sum": "0", "prod": "1", "any": "0", "all": "1", "argmax": "0", "argmin": "0"}


def expression(value: Scalar, names: Names, takes_all: bool = False) -> str:
    """Return the C expression of a value that is neither loaded nor reduced, rounded to its dtype.

    If not `takes_all`, that is right for usual operands: see `schedule.usual`.
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
    if gate := _gate(value, names):
        return gate
    if special := _in_softmax(value) or _power_by_number(value):
        return rounded(f"{special}_{SHORT_NAMES[dtype]}({', '.join(operands)})", value.dtype)
    text = row.c[kind_of(dtype)]
    if takes_all and rare_dtype(value) is not None:
        text = text.replace("mts_", "mts_any_", 1)
    text = text.format(*operands, T=SHORT_NAMES[dtype], t=C_TYPES[dtype])
    return text if _is_rounded(value) else rounded(text, value.dtype)


def _is_rounded(value: Scalar) -> bool:
    """Return whether there is nothing to round: a half is made of halves, by choosing."""
    return value.op in _CHOOSING and all(
        operand.dtype in (value.dtype, torch.bool) for operand in value.operands
    )


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


def _gate(value: Scalar, names: Names) -> str | None:
    """Return the text for a product of a sigmoid and a tanh that are needed for nothing else."""
    if value.op != "mul" or value.dtype != torch.float32:
        return None
    by_op = {operand.op: operand for operand in value.operands if names.is_used_once(operand)}
    if by_op.keys() != {"sigmoid", "tanh"}:
        return None
    given = [names[by_op[op].operands[0]] for op in ("sigmoid", "tanh")]
    return f"mts_sigmoid_tanh_f32({', '.join(given)})"


def _in_softmax(value: Scalar) -> str | None:
    """Return the function for the powers of a softmax, or for one of them by the sum of all."""
    if _is_power(value):
        return "mts_exp_of_negative"
    if value.op == "div" and _is_power(value.operands[0]):
        power, total = value.operands
        if total.op == "sum" and total.operands[0] is power:
            return "mts_share"
    return None


def _power_by_number(value: Scalar) -> str | None:
    """Return the function for a power whose exponent is a parameter; eager has none for float16."""
    if value.op != "pow" or value.dtype not in (torch.float32, torch.float64, torch.bfloat16):
        return None
    return None if exponent_parameter(value) is None else "mts_pow_by_number"


def _is_power(value: Scalar) -> bool:
    """Return whether it is exp(x - max(x)): not above 1, and 1 somewhere, or NaN."""
    if value.op != "exp" or value.operands[0].op != "sub":
        return False
    x, greatest = value.operands[0].operands
    while greatest.op == "detach":
        greatest = greatest.operands[0]
    return greatest.op == "max" and greatest.operands[0] is x


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


def load(dtype: torch.dtype, element: str) -> str:
    """Return an element as a value."""
    if dtype in HALVES:
        return f"mts_load_{SHORT_NAMES[dtype]}({element})"
    return f"{element} != 0" if dtype == torch.bool else element


def stored(dtype: torch.dtype, text: str) -> str:
    """Return a value as an element."""
    return f"mts_store_{SHORT_NAMES[dtype]}({text})" if dtype in HALVES else text


def comment(value: Scalar) -> str:
    """Return a comment with the source line of a value: `// model.py:12`."""
    line = source_line(value)
    return "" if line is None else f"  // {line}"


def reduced_nothing(value: Scalar) -> str:
    """Return the identity of a reduction, in C: its result over no elements."""
    return _NOTHING[value.op] if value.op in _NOTHING else extreme(value)


def extreme(value: Scalar) -> str:
    """Return the identity of a maximum or minimum: an infinity, or a limit of the dtype."""
    dtype, is_greatest = value.operands[0].dtype, value.op.endswith("max")
    if kind_of(dtype) == "f":
        return literal(float("-inf") if is_greatest else float("inf"), dtype)
    if dtype == torch.bool:
        return "false" if is_greatest else "true"
    limits = torch.iinfo(dtype)
    return literal(limits.min if is_greatest else limits.max, dtype)


def sum_type(value: Scalar) -> str:
    """Return the type of a sum's or a product's accumulator."""
    return "double" if kind_of(value.dtype) == "f" else "long long"
