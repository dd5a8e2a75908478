"""Casts, copies and tensors of one number.

What is cast to the dtype that it has is the very tensor in eager; a group cannot give it then.
"""

from __future__ import annotations

from typing import Any

import torch

from minits.kernels.ir.kernel import Scalar
from minits.kernels.lowering import stride_rules as rules
from minits.kernels.lowering.checks import fitting, not_bool
from minits.kernels.lowering.layouts import is_contiguous
from minits.kernels.lowering.promotion import Operand
from minits.kernels.lowering.row import At, Lowering, check_dtype, of_first
from minits.types.dtypes import DTYPES, MEMORY_FORMATS

_PRESERVE = (None, torch.preserve_format)


def dtype_argument(at: At, name: str = "dtype") -> torch.dtype | None:
    """The dtype that an argument says, or None if none is given."""
    code = at.constant(name)
    if code is None:
        return None
    dtype = code if isinstance(code, torch.dtype) else DTYPES[code]
    check_dtype(dtype, at.node)
    return dtype


def _format(at: At) -> torch.memory_format | None:
    code = at.constant("memory_format")
    return MEMORY_FORMATS[code] if isinstance(code, int) else code


def _check_device(at: At) -> None:
    """Raise NotFusable if the tensor is moved, or may be."""
    device = at.constant("device")
    here = at.lowerer.device()
    if device is not None and here is not None and torch.device(device) != here:
        message = f"moves a tensor from {here} to {device}"
        raise at.refuse("multi-device", message)


def _check_plain(at: At) -> None:
    _check_device(at)
    if _format(at) not in _PRESERVE:
        raise at.refuse("view", "to a memory format has no kernel")


def _to(at: At) -> Scalar:
    _check_plain(at)
    if at.constant("copy", False):
        raise at.refuse("view", "with copy=True has no kernel")
    if at.argument("other") is not None:
        return _to_other(at)
    given = at.operand("self")
    return given.to(at.k, dtype_argument(at) or given.dtype)


def _to_other(at: At) -> Scalar:
    other = at.argument("other")
    assert other is not None
    dtype = at.lowerer.dtype(at, other)
    check_dtype(dtype, at.node)
    return at.operand("self").to(at.k, dtype)


def _identity(at: At) -> Scalar:
    given = at.operand("self")
    return given.to(at.k, given.dtype)


def _positive(at: At) -> Scalar:
    not_bool(at, "self")
    return _identity(at)


def _detach(at: At) -> Scalar:
    return at.apply("detach", _identity(at))


def _clone(at: At) -> Scalar:
    _check_plain(at)
    return _identity(at)


def _contiguous(at: At) -> Scalar:
    if MEMORY_FORMATS.get(at.constant("memory_format", 0)) != torch.contiguous_format:
        raise at.refuse("view", "in a memory format has no kernel")
    if not is_contiguous(at.lowerer, at.node.inputs[0]):
        raise at.refuse("view", "changes the order in which elements lie")
    return _identity(at)


# ---- Tensors of one number -----------------------------------------------------------------------


def _like(value: Any) -> Lowering:
    """A tensor like the first argument in all but the elements: a number, or a named argument."""

    def emit(at: At) -> Scalar:
        _check_plain(at)
        if at.constant("layout") not in (None, 0) or at.constant("pin_memory"):
            raise at.refuse("view", "in a layout of its own has no kernel")
        dtype = dtype_argument(at) or at.operand("self").dtype
        if isinstance(value, str):
            return fitting(at, at.operand(value), dtype)
        return Operand(dtype, None, None, value).to(at.k, dtype)

    return Lowering(emit, of_first, strides=rules.like_first)


def _fill(at: At) -> Scalar:
    """A number, which must fit, or the only element of a tensor, which is cast."""
    dtype, value = at.operand("self").dtype, at.operand("value")
    if value.is_number:
        return _in_place_of(at, fitting(at, value, dtype))
    if at.shape("value") != ():
        raise at.refuse("shape", "with a tensor of several dimensions")
    return _in_place_of(at, value.to(at.k, dtype))


def _zero(at: At) -> Scalar:
    return _in_place_of(at, at.k.constant(0, at.operand("self").dtype))


def _in_place_of(at: At, filled: Scalar) -> Scalar:
    """Return a value that depends on the operand, which has a gradient, though it is zero."""
    always = at.k.constant(True, torch.bool)
    return at.apply("where", always, filled, at.operand("self").to(at.k, filled.dtype))


CASTS: dict[str, Lowering] = {
    "aten::to": Lowering(_to, of_first, may_alias=True, strides=rules.cast_or_itself),
    "aten::type_as": Lowering(_to_other, of_first, may_alias=True, strides=rules.cast_or_itself),
    "aten::contiguous": Lowering(
        _contiguous, of_first, may_alias=True, loops=0, strides=rules.made_contiguous
    ),
    "aten::positive": Lowering(
        _positive, of_first, may_alias=True, loops=0, strides=rules.first_itself
    ),
    "aten::detach": Lowering(_detach, of_first, is_view=True, strides=rules.first_itself),
    "aten::expand_as": Lowering(
        _identity,
        lambda at: at.shape("other"),
        is_view=True,
        loops=0,
        strides=rules.expanded,
        laid_by_parts=True,
    ),
    "aten::clone": Lowering(_clone, of_first, strides=rules.like_first),
    "aten::zeros_like": _like(0),
    "aten::ones_like": _like(1),
    "aten::full_like": _like("fill_value"),
    "aten::fill": Lowering(_fill, of_first, strides=rules.like_first),
    "aten::zero": Lowering(_zero, of_first, strides=rules.like_first),
}
