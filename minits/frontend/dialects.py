"""The dialects: by whose rules a function is emitted.

    torch       `emit/`, with rules that know nothing more than types (`values/flow_rules.py`)
    extended    `extended/`, which asks `emit/` for all that it does not do otherwise

The torch dialect knows of the other one only here: a function that is refused is read once more by
the rules of the extended dialect, to say so in the error if they accept it. And it may call a
variadic function that was compiled in the other dialect.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from minits.diagnostics import IN_EXTENDED, CompileError
from minits.frontend.emit import definition
from minits.frontend.emit.visitor import VISITOR
from minits.frontend.values.emitter import Emitter
from minits.frontend.values.flow_rules import FlowRules
from minits.frontend.values.function import CompiledFunction, Variant
from minits.ir.graph import Graph
from minits.ops.schema import Schema

if TYPE_CHECKING:
    from minits.frontend.calls.schema_matching import NamedValue


def define(function: CompiledFunction) -> tuple[Graph, Schema]:
    """Return the graph and the schema of a function, by its dialect. Raises `CompileError`."""
    if function.dialect == "torch":
        return definition.define(function, _emit_torch)
    from minits.frontend.extended.definition import emit_extended
    from minits.syntax.extensions import without_extensions

    function.definition = without_extensions(function.definition)
    return definition.define(function, emit_extended)


def _emit_torch(function: CompiledFunction, declared: Schema) -> tuple[Graph, Schema]:
    emitter = Emitter(function, function.scope, VISITOR, FlowRules())
    try:
        schema = emitter.emit_definition(function.definition, declared, function.itself)
    except CompileError as fault:
        if not emitter.is_worth_another_reading(fault):
            raise
        emitter.undeclare()
        refused = fault
    else:
        return emitter.graph, schema
    from minits.frontend.extended.definition import is_accepted

    if is_accepted(function, declared):
        refused = refused.noting(IN_EXTENDED)
    raise refused from None


def variant_of_call(
    emitter: Emitter,
    function: CompiledFunction,
    args: Sequence[NamedValue],
    kwargs: Sequence[NamedValue],
) -> tuple[Variant, Sequence[NamedValue]]:
    """Return a variadic function as it is compiled for a call; see `extended/variadic.py`."""
    from minits.frontend.extended import variadic

    return variadic.variant_of_call(emitter, function, args, kwargs)
