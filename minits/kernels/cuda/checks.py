"""Checks on CUDA devices: as in eager, of numbers on the host, of elements on the device.

    binary_cross_entropy(x, t)      must(x >= 0 && x <= 1);       in the kernel
    rrelu(x, low, high)             low <= high                   before it is launched

Eager's kernels assert that elements are what they must be (CUDA_KERNEL_ASSERT). After an assertion
that fails, the process cannot use the device any more, and is told so when it next waits for it.
The kernels here do the same. The numbers of a call are known on the host: of these, a wrong one
raises an error that programs may handle, as in eager.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from minits.kernels.ir.kernel import Kernel, Scalar
from minits.kernels.scalar_ops import SCALAR_OPS
from minits.kernels.scalar_ops.row import computed_in

MUST = """\
__device__ __forceinline__ void must(bool holds)
{ if (!holds) __assertfail("an operand is one that eager refuses", "minits", 0, "kernel", 1); }
"""
"""NVRTC knows `__assertfail`: it is what `assert` calls."""


def is_of_numbers(value: Scalar) -> bool:
    """Return whether a value is made of the call's numbers and of reduced sizes alone.

    These are the same for all elements, and known on the host.
    """
    if value.op in ("constant", "parameter", "count", "cast") or value.op in SCALAR_OPS:
        return all(is_of_numbers(operand) for operand in value.operands)
    return False


def asserted(value: Scalar) -> Scalar | None:
    """Return the bool that the device asserts where it computes a value, or None."""
    if value.op != "checked" or is_of_numbers(value.operands[1]):
        return None
    return value.operands[1]


class HostChecks:
    """The checks of a kernel's numbers: `texts`, expressions of the numbers `i0`, `i1`, ...

    `inputs` are the indices of these, one for each parameter of the kernel, `count` how many
    elements are reduced over. The texts name what is in `namespace`.
    """

    def __init__(self, kernel: Kernel, inputs: list[int], count: int) -> None:
        self.namespace: dict[str, Any] = {}
        self._inputs = inputs
        self._count = count
        asserted = [
            value.operands[1]
            for value in kernel.values
            if value.op == "checked" and is_of_numbers(value.operands[1])
        ]
        self.texts = [self._text(value) for value in dict.fromkeys(asserted)]

    def _text(self, value: Scalar) -> str:
        match value.op:
            case "constant":
                return self._named(_scalar(value.payload, value.dtype))
            case "parameter":
                return f"{self._type(value.dtype)}(i{self._inputs[value.payload]})"
            case "count":
                return self._named(_scalar(self._count, value.dtype))
            case "cast":
                return f"{self._type(value.dtype)}({self._text(value.operands[0])})"
        function = self._named(SCALAR_OPS[value.op].numpy)
        return f"{function}({', '.join(map(self._text, value.operands))})"

    def _type(self, dtype: torch.dtype) -> str:
        return self._named(type(_scalar(0, dtype)))

    def _named(self, thing: Any) -> str:
        name = f"n{len(self.namespace)}"
        self.namespace[name] = thing
        return name


def _scalar(number: float | int | bool, dtype: torch.dtype) -> Any:
    """Return a number as numpy has it, in the dtype in which kernels compute with it."""
    array = torch.tensor(number).to(dtype).to(computed_in(dtype)).numpy()
    return np.asarray(array)[()]
