"""Definition of a function: read its signature, emit its body, and clean up the graph.

    tree  --emit-->  graph with loads and stores  --"emission"-->  graph as torch prints it

Source: torch/csrc/jit/frontend/ir_emitter.cpp (`to_ir::to_ir`).
"""

from __future__ import annotations

from collections.abc import Callable

from minits.compile_warnings import warn
from minits.diagnostics import CompileError, Diagnostic, NotSupportedError, error
from minits.frontend.calls.none_defaults import warnings_of_none
from minits.frontend.values.function import CompiledFunction
from minits.frontend.values.signature import read_signature
from minits.internal_error import too_deep
from minits.ir.graph import Graph
from minits.lazily import lazily
from minits.ops.schema import Schema
from minits.passes.context import Context
from minits.passes.pipeline import run_pipeline
from minits.records import replace
from minits.syntax import tree
from minits.syntax.torch_ranges import origin
from minits.types import types as t

cured: Callable[..., CompileError] = lazily("minits.frontend.cures.cured:cured")

Emit = Callable[[CompiledFunction, Schema], tuple[Graph, Schema]]
"""Emits the body of a function with this declared schema, by the rules of a dialect."""


def define(function: CompiledFunction, emit: Emit) -> tuple[Graph, Schema]:
    """Return the graph and the schema of a function, compiled now. Raises `CompileError`."""
    function.refused = _refused_in_body(function)
    unfit: list[CompileError] = []
    try:
        declared = _declared(function, unfit)
    except CompileError as fault:
        fault = cured(fault, function.definition)
        if not function.refused:
            raise fault from None
        raise NotSupportedError([*function.refused, *fault.diagnostics]) from None
    late = [each for f in unfit for each in cured(f, function.definition).diagnostics]
    try:
        graph, schema = emit(function, declared)
    except CompileError as fault:
        raise type(fault)([*fault.diagnostics, *late]) from None
    if late:
        raise CompileError(late)
    try:
        run_pipeline(graph, "emission", Context(program=function.short_name))
    except RecursionError:  # passes walk the blocks by calling themselves
        raise too_deep(f"'{function.name}'", origin(function.definition)) from None
    for each in warnings_of_none(function.definition, schema):
        warn(each)
    return graph, schema


def _refused_in_body(function: CompiledFunction) -> list[Diagnostic]:
    """Return the refused syntax of a function's body. Raises `CompileError` for other syntax."""
    try:
        function.check_once()
    except NotSupportedError as fault:
        body = function.definition.body
        start, end = body[0].range.start, body[-1].range.end
        if all(each.range and start <= each.range.start < end for each in fault.diagnostics):
            return list(fault.diagnostics)
        raise
    return []


def _declared(function: CompiledFunction, unfit: list[CompileError]) -> Schema:
    """Return the declared schema; `unfit` takes errors of defaults. Raises `CompileError`."""
    declared = read_signature(
        function.name,
        function.definition,
        function.scope,
        function.defaults,
        function.itself is not None,
        unfit,
        function.assumed_types,
    )
    if function.name == "__setstate__" and function.itself is not None:
        declared = _of_state(declared, function.itself.type, function.definition)
    return _with_parameter_types(function, declared)


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
