"""Take the elements of a tuple that was just made from its maker.

Before:
    %t : (Tensor, int) = prim::TupleConstruct(%x, %n)
    %a : Tensor, %b : int = prim::TupleUnpack(%t)
After (every use of %a now uses %x, of %b %n):
    return (%x)

Source: torch/csrc/jit/passes/lower_tuples.cpp (`LowerSimpleTuples`).
"""

from __future__ import annotations

from minits.ir.constants import to_python
from minits.ir.graph import Block, Graph, Node

_READERS = frozenset(("prim::TupleUnpack", "prim::TupleIndex"))


def lower_simple_tuples(graph: Graph) -> bool:
    """Return whether the graph changed. Tuples that nobody uses any more are left to `dce`."""
    return graph.may_have(*_READERS) and _visit(graph.block)


def _visit(block: Block) -> bool:
    changed = False
    for node in block.nodes:
        changed |= _lower(node)
        for inner in node.blocks:
            changed |= _visit(inner)
    return changed


def _lower(node: Node) -> bool:
    if node.kind not in _READERS:
        return False
    maker = node.inputs[0].node
    if maker.kind != "prim::TupleConstruct":
        return False
    if node.kind == "prim::TupleUnpack":
        for output, value in zip(node.outputs, maker.inputs, strict=True):
            output.replace_all_uses_with(value)
        return True
    index = to_python(node.inputs[1])
    if not isinstance(index, int) or not -len(maker.inputs) <= index < len(maker.inputs):
        return False
    node.output.replace_all_uses_with(maker.inputs[index])
    return True
