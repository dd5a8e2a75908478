"""The operators of tensors as C that are no plain call of torch's dispatcher.

    aten::size.int      mts_size({0}, {1})             what a tensor is asked, as in the other rows
    aten::mul.Scalar    aten::mul.Tensor               torch's C interface takes no `Scalar`: it is
                                                       passed as a tensor without dimensions
    aten::add.Tensor    mts_add                        a function of `c/tensor_sums.c`

Source: torch/csrc/jit/runtime/register_prim_ops.cpp, aten/src/ATen/native/native_functions.yaml.
"""

from __future__ import annotations

from typing import Any

from minits.native.c_types import DEVICE_TYPES
from minits.native.operator_rows import Operator, computing, making, reading, writing
from minits.records import dataclass

_NO_SIZES, _NO_STRIDES = "mts_is_nested({0})", "mts_lacks_strides({0})"

TENSOR_OPERATORS: dict[str, Operator] = {
    "aten::size": making("mts_sizes(pool, {0})", reads=True, raises=_NO_SIZES),
    "aten::size.int": reading("mts_size({0}, {1})", raises="mts_lacks_size({0}, {1})"),
    "aten::stride": making("mts_strides(pool, {0})", reads=True, raises=_NO_STRIDES),
    "aten::stride.int": reading("mts_stride({0}, {1})", raises="mts_lacks_stride({0}, {1})"),
    "prim::shape": making("mts_sizes(pool, {0})", reads=True, raises=_NO_SIZES),
    "aten::len.Tensor": reading("mts_size({0}, 0)", raises="mts_dim({0}) == 0"),
    "aten::dim": reading("mts_dim({0})"),
    "aten::numel": reading("mts_numel({0})"),
    "prim::dtype": reading("mts_dtype({0})"),
    "prim::layout": reading("mts_layout({0})"),
    "prim::device": reading("mts_device({0})"),
    **{
        f"prim::is_{name}": reading(f"mts_device({{0}}) >> 32 == {DEVICE_TYPES[name]}")
        for name in ("cpu", "cuda", "xpu", "mps", "meta")
    },
    "prim::is_sparse": reading("mts_layout({0}) == 1"),
    "prim::is_quantized": reading(
        "mts_dtype({0}) >= 12 && mts_dtype({0}) <= 17 && mts_dtype({0}) != 15"
    ),
    "prim::requires_grad": reading("mts_requires_grad({0})"),
    "prim::type": making("mts_device_type(pool, {0})"),
    "aten::device.with_index": computing(
        "mts_device_with_index({0}, {1})", raises="mts_device_with_index({0}, {1}) < 0"
    ),
    "aten::device": computing("mts_device_of_text({0})", raises="mts_device_of_text({0}) < 0"),
    "prim::is_nested": reading("mts_is_nested({0})"),
    "aten::is_floating_point": reading("mts_category(mts_dtype({0})) == 2"),
    "aten::is_complex": reading("mts_category(mts_dtype({0})) == 3"),
    "aten::Float.Tensor": reading("mts_item_float({0})", raises="mts_is_no_number({0})"),
    "aten::Int.Tensor": reading("mts_item_int({0})", raises="mts_is_no_int({0})"),
    "aten::Bool.Tensor": reading("mts_item_bool({0})", raises="mts_is_no_bool({0})"),
    "aten::IntImplicit": reading(
        "mts_item_int({0})",
        raises="mts_is_no_argument({0}) || mts_category(mts_dtype({0})) != 1",
    ),
    "aten::FloatImplicit": reading(
        "mts_item_float({0})", raises="mts_is_no_argument({0}) || mts_is_no_number({0})"
    ),
    "aten::is_grad_enabled": reading("aoti_torch_grad_mode_is_enabled()"),
    "aten::set_grad_enabled": writing("aoti_torch_grad_mode_set_enabled({0})"),
    "aten::eq.device": reading("{0} == {1}"),
    "aten::ne.device": reading("{0} != {1}"),
}
"""Rows for what a tensor is asked. What a call is given is looked up last, so that these hold."""


@dataclass(frozen=True, slots=True)
class Spelling:
    """The call that stands for an overload.

    scalars: the indices of the arguments that are numbers, and are passed as tensors
    passed: how; as a "float", also if they are ints
    raises: where this condition holds, the overload raises, and the call does not
    of_ints: only if the numbers are ints
    """

    name: str
    overload: str
    scalars: tuple[int, ...]
    passed: str = "number"
    raises: str | None = None
    of_ints: bool = False


_IS_ROOT = "mts_category(mts_dtype({0})) < 2 && {1} < 0"
"""Ints have no negative powers that are ints."""


def _spellings() -> dict[str, Spelling]:
    table: dict[str, tuple[Any, ...]] = {}
    for name in ("mul", "eq", "ne", "lt", "le", "gt", "ge", "remainder", "fmod", "bitwise_and",
                 "bitwise_or", "bitwise_xor", "__and__", "__or__", "__xor__", "bitwise_left_shift",
                 "bitwise_right_shift"):  # fmt: skip
        for suffix in ("", "_") if not name.endswith("_") else ("",):
            tensor = "Tensor_Scalar" if "shift" in name else "Scalar"
            table[f"aten::{name}{suffix}.{tensor}"] = (f"aten::{name}{suffix}", "Tensor", (1,))
    for suffix in ("", "_"):
        table |= {
            f"aten::div{suffix}.Scalar": (f"aten::div{suffix}", "Tensor", (1,), "float"),
            f"aten::div{suffix}.Scalar_mode": (f"aten::div{suffix}", "Tensor_mode", (1,)),
            f"aten::floor_divide{suffix}.Scalar": (
                f"aten::floor_divide{suffix}", "" if not suffix else "Tensor", (1,)
            ),
            f"aten::clamp{suffix}": (f"aten::clamp{suffix}", "Tensor", (1, 2)),
            f"aten::clip{suffix}": (f"aten::clamp{suffix}", "Tensor", (1, 2)),
            f"aten::clamp_min{suffix}": (f"aten::clamp_min{suffix}", "Tensor", (1,)),
            f"aten::clamp_max{suffix}": (f"aten::clamp_max{suffix}", "Tensor", (1,)),
            f"aten::masked_fill{suffix}.Scalar": (f"aten::masked_fill{suffix}", "Tensor", (2,)),
            f"aten::index_fill{suffix}.int_Scalar": (
                f"aten::index_fill{suffix}", "int_Tensor", (3,)
            ),
        }  # fmt: skip
    for name in ("eq", "ne", "lt", "le", "gt", "ge", "remainder"):
        table[f"aten::{name}.Scalar_out"] = (f"aten::{name}", "Tensor_out", (1,))
    for name in ("__lshift__", "__rshift__", "__ilshift__", "__irshift__", "__iand__", "__ior__",
                 "__ixor__"):  # fmt: skip
        table[f"aten::{name}.Scalar"] = (f"aten::{name}", "Tensor", (1,))
    table |= {
        "aten::remainder.Scalar_Tensor": ("aten::remainder", "Tensor", (0,)),
        "aten::where.Scalar": ("aten::where", "self", (1, 2)),
        "aten::pow.Tensor_Scalar": ("aten::pow", "Tensor_Tensor", (1,), "number", _IS_ROOT, True),
        "aten::pow.Scalar": ("aten::pow", "Tensor_Tensor", (0,)),
        "aten::pow_.Scalar": ("aten::pow_", "Tensor", (1,), "number", _IS_ROOT, True),
        "aten::where.ScalarOther": ("aten::where", "self", (2,)),
        "aten::where.ScalarSelf": ("aten::where", "self", (1,)),
        "aten::linspace": ("aten::linspace", "Tensor_Tensor", (0, 1), "float"),
        "aten::logspace": ("aten::logspace", "Tensor_Tensor", (0, 1), "float"),
        "aten::xlogy.Scalar_Other": ("aten::xlogy", "Tensor", (1,), "float"),
    }
    return {key: Spelling(*row) for key, row in table.items()}


POWERS = ("aten::pow.Tensor_Scalar", "aten::pow_.Scalar")
SPELLINGS = _spellings()
"""By overload: calls that are given tensors for the overload's numbers."""


@dataclass(frozen=True, slots=True)
class Sum:
    """A sum or difference: the function that computes it, and in which order."""

    function: str
    is_difference: bool
    is_reversed: bool = False


SUMS = {
    **{
        f"aten::{name}{suffix}.{overload}": Sum(
            "mts_add_in_place" if suffix else "mts_add", name == "sub"
        )
        for name in ("add", "sub")
        for suffix in ("", "_")
        for overload in ("Tensor", "Scalar")
    },
    "aten::rsub.Scalar": Sum("mts_add", True, is_reversed=True),
    "aten::rsub.Tensor": Sum("mts_add", True, is_reversed=True),
}
"""By overload: sums, whose factor `alpha` is a `Scalar`."""
