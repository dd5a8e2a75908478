"""In which order the elements of a group's values lie, as eager computes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from minits.ir.graph import Value
from minits.types import types as t

if TYPE_CHECKING:
    from minits.kernels.lowering.lowerer import Lowerer


def is_contiguous(lowerer: Lowerer, value: Value) -> bool:
    """Return whether a value is contiguous in eager for sure.

    A result of an operator is if all its operands are; a view is looked at on a contiguous tensor.
    """
    if value.type != t.TENSOR:
        return True
    if value in lowerer.leaves:
        meta = lowerer.meta(value)
        laid = torch.empty_strided(meta.shape, meta.strides, device="meta")
        return bool(laid.is_contiguous())
    row = lowerer.table.get(value.node.kind)
    if row is not None and row.views is not None:
        return _view_is_contiguous(lowerer, value)
    return all(
        is_contiguous(lowerer, operand)
        for operand in value.node.inputs
        if operand.node.kind != "prim::Constant"
    )


def _view_is_contiguous(lowerer: Lowerer, value: Value) -> bool:
    viewed, views = lowerer.viewed(value)
    seen = torch.empty(lowerer.shape(viewed), device="meta")
    for view in views:
        seen = view(seen)
    return seen.is_contiguous() and is_contiguous(lowerer, viewed)
