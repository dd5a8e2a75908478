"""From a function's tree to its graph: the state that the parts of the emitter share.

The emitter walks the tree once, checks types as it goes and emits nodes in torch's order. Its parts
are functions that take an `Emitter`: statements, assignments, loops, conditions, expressions,
subscripts, containers, special forms. Variables are loads and stores until `ssa.py` has run.

A fault in a statement is recorded, the variables that the statement would have assigned are
poisoned, and emission goes on with its bodies and the next statement; so one run finds the faults
of a whole function, and a fault has no consequences.

Source: torch/csrc/jit/frontend/ir_emitter.cpp (`to_ir`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import Enum
from typing import TYPE_CHECKING, Protocol

from minits.diagnostics import CompileError, Diagnostic, Faults, NotSupportedError, each_once, error
from minits.frontend.values.environment import Environment
from minits.frontend.values.error_value import ErrorValueUsed
from minits.frontend.values.flow_rules import FlowRules
from minits.frontend.values.observing import observed
from minits.frontend.values.refinement import Condition, FailedCondition
from minits.frontend.values.scope import Scope, SelfArgument
from minits.frontend.values.simple_value import as_simple
from minits.frontend.values.sugared_value import SugaredValue
from minits.frontend.values.when_failed import (
    condition_failed,
    emit_around,
    forget_assigned,
    has_refused_head,
    in_order,
    recover,
)
from minits.internal_error import too_deep
from minits.ir.constants import insert_constant
from minits.ir.debug_names import is_meaningful
from minits.ir.graph import Block, Value
from minits.lazily import lazily
from minits.ops.schema import Argument, Schema
from minits.records import dataclass
from minits.source import SourceRange
from minits.syntax import tree
from minits.syntax.torch_ranges import origin
from minits.types import types as t
from minits.types.types import Type

if TYPE_CHECKING:
    from minits.frontend.values.function import CompiledFunction

cured: Callable[..., CompileError] = lazily("minits.frontend.cures.cured:cured")

Form = Callable[["Emitter", tree.Call, "Type | None"], SugaredValue]
"""Emits the call of a special form."""


class Visitor(Protocol):
    """Emits the nodes of the tree, by their classes: `visitor.py` has the tables."""

    builtins: Mapping[str, SugaredValue]
    """The values of names that are not variables: `len`, `range`, `ValueError`."""
    forms: Mapping[str, Form]
    """The special forms by their names."""

    def statement(self, emitter: Emitter, node: tree.stmt) -> None:
        """Emit a statement. Raises `CompileError`."""

    def expression(
        self, emitter: Emitter, node: tree.expr, n_binders: int, hint: Type | None
    ) -> SugaredValue:
        """Emit an expression, whose value is unpacked to `n_binders`. Raises `CompileError`."""

    def condition(self, emitter: Emitter, node: tree.expr) -> Condition:
        """Emit an expression as a condition. Raises `CompileError`."""

    def generators(
        self,
        emitter: Emitter,
        loc: SourceRange,
        generators: Sequence[tree.comprehension],
        body: Callable[[], None],
    ) -> None:
        """Emit the loops of a comprehension; `body` emits what is done for each item."""


class LoopStatus(Enum):
    """The meaning of `break` and `continue` here: none outside of loops."""

    NOT_IN_LOOP = "outside a loop"
    IN_LOOP = "in a loop"
    IN_UNROLLED_LOOP = "in a loop over a tuple or module list, which is unrolled"


@dataclass(slots=True)
class Returns:
    """The declared type of a function's result, and the one that its returns agree on so far."""

    declared: Type | None = None
    merged: Type | None = None


class Emitter:
    """The state of one function's emission."""

    def __init__(
        self,
        function: CompiledFunction,
        scope: Scope,
        visitor: Visitor,
        rules: FlowRules,
    ) -> None:
        self.function = function
        self.scope = scope
        self.visitor = observed(visitor)
        self.rules = rules
        self.dialect = rules.dialect
        self.graph = rules.graph
        self.environment = Environment(rules, self.graph.block)
        self.declared: list[str] = []
        """The attributes that an `__init__` has declared."""
        self.returns = Returns()
        self.exit_blocks: set[Block] = set()
        """Blocks whose end is never reached: they return or raise."""
        self.loop_status = LoopStatus.NOT_IN_LOOP
        self.pending: tree.stmt | tree.expr = function.definition
        """The statement, or the value in it, that is emitted: why a function is compiled."""
        self.faults = list(function.refused)
        self.deferred_errors: list[Diagnostic] = []
        """Errors that torch.jit reports only if a program has no others."""
        self.fault_class = NotSupportedError if function.refused else CompileError
        """The class of the exception raised: that of the first error with a class of its own."""
        self.lost_attributes: set[str] = set()
        """The attributes that an `__init__` would have declared by statements that failed."""
        self.failed_conditions: dict[tree.expr, FailedCondition] = {}
        self.failed_test: tree.expr | None = None
        """The test that failed last."""
        self._literals: dict[tuple[type, object], Value] = {}
        self._temporaries = 0

    # ---- The function --------------------------------------------------------------------------

    def emit_definition(
        self, definition: tree.FunctionDef, schema: Schema, itself: SelfArgument | None = None
    ) -> Schema:
        """Emit the whole function; return its schema with the type of the result.

        `schema` has the declared types, without `self`. Raises `CompileError` with every fault.
        """
        self.returns.declared = schema.returns[0].type if schema.returns else None
        arguments = self._emit_parameters(definition, schema, itself)
        self.emit_statements(definition.body)
        if not self.faults:
            self._return_none_at_the_end(definition)
        if faults := [*self.faults, *self.deferred_errors]:
            raise self.fault_class(faults)
        result = self.returns.merged
        assert result is not None
        placeholder = self.graph.emit("prim::Uninitialized", [], [result]).output
        self.graph.block.add_output(placeholder)
        returns = (Argument("", result),)
        return Schema(schema.name, schema.overload, tuple(arguments), returns)

    def _emit_parameters(
        self, definition: tree.FunctionDef, schema: Schema, itself: SelfArgument | None
    ) -> list[Argument]:
        parameters = [
            *definition.args.posonlyargs,
            *definition.args.args,
            *definition.args.kwonlyargs,
        ]
        arguments: list[Argument] = []
        if itself is not None:
            first, *parameters = parameters
            value = self.graph.add_input(first.arg, itself.type)
            self.environment.set(first.range, first.arg, itself.make(value))
            arguments.append(Argument(first.arg, itself.type))
        for parameter, argument in zip(parameters, schema.arguments, strict=True):
            value = self.graph.add_input(None, argument.type)
            if is_meaningful(parameter.arg):
                value.set_name(parameter.arg)
            arguments.append(argument)
            self.environment.set_value(parameter.range, parameter.arg, value)
            if argument.is_inferred:  # calls that it does not fit say so
                self.graph.insert_point.prev.set_attr("is_inferred", "i", 1)
        return arguments

    def _return_none_at_the_end(self, definition: tree.FunctionDef) -> None:
        declared = self.returns.declared
        if self.graph.block in self.exit_blocks:
            if self.returns.merged is None:
                self.returns.merged = declared if declared is not None else t.NONE
            return
        if declared is not None and declared != t.NONE:
            self.record(
                error(
                    origin(definition),
                    "TS502",
                    "Function was not annotated as having type None, but does not return along all "
                    f"paths: '{definition.name}' declares {declared.annotation}",
                    fix="return a value on every path; `return None` is one of an Optional result",
                )
            )
            return
        loc = origin(definition)
        none = tree.Constant(loc, None, None)
        self.emit_statements((tree.Return(loc, none),))

    # ---- Statements and expressions ------------------------------------------------------------

    def emit_statements(self, body: Sequence[tree.stmt]) -> None:
        """Emit statements up to the first that leaves the block."""
        for statement in body:
            self.pending = statement
            if self.function.refused and has_refused_head(statement, self.function.refused):
                emit_around(self, statement)
                recover(self, statement)
                continue
            try:
                self.visitor.statement(self, statement)
            except CompileError as fault:
                self.record(fault)
                recover(self, statement, fault)
            except RecursionError:  # the emitter walks an expression by calling itself
                self.record(too_deep("this statement", statement.range))
                forget_assigned(self, statement)
            if self.environment.block in self.exit_blocks:
                return

    def emit_expression(self, node: tree.expr, hint: Type | None = None) -> Value:
        """Emit an expression that must be a value of the graph.

        `hint` is the type that the context expects; literals of containers take it.
        """
        self.pending = node
        found = self.visitor.expression(self, node, 1, hint)
        value = as_simple(found) or found.as_value(origin(node), self)
        if hint == t.ANY and value.type != t.ANY:
            value = self.unchecked_cast(value, t.ANY)
        return value

    def emit_sugared(
        self, node: tree.expr, n_binders: int = 1, hint: Type | None = None
    ) -> SugaredValue:
        """Emit an expression that may also be a module, a function, a range, ..."""
        return self.visitor.expression(self, node, n_binders, hint)

    def emit_condition(self, node: tree.expr) -> Condition:
        """Emit an expression whose truth decides. Raises `CompileError`."""
        try:
            return self.visitor.condition(self, node)
        except CompileError as fault:
            raise condition_failed(self, node, fault) from None

    def emit_each(self, *nodes: tree.expr) -> list[Value]:
        """Emit expressions that must be values of the graph. Raises `CompileError` for all."""
        values: list[Value] = []
        faults = Faults()
        for node in nodes:
            try:
                values.append(self.emit_expression(node))
            except CompileError as fault:
                faults.add(fault)
        faults.raise_all()
        return values

    def record(self, fault: CompileError) -> None:
        """Add an error's diagnostics, so that checking can go on; those known are dropped."""
        fault = in_order(cured(fault, self.function.definition), self.function.definition)
        if self.fault_class is CompileError and fault.diagnostics:
            self.fault_class = type(fault)
        self.rules.might_accept |= any(found.code == "TS501" for found in fault.diagnostics)
        self.faults = each_once([*self.faults, *fault.diagnostics])

    # ---- Names ---------------------------------------------------------------------------------

    def lookup(self, name: str, loc: SourceRange) -> SugaredValue:
        """Return the value of a name: of a variable, a builtin, or a name of the scope around.

        Raises `CompileError`.
        """
        found = (
            self.environment.find(name)
            or self.visitor.builtins.get(name)
            or self.scope.value(name, loc, self)
        )
        if found is None:
            raise self.undefined(name, loc)
        return found

    def undefined(self, name: str, loc: SourceRange) -> CompileError:
        """Return the error for an undefined name; it suggests a name that is spelled like it."""
        if name in self.environment.faults:
            self.rules.might_accept = True
            return self.environment.faults[name](loc)
        import difflib

        close = difflib.get_close_matches(name, [*self._variables(), *self.scope.names()], 1, 0.75)
        fix = f"did you mean '{close[0]}'?" if close else "assign it before this line, or import it"
        return error(loc, "TS311", f"undefined value {name}", fix=fix)

    def _variables(self) -> Iterator[str]:
        environment: Environment | None = self.environment
        while environment is not None:
            yield from environment.types
            yield from environment.values
            environment = environment.parent

    def temporary(self, prefix: str) -> str:
        """Return a name that no program has."""
        self._temporaries += 1
        return f"{prefix}{self._temporaries - 1}"

    # ---- Blocks --------------------------------------------------------------------------------

    def block_environment(self, block: Block, *, joins: bool = False) -> _InBlock:
        """Emit into `block`, with an environment of its own, as long as a `with` block runs.

        `joins` says that the caller tells the rules what is known after the block.
        """
        return _InBlock(self, block, joins)

    @contextmanager
    def in_loop(self, status: LoopStatus) -> Iterator[None]:
        outer, self.loop_status = self.loop_status, status
        try:
            yield
        finally:
            self.loop_status = outer

    # ---- Small emissions -----------------------------------------------------------------------

    def literal(self, value: int | float | complex, loc: SourceRange) -> Value:
        """Return a number's constant: one per value, at the front of the graph."""
        key = (type(value), value)
        if key not in self._literals:
            with self.graph.inserting_at(self.graph.block.end.next):
                self._literals[key] = insert_constant(self.graph, value, loc=loc)
        return self._literals[key]

    def unchecked_cast(self, value: Value, type: Type) -> Value:
        """Emit `prim::unchecked_cast`: the value is known to have the type."""
        return self.graph.emit("prim::unchecked_cast", [value], [type]).output

    def initializes(self, type: Type) -> bool:
        """Return whether this function is the `__init__` of a script class."""
        inputs = self.graph.inputs
        return self.function.is_initializer and bool(inputs) and inputs[0].type is type

    def is_worth_another_reading(self, fault: CompileError) -> bool:
        """Return whether the extended dialect might accept a function that was refused by a fault.

        Not if all that is wrong is in functions that it calls.
        """
        return self.rules.might_accept and not all(each.callers for each in fault.diagnostics)

    def undeclare(self) -> None:
        """Forget the declared attributes: the function is read again."""
        for name in self.declared:
            assert self.function.itself is not None
            del self.function.itself.type.attributes[name]

    def ensure_defined(self, function: CompiledFunction, loc: SourceRange) -> None:
        """Compile a function that is called. Raises `CompileError`, also when it is recursive."""
        if function.is_being_defined:
            raise error(
                loc,
                "TS406",
                f"function '{function.name}' is called recursively, directly or through others",
                fix="write the recursion as a loop",
            )
        if self.faults and self.function.is_initializer and self._is_own_method(function):
            raise ErrorValueUsed  # it may lack attributes that are declared here
        try:
            function.ensure_defined()
        except CompileError as fault:
            raise self.called_here(fault, function.short_name) from None

    def _is_own_method(self, function: CompiledFunction) -> bool:
        itself = self.function.itself
        return itself is not None and function in itself.type.methods.values()

    def called_here(self, fault: CompileError, name: str) -> CompileError:
        """Return the error of a callee or class, with this function as its caller."""
        return fault.called_from(name, self.function.short_name, origin(self.pending))


class _InBlock:
    """Emission into a block; see `Emitter.block_environment`."""

    def __init__(self, emitter: Emitter, block: Block, joins: bool) -> None:
        self.emitter = emitter
        self.outer = emitter.environment
        self.inner = Environment(emitter.rules, block, self.outer)
        self.joins = joins

    def __enter__(self) -> Environment:
        emitter, graph = self.emitter, self.emitter.graph
        emitter.rules.enter_block(self.outer)
        emitter.environment = self.inner
        self.insert_point, graph.insert_point = graph.insert_point, self.inner.block.end
        return self.inner

    def __exit__(self, *exception: object) -> None:
        emitter = self.emitter
        emitter.graph.insert_point = self.insert_point
        emitter.environment = self.outer
        emitter.rules.leave_block(self.outer, self.inner, self.joins)
