"""Flow rules of the extended dialect: its answers to the questions of the emitter.

A function is read by torch's rules first (`ExtendedRules`), so that what torch.jit accepts has the
same graph in both dialects; only if they refuse it, by those that know more (`KnowingRules`).
`FlowRules` says what each question is; the files that answer them are told here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from minits.frontend.calls.schema_matching import NamedValue
from minits.frontend.extended import (
    access_paths,
    correlated_branches,
    stored_conditions,
    truthiness,
)
from minits.frontend.extended.dynamic_module_index import choose_submodule
from minits.frontend.extended.empty_containers import EmptyContainers, LiteralTypes
from minits.frontend.extended.flow_facts import EndedInLoops, FlowState, Reading
from minits.frontend.extended.keys import LiteralKey, PathKey
from minits.frontend.modules.module_value import ModuleValue
from minits.frontend.values.emitter import Emitter
from minits.frontend.values.environment import Environment
from minits.frontend.values.narrowing import narrow
from minits.frontend.values.refinement import Condition, Key, VariableKey
from minits.frontend.values.sugared_value import SugaredValue
from minits.ir.debug_names import is_hidden
from minits.ir.graph import Value
from minits.source import SourceRange
from minits.syntax import tree
from minits.syntax.torch_ranges import origin
from minits.types import types as t
from minits.types.subtyping import is_subtype, may_be_refined
from minits.types.types import Type


class ExtendedRules(Reading):
    """The rules of the first reading: those of torch, for the syntax of the extended dialect."""

    def target(self, emitter: Emitter, node: tree.expr, value: Value) -> Key | None:
        tested = node.target if isinstance(node, tree.NamedExpr) else node
        return super().target(emitter, tested, value)

    def refine(self, emitter: Emitter, loc: SourceRange, key: Key, type: Type) -> bool:
        # a variable that has no value was assigned by an operand, which may not have run
        return not (isinstance(key, VariableKey) and emitter.environment.has(key.name))

    def untold(self, environment: Environment, names: Sequence[str]) -> Iterable[str]:
        """Return those that a stored condition may refine, and those that may be undefined."""
        yield from environment.faults
        if not any(environment.type_of(name) in (None, t.BOOL) for name in names):
            return
        for each in environment.chain():
            for name, type in each.types.items():
                if may_be_refined(type) and not is_hidden(name):
                    yield name

    def chosen_module(
        self, loc: SourceRange, emitter: Emitter, container: SugaredValue, index: Value
    ) -> SugaredValue | None:
        assert isinstance(container, ModuleValue)
        return choose_submodule(loc, emitter, container, index)


class KnowingRules(ExtendedRules):
    """The rules of a second reading, which may have to be repeated: see `definition.py`."""

    def __init__(self, ended_in_loops: EndedInLoops, literal_types: LiteralTypes) -> None:
        self.facts = FlowState(ended_in_loops)
        super().__init__(self.facts)
        self.empty = EmptyContainers(literal_types)

    # ---- Blocks and variables ------------------------------------------------------------------

    def enter_block(self, outer: Environment) -> None:
        self.facts.kill_clobbered(outer)

    def leave_block(self, outer: Environment, inner: Environment, joins: bool) -> None:
        self.facts.kill_clobbered(inner)
        self.facts.at(outer).hidden.update(self.facts.at(inner).hidden)
        if not joins:
            self.facts.merge_maybe_executed(outer, inner)

    def assigned(self, environment: Environment, name: str) -> None:
        self.facts.assigned(environment, name)

    def stored(self, environment: Environment, name: str) -> None:
        block = self.facts.at(environment)
        block.imported.discard(name)
        if is_hidden(name):
            block.hidden.setdefault(name, None)

    def may_widen(self, environment: Environment, name: str, type: Type) -> bool:
        """Return whether a variable gets back the type that it had before it was refined.

        Within one iteration: the next one begins with the new value.
        """
        begins_loop = self.facts.at(environment).begins_loop
        outer = environment.parent
        while outer and name not in outer.types and not self.facts.at(outer).begins_loop:
            outer = outer.parent
        if begins_loop or outer is None or outer.parent is None:
            return False
        declared = outer.parent.type_of(name) if name in outer.types else None
        return declared is not None and is_subtype(type, declared)

    # ---- Assignments ---------------------------------------------------------------------------

    def emit_assigned(
        self, emitter: Emitter, name: str | None, node: tree.expr, hint: Type | None
    ) -> tuple[SugaredValue, Condition | None]:
        if name is not None and hint is None:
            self.empty.assigning(emitter, name, node)
        return stored_conditions.emit_assigned(emitter, node, hint)

    def keep(
        self, emitter: Emitter, name: str, node: tree.expr | None, condition: Condition | None
    ) -> None:
        if condition is not None:
            stored_conditions.keep(emitter, name, condition)
        self.empty.assigned(name, node)

    def place_assigned(self, emitter: Emitter, node: tree.expr, value: Value) -> None:
        access_paths.assigned(emitter, node, value)

    def read(self, emitter: Emitter, node: tree.expr) -> SugaredValue | None:
        return access_paths.read(emitter, node)

    # ---- Conditions ----------------------------------------------------------------------------

    def target(self, emitter: Emitter, node: tree.expr, value: Value) -> Key | None:
        tested = node.target if isinstance(node, tree.NamedExpr) else node
        return access_paths.target(emitter, tested, value)

    def truth(self, emitter: Emitter, node: tree.expr, value: Value) -> Condition | None:
        return truthiness.emit(emitter, node, value)

    def refine(self, emitter: Emitter, loc: SourceRange, key: Key, type: Type) -> bool:
        if isinstance(key, PathKey):
            access_paths.refine(emitter, key, type)
        elif isinstance(key, LiteralKey):
            correlated_branches.prove(self.facts, emitter, key)
        elif isinstance(key, VariableKey) and emitter.environment.has(key.name):
            value = emitter.environment.get(key.name, loc, emitter)
            if type != value.type and is_subtype(type, value.type):
                narrow(emitter, loc, key.name, value, type)
        return True

    # ---- Branches ------------------------------------------------------------------------------

    def recognise(
        self, emitter: Emitter, test: tree.expr | None
    ) -> correlated_branches.Test | None:
        return correlated_branches.recognise(self.facts, emitter, test)

    def assume(self, emitter: Emitter, test: correlated_branches.Test | None, truth: bool) -> None:
        correlated_branches.assume(self.facts, emitter, test, truth)

    def merge_branches(
        self, emitter: Emitter, environments: Sequence[Environment], exits: Sequence[bool]
    ) -> None:
        access_paths.join(emitter, environments, exits)
        if exits[0] != exits[1]:
            correlated_branches.define_dummies(self.facts, emitter, environments)

    def only_in_one(
        self,
        emitter: Emitter,
        test: correlated_branches.Test | None,
        environments: Sequence[Environment],
        name: str,
        branch: int,
    ) -> None:
        correlated_branches.export_variable(self.facts, emitter, test, environments, name, branch)

    # ---- Loops ---------------------------------------------------------------------------------

    def begin_loop(self, emitter: Emitter, loop: tree.Node) -> None:
        self.facts.enter_loop(loop, emitter.environment)

    def begin_iteration(self, environment: Environment, tested: Environment | None = None) -> None:
        self.facts.begin_iteration(environment)
        if tested is not None:
            self.facts.merge_maybe_executed(environment, tested)

    def end_loop(self, environment: Environment) -> None:
        self.facts.end_iteration(environment)
        self.facts.leave_loop()

    def jumped(self, emitter: Emitter) -> None:
        """No statement after a jump in its block runs."""
        self.facts.end_iteration(emitter.environment)
        emitter.exit_blocks.add(emitter.environment.block)

    # ---- What containers hold ------------------------------------------------------------------

    def type_of_empty(self, node: tree.expr) -> Type | None:
        return self.empty.types.get(node)

    def unsettled(self) -> Iterable[str]:
        return self.empty.unsettled()

    def expects(self, emitter: Emitter, node: tree.expr, type: Type) -> None:
        self.empty.expected(emitter, node, type)

    def put(
        self, emitter: Emitter, holder: tree.expr, key: Type, item: Type | None, node: tree.expr
    ) -> None:
        if item is not None:
            self.empty.put(emitter, holder, key, item, node)

    def asked(self, emitter: Emitter, holder: tree.expr, key: Type) -> None:
        self.empty.asked(emitter, holder, key)

    def called(
        self, emitter: Emitter, call: tree.Call, callee: SugaredValue, args: Sequence[NamedValue]
    ) -> None:
        self.empty.called(emitter, call, args)
        self.empty.passed(emitter, call, callee.parameters(origin(call.func), emitter))
