"""Activations, in terms of other operators: formulas of `decompositions.py`.

Source: torch/_decomp/decompositions.py has the same.
"""

from __future__ import annotations

from collections.abc import Callable

from minits.ir.constants import to_python
from minits.ir.graph import Value
from minits.native.builder import Builder, Operand

Formula = Callable[..., Value | None]
"""A function of a builder and a node's inputs; None where it has no formula for these."""

IS_NO_FLOAT = "mts_category(mts_dtype({0})) != 2"
IS_BOOL = "mts_category(mts_dtype({0})) == 0"
DIFFERS = "mts_dtype({0}) != mts_dtype({1})"


def element(b: Builder, like: Value, number: Operand) -> Value:
    """Return a number as a tensor without dimensions that has the dtype of another one."""
    return b("aten::fill_", b("aten::new_empty", like, [], None, None, None, None), number)


def _of_floats(formula: Formula) -> Formula:
    """Return a formula that raises for other tensors."""

    def checked(b: Builder, x: Value, *others: Value) -> Value | None:
        b.raise_if(IS_NO_FLOAT)
        return formula(b, x, *others)

    return checked


def _leaky_relu(b: Builder, x: Value, slope: Value) -> Value:
    return b("aten::where", b("aten::gt", x, 0), x, b("aten::mul", x, slope))


def _in_place(formula: Formula) -> Formula:
    """Return the formula of an activation in place."""

    def changed(b: Builder, x: Value, *others: Value) -> Value:
        return b("aten::copy_", x, formula(b, x, *others), False)

    return changed


def _is_one(number: Value) -> bool:
    return to_python(number) in (1, 1.0)


def _times(b: Builder, x: Value, factor: Value) -> Value:
    """Return a product; one with 1, which most activations have by default, is `x`."""
    return x if _is_one(factor) else b("aten::mul", x, factor)


def _over(b: Builder, x: Value, divisor: Value) -> Value:
    return x if _is_one(divisor) else b("aten::div", x, divisor)


def _elu(b: Builder, x: Value, alpha: Value, scale: Value, of_input: Value) -> Value:
    below = b("aten::expm1", _times(b, x, of_input))
    if all(map(_is_one, (alpha, scale, of_input))):  # which is `x` where that is 0
        return b("aten::where", b("aten::signbit", x), below, x)
    below = _times(b, _times(b, below, alpha), scale)
    return b("aten::where", b("aten::gt", x, 0), _times(b, x, scale), below)


def _celu(b: Builder, x: Value, alpha: Value) -> Value:
    below = _times(b, b("aten::expm1", _over(b, x, alpha)), alpha)
    return b("aten::where", b("aten::gt", x, 0), x, below)


def _softplus(b: Builder, x: Value, beta: Value, threshold: Value) -> Value:
    scaled = _times(b, x, beta)
    smooth = _over(b, b("aten::log1p", b("aten::exp", scaled)), beta)
    return b("aten::where", b("aten::gt", scaled, threshold), x, smooth)


def _threshold(b: Builder, x: Value, threshold: Value, value: Value) -> Value:
    b.raise_if(IS_BOOL)
    is_below = b("aten::le", x, element(b, x, threshold))
    return b("aten::where", is_below, element(b, x, value), x)


def _hardshrink(b: Builder, x: Value, lambd: Value) -> Value:
    return b("aten::where", b("aten::le", b("aten::abs", x), lambd), b("aten::mul", x, 0), x)


ACTIVATIONS: dict[str, Formula] = {
    "aten::leaky_relu": _of_floats(_leaky_relu),
    "aten::leaky_relu_": _of_floats(_in_place(_leaky_relu)),
    "aten::elu": _of_floats(_elu),
    "aten::elu_": _of_floats(_in_place(_elu)),
    "aten::celu": _of_floats(_celu),
    "aten::celu_": _of_floats(_in_place(_celu)),
    "aten::softplus": _of_floats(_softplus),
    "aten::threshold": _threshold,
    "aten::threshold_": _in_place(_threshold),
    "aten::hardshrink": _of_floats(_hardshrink),
}
"""By operator."""
