"""Slices that take a dimension whole, of tensors whose rank is known.

Before (`x[:, 0, :]`, where x has three dimensions):
    %a : Tensor = aten::select(%x, %one, %zero)
    %b : Tensor = aten::slice(%a, %one, %none, %none, %one)
    %y : Tensor = aten::mul(%b, %two)
After:
    %a : Tensor = aten::select(%x, %one, %zero)
    %y : Tensor = aten::mul(%a, %two)

A slice is another tensor than its operand, which a program may see of one that is returned, kept or
written to. So the slice goes only where its reader is an operator that returns a tensor of its own.

Differs: torch.jit leaves such slices; `passes/whole_slices.py` skips those that need no rank.
"""

from __future__ import annotations

from collections.abc import Mapping

from minits.ir.alias import written_inputs
from minits.ir.graph import Graph, Node, Value
from minits.passes.shape_propagation.rules import RULES, elementwise
from minits.passes.whole_slices import operand_of_whole
from minits.types.tensor_meta import TensorMeta

_VIEWS = frozenset(
    f"aten::{name}"
    for name in "select slice unsqueeze t transpose permute view reshape expand index".split()
)
"""Operators whose result is another tensor than their operand, whatever the arguments are."""


def skip_slices_of_known(graph: Graph, metas: Mapping[Value, TensorMeta]) -> bool:
    """Return whether the graph changed. The slices themselves are left, without uses."""
    changed = False
    for node in graph.nodes_of_kind("aten::slice"):
        value = _unsliced(node.output, metas)
        if value is node.output:
            continue
        for user, offset in list(node.output.uses):
            if _makes_its_own(user):
                user.set_input(offset, value)
                changed = True
    return changed


def _unsliced(value: Value, metas: Mapping[Value, TensorMeta]) -> Value:
    """Return the tensor that a chain of whole slices ends in."""
    meta = metas.get(value)  # it has the rank of its operand
    while meta is not None and (source := operand_of_whole(value, meta.rank)) is not None:
        value = source
    return value


def _makes_its_own(node: Node) -> bool:
    if node.kind in _VIEWS:
        return True
    is_elementwise = RULES.get(node.kind) is elementwise and node.kind != "aten::positive"
    return is_elementwise and not written_inputs(node)  # as `out=` is
