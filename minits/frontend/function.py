"""A function of the program: its tree, and, once it is defined, its graph and schema.

Source: torch/csrc/jit/api/function_impl.h (`GraphFunction`), ir_emitter.cpp (`to_ir::to_ir`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minits.diagnostics import CompileError, Note, error
from minits.frontend.cleanup import run_cleanup
from minits.frontend.effects import Effects
from minits.frontend.emitter import Emitter, Scope, SelfArgument
from minits.frontend.empty_containers import EmptyContainers, LiteralTypes, TypeFound
from minits.frontend.knowledge import EndedInLoops, Knowledge
from minits.frontend.ranges import origin
from minits.frontend.signature import named_parameters, read_signature
from minits.frontend.ssa import to_ssa
from minits.frontend.variadic import Variant
from minits.ir.graph import Graph
from minits.ops.schema import Schema
from minits.records import replace
from minits.syntax import tree
from minits.syntax.extensions import without_extensions
from minits.types import types as t
from minits.types.types import Type


class CompiledFunction:
    """A function or method that is compiled when it is first needed.

    `qualified_name` is unique (`__torch__.module.f`). Methods have `self` as their first argument.
    """

    def __init__(
        self,
        name: str,
        qualified_name: str,
        definition: tree.FunctionDef,
        scope: Scope,
        *,
        itself: SelfArgument | None = None,
        defaults: dict[str, Any] | None = None,
        dialect: str = "torch",
        check: Callable[[tree.FunctionDef, str], None] | None = None,
    ) -> None:
        self.name = name
        self.qualified_name = qualified_name
        self.definition = definition
        self.scope = scope
        self.itself = itself
        self.defaults = defaults or {}
        self.dialect = dialect
        self.is_hook = False
        self.is_initializer = name == "__init__"
        self.is_being_defined = False
        self.effects: Effects | None = None
        """What calling it may change, once that was asked; see `effects.py`."""
        self.parameter_types: dict[str, Type] = {}
        """Types of parameters without annotation, where a call decides them (`variadic.py`)."""
        self.template: CompiledFunction | None = None
        """The variadic function that it is a variant of."""
        self.variants: dict[Any, Variant] = {}
        """What a variadic function was compiled to, by the calls that it is for."""
        self.plans: Any = None
        """What calls of a method run, which all objects of its class share (`runtime/plans.py`)."""
        self._check = check
        self._graph: Graph | None = None
        self._schema: Schema | None = None

    def ensure_defined(self) -> None:
        """Compile the function if it is not compiled yet. Raises `CompileError`.

        A variadic one has nothing to compile but its variants.
        """
        if self._graph is not None or self.is_variadic:
            return
        self.is_being_defined = True
        try:
            self._define()
        finally:
            self.is_being_defined = False

    def require_supported(self) -> None:
        """Check what Python's syntax has and TorchScript's does not. Raises `NotSupportedError`."""
        self._check_once()
        named_parameters(self.definition, self.dialect)

    def _check_once(self) -> None:
        if self._check is not None:
            self._check(self.definition, self.dialect)
            self._check = None

    def _define(self) -> None:
        if self.dialect == "extended":
            self.definition = without_extensions(self.definition)
        self._check_once()
        unfit: list[CompileError] = []
        declared = read_signature(
            self.name, self.definition, self.scope, self.defaults, self.itself is not None, unfit
        )
        if self.name == "__setstate__" and self.itself is not None:
            declared = _of_state(declared, self.itself.type, self.definition)
        declared = self._with_parameter_types(declared)
        late = [each for fault in unfit for each in fault.diagnostics]
        try:
            graph, schema = self._emit(declared)
        except CompileError as fault:
            raise type(fault)([*fault.diagnostics, *late]) from None
        if late:
            raise CompileError(late)
        to_ssa(graph)
        run_cleanup(graph)
        self._graph, self._schema = graph, schema

    def _emit(self, declared: Schema) -> tuple[Graph, Schema]:
        """Emit the function by torch's rules, and where they refuse it, by the extended dialect's.

        In the torch dialect the second reading only tells whether the other dialect accepts it.
        """
        emitter = Emitter(self, self.scope, self.dialect)
        try:
            schema = emitter.emit_definition(self.definition, declared, self.itself)
        except CompileError as fault:
            if not emitter.may_know_more or all(each.callers for each in fault.diagnostics):
                raise
            refused = fault
            emitter.undeclare()
        else:
            return emitter.graph, schema
        if self.dialect == "extended":
            return self._emit_knowing(declared)
        try:
            self._emit_knowing(declared)
        except CompileError:
            raise refused from None
        raise refused.noting(Note("the extended dialect accepts it: docs/extensions.md")) from None

    def _emit_knowing(self, declared: Schema) -> tuple[Graph, Schema]:
        """Emit the function by the extended dialect's rules; again when it has learnt more:

        which facts a loop ends, and what is put into containers.
        """
        ended_in_loops: EndedInLoops = {}
        literal_types: LiteralTypes = {}
        while True:
            knowledge = Knowledge(ended_in_loops)
            emitter = Emitter(self, self.scope, "extended", knowledge)
            emitter.empty = EmptyContainers(literal_types)
            try:
                schema = emitter.emit_definition(self.definition, declared, self.itself)
            except TypeFound as found:
                literal_types.update(found.types)
            except CompileError:
                if not knowledge.found_more:
                    raise
            else:
                if not knowledge.found_more:
                    return knowledge.unwatched(), schema
            emitter.undeclare()

    @property
    def is_variadic(self) -> bool:
        """Whether it has `*args` or `**kwargs`, and its dialect lets it be called so."""
        arguments = self.definition.args
        has_any = arguments.vararg is not None or arguments.kwarg is not None
        return has_any and self.dialect == "extended"

    def _with_parameter_types(self, declared: Schema) -> Schema:
        types = self.parameter_types
        arguments = tuple(
            replace(argument, type=types[argument.name]) if argument.name in types else argument
            for argument in declared.arguments
        )
        return replace(declared, arguments=arguments)

    def variant(
        self, definition: tree.FunctionDef, qualified_name: str, types: dict[str, Type]
    ) -> CompiledFunction:
        """Return a function that is like this variadic one but for its parameters."""
        made = CompiledFunction(
            self.name,
            qualified_name,
            definition,
            self.scope,
            itself=self.itself,
            defaults=self.defaults,
            dialect=self.dialect,
            check=self._check,
        )
        made.is_initializer = self.is_initializer
        made.parameter_types = types
        made.template = self
        return made

    @property
    def graph(self) -> Graph:
        """The function's graph; compiles it first."""
        self.ensure_defined()
        if self._graph is None:
            raise self.has_variants_only()
        return self._graph

    @property
    def schema(self) -> Schema:
        self.ensure_defined()
        if self._schema is None:
            raise self.has_variants_only()
        return self._schema

    def has_variants_only(self) -> CompileError:
        """The fault of asking a variadic function for what each of its variants has."""
        return error(
            origin(self.definition),
            "TS191",
            f"'{self.name}' takes any number of arguments: there is a schema and a graph for each "
            "way in which it is called",
            fix="ask f.variant(...) with the arguments of a call",
        )

    def __repr__(self) -> str:
        return f"<CompiledFunction {self.qualified_name}>"


def _of_state(declared: Schema, type: t.ClassType, definition: tree.FunctionDef) -> Schema:
    """`__setstate__` takes what `__getstate__` returns, unless it says something else."""
    inferred = [argument.is_inferred for argument in declared.arguments]
    if inferred != [True]:
        return declared
    get_state = type.methods.get("__getstate__")
    if get_state is None:
        raise error(
            origin(definition),
            "TS302",
            f"{type.short_name} has __setstate__, but no __getstate__",
            fix="define both",
        )
    state = replace(declared.arguments[0], type=get_state.schema.returns[0].type)
    return replace(declared, arguments=(state,))
