"""The operators of complex numbers as C: one row for each overload, as in `scalar_operators.py`.

Sums, products and quotients are those of c10 (`c/complex.c`); functions are those of the C library,
which c10 calls, too.

Source: c10/util/complex.h, c10/util/complex_math.h.
"""

from __future__ import annotations

from minits.native.operator_rows import Operator, computing

_FUNCTIONS = ("log exp sqrt sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh").split()
_PARTS = {"int": "(double)(int32_t){}", "float": "{}", "bool": "(double){}"}
"""A part of a complex number, of which torch reads an int as one of 32 bits."""
_RE_0, _IM_0, _RE_1, _IM_1 = "__real__ {0}", "__imag__ {0}", "__real__ {1}", "__imag__ {1}"
_OF_REAL = {
    "aten::add": f"mts_complex_of({{0}} + {_RE_1}, {_IM_1})",
    "aten::sub": f"mts_complex_of({{0}} - {_RE_1}, -{_IM_1})",
    "aten::mul": f"mts_complex_of({{0}} * {_RE_1}, {{0}} * {_IM_1})",
    "aten::log": "mts_complex_div(mts_complex_of(log({0}), 0.0), clog({1}))",
    "aten::pow": "mts_complex_pow_of_real({0}, {1})",
    "aten::eq": f"{{0}} == {_RE_1} && {_IM_1} == 0.0",
    "aten::ne": f"!({{0}} == {_RE_1} && {_IM_1} == 0.0)",
}
"""Operators of a real and a complex number."""
_BY_REAL = {
    "aten::add": f"mts_complex_of({_RE_0} + {{1}}, {_IM_0})",
    "aten::sub": f"mts_complex_of({_RE_0} - {{1}}, {_IM_0})",
    "aten::mul": f"mts_complex_of({_RE_0} * {{1}}, {_IM_0} * {{1}})",
    "aten::log": "mts_complex_by_real(clog({0}), log({1}))",
    "aten::pow": "mts_complex_pow_by_real({0}, {1})",
    "aten::eq": f"{_RE_0} == {{1}} && {_IM_0} == 0.0",
    "aten::ne": f"!({_RE_0} == {{1}} && {_IM_0} == 0.0)",
}
"""Operators of a complex and a real number."""
_OF_FLOATS_ONLY = ("aten::pow", "aten::eq", "aten::ne")
"""Those without an overload for an int."""
_OF_PAIRS = {
    "aten::add.complex": "mts_complex_add({0}, {1})",
    "aten::sub.complex": "mts_complex_sub({0}, {1})",
    "aten::mul.complex": "mts_complex_mul({0}, {1})",
    "aten::div.complex": "mts_complex_div({0}, {1})",
    "aten::pow.complex": "cpow({0}, {1})",
    "aten::log.complex_complex": "mts_complex_div(clog({0}), clog({1}))",
    "aten::eq.complex": "mts_complex_equal({0}, {1})",
    "aten::ne.complex": "!mts_complex_equal({0}, {1})",
    "aten::polar.float": "mts_complex_polar({0}, {1})",
    "aten::polar.int": "mts_complex_polar((double){0}, (double){1})",
    "aten::polar.int_float": "mts_complex_polar((double){0}, {1})",
    "aten::polar.float_int": "mts_complex_polar({0}, (double){1})",
}


def _table() -> dict[str, Operator]:
    table = {f"aten::{name}.complex": computing(f"c{name}({{0}})") for name in _FUNCTIONS}
    for rows, real, kinds in ((_OF_REAL, "{0}", "{}_complex"), (_BY_REAL, "{1}", "complex_{}")):
        for name, text in rows.items():
            table[f"{name}.{kinds.format('float')}"] = computing(text)
            if name not in _OF_FLOATS_ONLY:
                converted = text.replace(real, f"(double){real}")
                table[f"{name}.{kinds.format('int')}"] = computing(converted)
    for a, first in _PARTS.items():
        for b, second in _PARTS.items():
            parts = f"{first.format('{0}')}, {second.format('{1}')}"
            table[f"aten::Complex.{a}_{b}"] = computing(f"mts_complex_of({parts})")
    return table | {key: computing(text) for key, text in _OF_PAIRS.items()}


COMPLEX_OPERATORS: dict[str, Operator] = {
    **_table(),
    "aten::neg.complex": computing(f"mts_complex_of(-{_RE_0}, -{_IM_0})"),
    "prim::abs.complex": computing("cabs({0})"),
    "aten::angle.complex": computing(f"atan2({_IM_0}, {_RE_0})"),
    "aten::log10.complex": computing("mts_complex_by_real(clog({0}), log(10.0))"),
    **{f"aten::{name}": computing("false", raises="true") for name in ("lt", "le", "gt", "ge")},
    "aten::isnan.complex": computing("!mts_complex_equal({0}, {0})"),
    "aten::isinf.complex": computing("mts_complex_isinf({0})"),
    "aten::isfinite.complex": computing("mts_complex_isfinite({0})"),
}
