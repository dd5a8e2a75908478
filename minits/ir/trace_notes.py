"""Notes of a trace about its graph: they are printed and copied, and no pass reads them.

    %y : Float(2, strides=[1], requires_grad=0, device=cpu) = aten::relu(%x), scope: __module.act

The type of `%y` is Tensor; the note says which tensor the trace saw. The scope is the submodule in
whose `forward` the node was recorded.

Source: torch/csrc/jit/ir/scope.h, torch/csrc/jit/frontend/tracer.cpp (`inferTypeFrom`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from minits.types.types import TENSOR

if TYPE_CHECKING:
    from minits.ir.graph import Graph, Node, Value


class TraceNotes:
    """Notes about the values and nodes of one graph."""

    __slots__ = ("scopes", "types")

    def __init__(self) -> None:
        self.types: dict[Value, str] = {}
        """The text of the type that a value had in the trace."""
        self.scopes: dict[Node, str] = {}
        """The submodules, outermost first, in which a node was recorded."""

    def type_of(self, value: Value) -> str:
        """Return the type of a value as a graph shows it: of a tensor, the one that was seen."""
        return self.types.get(value, str(value.type))

    def type_of_tuple(self, values: Sequence[Value]) -> str:
        """Return the type of a tuple of values in the same way."""
        return f"({', '.join(map(self.type_of, values))})"


def notes_of(graph: Graph) -> TraceNotes:
    """Return the notes of a graph, which it has from now on."""
    if graph.trace_notes is None:
        graph.trace_notes = TraceNotes()
    return graph.trace_notes


def copy_type_note(source: Value, target: Value) -> None:
    """Give `target` what was noted about `source`."""
    notes = source.node.graph.trace_notes
    if notes is not None and source in notes.types:
        notes_of(target.node.graph).types[target] = notes.types[source]


def forget_seen_tensors(graph: Graph) -> None:
    """Let tensors of a traced graph show their type alone, constants too; tuples and scopes stay.

    Source: torch/csrc/jit/passes/shape_analysis.cpp (`EraseShapeInformation`).
    """
    notes = graph.trace_notes
    if notes is None:
        return
    notes.types = {value: text for value, text in notes.types.items() if value.type != TENSOR}
    for node in graph.nodes_of_kind("prim::Constant"):
        if node.output.type == TENSOR:
            notes.types[node.output] = str(TENSOR)


def copy_scope(source: Node, target: Node) -> None:
    """Give `target` the scope of `source`."""
    notes = source.graph.trace_notes
    if notes is not None and source in notes.scopes:
        notes_of(target.graph).scopes[target] = notes.scopes[source]
