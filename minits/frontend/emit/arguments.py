"""Callee and arguments of a call, the arguments as values of the graph.

Source: torch/csrc/jit/frontend/ir_emitter.cpp (`getNamedValues`, `emitAttributes`).
"""

from __future__ import annotations

from collections.abc import Sequence

from minits.diagnostics import CompileError, Faults, with_faults_of
from minits.frontend.calls.schema_matching import NamedValue
from minits.frontend.values.emitter import Emitter
from minits.frontend.values.sugared_value import SugaredValue
from minits.frontend.values.when_failed import with_arguments, with_parts
from minits.syntax import tree
from minits.syntax.torch_ranges import origin
from minits.types.types import Type


def emit_callee(emitter: Emitter, call: tree.Call) -> SugaredValue:
    """Emit what is called. Raises `CompileError`, with the faults of the arguments if it fails."""
    try:
        return emitter.emit_sugared(call.func, 1)
    except CompileError as fault:
        raise with_arguments(emitter, fault, call) from None


def emit_arguments(emitter: Emitter, nodes: Sequence[tree.expr]) -> list[NamedValue]:
    """Emit positional arguments; a starred tuple is spread.

    Raises `CompileError` with the faults of all of them.
    """
    values: list[NamedValue] = []
    faults = Faults()
    for node in nodes:
        loc = origin(node)
        try:
            if isinstance(node, tree.Starred):
                spread = emitter.emit_sugared(node.value, 1).as_tuple(loc, emitter)
                values += [NamedValue(item.as_value(loc, emitter), None, loc) for item in spread]
            else:
                values.append(NamedValue(emitter.emit_expression(node), None, loc))
        except CompileError as fault:
            faults.add(fault)
    faults.raise_all()
    return values


def emit_keywords(emitter: Emitter, keywords: Sequence[tree.keyword]) -> list[NamedValue]:
    """Emit keyword arguments. Raises `CompileError` with the faults of all of them."""
    values = emitter.emit_each(*(keyword.value for keyword in keywords))
    return [
        NamedValue(value, keyword.arg, origin(keyword))
        for keyword, value in zip(keywords, values, strict=True)
    ]


def emit_arguments_of(
    emitter: Emitter, call: tree.Call
) -> tuple[list[NamedValue], list[NamedValue]]:
    """Emit the positional and the keyword arguments of a call.

    Raises `CompileError` with the faults of all of them.
    """
    try:
        args = emit_arguments(emitter, call.args)
    except CompileError as fault:
        raise with_faults_of(fault, lambda: emit_keywords(emitter, call.keywords)) from None
    return args, emit_keywords(emitter, call.keywords)


def emit_type(emitter: Emitter, annotation: tree.expr, *values: tree.expr) -> Type:
    """Return the type that an annotation or an argument means.

    Raises `CompileError`, with the faults of the values that are to be of the type if it fails.
    """
    try:
        return emitter.scope.type(annotation)
    except CompileError as fault:
        raise with_parts(emitter, fault, *values) from None
