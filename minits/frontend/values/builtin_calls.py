"""Calls of operators: choosing the overload and emitting its node.

Source: torch/csrc/jit/frontend/schema_matching.cpp (`emitBuiltinCall`, `emitBuiltinNode`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from minits.diagnostics import CompileError, error
from minits.frontend.calls import hints
from minits.frontend.calls.exact_calls import match_exactly
from minits.frontend.calls.schema_matching import MatchedSchema, NamedValue, match_schemas
from minits.frontend.calls.schema_mismatches import Mismatch
from minits.ir.copying import insert_graph
from minits.ir.graph import Graph, Value
from minits.lazily import lazily
from minits.ops.libraries import registered_by
from minits.ops.registry import schemas_for
from minits.ops.schema import Schema
from minits.source import SourceRange
from minits.types import types as t

no_match: Callable[..., CompileError] = lazily("minits.frontend.calls.no_match:no_match")


def emit_builtin_call(
    graph: Graph,
    loc: SourceRange | None,
    name: str,
    args: Sequence[NamedValue | Value | Any],
    kwargs: Sequence[NamedValue] = (),
    self_value: NamedValue | None = None,
) -> Value:
    """Emit a call of the operator `name` (`aten::add`). Raises `CompileError` (TS4xx).

    Some operators are functions written in TorchScript; those are inlined.
    """
    named = [arg if isinstance(arg, NamedValue) else NamedValue(arg) for arg in args]
    matched = match_exactly(schemas_for(name), graph, loc, named, kwargs, self_value)
    if matched is None:
        return _emit_otherwise(graph, loc, name, named, kwargs, self_value)
    return _emit_matched(graph, loc, name, matched)


def _emit_otherwise(
    graph: Graph,
    loc: SourceRange | None,
    name: str,
    args: Sequence[NamedValue],
    kwargs: Sequence[NamedValue],
    self_value: NamedValue | None,
) -> Value:
    """Emit a call whose arguments no registered overload takes as they are.

    The functions written in TorchScript may; then everything is tried with conversions.
    """
    from minits.frontend.values.builtin_functions import builtin_functions

    functions = builtin_functions(name)
    written = [function.schema for function in functions]
    candidates = [*schemas_for(name), *written]
    if not candidates:
        message = f"Unknown builtin op: {name}. {_NO_OPERATOR}"
        fix = registered_by(name.partition("::")[0]) or hints.INSTEAD
        raise error(loc, "TS401", message, fix=fix)
    found: MatchedSchema | list[Mismatch] = []
    if len(candidates) > 1:
        found = match_schemas(written, graph, loc, args, kwargs, self_value, (False,))
    if not isinstance(found, MatchedSchema):
        found = match_schemas(candidates, graph, loc, args, kwargs, self_value, (True,))
    if not isinstance(found, MatchedSchema):
        raise no_match(loc, name, found, args, kwargs, self_value)
    for function in functions:
        if function.schema is found.schema:
            return insert_graph(graph, function.graph, found.inputs)[0]
    return _emit_matched(graph, loc, name, found)


def _emit_matched(
    graph: Graph, loc: SourceRange | None, name: str, matched: MatchedSchema
) -> Value:
    node = graph.emit(name, matched.inputs, matched.return_types, loc)
    return _pack_results(graph, matched.schema, node.outputs)


def _pack_results(graph: Graph, schema: Schema, values: list[Value]) -> Value:
    if len(values) == 1:
        return values[0]
    names = tuple(result.name for result in schema.returns)
    fields = names if names and all(names) else ()
    type = t.TupleType(tuple(value.type for value in values), None, fields)
    return graph.emit("prim::TupleConstruct", values, [type]).output


_NO_OPERATOR = "This op may not exist or may not be currently supported in TorchScript"
