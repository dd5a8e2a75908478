"""Values that do not change: over a launch, or along a row."""

from __future__ import annotations

from minits.kernels.ir.kernel import Kernel, Scalar
from minits.kernels.ir.layout import Layout, Stride

_NUMBERS = ("constant", "parameter", "count", "length")


def uniform_values(kernel: Kernel) -> list[Scalar]:
    """Return the values that are the same for a whole launch, but for constants."""
    found: dict[Scalar, None] = {}
    for value in kernel.values:
        is_made = bool(value.operands) and not (value.ends_sweep or value.is_read)
        if value.op in _NUMBERS or (is_made and all(each in found for each in value.operands)):
            found[value] = None
    return [value for value in found if value.op != "constant"]


def standing_still(kernel: Kernel, layout: Layout) -> list[Scalar]:
    """Return the values of a kernel that reduces nothing that are the same along a row.

    Those that are the same for the whole launch are not among them.
    """
    last, dims = layout.rank - 1, dict(layout.positions)
    known = {*uniform_values(kernel), *[v for v in kernel.values if v.op == "constant"]}
    found: dict[Scalar, None] = {}
    for value in kernel.values:
        is_still = value not in known
        is_still = is_still and all(each in found or each in known for each in value.operands)
        if value.is_read:
            is_still = is_still and layout.inputs[value.payload][-1] is Stride.ZERO
        if value.op == "position":
            is_still = dims[value.payload] != last
        if is_still:
            found[value] = None
    return list(found)
