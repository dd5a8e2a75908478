"""argmax and argmin as two sweeps, each of which a compiler makes vectors of.

The first index of the greatest value is looked for once that value is known:

    p = argmax(x)    becomes    m = max(x)
                                p = argmax(x, m)     the first index at which x is m, or NaN

If any value is NaN, so is `m`, which no value is equal to: the first NaN is found.
"""

from __future__ import annotations

from minits.kernels.ir.kernel import Kernel, KernelOutput, Level, Scalar

_EXTREMES = {"argmax": "max", "argmin": "min"}


def with_extremes(kernel: Kernel) -> Kernel:
    """Return the kernel with the extreme as second operand of each argmax and argmin."""
    if not any(value.op in _EXTREMES for value in kernel.values):
        return kernel
    made: dict[Scalar, Scalar] = {}
    extremes: dict[tuple[str, Scalar], Scalar] = {}
    values: list[Scalar] = []
    for value in kernel.values:
        operands = tuple([made[operand] for operand in value.operands])
        if value.op in _EXTREMES:
            key = (_EXTREMES[value.op], operands[0])
            if key not in extremes:
                dtype = operands[0].dtype
                extremes[key] = Scalar(key[0], operands, dtype, Level.ROW, None, value.range)
                values.append(extremes[key])
            operands = (*operands, extremes[key])
        made[value] = Scalar(
            value.op, operands, value.dtype, value.level, value.payload, value.range
        )
        values.append(made[value])
        if value.op in _EXTREMES.values():
            extremes[value.op, operands[0]] = made[value]
    outputs = [KernelOutput(made[output.value], output.keepdim) for output in kernel.outputs]
    return Kernel(kernel.reduced, kernel.inputs, kernel.parameters, values, outputs)
