"""Places: attributes and items that an expression names, refined by the extended dialect.

`self.bias`, `xs[0]`, `self.cfg.masks[i]`: from a variable through attributes of objects and items
of lists, tuples and dicts, whose index is a constant or a variable. Where one is tested, its value
is kept in a variable that no program has, and the test refines that variable; as long as nothing
can have changed the place (`flow_facts.py`), reading the place reads the variable.

    if self.bias is not None:             $self.bias = self.bias
        x = x + self.bias        is       if $self.bias is not None:
                                              x = x + $self.bias

An assignment of a value of a narrower type than the place's, `self.bias = x`, begins such a
variable, too.
"""

from __future__ import annotations

from collections.abc import Sequence

from minits.frontend.extended.flow_facts import FlowFact, FlowState, facts_of, flow_state_of
from minits.frontend.extended.keys import PathKey
from minits.frontend.values.effects import Effects
from minits.frontend.values.emitter import Emitter
from minits.frontend.values.environment import Environment
from minits.frontend.values.refinement import Key, VariableKey
from minits.frontend.values.simple_value import SimpleValue
from minits.ir.graph import Value
from minits.records import dataclass, field, replace
from minits.syntax import tree
from minits.types import types as t
from minits.types.subtyping import is_subtype, unify_all
from minits.types.types import Type


@dataclass(frozen=True)
class RefinedPath(FlowFact):
    """The fact that a path still has the value kept in `variable`, if that one is defined here."""

    variable: str
    node: tree.expr = field(compare=False)

    def lifted_to(self, environment: Environment) -> RefinedPath:
        """Return the fact with a new variable: the inner block's is not defined further out."""
        return replace(self, variable=_unused(environment, self.variable))


@dataclass(frozen=True)
class AccessPath:
    """The access path of an expression: its text, its dependences, and its declared type."""

    text: str
    variables: frozenset[str]
    parts: Effects
    type: Type

    @property
    def key(self) -> PathKey:
        return PathKey(self.text)


# ---- What an expression names ------------------------------------------------------------------


def path_of(emitter: Emitter, node: tree.expr) -> AccessPath | None:
    """Return the place that an expression names; None where it names none."""
    match node:
        case tree.Name(id=name):
            type = emitter.environment.type_of(name)
            return None if type is None else AccessPath(name, frozenset((name,)), frozenset(), type)
        case tree.Attribute(value=base, attr=name):
            return _attribute(path_of(emitter, base), emitter, name)
        case tree.Subscript(value=base, slice=index):
            return _item(path_of(emitter, base), emitter, index)
    return None


def _attribute(base: AccessPath | None, emitter: Emitter, name: str) -> AccessPath | None:
    if base is None:
        return None
    type, path = _refined_type(emitter, base), f"{base.text}.{name}"
    match type:
        case t.ClassType() if name in type.attributes:
            declared = type.attributes[name].type
            return AccessPath(path, base.variables, base.parts | {name}, declared)
        case t.TupleType(fields=fields) if name in fields:
            return replace(base, text=path, type=type.elements[fields.index(name)])
    return None


def _item(base: AccessPath | None, emitter: Emitter, index: tree.expr) -> AccessPath | None:
    text, variables = _index(emitter, index)
    if base is None or text is None:
        return None
    type, path = _refined_type(emitter, base), f"{base.text}[{text}]"
    variables |= base.variables
    match type:
        case t.ListType(element=element) | t.DictType(value=element):
            return AccessPath(path, variables, base.parts | {type}, element)
        case t.TupleType(elements=elements) if isinstance(index, tree.Constant):
            if isinstance(index.value, int) and 0 <= index.value < len(elements):
                return AccessPath(path, variables, base.parts, elements[index.value])
    return None


def _index(emitter: Emitter, index: tree.expr) -> tuple[str | None, frozenset[str]]:
    """Return the text of an index that is the same whenever it is evaluated, and its variables."""
    match index:
        case tree.Constant(value=int() | str() as value):
            return repr(value), frozenset()
        case tree.UnaryOp(op="-", operand=tree.Constant(value=int(value))):
            return f"-{value}", frozenset()
        case tree.Name(id=name) if emitter.environment.type_of(name) in (t.INT, t.STR):
            return name, frozenset((name,))
    return None, frozenset()


def _refined_type(emitter: Emitter, path: AccessPath) -> Type:
    kept = emitter.environment.type_of(_cached_variable(emitter, path.key) or "")
    return path.type if kept is None else kept


# ---- Reading -----------------------------------------------------------------------------------


def emit(
    emitter: Emitter, node: tree.Attribute | tree.Subscript, n_binders: int, hint: Type | None
) -> SimpleValue | None:
    """Emit a place whose value is kept in a variable; None for any other expression."""
    return None if flow_state_of(emitter) is None else read(emitter, node)


def read(emitter: Emitter, node: tree.expr) -> SimpleValue | None:
    """Return the cached value of the place that an expression reads, or None."""
    if facts_of(emitter).is_empty(emitter.environment):
        return None
    path = path_of(emitter, node)
    variable = None if path is None else _cached_variable(emitter, path.key)
    if variable is None:
        return None
    load = emitter.graph.emit("prim::Load", [], [emitter.environment.type_of(variable) or t.NONE])
    return SimpleValue(load.set_attr("name", "s", variable).output)


def _cached_variable(emitter: Emitter, key: PathKey) -> str | None:
    """Return the variable that a place is kept in here."""
    fact = facts_of(emitter).find(emitter.environment, key)
    if isinstance(fact, RefinedPath) and emitter.environment.type_of(fact.variable) is not None:
        return fact.variable
    return None


# ---- Tests and assignments ---------------------------------------------------------------------


def target(emitter: Emitter, node: tree.expr, value: Value) -> Key | None:
    """Return the key that a test of `node` refines: a variable, or a path that is now kept."""
    if isinstance(node, tree.Name):
        return VariableKey(node.id)
    is_place = isinstance(node, (tree.Attribute, tree.Subscript))
    path = path_of(emitter, node) if is_place else None
    if path is None:
        return None
    if _cached_variable(emitter, path.key) is None:
        _keep(emitter, path, node, value)
    return path.key


def assigned(emitter: Emitter, node: tree.expr, value: Value) -> None:
    """Keep a value that was assigned to a place, if it says more than the place's type."""
    path = path_of(emitter, node)
    if path is not None and value.type != path.type and is_subtype(value.type, path.type):
        _keep(emitter, path, node, value)


def _keep(emitter: Emitter, path: AccessPath, node: tree.expr, value: Value) -> None:
    flow, environment, key = facts_of(emitter), emitter.environment, path.key
    variable = _variable_for(flow, environment, key)
    flow.begin(environment, key, RefinedPath(path.variables, path.parts, variable, node))
    _store(flow, environment, key, variable, value)


def _store(
    flow: FlowState, environment: Environment, key: PathKey, variable: str, value: Value
) -> None:
    environment.store(variable, value)
    flow.at(environment).hidden[variable] = key


def _variable_for(flow: FlowState, environment: Environment, key: PathKey) -> str:
    """Return the variable for a place: the one that the branches of an iteration have in common."""
    iteration: list[Environment] = []
    for each in environment.chain():
        iteration.append(each)
        fact = flow.at(each).facts.get(key)
        if isinstance(fact, RefinedPath):
            return fact.variable
        if flow.at(each).begins_loop:
            break
    return _unused(iteration[-1].parent, f"${key.text}")


def _unused(environment: Environment | None, name: str) -> str:
    while environment is not None and environment.type_of(name) is not None:
        name += "~"
    return name


def refine(emitter: Emitter, key: PathKey, type: Type) -> None:
    """Refine a place that is unchanged since it was tested to the type that the test proved."""
    flow = facts_of(emitter)
    fact = flow.find(emitter.environment, key)
    if not isinstance(fact, RefinedPath):
        return
    variable = _cached_variable(emitter, key)
    value = emitter.emit_expression(fact.node)
    if variable is not None and not (is_subtype(type, value.type) and type != value.type):
        return
    refined = value if type == value.type else emitter.unchecked_cast(value, type)
    if isinstance(fact.node, tree.Attribute):
        refined.set_name(fact.node.attr)
    _store(flow, emitter.environment, key, fact.variable, refined)


# ---- Control flow ------------------------------------------------------------------------------


def join(emitter: Emitter, environments: Sequence[Environment], exits: Sequence[bool]) -> None:
    """Keep the places refined at the end of all branches, with the union of their types."""
    flow = facts_of(emitter)
    going = [
        environment for environment, leaves in zip(environments, exits, strict=True) if not leaves
    ]
    flow.join(emitter.environment, going)
    stored = {name: key for each in environments for name, key in flow.at(each).hidden.items()}
    for variable, key in stored.items():
        types = [environment.type_of(variable) for environment in going]
        place = None if key is None else flow.innermost(emitter.environment, key)
        for environment in environments:
            environment.types.pop(variable, None)
        known = [type for type in types if type is not None]
        if (
            not isinstance(place, RefinedPath)
            or place.variable != variable
            or len(known) < len(types)
        ):
            continue
        merged = unify_all(known, default_to_union=True)
        if known and merged is not None:
            _merge(emitter, place.variable, merged, environments, exits)


def _merge(
    emitter: Emitter,
    variable: str,
    type: Type,
    environments: Sequence[Environment],
    exits: Sequence[bool],
) -> None:
    for environment, leaves in zip(environments, exits, strict=True):
        if leaves:
            with emitter.graph.inserting_at(environment.block):
                environment.store(
                    variable, emitter.graph.emit("prim::Uninitialized", [], [type]).output
                )
    emitter.environment.types[variable] = type
