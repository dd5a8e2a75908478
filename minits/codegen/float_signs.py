"""Floats that cannot be zero, so that `a / b` needs no test.

NaN counts as what is asked for: Python divides by it as C++ does.
"""

from __future__ import annotations

from minits.codegen.uses import resolve
from minits.ir.constants import to_python
from minits.ir.graph import Value

_SUMS = ("aten::add",)
_NEVER_NEGATIVE = ("aten::exp", "aten::sqrt", "prim::abs", "aten::fabs", "aten::len")


def is_positive(value: Value, depth: int = 4) -> bool:
    """Return whether a number is greater than 0, or NaN: `x * x + 1.0`."""
    value = resolve(value)
    constant = to_python(value)
    if isinstance(constant, (int, float)):
        return constant > 0
    if depth == 0 or value.node.kind not in _SUMS or len(value.node.inputs) != 2:
        return False
    a, b = value.node.inputs
    return (is_positive(a, depth - 1) and is_not_negative(b, depth - 1)) or (
        is_positive(b, depth - 1) and is_not_negative(a, depth - 1)
    )


def is_not_negative(value: Value, depth: int = 4) -> bool:
    """Return whether a number is at least 0, or NaN: a square, a magnitude."""
    value = resolve(value)
    constant = to_python(value)
    if isinstance(constant, (int, float)):
        return constant >= 0
    node = value.node
    if depth == 0:
        return False
    if node.kind in _NEVER_NEGATIVE:
        return True
    if node.kind in ("aten::mul", "aten::add") and len(node.inputs) == 2:
        a, b = map(resolve, node.inputs)
        if node.kind == "aten::mul" and a is b:
            return True
        return is_not_negative(a, depth - 1) and is_not_negative(b, depth - 1)
    return False
