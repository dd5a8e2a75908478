"""Slices that take a dimension whole, in front of an operator that reads a later one.

Before (`x[:, :, 0]`):
    %a : Tensor = aten::slice(%x, %zero, %none, %none, %one)
    %b : Tensor = aten::slice(%a, %one, %none, %none, %one)
    %y : Tensor = aten::select(%b, %two, %zero)
After:
    %y : Tensor = aten::select(%x, %two, %zero)

Such a slice changes nothing; it only fails where its dimension is missing. The operator behind it
needs a later dimension, so that it fails then too. A last `:` asks for a dimension that nothing
else does (`fusion/known_slices.py` skips it where the rank is known).

Differs: torch.jit leaves them; eager skips them (torch/csrc/autograd/python_variable_indexing.cpp).
"""

from __future__ import annotations

from minits.ir.constants import NOT_CONSTANT, to_python
from minits.ir.graph import Graph, Node, Value
from minits.types import types as t
from minits.types.int64 import MAX_INT


def skip_whole_slices(graph: Graph) -> bool:
    """Return whether the graph changed. The slices themselves are left, without uses."""
    changed = False
    for node in graph.all_nodes():
        needed = _needed_rank(node)
        while needed and (source := operand_of_whole(node.inputs[0], needed)) is not None:
            node.set_input(0, source)
            changed = True
    return changed


def _needed_rank(node: Node) -> int:
    """Return the rank that the first operand has at least, or the node raises; 0 if unknown."""
    match node.kind:
        case "aten::select" | "aten::slice" if node.inputs[0].type == t.TENSOR:
            dim = to_python(node.inputs[1])
            return dim + 1 if type(dim) is int else 0
        case "aten::index" | "aten::index_put" | "aten::index_put_":
            indices = node.inputs[1].node
            is_result_seen = node.kind == "aten::index_put_" and bool(node.output.uses)
            is_known = indices.kind == "prim::ListConstruct" and not is_result_seen
            return len(indices.inputs) if is_known else 0
    return 0


def operand_of_whole(value: Value, rank: int) -> Value | None:
    """Return the operand of a slice that takes one of the first `rank` dimensions whole."""
    node = value.node
    if node.kind != "aten::slice" or value.type != t.TENSOR:
        return None
    source, dim, start, end, step = node.inputs
    d = to_python(dim)
    is_whole = _is(start, (None, 0)) and _is(end, (None, MAX_INT)) and _is(step, (1,))
    return source if is_whole and type(d) is int and 0 <= d < rank else None


def _is(value: Value, allowed: tuple[int | None, ...]) -> bool:
    content = to_python(value)
    return content is not NOT_CONSTANT and content in allowed and type(content) is not bool
