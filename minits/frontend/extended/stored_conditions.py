"""Conditions kept in variables: `ok = x is not None`, and later `if ok:`. Extended dialect only.

A test of the variable refines what its condition refined. If the condition was known while
compiling, such as that of a Final flag, so is the variable. Both end where the variable, or what
the condition tested, may be assigned.
"""

from __future__ import annotations

from minits.frontend.extended.flow_facts import FlowFact, facts_of, flow_state_of
from minits.frontend.extended.keys import PathKey, StoredKey
from minits.frontend.values.emitter import Emitter
from minits.frontend.values.flow_rules import is_flag
from minits.frontend.values.refinement import Condition, RefinementSet, VariableKey, is_test
from minits.frontend.values.simple_value import SimpleValue, as_simple
from minits.frontend.values.sugared_value import SugaredValue
from minits.ir.constants import to_python
from minits.records import dataclass
from minits.syntax import tree
from minits.types import types as t
from minits.types.types import Type


@dataclass(frozen=True)
class _Stored(FlowFact):
    """The fact that a variable still holds a condition, and nothing it tested was assigned."""

    refinements: RefinementSet
    static: bool | None


def emit_assigned(
    emitter: Emitter, node: tree.expr, hint: Type | None
) -> tuple[SugaredValue, Condition | None]:
    """Emit the value of an assignment to a variable; return its condition, if it is one to keep."""
    if _may_refine(emitter, node):
        condition = emitter.emit_condition(node)
        return SimpleValue(condition.value), condition
    value = emitter.emit_sugared(node, 1, hint)
    simple = as_simple(value)
    if simple is not None and is_flag(value):
        return value, Condition(simple, static=bool(to_python(simple)))
    return value, None


def _may_refine(emitter: Emitter, node: tree.expr) -> bool:
    """Return whether a condition stored in a variable may refine types where that is tested."""
    match node:
        case tree.Name(id=name):
            return find(emitter, name) is not None
        case tree.BoolOp() | tree.UnaryOp(op="not") | tree.Compare():
            names = (part.id for part in tree.walk(node) if isinstance(part, tree.Name))
            return is_test(node) or any(find(emitter, each) for each in names)
    return is_test(node)


def keep(emitter: Emitter, name: str, condition: Condition) -> None:
    """Remember the condition that a variable was assigned."""
    flow, environment = facts_of(emitter), emitter.environment
    refined = (*condition.refinements.when_true, *condition.refinements.when_false)
    variables, parts = {name}, frozenset[str | Type]()
    for key, _ in refined:
        if isinstance(key, VariableKey):
            variables.add(key.name)
        elif isinstance(key, PathKey):
            refined_path = flow.find(environment, key)
            if refined_path is None:  # it has ended before the condition was complete
                return
            variables |= refined_path.variables
            parts |= refined_path.parts
    fact = _Stored(frozenset(variables), parts, condition.refinements, condition.static)
    flow.begin(environment, StoredKey(name), fact)


def emit(emitter: Emitter, node: tree.Name) -> Condition | None:
    """Return the condition that a variable holds, where it is tested."""
    return find(emitter, node.id)


def find(emitter: Emitter, name: str) -> Condition | None:
    """Return the condition that a variable holds."""
    flow, environment = flow_state_of(emitter), emitter.environment
    fact = None if flow is None else flow.find(environment, StoredKey(name))
    if not isinstance(fact, _Stored) or environment.type_of(name) != t.BOOL:
        return None
    variable = environment.find(name)
    value = None if variable is None else as_simple(variable)
    return None if value is None else Condition(value, fact.refinements, fact.static)
