"""Scalar operations: arithmetic."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from minits.kernels.scalar_ops.row import ScalarOp

if TYPE_CHECKING:
    from minits.kernels.builder import Builder
    from minits.kernels.kernel import Scalar


def _every(text: str, kinds: str = "fi") -> dict[str, str]:
    """The same text for several kinds of dtype."""
    return dict.fromkeys(kinds, text)


def _add(k: Builder, g: Scalar, result: Scalar, operands: Sequence[Scalar]) -> list[Any]:
    return [g, g]


def _sub(k: Builder, g: Scalar, result: Scalar, operands: Sequence[Scalar]) -> list[Any]:
    return [g, k("neg", g)]


def _mul(k: Builder, g: Scalar, result: Scalar, operands: Sequence[Scalar]) -> list[Any]:
    a, b = operands
    return [k("mul", g, b), k("mul", g, a)]


def _neg(k: Builder, g: Scalar, result: Scalar, operands: Sequence[Scalar]) -> list[Any]:
    return [k("neg", g)]


ARITHMETIC = [
    ScalarOp("add", 2, np.add, _every("({0} + {1})"), _every("({0} + {1})"), "aten::add", _add),
    ScalarOp(
        "sub", 2, np.subtract, _every("({0} - {1})"), _every("({0} - {1})"), "aten::sub", _sub
    ),
    ScalarOp(
        "mul", 2, np.multiply, _every("({0} * {1})"), _every("({0} * {1})"), "aten::mul", _mul
    ),
    ScalarOp("neg", 1, np.negative, _every("(-{0})"), _every("(-{0})"), "aten::neg", _neg),
]
