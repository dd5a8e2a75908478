"""Writing derivatives as formulas.

    by(lambda g, y, x: g * y)                            exp
    by(lambda g, y, a, b: (g / b, -g * (a / b / b)))     div

`g` is the gradient of the result `y`, and what follows are the operands. A formula gives one term,
or a tuple with a term for each operand; None stands for a gradient that is zero everywhere, or that
torch does not define (such as that of a bool).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from minits.kernels.scalar_ops.row import Derivative

if TYPE_CHECKING:
    from minits.kernels.ir.builder import Builder
    from minits.kernels.ir.kernel import Scalar

Number: TypeAlias = "Term | bool | int | float"


class Term:
    """A scalar that Python's operators work on. Numbers beside it become constants of its dtype."""

    __slots__ = ("k", "scalar")

    def __init__(self, k: Builder, scalar: Scalar) -> None:
        self.k = k
        self.scalar = scalar

    def __add__(self, other: Number) -> Term:
        return apply("add", self, other)

    def __radd__(self, other: Number) -> Term:
        return apply("add", other, self)

    def __sub__(self, other: Number) -> Term:
        return apply("sub", self, other)

    def __rsub__(self, other: Number) -> Term:
        return apply("sub", other, self)

    def __mul__(self, other: Number) -> Term:
        return apply("mul", self, other)

    def __rmul__(self, other: Number) -> Term:
        return apply("mul", other, self)

    def __truediv__(self, other: Number) -> Term:
        return apply("div", self, other)

    def __rtruediv__(self, other: Number) -> Term:
        return apply("div", other, self)

    def __neg__(self) -> Term:
        return apply("neg", self)

    def __lt__(self, other: Number) -> Term:
        return apply("lt", self, other)

    def __le__(self, other: Number) -> Term:
        return apply("le", self, other)

    def __gt__(self, other: Number) -> Term:
        return apply("gt", self, other)

    def __ge__(self, other: Number) -> Term:
        return apply("ge", self, other)

    def __and__(self, other: Term) -> Term:
        return apply("logical_and", self, other)

    def __or__(self, other: Term) -> Term:
        return apply("logical_or", self, other)

    def __invert__(self) -> Term:
        return apply("logical_not", self)


def apply(op: str, *operands: Number) -> Term:
    """Apply a row of the table. At least one operand must be a term."""
    terms = [operand for operand in operands if isinstance(operand, Term)]
    like = next((term for term in terms if term.scalar.dtype.is_floating_point), terms[0])
    scalars = [
        operand.scalar if isinstance(operand, Term) else like.k.constant(operand, like.scalar.dtype)
        for operand in operands
    ]
    return Term(like.k, like.k(op, *scalars))


def equal(left: Term, right: Number) -> Term:
    return apply("eq", left, right)


def where(condition: Term, yes: Number, no: Number) -> Term:
    """Choose between two values of which at least one is a term."""
    return apply("where", condition, yes, no)


def only_where(condition: Term, gradient: Term) -> Term:
    """The gradient where the condition holds, zero elsewhere."""
    return where(condition, gradient, 0.0)


def by(formula: Callable[..., Any]) -> Derivative:
    """Make a derivative of a formula: see the module's text."""

    def derivative(k: Builder, g: Scalar, result: Scalar, operands: Sequence[Scalar]) -> list[Any]:
        given = formula(Term(k, g), Term(k, result), *[Term(k, operand) for operand in operands])
        found = given if isinstance(given, tuple) else (given,)
        return [term.scalar if isinstance(term, Term) else term for term in found]

    return derivative


def flat(arity: int) -> Derivative:
    """The derivative of what is constant between its jumps: zero."""
    return lambda k, g, result, operands: [None] * arity
