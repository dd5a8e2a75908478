"""Selection of functions that compute several operations at once, or one of them faster.

    sigmoid(a) * tanh(b), used nowhere else     sigmoid_tanh(a, b)
    e = exp(x - max(x))                         exp_of_negative(x - max(x))
    e / sum(e)                                  share(e, sum(e))
    pow(x, p), p a parameter                    pow_by_number(x, p)

The first has one division, the next two are exact to the smallest results of a softmax, and the
last is compiled for exponents that are known (`usual`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from minits.kernels.ir.kernel import Kernel, Scalar
from minits.kernels.schedule.usual import exponent_parameter
from minits.records import dataclass

FUNCTIONS: dict[str, Callable[..., Any]] = {
    "sigmoid_tanh": lambda a, b: np.tanh(b) / (1 + np.exp(-a)),
    "exp_of_negative": np.exp,
    "share": np.divide,
    "pow_by_number": np.power,
}
"""The meaning of the functions, in numpy."""


@dataclass(frozen=True, slots=True)
class Call:
    """A function that computes a value of these operands."""

    function: str
    operands: tuple[Scalar, ...]


def selected_calls(kernel: Kernel) -> dict[Scalar, Call]:
    """Return the calls for those values of a kernel that such a function computes."""
    uses = Counter([operand for value in kernel.values for operand in value.operands])
    found = {value: _call(value, uses) for value in kernel.values}
    return {value: call for value, call in found.items() if call is not None}


def _call(value: Scalar, uses: Counter[Scalar]) -> Call | None:
    match value.op:
        case "mul":
            return _gate(value, uses)
        case "exp" if _is_power(value):
            return Call("exp_of_negative", value.operands)
        case "div" if _is_power(value.operands[0]):
            power, total = value.operands
            is_sum = total.op == "sum" and total.operands[0] is power
            return Call("share", value.operands) if is_sum else None
        case "pow" if value.dtype in (torch.float32, torch.float64, torch.bfloat16):
            # eager has no such function for float16
            is_parameter = exponent_parameter(value) is not None
            return Call("pow_by_number", value.operands) if is_parameter else None
    return None


def _gate(value: Scalar, uses: Counter[Scalar]) -> Call | None:
    """Return the call for a product of a sigmoid and a tanh that are needed for nothing else."""
    by_op = {operand.op: operand for operand in value.operands if uses[operand] == 1}
    if value.dtype != torch.float32 or by_op.keys() != {"sigmoid", "tanh"}:
        return None
    return Call("sigmoid_tanh", (*by_op["sigmoid"].operands, *by_op["tanh"].operands))


def _is_power(value: Scalar) -> bool:
    """Return whether it is exp(x - max(x)): not above 1, and 1 somewhere, or NaN."""
    if value.op != "exp" or value.operands[0].op != "sub":
        return False
    x, greatest = value.operands[0].operands
    while greatest.op == "detach":
        greatest = greatest.operands[0]
    return greatest.op == "max" and greatest.operands[0] is x
