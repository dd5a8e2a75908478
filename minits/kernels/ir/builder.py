"""Making kernels, one scalar at a time.

    k = Builder(reduced=1)
    x = k.load(k.input(torch.float32))
    e = k("exp", k("sub", x, k.reduce("max", x)))
    k.output(k("div", e, k.reduce("sum", e)))
    kernel = k.finish()

The same operation on the same operands is made once.
"""

from __future__ import annotations

from typing import Any

import torch

from minits.kernels.ir.kernel import (
    Direction,
    Kernel,
    KernelInput,
    KernelOutput,
    Level,
    Scalar,
    live_values,
)
from minits.kernels.scalar_ops import SCALAR_OPS
from minits.source import SourceRange


class Builder:
    """Builds one kernel. `range`, while it is set, is given to what is made."""

    def __init__(self, reduced: int = 0) -> None:
        self.kernel = Kernel(reduced)
        self.range: SourceRange | None = None
        self._known: dict[Any, Scalar] = {}

    # ---- Leaves --------------------------------------------------------------------------------

    def input(self, dtype: torch.dtype, level: Level = Level.FULL, looked_up: int = 0) -> int:
        """Add a tensor that is read; return its index. Of a table, dimensions are `looked_up`."""
        self.kernel.inputs.append(KernelInput(dtype, level, looked_up))
        return len(self.kernel.inputs) - 1

    def load(self, index: int) -> Scalar:
        given = self.kernel.inputs[index]
        return self._make("load", (), given.dtype, given.level, index)

    def parameter(self, dtype: torch.dtype) -> Scalar:
        """Add a number that each call gives: float64, int64 or bool."""
        self.kernel.parameters.append(dtype)
        return self._make("parameter", (), dtype, Level.ROW, len(self.kernel.parameters) - 1)

    def constant(self, value: bool | int | float, dtype: torch.dtype) -> Scalar:
        return self._make("constant", (), dtype, Level.ROW, value)

    def count(self, dtype: torch.dtype) -> Scalar:
        """The number of indices that are reduced over."""
        return self._make("count", (), dtype, Level.ROW)

    def index(self) -> Scalar:
        """The index along the dimensions that are reduced over (there must be some), flattened."""
        return self._make("index", (), torch.int64, Level.FULL)

    def position(self, dim: int) -> Scalar:
        """The index along a dimension of the domain, which is counted from the last, -1."""
        reduced = self.kernel.reduced
        level = Level.FULL if not reduced or dim >= -reduced else Level.ROW
        return self._make("position", (), torch.int64, level, dim)

    def length(self, table: int, dim: int) -> Scalar:
        """The size of a dimension that is looked up in an input."""
        return self._make("length", (), torch.int64, Level.ROW, (table, dim))

    def look_up(self, table: int, *operands: Scalar) -> Scalar:
        """The element of a table at indices, one for each dimension that is looked up.

        A bool behind them says where; elsewhere the element is zero.
        """
        given = self.kernel.inputs[table]
        level = max([given.level, *[operand.level for operand in operands]])
        return self._make("look_up", operands, given.dtype, level, table)

    # ---- Operations ----------------------------------------------------------------------------

    def __call__(self, op: str, *operands: Scalar) -> Scalar:
        """Apply a row of `SCALAR_OPS`. Operands must have the dtypes that the row wants.

        Raises TypeError.
        """
        row = SCALAR_OPS[op]
        if len(operands) != row.arity:
            raise TypeError(f"{op} takes {row.arity} operands, {len(operands)} were given")
        level = max((operand.level for operand in operands), default=Level.ROW)
        return self._make(op, operands, row.result_dtype(operands), level)

    def cast(self, value: Scalar, dtype: torch.dtype) -> Scalar:
        if value.dtype == dtype:
            return value
        return self._make("cast", (value,), dtype, value.level)

    def reduce(self, op: str, value: Scalar, payload: Any = None) -> Scalar:
        """Reduce a FULL value over the reduced dimensions; the result has the value's dtype.

        `any` and `all` take and give bool; `argmax` and `argmin` give int64. A ROW value is
        counted as often as it stands in the row.
        """
        dtype = torch.int64 if op in ("argmax", "argmin") else value.dtype
        return self._make(op, (value,), dtype, Level.ROW, payload)

    def scan(self, op: str, value: Scalar, direction: Direction = Direction.FORWARD) -> Scalar:
        """Scan a value along the reduced dimension, of which there must be just one."""
        return self._make(op, (value,), value.dtype, Level.FULL, direction)

    def _make(
        self,
        op: str,
        operands: tuple[Scalar, ...],
        dtype: torch.dtype,
        level: Level,
        payload: Any = None,
    ) -> Scalar:
        key = (op, operands, dtype, repr(payload))
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = Scalar(op, operands, dtype, level, payload, self.range)
        return found

    # ---- The end -------------------------------------------------------------------------------

    def output(self, value: Scalar, keepdim: bool = False) -> int:
        """Add a tensor that is written; return its index."""
        self.kernel.outputs.append(KernelOutput(value, keepdim))
        return len(self.kernel.outputs) - 1

    def finish(self) -> Kernel:
        """Return the kernel, without what no output needs. Inputs keep their indices."""
        self.kernel.values = list(live_values([output.value for output in self.kernel.outputs]))
        return self.kernel
