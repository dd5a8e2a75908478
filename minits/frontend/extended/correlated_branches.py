"""Variables of branches whose conditions agree: extended dialect only.

    if self.skip:                         if self.skip:
        kept = x                              $kept = kept = x
    x = self.layer(x)                     else:
    if self.skip:              is             $kept = <anything>
        x = x + kept                      x = self.layer(x)
                                          if self.skip:
                                              kept = $kept
                                              x = x + kept

A variable that only one branch assigns is handed on under another name, and is the variable again
where the same condition is known to be true, or false, as in that branch. A condition is the same
as long as nothing that it reads may have been assigned; it is made of bools, comparisons of numbers
and strings, tests for None, and `and`, `or`, `not`. A literal is such a condition without those
three, and whether it holds: `a and not b` is true when the literals (a, True) and (b, False) hold.
"""

from __future__ import annotations

from collections.abc import Sequence

from minits.frontend.extended import access_paths
from minits.frontend.extended.flow_facts import FlowFact, FlowState
from minits.frontend.extended.keys import ConditionalDefinitionKey, LiteralKey, UnchangedKey
from minits.frontend.values.effects import Effects
from minits.frontend.values.emitter import Emitter
from minits.frontend.values.environment import Environment
from minits.ir.debug_names import is_meaningful
from minits.records import dataclass
from minits.syntax import tree
from minits.types import types as t
from minits.types.types import Type

Literal = tuple[str, bool]
_FLIPPED = {"is not": "is", "!=": "==", "not in": "in"}
_VALUES = (t.INT, t.FLOAT, t.BOOL, t.STR)


@dataclass(frozen=True)
class Test:
    """A test in the form in which it is compared with later ones.

    variables, parts: what it reads. when_true, when_false: the literals that it then implies.
    """

    text: str
    variables: frozenset[str]
    parts: Effects
    when_true: frozenset[Literal]
    when_false: frozenset[Literal]

    def when(self, truth: bool) -> frozenset[Literal]:
        return self.when_true if truth else self.when_false


@dataclass(frozen=True)
class _Known(FlowFact):
    """The fact that a literal holds."""

    truth: bool


@dataclass(frozen=True)
class ConditionalDefinition(FlowFact):
    """The fact that a branch exported a variable: it may be read where the literals hold."""

    name: str
    hidden: str
    type: Type
    needs: frozenset[Literal]


_ALWAYS = FlowFact(frozenset(), frozenset())


# ---- Tests -------------------------------------------------------------------------------------


def read_test(emitter: Emitter, node: tree.expr) -> Test | None:
    """Return a test whose value changes only when a variable or part it reads does.

    None for any other expression.
    """
    match node:
        case tree.BoolOp(op=op, values=values):
            read = [read_test(emitter, value) for value in values]
            parts = [each for each in read if each is not None]
            return _joined(op, parts) if len(parts) == len(values) else None
        case tree.UnaryOp(op="not", operand=operand):
            inner = read_test(emitter, operand)
            return None if inner is None else _negated(inner)
        case tree.Compare(left=left, ops=(op,), comparators=(right,)) if op in _FLIPPED:
            same = tree.Compare(node.range, left, (_FLIPPED[op],), (right,))
            inner = read_test(emitter, same)
            return None if inner is None else _negated(inner)
        case tree.Compare(left=left, ops=(op,), comparators=(right,)):
            return _comparison(emitter, left, op, right)
    path = access_paths.path_of(emitter, node)
    if path is None or path.type != t.BOOL:
        return None
    return _literal(path.text, path.variables, path.parts)


def _comparison(emitter: Emitter, left: tree.expr, op: str, right: tree.expr) -> Test | None:
    texts, variables, parts = [], frozenset[str](), frozenset[str | Type]()
    for side in (left, right):
        if isinstance(side, tree.Constant):
            texts.append(repr(side.value))
            continue
        path = access_paths.path_of(emitter, side)
        if path is None or not (op == "is" or path.type in _VALUES):
            return None
        texts.append(path.text)
        variables |= path.variables
        parts |= path.parts
    if op == "is" and texts[1] != "None":
        return None
    return _literal(f"{texts[0]} {op} {texts[1]}", variables, parts)


def _literal(text: str, variables: frozenset[str], parts: Effects) -> Test:
    return Test(text, variables, parts, frozenset({(text, True)}), frozenset({(text, False)}))


def _negated(inner: Test) -> Test:
    return Test(
        f"not {inner.text}", inner.variables, inner.parts, inner.when_false, inner.when_true
    )


def _joined(op: str, parts: Sequence[Test]) -> Test:
    text = f"({f' {op} '.join(part.text for part in parts)})"
    variables = frozenset[str]().union(*(part.variables for part in parts))
    effects = frozenset[str | Type]().union(*(part.parts for part in parts))
    decided = frozenset[Literal]().union(*(part.when(op == "and") for part in parts))
    undecided = frozenset({(text, op == "or")})
    if op == "and":
        return Test(text, variables, effects, decided, undecided)
    return Test(text, variables, effects, undecided, decided)


# ---- What holds in branches and after them -----------------------------------------------------


def recognise(flow: FlowState, emitter: Emitter, node: tree.expr | None) -> Test | None:
    """Begin an if statement: return its test if later statements can recognise it."""
    test = None if node is None else read_test(emitter, node)
    if test is not None:
        unchanged = FlowFact(test.variables, test.parts)
        flow.begin(emitter.environment, UnchangedKey(test.text), unchanged)
    return test


def assume(flow: FlowState, emitter: Emitter, test: Test | None, truth: bool) -> None:
    """Add facts where the test is known to be true, or false."""
    environment = emitter.environment
    if test is None or flow.find(environment, UnchangedKey(test.text)) is None:
        return
    for text, holds in sorted(test.when(truth)):
        flow.begin(environment, LiteralKey(text), _Known(test.variables, test.parts, holds))
    _import_all(flow, emitter)


def prove(flow: FlowState, emitter: Emitter, literal: LiteralKey) -> None:
    """Add the fact that a literal holds, which no assignment kills."""
    flow.begin(emitter.environment, literal, _Known(frozenset(), frozenset(), True))
    _import_all(flow, emitter)


def _import_all(flow: FlowState, emitter: Emitter) -> None:
    environment = emitter.environment
    for _, fact in flow.live_facts(environment):
        if isinstance(fact, ConditionalDefinition) and environment.type_of(fact.name) is None:
            known = [(need, flow.find(environment, LiteralKey(need[0]))) for need in fact.needs]
            if all(isinstance(k, _Known) and k.truth == need[1] for need, k in known):
                _import(flow, emitter, fact)


def _import(flow: FlowState, emitter: Emitter, fact: ConditionalDefinition) -> None:
    load = emitter.graph.emit("prim::Load", [], [fact.type]).set_attr("name", "s", fact.hidden)
    if is_meaningful(fact.name):
        load.output.set_name(fact.name)
    emitter.environment.store(fact.name, load.output)
    flow.at(emitter.environment).imported.add(fact.name)


def export_variable(
    flow: FlowState,
    emitter: Emitter,
    test: Test | None,
    environments: Sequence[Environment],
    name: str,
    branch: int,
) -> None:
    """Export a variable that only one of two branches, the first or the second, assigns."""
    if test is None or name in flow.at(environments[branch]).imported:
        return
    if flow.find(emitter.environment, UnchangedKey(test.text)) is not None:
        unchanged = FlowFact(test.variables, test.parts)
        export(flow, emitter, environments, name, branch, test.when(branch == 0), unchanged)


def export(
    flow: FlowState,
    emitter: Emitter,
    environments: Sequence[Environment],
    name: str,
    branch: int,
    needs: frozenset[Literal],
    unchanged: FlowFact = _ALWAYS,
) -> None:
    """Export a variable of one branch to where the literals hold, until `unchanged` is killed."""
    graph = emitter.graph
    if name not in environments[branch].types:
        return
    type, hidden = environments[branch].types[name], emitter.temporary(f"${name}#")
    with graph.inserting_at(environments[branch].block):
        value = graph.emit("prim::Load", [], [type]).set_attr("name", "s", name).output
        graph.emit("prim::Store", [value], []).set_attr("name", "s", hidden)
    fact = ConditionalDefinition(
        unchanged.variables | {name}, unchanged.parts, name, hidden, type, needs
    )
    _define_dummy(emitter, environments[1 - branch], fact)
    flow.begin(emitter.environment, ConditionalDefinitionKey(name), fact)


def define_dummies(flow: FlowState, emitter: Emitter, environments: Sequence[Environment]) -> None:
    """Define variables exported by one of two blocks in the other block, with dummy values."""
    for environment, other in zip(environments, reversed(environments), strict=True):
        for fact in flow.at(environment).facts.values():
            if isinstance(fact, ConditionalDefinition):
                _define_dummy(emitter, other, fact)


def _define_dummy(emitter: Emitter, environment: Environment, fact: ConditionalDefinition) -> None:
    with emitter.graph.inserting_at(environment.block):
        nothing = emitter.graph.emit("prim::Uninitialized", [], [fact.type]).output
        store = emitter.graph.emit("prim::Store", [nothing], [])
    store.set_attr("name", "s", fact.hidden)
