"""Activations, which take a `Scalar` where torch's C interface has none, by functions of C.

    uint64_t call[1] = {mts_pass_tensor(x)};
    if (mts_elu(pool, call, 1.0, 1.0, 1.0)) { out[0].list = x; return 1; }

Small tensors of floats are computed there, with one call of torch's at most, and others by other
operators of torch, as are those whose gradients may be recorded (`c/activations.c`).

Source: torch/_decomp/decompositions.py has the same formulas.
"""

from __future__ import annotations

from minits.records import dataclass

IS_NO_FLOAT = "mts_category(mts_dtype({0})) != 2"
IS_BOOL = "mts_category(mts_dtype({0})) == 0"


@dataclass(frozen=True, slots=True)
class Activation:
    """The function in C of an operator.

    raises: where this condition holds, the operator raises
    has_kinds: the numbers are passed with their kinds: tensors may be of ints
    is_in_place: the operator writes to its tensor
    """

    function: str
    raises: str
    has_kinds: bool = False
    is_in_place: bool = False


_IS_BEYOND = "mts_overflows(mts_dtype({0}), {1}) || mts_overflows(mts_dtype({0}), {2})"
"""The tensors that `hardtanh` does not take: bools, and ints that do not reach to its bounds."""
_ROWS: dict[str, tuple[str, bool]] = {
    "leaky_relu": (IS_NO_FLOAT, False),
    "elu": (IS_NO_FLOAT, False),
    "celu": (f"{IS_NO_FLOAT} || {{1}} == 0", False),
    "softplus": (IS_NO_FLOAT, False),
    "hardshrink": (IS_NO_FLOAT, False),
    "softshrink": (f"{IS_NO_FLOAT} || !({{1}} >= 0)", False),
    "threshold": (IS_BOOL, True),
    "hardtanh": (_IS_BEYOND, True),
}
_IN_PLACE = ("leaky_relu", "elu", "celu", "threshold", "hardtanh")
ACTIVATIONS: dict[str, Activation] = {
    **{f"aten::{name}": Activation(f"mts_{name}", *row) for name, row in _ROWS.items()},
    **{f"aten::{name}_": Activation(f"mts_{name}", *_ROWS[name], True) for name in _IN_PLACE},
}
"""By operator."""
