"""Operators of a complex number and another number for which torch has no overload but `Scalar`'s.

torch.jit ends those in an internal assertion, or gives nothing: `z / 2`, `2 ** z`, `z == 3`, and
what Python has not, such as `z < 3`. Here they are Python's; a quotient by zero is c10's, as that
of two complex numbers is.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from minits import torch_internals as internals
from minits.ops.errors import ScriptTypeError

Operation = Callable[..., Any]


def _otherwise(name: str, overload: str) -> Operation:
    """Return torch's operator, looked up when it is first called."""
    found: list[Operation] = []

    def call(*numbers: Any) -> Any:
        if not found:
            operation = internals.operation(name, overload)
            assert operation is not None
            found.append(operation[0])
        return found[0](*numbers)

    return call


def _of_scalars(name: str, overload: str, of_complex: Operation) -> Operation:
    """Return torch's operator, but for complex numbers another one."""
    of_others = _otherwise(name, overload)

    def call(a: Any, b: Any) -> Any:
        is_complex = isinstance(a, complex) or isinstance(b, complex)
        return (of_complex if is_complex else of_others)(a, b)

    return call


def _of_float_and_complex(name: str, overload: str, of_complex: Operation) -> Operation:
    """Return torch's operator, but where its float is complex, as `z / 2` may be, another one."""
    of_others = _otherwise(name, overload)

    def call(a: Any, b: Any) -> Any:
        both = isinstance(a, complex) and isinstance(b, complex)
        return (of_complex if both else of_others)(a, b)

    return call


def _total(function: Operation, of_pairs: Operation) -> Operation:
    """Return a function, but c10's of two complex numbers where Python has no result."""

    def call(a: Any, b: Any) -> Any:
        try:
            return function(a, b)
        except (ZeroDivisionError, OverflowError):
            return of_pairs(complex(a), complex(b))

    return call


def _refused(sign: str, says: str) -> Operation:
    def call(a: Any, b: Any) -> Any:
        kinds = f"'{type(a).__name__}' and '{type(b).__name__}'"
        raise ScriptTypeError(f"TypeError: {says.format(sign)}: {kinds}")

    return call


_NOT_ORDERED = "'{}' not supported between instances"
_NO_OPERANDS = "unsupported operand types for {}"

TABLE: dict[str, Operation] = {
    "aten::div": _of_scalars(
        "aten::div", "", _total(operator.truediv, _otherwise("aten::div", "complex"))
    ),
    "aten::pow.Scalar_Scalar": _of_scalars(
        "aten::pow", "Scalar_Scalar", _total(operator.pow, _otherwise("aten::pow", "complex"))
    ),
    **{
        f"aten::{name}.{kinds}": _of_float_and_complex(
            f"aten::{name}", kinds, getattr(operator, name)
        )
        for name in ("add", "sub", "mul", "pow", "eq", "ne")
        for kinds in ("float_complex", "complex_float")
    },
    "aten::eq": _of_scalars("aten::eq", "", operator.eq),
    "aten::ne": _of_scalars("aten::ne", "", operator.ne),
    **{
        f"aten::{name}": _of_scalars(f"aten::{name}", "", _refused(sign, _NOT_ORDERED))
        for name, sign in (("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">="))
    },
    **{
        f"aten::{name}": _of_scalars(f"aten::{name}", "", _refused(sign, _NO_OPERANDS))
        for name, sign in (("floordiv", "//"), ("remainder", "%"))
    },
}
