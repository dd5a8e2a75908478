"""The arguments of a call, as values of the graph.

Source: torch/csrc/jit/frontend/ir_emitter.cpp (`getNamedValues`, `emitAttributes`).
"""

from __future__ import annotations

from collections.abc import Sequence

from minits.frontend.calls.schema_matching import NamedValue
from minits.frontend.values.emitter import Emitter
from minits.syntax import tree
from minits.syntax.torch_ranges import origin


def emit_arguments(emitter: Emitter, nodes: Sequence[tree.expr]) -> list[NamedValue]:
    """Emit positional arguments; a starred tuple is spread."""
    values: list[NamedValue] = []
    for node in nodes:
        loc = origin(node)
        if isinstance(node, tree.Starred):
            spread = emitter.emit_sugared(node.value, 1).as_tuple(loc, emitter)
            values += [NamedValue(item.as_value(loc, emitter), None, loc) for item in spread]
        else:
            values.append(NamedValue(emitter.emit_expression(node), None, loc))
    return values


def emit_keywords(emitter: Emitter, keywords: Sequence[tree.keyword]) -> list[NamedValue]:
    """Emit keyword arguments."""
    values: list[NamedValue] = []
    for keyword in keywords:
        value = emitter.emit_expression(keyword.value)
        values.append(NamedValue(value, keyword.arg, origin(keyword)))
    return values
