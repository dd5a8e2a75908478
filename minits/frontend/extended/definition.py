"""Emission of a function in the extended dialect: by torch's rules, else by those that know more.

An attempt by the latter may find facts that a loop kills, or the element type of an empty
container. Both are needed before the loop, or the literal, is emitted: the function is then emitted
once more, until nothing new is learnt.
"""

from __future__ import annotations

from minits.diagnostics import CompileError
from minits.frontend.extended.empty_containers import LiteralTypes, TypeFound
from minits.frontend.extended.flow_facts import EndedInLoops
from minits.frontend.extended.rules import ExtendedRules, KnowingRules
from minits.frontend.extended.visitor import VISITOR
from minits.frontend.values.emitter import Emitter
from minits.frontend.values.function import CompiledFunction
from minits.ir.graph import Graph
from minits.ops.schema import Schema


def emit_extended(function: CompiledFunction, declared: Schema) -> tuple[Graph, Schema]:
    """Emit a function in the extended dialect. Raises `CompileError`."""
    emitter = Emitter(function, function.scope, VISITOR, ExtendedRules())
    try:
        schema = emitter.emit_definition(function.definition, declared, function.itself)
    except CompileError as fault:
        if not emitter.is_worth_another_reading(fault):
            raise
        emitter.undeclare()
    else:
        return emitter.graph, schema
    return _emit_knowing(function, declared)


def is_accepted(function: CompiledFunction, declared: Schema) -> bool:
    """Return whether the extended dialect accepts a function that torch's rules have refused."""
    try:
        _emit_knowing(function, declared)
    except CompileError:
        return False
    return True


def _emit_knowing(function: CompiledFunction, declared: Schema) -> tuple[Graph, Schema]:
    ended_in_loops: EndedInLoops = {}
    literal_types: LiteralTypes = {}
    while True:
        rules = KnowingRules(ended_in_loops, literal_types)
        emitter = Emitter(function, function.scope, VISITOR, rules)
        try:
            schema = emitter.emit_definition(function.definition, declared, function.itself)
        except TypeFound as found:
            literal_types.update(found.types)
        except CompileError:
            if not rules.facts.found_more:
                raise
        else:
            if not rules.facts.found_more:
                return rules.facts.unrecorded(), schema
        emitter.undeclare()
