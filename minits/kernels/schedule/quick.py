"""Functions that a GPU computes in a few instructions, where the result is rounded to a half.

    sigmoid(x)                            of float16 or bfloat16: sigmoid
    exp(x - max), its sum and quotient    in float32, of a softmax whose result is a half: exp, over

They are right to some units in the last place of float32, of which a half has 2^13: what is rounded
is the same but where the exact value is next to the middle between two halves. A value of float32
is one of them where all that is made of it, by sums and products, is rounded so.

Powers by a number are products where that is 2, as in eager.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from minits.kernels.ir.kernel import Kernel, Scalar
from minits.kernels.ir.printing import HALVES
from minits.kernels.scalar_ops import SCALAR_OPS
from minits.kernels.schedule.selection import Call
from minits.kernels.schedule.uniform import uniform_values

QUICK_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "quick_exp": np.exp,
    "quick_exp2": np.exp2,
    "quick_log1p": np.log1p,
    "quick_log_sigmoid": SCALAR_OPS["log_sigmoid"].numpy,
    "quick_sigmoid": SCALAR_OPS["sigmoid"].numpy,
    "quick_silu": SCALAR_OPS["silu"].numpy,
    "quick_gelu_tanh": SCALAR_OPS["gelu_tanh"].numpy,
    "quick_sqrt": np.sqrt,
    "quick_tanh": np.tanh,
    "quick_over": np.divide,
    "quick_reciprocal": np.reciprocal,
    "wide_over": np.divide,
    "wide_reciprocal": np.reciprocal,
    "pow_by_number": np.power,
}
"""The meaning of the functions, in numpy."""
_SMOOTH = ("add", "sub", "mul", "div", "neg", "sum")
"""Operations that hand errors on as they are: where terms cancel, eager's do, too."""
_QUICK = {
    "exp": "quick_exp",
    "exp2": "quick_exp2",
    "log1p": "quick_log1p",
    "log_sigmoid": "quick_log_sigmoid",
    "sigmoid": "quick_sigmoid",
    "silu": "quick_silu",
    "gelu_tanh": "quick_gelu_tanh",
    "sqrt": "quick_sqrt",
    "div": "quick_over",
    "reciprocal": "quick_reciprocal",
}
_OF_BFLOAT16 = {"div": "wide_over", "reciprocal": "wide_reciprocal", "tanh": "quick_tanh"}
"""Its numbers are as large and as small as those of float32, and have fewer digits."""


def quick_calls(kernel: Kernel) -> dict[Scalar, Call]:
    """Return the calls for those values of a kernel that such a function computes."""
    halves = _roundings(kernel)
    uniform = uniform_values(kernel)
    found = {}
    for value in kernel.values:
        half = halves.get(value)
        function = _QUICK.get(value.op)
        if half == torch.bfloat16:
            function = _OF_BFLOAT16.get(value.op, function)
        if half is not None and function is not None:
            found[value] = Call(function, value.operands)
        elif value.op == "pow" and value.dtype.is_floating_point and value.operands[1] in uniform:
            found[value] = Call("pow_by_number", value.operands)
    return found


def _roundings(kernel: Kernel) -> dict[Scalar, torch.dtype]:
    """Return the half to which each value is rounded, for those of which nothing else is made."""
    outputs = {output.value for output in kernel.outputs}
    users: dict[Scalar, list[Scalar]] = defaultdict(list)
    found: dict[Scalar, torch.dtype] = {}
    for value in reversed(kernel.values):
        if value.dtype in HALVES:
            found[value] = value.dtype
        elif value.dtype == torch.float32 and value not in outputs:
            halves = {_rounding_by(user, found) for user in users[value]}
            half = halves.pop() if len(halves) == 1 else None
            if half is not None:
                found[value] = half
        for operand in value.operands:
            users[operand].append(value)
    return found


def _rounding_by(user: Scalar, found: dict[Scalar, torch.dtype]) -> torch.dtype | None:
    """Return the half to which what is made of a value is rounded, if it is."""
    if user.op == "cast" and user.dtype in HALVES:
        return user.dtype
    return found.get(user) if user.op in _SMOOTH else None
