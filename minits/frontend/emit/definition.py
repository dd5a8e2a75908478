"""Definition of a function: read its signature, emit its body, and clean up the graph.

    tree  --emit-->  graph with loads and stores  --to_ssa-->  SSA  --cleanup-->  as torch prints it

Source: torch/csrc/jit/frontend/ir_emitter.cpp (`to_ir::to_ir`).
"""

from __future__ import annotations

from minits.diagnostics import CompileError, Note, error
from minits.frontend.emit.visitor import VISITOR
from minits.frontend.extended.empty_containers import EmptyContainers, LiteralTypes, TypeFound
from minits.frontend.extended.knowledge import EndedInLoops, Knowledge
from minits.frontend.ssa.cleanup import run_cleanup
from minits.frontend.ssa.ssa import to_ssa
from minits.frontend.values.emitter import Emitter
from minits.frontend.values.function import CompiledFunction
from minits.frontend.values.signature import read_signature
from minits.ir.graph import Graph
from minits.ops.schema import Schema
from minits.records import replace
from minits.syntax import tree
from minits.syntax.extensions import without_extensions
from minits.syntax.torch_ranges import origin
from minits.types import types as t


def define(function: CompiledFunction) -> tuple[Graph, Schema]:
    """Return the graph and the schema of a function, compiled now. Raises `CompileError`."""
    if function.dialect == "extended":
        function.definition = without_extensions(function.definition)
    function.check_once()
    unfit: list[CompileError] = []
    is_method = function.itself is not None
    declared = read_signature(
        function.name, function.definition, function.scope, function.defaults, is_method, unfit
    )
    if function.name == "__setstate__" and function.itself is not None:
        declared = _of_state(declared, function.itself.type, function.definition)
    declared = _with_parameter_types(function, declared)
    late = [each for fault in unfit for each in fault.diagnostics]
    try:
        graph, schema = _emit(function, declared)
    except CompileError as fault:
        raise type(fault)([*fault.diagnostics, *late]) from None
    if late:
        raise CompileError(late)
    to_ssa(graph)
    run_cleanup(graph)
    return graph, schema


def _emit(function: CompiledFunction, declared: Schema) -> tuple[Graph, Schema]:
    """Emit the function by the rules of torch; if they fail, by those of the extended dialect.

    In the torch dialect, the second attempt only decides whether the error has a note that the
    extended dialect accepts the function.
    """
    emitter = Emitter(function, function.scope, VISITOR, function.dialect)
    try:
        schema = emitter.emit_definition(function.definition, declared, function.itself)
    except CompileError as fault:
        if not emitter.may_know_more or all(each.callers for each in fault.diagnostics):
            raise
        refused = fault
        emitter.undeclare()
    else:
        return emitter.graph, schema
    if function.dialect == "extended":
        return _emit_knowing(function, declared)
    try:
        _emit_knowing(function, declared)
    except CompileError:
        raise refused from None
    raise refused.noting(Note("the extended dialect accepts it: docs/extensions.md")) from None


def _emit_knowing(function: CompiledFunction, declared: Schema) -> tuple[Graph, Schema]:
    """Emit the function by the extended rules, repeatedly until nothing new is learnt.

    An attempt may find facts that a loop kills, or the element type of an empty container; both are
    needed before the loop, or the literal, is emitted.
    """
    ended_in_loops: EndedInLoops = {}
    literal_types: LiteralTypes = {}
    while True:
        knowledge = Knowledge(ended_in_loops)
        emitter = Emitter(function, function.scope, VISITOR, "extended", knowledge)
        emitter.empty = EmptyContainers(literal_types)
        try:
            schema = emitter.emit_definition(function.definition, declared, function.itself)
        except TypeFound as found:
            literal_types.update(found.types)
        except CompileError:
            if not knowledge.found_more:
                raise
        else:
            if not knowledge.found_more:
                return knowledge.unwatched(), schema
        emitter.undeclare()


def _with_parameter_types(function: CompiledFunction, declared: Schema) -> Schema:
    types = function.parameter_types
    arguments = tuple(
        replace(argument, type=types[argument.name]) if argument.name in types else argument
        for argument in declared.arguments
    )
    return replace(declared, arguments=arguments)


def _of_state(declared: Schema, type: t.ClassType, definition: tree.FunctionDef) -> Schema:
    """Give `__setstate__`, if unannotated, the return type of `__getstate__` as parameter type."""
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
