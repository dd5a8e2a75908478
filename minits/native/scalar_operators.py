"""The operators of int, float and bool as C: one row for each overload.

    aten::floordiv.int     mts_floordiv({0}, {1})      raises if {1} == 0

Operands that are ints where a float is computed are converted first, as in `ops/`.

Source: torch/csrc/jit/runtime/register_prim_ops.cpp, register_ops_utils.h.
"""

from __future__ import annotations

from minits.native.c_types import BEYOND_64_BITS
from minits.native.operator_rows import Operator, computing

_IS_ZERO = "{1} == 0"

_UNARY = {
    **{
        name: f"{name}({{0}})"
        for name in (
            "log log1p log10 sqrt acos asin atan cos sin tan asinh atanh acosh cosh sinh tanh exp "
            "expm1 erf erfc fabs lgamma"
        ).split()
    },
    "degrees": "{0} * (180.0 / 0x1.921fb54442d18p+1)",
    "radians": "{0} * (0x1.921fb54442d18p+1 / 180.0)",
    "round": "nearbyint({0})",
    "gamma": "tgamma({0})",
}
_BINARY = {
    "aten::sub": "{0} - {1}",
    "aten::add": "{0} + {1}",
    "aten::mul": "{0} * {1}",
    "aten::div": "{0} / {1}",
    "aten::floordiv": "floor({0} / {1})",
    "aten::remainder": "mts_remainder_of_floats({0}, {1})",
    "aten::fmod": "fmod({0}, {1})",
    "aten::mathremainder": "remainder({0}, {1})",
    "aten::pow": "mts_pow({0}, {1})",
    "aten::atan2": "atan2({0}, {1})",
    "aten::copysign": "copysign({0}, {1})",
    "aten::log": "log({0}) / log({1})",
    "prim::min": "{0} < {1} ? {0} : {1}",
    "prim::max": "{0} > {1} ? {0} : {1}",
    "aten::lt": "{0} < {1}",
    "aten::le": "{0} <= {1}",
    "aten::gt": "{0} > {1}",
    "aten::ge": "{0} >= {1}",
    "aten::eq": "{0} == {1}",
    "aten::ne": "{0} != {1}",
}
_RAISES = {"aten::pow": "{0} == 0.0 && {1} < 0.0"}
_OF_INTS_AS_FLOATS = frozenset(
    ("aten::div", "aten::fmod", "aten::mathremainder", "aten::pow", "aten::atan2", "aten::copysign")
)
_OF_INTS = (
    "aten::sub", "aten::add", "aten::mul", "prim::min", "prim::max",
    "aten::lt", "aten::le", "aten::gt", "aten::ge", "aten::eq", "aten::ne",
)  # fmt: skip
"""Those of which the int overload computes in ints by the same text."""


def _converted(text: str, *operands: int) -> str:
    """Return a text in which these operands are converted to float."""
    for operand in operands:
        text = text.replace(f"{{{operand}}}", f"(double){{{operand}}}")
    return text


def _table() -> dict[str, Operator]:
    table: dict[str, Operator] = {}
    for name, text in _UNARY.items():
        table[f"aten::{name}.float"] = computing(text)
        table[f"aten::{name}.int"] = computing(_converted(text, 0))
    for name, text in _BINARY.items():
        raises = _RAISES.get(name)
        both = "float_float" if name == "aten::log" else "float"
        table[f"{name}.{both}"] = computing(text, raises=raises)
        table[f"{name}.int_float"] = computing(_converted(text, 0), raises=raises)
        table[f"{name}.float_int"] = computing(_converted(text, 1), raises=raises)
        if name in _OF_INTS_AS_FLOATS:
            table[f"{name}.int"] = computing(_converted(text, 0, 1), raises=raises)
    for name in _OF_INTS:
        table[f"{name}.int"] = computing(_BINARY[name])
    table["aten::log.int_int"] = computing(_converted(_BINARY["aten::log"], 0, 1))
    del table["aten::div.int_float"], table["aten::div.float_int"]
    table["aten::div"] = table["aten::div.int"]  # of an int and a float
    return table


def _divmod(a: str, b: str) -> Operator:
    """Return the row of `divmod` of an int and a float, which are narrowed to 32 bits first."""
    ratio = f"mts_ratio({a}, {b})"
    quotient = f"(double)mts_to_int(floor({ratio}))"
    return computing(
        quotient,
        f"{a} - {quotient} * {b}",
        raises=f"{b} == 0.0 || {BEYOND_64_BITS.replace('{0}', ratio)}",
    )


_NARROW_INT, _NARROW_FLOAT = "(double)(int32_t){}", "(double)(float){}"
SCALAR_OPERATORS: dict[str, Operator] = {
    **_table(),
    # of ints
    "aten::neg.int": computing("-{0}"),
    "prim::abs.int": computing("{0} < 0 ? -{0} : {0}"),
    "aten::floordiv.int": computing("mts_floordiv({0}, {1})", raises=_IS_ZERO),
    "aten::remainder.int": computing("mts_remainder({0}, {1})", raises=_IS_ZERO),
    "aten::__round_to_zero_floordiv.int": computing("mts_quotient({0}, {1})", raises=_IS_ZERO),
    "aten::divmod.int": computing(
        "mts_floordiv({0}, {1})", "{0} - mts_floordiv({0}, {1}) * {1}", raises=_IS_ZERO
    ),
    "aten::__lshift__.int": computing("(int64_t){0} << ({1} & 63)"),
    "aten::__rshift__.int": computing("(int64_t){0} >> ({1} & 63)"),
    "aten::__and__.int": computing("{0} & {1}"),
    "aten::__or__.int": computing("{0} | {1}"),
    "aten::__xor__.int": computing("{0} ^ {1}"),
    "aten::gcd.int": computing("mts_gcd({0}, {1})"),
    "aten::factorial.int": computing("mts_factorial({0})", raises="{0} < 0"),
    "aten::__range_length": computing("mts_range_length({0}, {1}, {2})", raises="{2} == 0"),
    "aten::__derive_index": computing("{1} + {0} * {2}"),
    # of floats
    "aten::neg.float": computing("-{0}"),
    "prim::abs.float": computing("fabs({0})"),
    "aten::floor.int": computing("{0}"),
    "aten::ceil.int": computing("{0}"),
    "aten::floor.float": computing("mts_to_int(floor({0}))", raises=BEYOND_64_BITS),
    "aten::ceil.float": computing("mts_to_int(ceil({0}))", raises=BEYOND_64_BITS),
    "aten::divmod.float": computing(
        "mts_divmod_quotient({0}, {1})", "mts_divmod_rest({0}, {1})", raises="{1} == 0.0"
    ),
    "aten::divmod.int_float": _divmod(_NARROW_INT.format("{0}"), _NARROW_FLOAT.format("{1}")),
    "aten::divmod.float_int": _divmod(_NARROW_FLOAT.format("{0}"), _NARROW_INT.format("{1}")),
    "aten::frexp": computing("mts_mantissa({0})", "mts_exponent({0})"),
    "aten::modf": computing("mts_fraction({0})", "mts_whole_part({0})"),
    "aten::ldexp": computing("ldexp({0}, (int){1})"),
    "aten::isnan.float": computing("{0} != {0}"),
    "aten::isinf.float": computing("fabs({0}) == __builtin_inf()"),
    "aten::isfinite.float": computing("fabs({0}) < __builtin_inf()"),
    # of bools
    "aten::__and__.bool": computing("{0} && {1}"),
    "aten::__or__.bool": computing("{0} || {1}"),
    "aten::__xor__.bool": computing("{0} != {1}"),
    "aten::eq.bool": computing("{0} == {1}"),
    "aten::ne.bool": computing("{0} != {1}"),
    "aten::__not__": computing("!{0}"),
    # from one to another
    "aten::Bool.int": computing("{0} != 0"),
    "aten::Bool.float": computing("{0} != 0.0"),
    "aten::Int.bool": computing("(int64_t){0}"),
    "aten::Int.float": computing("mts_to_int({0})"),
    "aten::Float.int": computing("(double){0}"),
    "aten::Float.Scalar": computing("(double){0}"),
    "aten::Float.bool": computing("(double){0}"),
    "aten::is_scripting": computing("true"),
}
