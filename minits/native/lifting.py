"""Constants that are tensors, as inputs of a function in C.

Before:
    graph(%x : Tensor):
      %scale : Tensor = prim::Constant[value={2}]()
After:
    graph(%x : Tensor, %scale : Tensor):

Python keeps them for the function.
"""

from __future__ import annotations

from minits.ir.constants import to_python
from minits.ir.graph import Graph, Value
from minits.records import dataclass
from minits.types import types as t


@dataclass(frozen=True, slots=True)
class Lifted:
    """An input that calls are not given, and what it is."""

    value: Value
    content: object


def lift_constants(graph: Graph) -> list[Lifted]:
    """Make inputs of the constants of a graph that are tensors."""
    found = []
    for node in graph.nodes_of_kind("prim::Constant"):
        if node.output.type == t.TENSOR and node.output.uses:
            value = graph.add_input("constant", t.TENSOR)
            node.output.replace_all_uses_with(value)
            found.append(Lifted(value, to_python(node.output)))
    return found
