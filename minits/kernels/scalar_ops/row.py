"""The shape of a row of the table of scalar operations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal

import torch

from minits.records import dataclass

if TYPE_CHECKING:
    from minits.kernels.ir.builder import Builder
    from minits.kernels.ir.kernel import Scalar

Derivative = Callable[["Builder", "Scalar", "Scalar", Sequence["Scalar"]], Sequence[Any]]
"""`(k, gradient, result, operands)` to the gradient of each operand.

None stands for a gradient that is zero everywhere, or that nobody asks for: that of a bool, or of a
parameter that is a number in torch. NotImplemented stands for one that torch refuses to compute. At
NaN and -0, the vectorised and the scalar loops of torch differ here and there; derivatives follow
the vectorised ones.
"""

DtypeRule = Literal[
    "plain", "floating", "not_of_halves", "rounded", "logical", "dividing", "rounding"
]
"""In which dtype an operator computes: see `minits.kernels.lowering.elementwise`."""
StridesOf = Literal["loop", "like_first", "is_infinite", "is_finite"]
"""The rule for an operator's strides in eager: see `minits.kernels.lowering.stride_rules`."""


@dataclass(frozen=True, slots=True)
class ScalarOp:
    """An operation on scalars: what it is called everywhere, and what it does.

    `aten` is the elementwise operator of torch that it computes, if any; what passes know of it is
    read off its row. `aliases` are other names of it in torch, which no graph has (`normalize_ops`
    replaces them); `dunder` is the operator that `&` or `<<` is, which graphs do have. `dtypes` is
    the rule by which operands are cast, None for an operator that has a lowering of its own;
    `strides` is the rule by which the result lies, most often that of one loop over elements.

    `c` and `cuda` are texts by kind of dtype: "f" (floating), "i" (integer), "b" (bool); `{0}`,
    `{1}`, ... stand for the operands, `{T}` for the dtype's short name (`f32`, `f64`, `i64`, `i32`,
    `i16`, `i8`, `u8`, `b8`) and `{t}` for its C type. float16 and bfloat16 are computed as float32.
    `cuda_name` is what CUDA calls the function `mts_NAME_{T}` of `c_math`, if it has it, for float
    and double. Where a row `has_rare_operands`, that function is right for usual floating operands
    only: `mts_rare_NAME_{T}` tells of others, and `mts_any_NAME_{T}` takes them all. A row that
    `is_exact` gives one of its operands, perhaps negated, or a whole number near it: what it
    computes of halves is not rounded again. `numpy` takes and gives arrays of the operands' dtype
    (float32 for the two halves). `result` is the dtype of the result: "same" as operand number
    `like`, or "bool".

    `cost` is about how many additions it costs; from 10 on, a group does not compute it over again
    for many elements. A row without a `derivative` cannot be differentiated through.
    """

    name: str
    arity: int
    numpy: Callable[..., Any]
    c: dict[str, str]
    cuda: dict[str, str]
    aten: str | None = None
    derivative: Derivative | None = None
    result: str = "same"
    like: int = 0
    cost: int = 1
    dtypes: DtypeRule | None = None
    strides: StridesOf = "loop"
    aliases: tuple[str, ...] = ()
    dunder: str | None = None
    cuda_name: str | None = None
    has_rare_operands: bool = False
    is_exact: bool = False

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of nodes that it computes."""
        if self.aten is None:
            return ()
        return (self.aten,) if self.dunder is None else (self.aten, f"aten::{self.dunder}")

    def result_dtype(self, operands: Sequence[Scalar]) -> torch.dtype:
        return torch.bool if self.result == "bool" else operands[self.like].dtype

    def takes(self, dtype: torch.dtype) -> bool:
        """Return whether there is a text for operands of the dtype."""
        return kind_of(dtype) in self.c


def kind_of(dtype: torch.dtype) -> str:
    """Return "f", "i", "b", or "" for a dtype that kernels do not compute with."""
    if dtype.is_floating_point and dtype in SHORT_NAMES:
        return "f"
    if dtype == torch.bool:
        return "b"
    return "i" if dtype in SHORT_NAMES else ""


SHORT_NAMES = {
    torch.float32: "f32", torch.float64: "f64", torch.float16: "f16", torch.bfloat16: "bf16",
    torch.int64: "i64", torch.int32: "i32", torch.int16: "i16", torch.int8: "i8",
    torch.uint8: "u8", torch.bool: "b8",
}  # fmt: skip
C_TYPES = {
    torch.float32: "float", torch.float64: "double", torch.float16: "float",
    torch.bfloat16: "float", torch.int64: "long long", torch.int32: "int",
    torch.int16: "short", torch.int8: "signed char", torch.uint8: "unsigned char",
    torch.bool: "bool",
}  # fmt: skip
"""The types of variables that hold a value: of the two halves, float."""


def computed_in(dtype: torch.dtype) -> torch.dtype:
    """The dtype in which operations on values of `dtype` are computed."""
    return torch.float32 if dtype in (torch.float16, torch.bfloat16) else dtype
