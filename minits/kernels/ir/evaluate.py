"""`evaluate`: what a kernel computes, worked out with numpy, one array at a time.

This is the meaning of kernels, which compiled ones are tested against. It is slow and keeps every
value in memory.

A value is an array that broadcasts to the domain; a ROW value has ones for the dimensions reduced
over. Values of float16 and bfloat16 are held as float32 and rounded to their type after each
operation. Casts are torch's. Floating sums and products are accumulated in float64.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
import torch

from minits.kernels.ir.kernel import Kernel, Level, Scalar
from minits.kernels.scalar_ops import SCALAR_OPS
from minits.kernels.scalar_ops.row import computed_in

Array = np.ndarray[Any, Any]
HALVES = (torch.float16, torch.bfloat16)
_SCANS = {
    "cumsum": np.add, "cumprod": np.multiply, "cummax": np.maximum, "cummin": np.minimum,
    "logcumsumexp": np.logaddexp,
}  # fmt: skip


def evaluate(
    kernel: Kernel,
    inputs: Sequence[Array | torch.Tensor],
    parameters: Sequence[float | int | bool],
    domain: tuple[int, ...],
) -> list[Array]:
    """Return the kernel's outputs.

    Each input broadcasts to the domain; a ROW input to the dimensions that are not reduced over.
    Inputs are of the kernel's dtypes (arrays for bfloat16: float32). Outputs have their values'
    dtypes, but those of bfloat16 are float32 arrays.

    Raises ValueError where an input does not broadcast, and for the maximum or minimum of nothing.
    """
    run = _Evaluation(kernel, inputs, parameters, domain)
    with np.errstate(all="ignore"):
        for value in kernel.values:
            run.found[value] = rounded(np.asarray(run.value_of(value)), value.dtype)
    return [run.output(output.value, output.keepdim) for output in kernel.outputs]


class _Evaluation:
    def __init__(
        self,
        kernel: Kernel,
        inputs: Sequence[Array | torch.Tensor],
        parameters: Sequence[float | int | bool],
        domain: tuple[int, ...],
    ) -> None:
        self.kernel = kernel
        self.inputs = inputs
        self.parameters = parameters
        self.domain = domain
        self.outer = domain[: len(domain) - kernel.reduced]
        self.row = (*self.outer, *[1] * kernel.reduced)
        """The shape of a ROW value."""
        self.found: dict[Scalar, Array] = {}

    def value_of(self, value: Scalar) -> Any:
        operands = [self.found[operand] for operand in value.operands]
        match value.op:
            case "load":
                return self.load(value.payload)
            case "constant":
                return number_of(value.payload, value.dtype)
            case "parameter":
                return number_of(self.parameters[value.payload], value.dtype)
            case "count":
                return number_of(prod(self.domain[len(self.outer) :]), value.dtype)
            case "index":
                row = self.domain[len(self.outer) :]
                return np.broadcast_to(np.arange(prod(row)).reshape(row), self.domain)
            case "position":
                return self.position(value.payload)
            case "look_up":
                if value.indices[1] is None:
                    return self.look_up(value.payload, operands)
                *indices, guard = operands
                if not np.any(guard):  # there may be nothing to look up
                    return np.zeros_like(guard, dtype=as_array(self.inputs[value.payload]).dtype)
                safe = [np.where(guard, index, 0) for index in indices]
                return np.where(guard, self.look_up(value.payload, safe), 0)
            case "length":
                table, dim = value.payload
                return np.int64(self.inputs[table].shape[dim])
        if value.is_reduction:
            return self.reduce(value.op, operands[0])
        if value.is_scan:
            return scanned(value, np.broadcast_to(operands[0], self.domain))
        return computed(value, operands)

    def load(self, index: int) -> Array:
        given = self.kernel.inputs[index]
        array = as_array(self.inputs[index])
        if given.level is Level.FULL:
            return np.broadcast_to(array, self.domain)
        return np.broadcast_to(array, self.outer).reshape(self.row)

    def position(self, dim: int) -> Array:
        positions = np.arange(self.domain[dim]).reshape(-1, *[1] * (-dim - 1))
        is_row = dim < -self.kernel.reduced
        return np.broadcast_to(positions, self.row if is_row else self.domain)

    def look_up(self, table: int, indices: Sequence[Array]) -> Array:
        """Elements of a table: where each index of the domain looks, and what is there."""
        given, array = self.kernel.inputs[table], as_array(self.inputs[table])
        looked, rest = array.shape[: given.looked_up], array.shape[given.looked_up :]
        whole = self.domain if given.level is Level.FULL else self.outer
        array = np.broadcast_to(
            array.reshape(*looked, *[1] * (len(whole) - len(rest)), *rest), (*looked, *whole)
        )
        if given.level is not Level.FULL:
            array = array.reshape(*looked, *self.row)
        shape = np.broadcast_shapes(array.shape[len(looked) :], *[each.shape for each in indices])
        array = np.broadcast_to(array, (*looked, *shape))
        looked_at = [np.broadcast_to(index, shape) for index in indices]
        found: Array = array[(*looked_at, *np.indices(shape, sparse=True))]
        return found

    def reduce(self, op: str, array: Array) -> Array:
        """Reduce over the last dimensions, flattened to one."""
        columns = prod(self.domain[len(self.outer) :])
        flat = np.broadcast_to(array, self.domain).reshape(*self.outer, columns)
        function = getattr(np, op)
        if op in ("sum", "prod"):
            wide = np.float64 if array.dtype.kind == "f" else array.dtype
            return np.asarray(function(flat, axis=-1, dtype=wide)).reshape(self.row)
        return np.asarray(function(flat, axis=-1)).reshape(self.row)

    def output(self, value: Scalar, keepdim: bool) -> Array:
        array = self.found[value]
        if value.level is Level.FULL:
            shape = self.domain
        else:
            array = np.broadcast_to(array, self.row)
            shape = self.row if keepdim else self.outer
            array = array.reshape(shape)
        dtype = np.float16 if value.dtype == torch.float16 else array.dtype
        return np.array(np.broadcast_to(array, shape), dtype=dtype)


def computed(value: Scalar, operands: Sequence[Array]) -> Any:
    """Return the result of an operation on single elements, not yet rounded to its dtype."""
    if value.op == "cast":
        return _cast(operands[0], value.operands[0].dtype, value.dtype)
    return SCALAR_OPS[value.op].numpy(*operands)


def scanned(value: Scalar, array: Array) -> Array:
    """Return the scan of an array along its last dimension."""
    array = array[..., :: value.payload]
    wide = np.float64 if array.dtype.kind == "f" and value.dtype not in HALVES else array.dtype
    return _SCANS[value.op].accumulate(array, axis=-1, dtype=wide)[..., :: value.payload]


def as_array(given: Array | torch.Tensor) -> Array:
    """The halves become float32."""
    if not isinstance(given, torch.Tensor):
        return given.astype(np.float32) if given.dtype == np.float16 else given
    wide = given.detach().to("cpu", computed_in(given.dtype))
    array: Array = wide.numpy()
    return array


def number_of(number: float | int | bool, dtype: torch.dtype) -> Array:
    """A number of a dtype; those of the halves are rounded to them, as constants are."""
    exact = torch.tensor(number, dtype=torch.float64 if isinstance(number, float) else None)
    return as_array(exact.to(dtype))


def _cast(array: Array, given: torch.dtype, wanted: torch.dtype) -> Array:
    """Return an array in another dtype. Values outside of it are as undefined as in torch."""
    tensor = torch.from_numpy(np.array(array))
    return as_array(tensor.to(given).to(wanted))


def rounded(array: Array, dtype: torch.dtype) -> Array:
    """Return the result of an operation in its dtype."""
    if dtype in HALVES:
        return as_array(torch.from_numpy(np.array(array, dtype=np.float32)).to(dtype))
    return array.astype(_NUMPY[dtype], copy=False)


_NUMPY: dict[torch.dtype, Any] = {
    dtype: torch.empty(0, dtype=dtype).numpy().dtype
    for dtype in (
        torch.float32, torch.float64, torch.int64, torch.int32, torch.int16, torch.int8,
        torch.uint8, torch.bool,
    )
}  # fmt: skip
