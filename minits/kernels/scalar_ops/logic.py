"""Scalar operations: comparisons, logic, bits, choices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from minits.kernels.scalar_ops.row import ScalarOp, StridesOf
from minits.kernels.scalar_ops.terms import Term, apply, by, only_where, where
from minits.kernels.scalar_ops.texts import scalar_op


def _comparison(name: str, numpy: Callable[..., Any], sign: str, *aliases: str) -> ScalarOp:
    text = f"({{0}} {sign} {{1}})"
    return scalar_op(
        name, 2, numpy, {"fib": text}, result="bool", dtypes="rounded", aliases=aliases
    )


COMPARISONS = [
    _comparison("eq", np.equal, "=="),
    _comparison("ne", np.not_equal, "!=", "not_equal"),
    _comparison("lt", np.less, "<", "less"),
    _comparison("le", np.less_equal, "<=", "less_equal"),
    _comparison("gt", np.greater, ">", "greater"),
    _comparison("ge", np.greater_equal, ">=", "greater_equal"),
]

# ---- Tests of one number -------------------------------------------------------------------------


def _test(name: str, numpy: Callable[..., Any], text: str, strides: StridesOf = "loop") -> ScalarOp:
    """A test that no integer passes."""
    return scalar_op(
        name, 1, numpy, {"f": text, "ib": "false"}, result="bool", dtypes="rounded", strides=strides
    )


TESTS = [
    _test("isnan", np.isnan, "({0} != {0})"),
    _test("isinf", np.isinf, "(__builtin_isinf({0}) != 0)", "is_infinite"),
    _test("isposinf", lambda x: x == np.inf, "(__builtin_isinf({0}) && {0} > 0)"),
    _test("isneginf", lambda x: x == -np.inf, "(__builtin_isinf({0}) && {0} < 0)"),
    scalar_op(
        "isfinite", 1, np.isfinite, {"f": "(__builtin_isfinite({0}) != 0)", "ib": "true"},
        result="bool", dtypes="rounded", strides="is_finite",
    ),
    scalar_op(
        "signbit", 1, lambda x: np.signbit(x) if x.dtype.kind == "f" else x < 0,
        {"f": "(__builtin_signbit({0}) != 0)", "i": "({0} < 0)", "b": "false"}, result="bool",
        dtypes="rounded",
    ),
]  # fmt: skip

# ---- Logic and bits ------------------------------------------------------------------------------

_BITS = "8 * (int)sizeof({t})"
_IS_OUTSIDE = f"{{1}} < 0 || {{1}} >= {_BITS}"


def _left_shift(a: Any, b: Any) -> Any:
    bits = 8 * a.dtype.itemsize
    is_outside = (b < 0) | (b >= bits)
    return np.where(is_outside, 0, np.left_shift(a, np.where(is_outside, 0, b).astype(a.dtype)))


def _right_shift(a: Any, b: Any) -> Any:
    bits = 8 * a.dtype.itemsize
    most = bits - 1
    zero = np.where(a < 0, -1, 0) if a.dtype.kind == "i" else 0
    is_outside = (b < 0) | (b > most)
    return np.where(is_outside, zero, np.right_shift(a, np.where(is_outside, 0, b).astype(a.dtype)))


LOGIC = [
    scalar_op(
        "logical_and", 2, np.logical_and,
        {"fi": "({0} != 0 && {1} != 0)", "b": "({0} & {1})"}, result="bool", dtypes="logical",
    ),
    scalar_op(
        "logical_or", 2, np.logical_or,
        {"fi": "({0} != 0 || {1} != 0)", "b": "({0} | {1})"}, result="bool", dtypes="logical",
    ),
    scalar_op(
        "logical_xor", 2, np.logical_xor,
        {"fi": "(({0} != 0) != ({1} != 0))", "b": "({0} != {1})"}, result="bool", dtypes="logical",
    ),
    scalar_op(
        "logical_not", 1, np.logical_not, {"fi": "({0} == 0)", "b": "(!{0})"}, result="bool",
        dtypes="logical",
    ),
    scalar_op(
        "bitwise_and", 2, np.bitwise_and, {"ib": "({0} & {1})"},
        dtypes="plain", dunder="__and__",
    ),
    scalar_op(
        "bitwise_or", 2, np.bitwise_or, {"ib": "({0} | {1})"},
        dtypes="plain", dunder="__or__",
    ),
    scalar_op(
        "bitwise_xor", 2, np.bitwise_xor, {"i": "({0} ^ {1})", "b": "({0} != {1})"},
        dtypes="plain", dunder="__xor__",
    ),
    scalar_op("bitwise_not", 1, np.bitwise_not, {"i": "(~{0})", "b": "(!{0})"}, dtypes="plain"),
    scalar_op(
        "bitwise_left_shift", 2, _left_shift,
        {"i": f"({_IS_OUTSIDE} ? ({{t}})0 : ({{t}})({{0}} << {{1}}))"}, cost=3,
        dtypes="plain", dunder="__lshift__",
    ),
    scalar_op(
        "bitwise_right_shift", 2, _right_shift,
        {"i": f"({{0}} >> ({_IS_OUTSIDE} ? {_BITS} - (({{t}})-1 < 0) : {{1}}))"}, cost=3,
        dtypes="plain", dunder="__rshift__",
    ),
]  # fmt: skip

# ---- Choices -------------------------------------------------------------------------------------


def _where_backward(g: Term, y: Term, condition: Term, yes: Term, no: Term) -> tuple[Any, ...]:
    return None, only_where(condition, g), where(condition, 0.0, g)


def _checked(x: Any, is_right: Any) -> Any:
    if not np.all(is_right):
        raise ValueError("a check fails")
    return x


def _nan_to_num(x: Any, nan: Any, posinf: Any, neginf: Any) -> Any:
    if x.dtype.kind != "f":
        return x
    return np.where(
        np.isnan(x), nan, np.where(x == np.inf, posinf, np.where(x == -np.inf, neginf, x))
    )


CHOICES = [
    scalar_op(  # the first operand; a launch fails in which the second is false
        "checked", 2, _checked, {"fib": "{0}"}, by(lambda g, y, x, is_right: (g, None)), aten=None
    ),
    scalar_op(
        "where", 3, np.where, {"fib": "({0} ? {1} : {2})"}, by(_where_backward), like=1,
        is_exact=True,
    ),
    scalar_op(
        "nan_to_num", 4, _nan_to_num,
        {"f": "({0} != {0} ? {1} : __builtin_isinf({0}) ? ({0} > 0 ? {2} : {3}) : {0})",
         "ib": "{0}"},
        by(lambda g, y, x, nan, pos, neg: (only_where(apply("isfinite", x), g), None, None, None)),
        cost=4,
    ),
]  # fmt: skip
