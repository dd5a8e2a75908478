"""Refinements: the types of variables that a condition implies.

`x is not None` being true, `x: Optional[T]` is a `T` in the branch that it guards. A condition
carries the refinements that hold when it is true and those that hold when it is false; `and`, `or`
and `not` combine them.

Source: torch/csrc/jit/frontend/ir_emitter.cpp (`RefinementSet`, `CondValue`).
"""

from __future__ import annotations

from minits.ir.graph import Value
from minits.records import dataclass
from minits.types.types import Type

Refinements = tuple[tuple[str, Type], ...]
"""(variable, type) pairs, one for each variable."""


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
    """Merge two lists of refinements. A variable that they refine to different types is dropped."""
    result = dict(first)
    for name, type in second:
        if name not in result:
            result[name] = type
        elif result[name] != type:
            del result[name]
    return tuple(result.items())


def _either(first: Refinements, second: Refinements) -> Refinements:
    known = dict(second)
    return tuple((name, type) for name, type in first if known.get(name) == type)


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition's value, what it refines, and its truth where that is known when compiling.

    `static` is not the same as `value` being a constant: a variable that holds a constant decides
    nothing, since the branches that it guards are compiled all the same.
    """

    value: Value
    refinements: RefinementSet = RefinementSet()
    static: bool | None = None
