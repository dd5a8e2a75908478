"""Specialise a graph on which of its Optional inputs are None.

Before, called with a mask:
    graph(%x : Tensor, %mask : Tensor?):
      %none : NoneType = prim::Constant()
      %given : bool = aten::__isnot__(%mask, %none)
After (peephole and constant propagation then inline the branch):
    graph(%x : Tensor, %mask : Tensor):
      %none : NoneType = prim::Constant()
      %given : bool = aten::__isnot__(%mask, %none)

Called without, the mask is a constant wherever it is read.

Source: ours; torch leaves the branch in the graph. The None-ness of an argument is known at a call,
and with it a mask is fused with what uses it (docs/architecture.md).
"""

from __future__ import annotations

from collections.abc import Mapping

from minits.ir.constants import make_constant
from minits.ir.graph import Graph
from minits.types import types as t
from minits.types.subtyping import union_members, union_of


def specialize(graph: Graph, is_none: Mapping[int, bool]) -> bool:
    """Return whether the graph changed; `is_none` tells about inputs by their index."""
    for index, none in is_none.items():
        value = graph.inputs[index]
        if none:
            value.type = t.NONE
            if value.uses:
                constant = graph.block.prepend(make_constant(graph, None))
                value.replace_all_uses_with(constant.output)
        else:
            members = [member for member in union_members(value.type) if member != t.NONE]
            value.type = union_of(members)
    return bool(is_none)
