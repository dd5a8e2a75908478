"""Take attributes and views that are the same in each iteration out of loops.

Before:
    %out = prim::Loop(%n, %true, %h)
      block0(%i : int, %h.1 : Tensor):
        %w : Tensor = prim::GetAttr[name="weight"](%self)
        %wt : Tensor = aten::t(%w)
        %h.2 : Tensor = aten::mm(%h.1, %wt)
        -> (%true, %h.2)
After: the attribute and the view stand before the loop.

A view shows what is written to its tensor later, so it may be made earlier. It must not raise where
the loop would not have run at all: only views are moved whose tensor is known to have them. An
attribute that is set somewhere stays.

Differs: torch.jit leaves loops as they are.
"""

from __future__ import annotations

from minits.ir.constants import NOT_CONSTANT, to_python
from minits.ir.graph import Block, Graph, Node, Value
from minits.types.tensor_meta import TensorMeta

_SWAPS = ("aten::transpose", "aten::swapaxes", "aten::swapdims")


def hoist_views(graph: Graph, metas: dict[Value, TensorMeta]) -> bool:
    """Return whether the graph changed. `metas`: of its tensors, as far as known."""
    kept = {node["name"] for node in graph.nodes_of_kind("prim::SetAttr")}
    return _Hoisting(metas, kept).block(graph.block)


class _Hoisting:
    def __init__(self, metas: dict[Value, TensorMeta], kept: set[str]) -> None:
        self.metas = metas
        self.kept = kept
        """The names of attributes that are set."""

    def block(self, block: Block) -> bool:
        """Hoist out of the loops in a block, inner ones first."""
        changed = False
        for node in list(block.nodes):
            for inner in node.blocks:
                changed |= self.block(inner)
            if node.kind == "prim::Loop":
                changed |= self._loop(node)
        return changed

    def _loop(self, loop: Node) -> bool:
        (body,) = loop.blocks
        inside = set(body.inputs)
        changed = False
        for node in list(body.nodes):
            is_same = not any(value in inside for value in node.inputs)
            if is_same and not node.blocks and self._may_move(node):
                node.detach()
                node.insert_before(loop)
                changed = True
            else:
                inside.update(node.outputs)
        return changed

    def _may_move(self, node: Node) -> bool:
        if node.kind == "prim::Constant":
            return True
        if node.kind == "prim::GetAttr":
            return node["name"] not in self.kept
        meta = self.metas.get(node.inputs[0]) if node.inputs else None
        if meta is None:
            return False
        if node.kind == "aten::t":
            return meta.rank <= 2
        if node.kind in _SWAPS:
            dims = [to_python(value) for value in node.inputs[1:]]
            rank = max(meta.rank, 1)
            return all(dim is not NOT_CONSTANT and -rank <= dim < rank for dim in dims)
        return False
