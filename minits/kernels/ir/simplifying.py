"""A `Builder` that does not make what is known already: what derivatives are made with.

    mul(g, 1)          is  g
    where(c, g, g)     is  g
    pow(x, 3 - 1)      is  pow(x, 2)

Each rule holds for every float, NaN, infinities and signed zeros included (so `mul(g, 0)` stays).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from minits.kernels.ir.builder import Builder
from minits.kernels.ir.kernel import Level, Scalar

Factors = list[tuple[str, Scalar | None]]
Rule = Callable[["SimplifyingBuilder", tuple[Scalar, ...]], Scalar | None]


class SimplifyingBuilder(Builder):
    """See the module's text."""

    def __init__(self, reduced: int = 0) -> None:
        super().__init__(reduced)
        self._totals: dict[Scalar, Scalar] = {}
        self._stages: dict[Scalar, int] = {}

    def __call__(self, op: str, *operands: Scalar) -> Scalar:
        rule = _RULES.get(op)
        found = None if rule is None else rule(self, operands)
        if found is None:
            found = self._folded(op, operands)
        return super().__call__(op, *operands) if found is None else found

    def cast(self, value: Scalar, dtype: torch.dtype) -> Scalar:
        if value.op == "constant" and value.dtype != dtype:
            return self.constant(_tensor(value).to(dtype).item(), dtype)
        return super().cast(value, dtype)

    def total(self, value: Scalar) -> Scalar:
        """The sum of a value over the reduced dimensions, known as early as may be.

        `sum(a / r)` becomes `sum(a) / r`, and `sum(a + b * r)` two sums, where r is the same along
        the row and itself made of sums: those of a and b do not wait for it.
        """
        found = self._totals.get(value)
        if found is None:
            found = self._totals[value] = self._total(value)
        return found

    def _total(self, value: Scalar) -> Scalar:
        if value.level is Level.ROW:
            return self("mul", value, self.count(value.dtype))
        varying, factors = self._split(value)
        assert varying is not None, "a FULL value is not made of ROW values alone"
        result = self.reduce("sum", varying)
        if varying.op == "add":  # not "sub": the sum of x - mean would cancel
            apart = self("add", *map(self.total, varying.operands))
            if self._stage(apart) <= self._stage(varying):
                result = apart
        for op, factor in factors:
            result = self(op, result) if factor is None else self(op, result, factor)
        return result

    def _stage(self, value: Scalar) -> int:
        """Return the number of the sweep over the row that makes a value: `stages` of a kernel."""
        found = self._stages.get(value)
        if found is None:
            before = [self._stage(operand) + operand.ends_sweep for operand in value.operands]
            found = self._stages[value] = max(before, default=0)
        return found

    def _split(self, value: Scalar) -> tuple[Scalar | None, Factors]:
        """Split a value into what varies along a row and what it is multiplied by or divided by."""
        if value.level is Level.ROW:
            return None, [("mul", value)]
        if value.op not in ("neg", "mul", "div"):
            return value, []
        varying, factors = self._split(value.operands[0])
        if value.op == "neg":
            return varying, [*factors, ("neg", None)]
        if value.op == "div":
            if value.operands[1].level is Level.ROW:
                return varying, [*factors, ("div", value.operands[1])]
            varying = self.constant(1.0, value.dtype) if varying is None else varying
            return self("div", varying, value.operands[1]), factors
        other, others = self._split(value.operands[1])
        if varying is not None and other is not None:
            varying = self("mul", varying, other)
        return varying or other, [*factors, *others]

    def copy(self, value: Scalar, operands: tuple[Scalar, ...]) -> Scalar:
        """Make a value of another kernel as it is there, of operands of this one."""
        self.range = value.range
        return self._make(value.op, operands, value.dtype, value.level, value.payload)

    def know(self, saved: Scalar, value: Scalar, operands: tuple[Scalar, ...]) -> None:
        """Take `saved` wherever the operation of a value of another kernel is applied again."""
        if value.op != "load":
            self._known[value.op, operands, value.dtype, repr(value.payload)] = saved

    def _folded(self, op: str, operands: tuple[Scalar, ...]) -> Scalar | None:
        compute = _FOLDABLE.get(op)
        if compute is None or any(operand.op != "constant" for operand in operands):
            return None
        result = compute(*map(_tensor, operands))
        if not bool(torch.isfinite(result)):
            return None
        return self.constant(result.item(), result.dtype)


_FOLDABLE: dict[str, Callable[..., torch.Tensor]] = {
    "add": torch.add, "sub": torch.sub, "mul": torch.mul, "neg": torch.neg,
    "eq": torch.eq, "ne": torch.ne, "lt": torch.lt, "le": torch.le, "gt": torch.gt, "ge": torch.ge,
    "logical_and": torch.logical_and, "logical_or": torch.logical_or,
    "logical_not": torch.logical_not,
}  # fmt: skip


def _tensor(value: Scalar) -> torch.Tensor:
    return torch.tensor(value.payload, dtype=value.dtype)


def is_constant(value: Scalar, number: Any) -> bool:
    """Return whether a value is that number. No constant is a signed zero for this."""
    return value.op == "constant" and bool(value.payload == number)


def _mul(k: SimplifyingBuilder, operands: tuple[Scalar, ...]) -> Scalar | None:
    for one, other in (operands, operands[::-1]):
        if is_constant(one, 1):
            return other
        if is_constant(one, -1) and other.op != "constant":
            return k("neg", other)
    return None


def _neg(k: SimplifyingBuilder, operands: tuple[Scalar, ...]) -> Scalar | None:
    return operands[0].operands[0] if operands[0].op == "neg" else None


def _by_one(k: SimplifyingBuilder, operands: tuple[Scalar, ...]) -> Scalar | None:
    return operands[0] if is_constant(operands[1], 1) else None


def _where(k: SimplifyingBuilder, operands: tuple[Scalar, ...]) -> Scalar | None:
    condition, yes, no = operands
    if condition.op == "constant":
        return yes if condition.payload else no
    return yes if yes is no else None


_RULES: dict[str, Rule] = {
    "mul": _mul,
    "neg": _neg,
    "div": _by_one,
    "pow": _by_one,
    "where": _where,
}
