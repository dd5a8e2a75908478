"""Environments: the value and the type that a variable has at a point of the program.

Control flow has blocks but no scopes in Python, so variables that hold values of the graph are not
bound to SSA values while statements are emitted. An assignment emits `prim::Store[name]`, a use
emits `prim::Load[name]`, and an environment keeps only the variable's type:

    a = 1                 = prim::Store[name="a"](%a.1)
    print(a)              %a : int = prim::Load[name="a"]()
                          = prim::Print(%a)

`ssa.py` connects loads with stores afterwards. Sugared values (modules, functions, ranges) never
reach the graph; an environment keeps them themselves, and forbids to assign them anew in an inner
block, where control flow would have to choose between them.

Source: torch/csrc/jit/frontend/ir_emitter.cpp (`Environment`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from minits.diagnostics import CompileError, Note, error
from minits.frontend.calls import hints
from minits.frontend.calls.schema_matching import convert
from minits.frontend.values.error_value import ErrorValue
from minits.frontend.values.flow_rules import FlowRules
from minits.frontend.values.simple_value import SimpleValue, as_simple
from minits.frontend.values.sugared_value import SugaredValue
from minits.ir.debug_names import is_meaningful
from minits.ir.graph import Block, Graph, Value
from minits.source import SourceRange
from minits.types import types as t
from minits.types.subtyping import is_subtype
from minits.types.types import Type

if TYPE_CHECKING:
    from minits.frontend.values.emitter import Emitter


Fault = Callable[[SourceRange], CompileError]
"""Makes the error of a variable that is used where it has no value."""


def may_be_undefined(loc: SourceRange, message: str, fix: str) -> Fault:
    """Return the fault of a variable that only some of the ways to its use assign."""

    def fault(use: SourceRange) -> CompileError:
        return error(loc, "TS510", message, notes=[Note("it is used here", use)], fix=fix)

    return fault


class Environment:
    """The variables that a block assigns; `parent` is the environment of the block around it.

    rules: what the dialect knows, which is told of assignments.
    """

    def __init__(self, rules: FlowRules, block: Block, parent: Environment | None = None) -> None:
        self.rules = rules
        self.graph: Graph = rules.graph
        self.block = block
        self.parent = parent
        self.values: dict[str, SugaredValue] = {}
        self.types: dict[str, Type] = {}
        self.faults: dict[str, Fault] = parent.faults if parent is not None else {}
        """Errors for uses of variables that only some branches define."""

    def chain(self) -> Iterator[Environment]:
        """Yield this environment and the environments around it, from the inside out."""
        environment: Environment | None = self
        while environment is not None:
            yield environment
            environment = environment.parent

    def find(self, name: str) -> SugaredValue | None:
        """Return the value of a variable of this environment or one around it; emits its load."""
        environment: Environment | None = self
        while environment is not None:
            if name in environment.values:
                return environment.values[name]
            if name in environment.types:
                return SimpleValue(environment._load(name))
            environment = environment.parent
        return None

    def type_of(self, name: str) -> Type | None:
        """Return the type of a variable that holds a value of the graph, or a module."""
        for environment in self.chain():
            if name in environment.values:
                value = getattr(environment.values[name], "value", None)
                return value.type if isinstance(value, Value) else None
            if name in environment.types:
                return environment.types[name]
        return None

    def sugared(self, name: str) -> SugaredValue | None:
        """Return the value of a variable that is not in the graph; emits nothing."""
        for environment in self.chain():
            if name in environment.types:
                return None
            if name in environment.values:
                return environment.values[name]
        return None

    def has(self, name: str) -> bool:
        """Return whether a variable has a value here."""
        return any(
            name in environment.types or name in environment.values for environment in self.chain()
        )

    def find_in_parent(self, name: str) -> SugaredValue | None:
        return self.parent.find(name) if self.parent is not None else None

    def get(self, name: str, loc: SourceRange, emitter: Emitter) -> Value:
        """Return the graph's value of a variable that exists."""
        found = self.find(name)
        assert found is not None, name
        return found.as_value(loc, emitter)

    def set(
        self, loc: SourceRange, name: str, value: SugaredValue, annotated: Type | None = None
    ) -> None:
        """Assign a variable. Raises `CompileError` when its type changes."""
        self.rules.assigned(self, name)
        self.narrow(loc, name, value, annotated)

    def narrow(
        self, loc: SourceRange, name: str, value: SugaredValue, annotated: Type | None = None
    ) -> None:
        """Assign a variable its own value with a narrower type; for other values as `set`.

        Raises `CompileError`.
        """
        simple = as_simple(value)
        if simple is not None:
            self._name_value(simple, name)
        parent = self.find_in_parent(name)
        if parent is not None:
            simple = self._fit_to_outer(loc, name, value, parent, annotated)
        if simple is None:
            self.values[name] = value
            self.types.pop(name, None)
            return
        if annotated is not None and not is_subtype(simple.type, annotated):
            raise error(
                loc,
                "TS204",
                f"Variable '{name}' is annotated with type {annotated.annotation} but is being "
                f"assigned to a value of type {simple.type.annotation}",
                fix=f"annotate it {simple.type.annotation}, or convert the value",
            )
        self.store(name, simple, loc)
        if annotated is not None:
            self.types[name] = annotated

    def store(self, name: str, value: Value, loc: SourceRange | None = None) -> None:
        """Store a value in a variable, whatever type the variable had."""
        self.graph.emit("prim::Store", [value], [], loc).set_attr("name", "s", name)
        self.values.pop(name, None)
        self.types[name] = value.type
        self.rules.stored(self, name)

    def set_value(self, loc: SourceRange, name: str, value: Value) -> None:
        self.set(loc, name, SimpleValue(value))

    def lose(self, name: str) -> None:
        """Give an error value to a variable, in the environment that it is defined in."""
        for environment in self.chain():
            if environment.types.pop(name, None) is not None:
                environment.values[name] = ErrorValue()

    def remove(self, name: str) -> bool:
        """Forget a variable in all environments (`del`); return whether there was one."""
        removed = False
        environment: Environment | None = self
        while environment is not None:
            in_values = environment.values.pop(name, None) is not None
            in_types = environment.types.pop(name, None) is not None
            removed = removed or in_values or in_types
            environment = environment.parent
        return removed

    def _load(self, name: str) -> Value:
        load = self.graph.emit("prim::Load", [], [self.types[name]]).set_attr("name", "s", name)
        if is_meaningful(name):
            load.output.set_name(name)
        return load.output

    def _name_value(self, value: Value, name: str) -> None:
        """Name a value that has no name after the variable; one of another block keeps its own."""
        if not value.has_name and is_meaningful(name) and value.node.block is self.block:
            value.set_name(name)

    def _fit_to_outer(
        self,
        loc: SourceRange,
        name: str,
        value: SugaredValue,
        parent: SugaredValue,
        annotated: Type | None,
    ) -> Value:
        """Convert `value` to the type of the outer one, `parent`. Raises `CompileError`."""
        if annotated is not None:
            raise error(
                loc,
                "TS205",
                f"Attempting to declare and annotate the type of variable '{name}' but it is "
                "already defined in an outer block",
                fix="annotate a variable where it is first assigned",
            )
        simple, outer = as_simple(value), as_simple(parent)
        if simple is None or outer is None:
            what = value.kind if simple is None else parent.kind
            raise error(
                loc,
                "TS303",
                f"Cannot re-assign '{name}' to a value of type {what} inside control flow: "
                "it must be known while compiling what the name means",
                fix="use another name inside the block, or call both and choose a result",
            )
        converted = convert(self.graph, loc, outer.type, simple)
        fits = is_subtype(converted.type, outer.type)
        if not (fits or self.rules.may_widen(self, name, converted.type)):
            raise _type_changed(loc, name, outer.type, converted.type)
        return converted


def _type_changed(loc: SourceRange, name: str, before: Type, after: Type) -> CompileError:
    notes = []
    if before == t.ListType(t.TENSOR) and isinstance(after, t.ListType):
        notes.append(Note("Empty lists default to List[Tensor] unless they are annotated"))
    return error(
        loc,
        "TS501",
        f"Variable '{name}' previously had type {before.annotation} but is now being assigned to a "
        f"value of type {after.annotation}, inside a block",
        notes=notes,
        fix=hints.for_changed_type(name, before, after),
    )
