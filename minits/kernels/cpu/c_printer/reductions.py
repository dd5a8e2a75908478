"""How values are reduced in loops over one row.

Floats are summed from memory, a block at a time, since gcc adds up the lanes of a vector of its own
one by one; the sums of blocks are added with more bits than a float, or a double, has.
"""

from __future__ import annotations

import torch

from minits.kernels.cpu.c_printer.loops import Loops
from minits.kernels.cpu.c_printer.texts import comment, literal, rounded
from minits.kernels.ir.kernel import Scalar
from minits.kernels.scalar_ops.row import C_TYPES, SHORT_NAMES, computed_in, kind_of

BLOCK = 1024
"""Elements that are summed with the bits that they have."""

_START = {"sum": "0", "prod": "1", "any": "0", "all": "1", "argmax": "0", "argmin": "0"}
COMBINE = {"sum": "+", "prod": "*", "any": "|", "all": "&"}


class Reductions(Loops):
    """For each reduction: what is before the loop, its clause and what is in it, what is after."""

    def _index(self) -> str:
        """The index in a row."""
        return "i" if self.layout.inner == 1 else "base + i"

    def _start(self, value: Scalar) -> None:
        name, dtype = self.names[value], value.operands[0].dtype
        match value.op:
            case "sum" | "prod":
                self.add(f"{sum_type(value)} sum_{name} = {start_of(value)};")
                if value.dtype == torch.float64 and value.op == "sum":
                    self.add(f"double lost_{name} = 0;")
            case "any" | "all":
                self.add(f"int sum_{name} = {start_of(value)};")
            case "max" | "min":
                self.add(f"{C_TYPES[dtype]} sum_{name} = {extreme(value)};")
                if kind_of(dtype) == "f":
                    self.add(f"int nan_{name} = 0;")
            case _:
                self.add(f"long long sum_{name} = count;")

    def _clause(self, value: Scalar) -> str:
        name = self.names[value]
        if is_float_sum(value):
            return ""
        if value.op in COMBINE:
            return f" reduction({COMBINE[value.op]}:sum_{name})"
        if value.op in ("argmax", "argmin"):
            return f" reduction(min:sum_{name})"
        clause = f" reduction({value.op}:sum_{name})"
        if kind_of(value.operands[0].dtype) == "f":
            clause += f" reduction(|:nan_{name})"
        return clause

    def _accumulate(self, value: Scalar) -> None:
        name, operand = self.names[value], self.names[value.operands[0]]
        note = comment(value)
        if is_float_sum(value):
            return
        match value.op:
            case "sum" | "prod" | "any" | "all":
                self.add(f"sum_{name} {COMBINE[value.op]}= {operand};{note}")
            case "max" | "min":
                sign = ">" if value.op.endswith("max") else "<"
                self.add(
                    f"sum_{name} = {operand} {sign} sum_{name} ? {operand} : sum_{name};{note}"
                )
                if kind_of(value.operands[0].dtype) == "f":
                    self.add(f"nan_{name} |= {operand} != {operand};")
            case _:
                found = f"{operand} == {self.names[value.operands[1]]}"
                if kind_of(value.operands[0].dtype) == "f":
                    found = f"({found} || {operand} != {operand})"
                place = self._index()
                self.add(
                    f"sum_{name} = {found} && {place} < sum_{name} ? {place} : sum_{name};{note}"
                )

    def _add_block(self, value: Scalar, place: str, count: str) -> None:
        """Add the sum of a block, which is at `place` in memory."""
        name, dtype = self.names[value], SHORT_NAMES[computed_in(value.dtype)]
        text = f"mts_sum_{dtype}({place}, {count})"
        if value.dtype == torch.float64:
            text = f"sum_{name} = mts_add_f64(sum_{name}, {text}, &lost_{name})"
        else:
            text = f"sum_{name} += {text}"
        self.add(f"{text};{comment(value)}")

    def _finish(self, value: Scalar) -> None:
        name, type = self.names[value], C_TYPES[value.dtype]
        text = f"sum_{name}"
        if value.op in ("max", "min") and kind_of(value.operands[0].dtype) == "f":
            text = f'nan_{name} ? __builtin_nanf("") : sum_{name}'
        if value.op in ("sum", "prod"):
            text = rounded(f"({type})sum_{name}", value.dtype)
        if value.op == "sum" and value.dtype == torch.float64:
            text = f"lost_{name} == lost_{name} ? sum_{name} + lost_{name} : sum_{name}"
        self.add(f"const {type} {name} = {text};{comment(value)}")


def is_float_sum(value: Scalar) -> bool:
    """Whether a sum is made a block at a time: of floats and doubles, as they are in C."""
    return value.op == "sum" and kind_of(value.dtype) == "f"


def sum_type(value: Scalar) -> str:
    return "double" if kind_of(value.dtype) == "f" else "long long"


def start_of(value: Scalar) -> str:
    """What a reduction of nothing is."""
    return _START[value.op] if value.op in _START else extreme(value)


def extreme(value: Scalar) -> str:
    """What no element is beyond."""
    dtype = value.operands[0].dtype
    if kind_of(dtype) == "f":
        return literal(float("-inf") if value.op.endswith("max") else float("inf"), dtype)
    if dtype == torch.bool:
        return "false" if value.op.endswith("max") else "true"
    limits = torch.iinfo(dtype)
    return literal(limits.min if value.op.endswith("max") else limits.max, dtype)
