"""Refinements: the types of variables that a condition implies.

`x is not None` being true, `x: Optional[T]` is a `T` in the branch that it guards. A condition
carries the refinements that hold when it is true and those that hold when it is false; `and`, `or`
and `not` combine them. What is refined is named by a key: of a variable, or of what else the
extended dialect refines (`extended/keys.py`).

Source: torch/csrc/jit/frontend/ir_emitter.cpp (`RefinementSet`, `CondValue`).
"""

from __future__ import annotations

from minits.ir.graph import Value
from minits.records import dataclass
from minits.syntax import tree
from minits.types.types import Type


class Key:
    """The subject of a refinement."""


@dataclass(frozen=True)
class VariableKey(Key):
    """A variable, by its name."""

    name: str


Refinements = tuple[tuple[Key, Type], ...]
"""(key, type) pairs, one for each key."""


@dataclass(frozen=True, slots=True)
class RefinementSet:
    when_true: Refinements = ()
    when_false: Refinements = ()

    def and_(self, other: RefinementSet) -> RefinementSet:
        """Return the refinements of `a and b`; those when false must be common to both."""
        return RefinementSet(
            _both(self.when_true, other.when_true), _either(self.when_false, other.when_false)
        )

    def or_(self, other: RefinementSet) -> RefinementSet:
        return RefinementSet(
            _either(self.when_true, other.when_true), _both(self.when_false, other.when_false)
        )

    def not_(self) -> RefinementSet:
        return RefinementSet(self.when_false, self.when_true)


def _both(first: Refinements, second: Refinements) -> Refinements:
    """Merge two lists of refinements. A key that they refine to different types is dropped."""
    result = dict(first)
    for key, type in second:
        if key not in result:
            result[key] = type
        elif result[key] != type:
            del result[key]
    return tuple(result.items())


def _either(first: Refinements, second: Refinements) -> Refinements:
    known = dict(second)
    return tuple((key, type) for key, type in first if known.get(key) == type)


@dataclass(frozen=True, slots=True)
class Condition:
    """An emitted test: its value, what it refines, and its truth if known while compiling.

    A *test* is the expression, as in `ast`; a *condition* is what is emitted for it.

    `static` is not the same as `value` being a constant: a variable that holds a constant decides
    nothing, since the branches that it guards are compiled all the same.
    """

    value: Value
    refinements: RefinementSet = RefinementSet()
    static: bool | None = None


@dataclass(frozen=True, slots=True)
class FailedCondition:
    """A test of which a part failed, and the rest tells something.

    unknown: the variables of which that part would have told something.
    refinements: what the other parts tell.
    truth: that of the whole, if the other parts decide it.
    """

    unknown: tuple[str, ...]
    refinements: RefinementSet = RefinementSet()
    truth: bool | None = None

    def told(self, truth: bool) -> Refinements:
        """Return the refinements that hold where the test is true, or false."""
        told = self.refinements.when_true if truth else self.refinements.when_false
        return tuple(each for each in told if getattr(each[0], "name", None) not in self.unknown)

    def not_(self) -> FailedCondition:
        truth = None if self.truth is None else not self.truth
        return FailedCondition(self.unknown, self.refinements.not_(), truth)


def is_test(node: tree.expr) -> bool:
    """Return whether an expression is a test that may refine a type."""
    match node:
        case tree.Call(func=tree.Name(id="isinstance")):
            return True
        case tree.BoolOp() | tree.UnaryOp(op="not") | tree.Compare():
            return may_refine(node)
    return False


def may_refine(node: tree.expr) -> bool:
    """Return whether a test may refine the type of a variable, attribute or item."""
    for part in tree.walk(node):
        match part:
            case (
                tree.Compare(ops=(("is" | "is not"),)) | tree.Call(func=tree.Name(id="isinstance"))
            ):
                return True
    return False
