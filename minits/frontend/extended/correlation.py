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

from minits.frontend.extended import places
from minits.frontend.extended.keys import HandedOnKey, LiteralKey, UnchangedKey
from minits.frontend.extended.knowledge import Fact, Knowledge
from minits.frontend.values.effects import Effects
from minits.frontend.values.emitter import Emitter
from minits.frontend.values.environment import Frame
from minits.ir.names import is_meaningful
from minits.records import dataclass
from minits.syntax import tree
from minits.types import types as t
from minits.types.types import Type

Literal = tuple[str, bool]
_FLIPPED = {"is not": "is", "!=": "==", "not in": "in"}
_VALUES = (t.INT, t.FLOAT, t.BOOL, t.STR)


@dataclass(frozen=True)
class Test:
    """A condition as later ones are compared with it.

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
class _Known(Fact):
    """The fact that a literal holds."""

    truth: bool


@dataclass(frozen=True)
class _HandedOn(Fact):
    """The fact that a branch exported a variable: it may be read where the literals hold."""

    name: str
    hidden: str
    type: Type
    needs: frozenset[Literal]


_ALWAYS = Fact(frozenset(), frozenset())


# ---- Conditions --------------------------------------------------------------------------------


def read_test(emitter: Emitter, node: tree.expr) -> Test | None:
    """Return a condition whose value changes only when a variable or part it reads does.

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
    path = places.resolve(emitter, node)
    if path is None or path.type != t.BOOL:
        return None
    return _literal(path.text, path.variables, path.parts)


def _comparison(emitter: Emitter, left: tree.expr, op: str, right: tree.expr) -> Test | None:
    texts, variables, parts = [], frozenset[str](), frozenset[str | Type]()
    for side in (left, right):
        if isinstance(side, tree.Constant):
            texts.append(repr(side.value))
            continue
        path = places.resolve(emitter, side)
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


def recognise(knowledge: Knowledge, emitter: Emitter, node: tree.expr | None) -> Test | None:
    """Begin an if statement: return its condition if later statements can recognise it."""
    test = None if node is None else read_test(emitter, node)
    if test is not None:
        unchanged = Fact(test.variables, test.parts)
        knowledge.begin(emitter.frame, UnchangedKey(test.text), unchanged)
    return test


def assume(knowledge: Knowledge, emitter: Emitter, test: Test | None, truth: bool) -> None:
    """Add facts where the condition is known to be true, or false."""
    frame = emitter.frame
    if test is None or knowledge.find(frame, UnchangedKey(test.text)) is None:
        return
    for text, holds in sorted(test.when(truth)):
        knowledge.begin(frame, LiteralKey(text), _Known(test.variables, test.parts, holds))
    _take_up_all(knowledge, emitter)


def prove(knowledge: Knowledge, emitter: Emitter, literal: LiteralKey) -> None:
    """Add the fact that a literal holds, which no assignment kills."""
    knowledge.begin(emitter.frame, literal, _Known(frozenset(), frozenset(), True))
    _take_up_all(knowledge, emitter)


def _take_up_all(knowledge: Knowledge, emitter: Emitter) -> None:
    frame = emitter.frame
    for _, fact in knowledge.held(frame):
        if isinstance(fact, _HandedOn) and frame.type_of(fact.name) is None:
            known = [(need, knowledge.find(frame, LiteralKey(need[0]))) for need in fact.needs]
            if all(isinstance(k, _Known) and k.truth == need[1] for need, k in known):
                _take_up(knowledge, emitter, fact)


def _take_up(knowledge: Knowledge, emitter: Emitter, fact: _HandedOn) -> None:
    load = emitter.graph.emit("prim::Load", [], [fact.type]).set_attr("name", "s", fact.hidden)
    if is_meaningful(fact.name):
        load.output.set_name(fact.name)
    emitter.frame.store(fact.name, load.output)
    knowledge.at(emitter.frame).taken_up.add(fact.name)


def hand_on(
    knowledge: Knowledge,
    emitter: Emitter,
    test: Test | None,
    frames: Sequence[Frame],
    name: str,
    branch: int,
) -> None:
    """Export a variable that only one of two branches, the first or the second, assigns."""
    if test is None or name in knowledge.at(frames[branch]).taken_up:
        return
    if knowledge.find(emitter.frame, UnchangedKey(test.text)) is not None:
        unchanged = Fact(test.variables, test.parts)
        pass_on(knowledge, emitter, frames, name, branch, test.when(branch == 0), unchanged)


def pass_on(
    knowledge: Knowledge,
    emitter: Emitter,
    frames: Sequence[Frame],
    name: str,
    branch: int,
    needs: frozenset[Literal],
    unchanged: Fact = _ALWAYS,
) -> None:
    """Export a variable of one branch to where the literals hold, until `unchanged` is killed."""
    graph = emitter.graph
    if name not in frames[branch].types:
        return
    type, hidden = frames[branch].types[name], emitter.temporary(f"${name}#")
    with graph.inserting_at(frames[branch].block):
        value = graph.emit("prim::Load", [], [type]).set_attr("name", "s", name).output
        graph.emit("prim::Store", [value], []).set_attr("name", "s", hidden)
    fact = _HandedOn(unchanged.variables | {name}, unchanged.parts, name, hidden, type, needs)
    _fill(emitter, frames[1 - branch], fact)
    knowledge.begin(emitter.frame, HandedOnKey(name), fact)


def fill(knowledge: Knowledge, emitter: Emitter, frames: Sequence[Frame]) -> None:
    """Define variables exported by one of two blocks in the other block, with dummy values."""
    for frame, other in zip(frames, reversed(frames), strict=True):
        for fact in knowledge.at(frame).facts.values():
            if isinstance(fact, _HandedOn):
                _fill(emitter, other, fact)


def _fill(emitter: Emitter, frame: Frame, fact: _HandedOn) -> None:
    with emitter.graph.inserting_at(frame.block):
        nothing = emitter.graph.emit("prim::Uninitialized", [], [fact.type]).output
        store = emitter.graph.emit("prim::Store", [nothing], [])
    store.set_attr("name", "s", fact.hidden)
