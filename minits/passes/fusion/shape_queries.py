"""Questions for the sizes of computed tensors, asked of what they are computed from.

Before:                                        After:
    %y : Tensor = aten::add(%x, %bias, %one)       %y : Tensor = aten::add(%x, %bias, %one)
    %n : int = aten::size(%y, %dim)                %n : int = aten::size(%x, %dim)

So a group need not be cut where a size of what it computes is asked for. An operand of an
elementwise operator has the result's shape in all calls if it has in one, as which of its
dimensions are of size one does not change. Where a group does give the computed tensor, and what
would be asked instead is a view that only the group reads, the tensor is asked in the end.

How many dimensions an argument has, its dtype, its device and its layout are the same in all calls
of a plan: they are put in, so that `x.sum(x.dim() - 1)`, `y.to(x.dtype)` and `if x.layout ==
torch.strided`, as in `torch.norm`, are settled before anything is fused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from minits.ir.constants import make_constant
from minits.ir.graph import Graph, Node, Value
from minits.passes.shape_propagation.rules import (
    RULES,
    as_it_is,
    batch_norm,
    elementwise,
    same_shape,
)
from minits.types.dtypes import DTYPE_CODES
from minits.types.tensor_meta import TensorMeta

_OF_SHAPE = ("aten::size", "aten::dim", "aten::numel", "aten::len")
_OF_THE_SAME_SHAPE = (elementwise, same_shape, batch_norm, as_it_is)
"""Rules of operators whose result has the shape of an operand."""
_STRIDED = 0
"""The layout of tensors that have metadata, as an int."""
_SETTLED: dict[str, Callable[[TensorMeta], Any]] = {
    "prim::dtype": lambda meta: DTYPE_CODES.get(meta.dtype),
    "prim::layout": lambda meta: _STRIDED,
    "prim::device": lambda meta: meta.device,
    "prim::is_cuda": lambda meta: meta.device.type == "cuda",
    "aten::is_floating_point": lambda meta: meta.dtype.is_floating_point,
    "aten::is_complex": lambda meta: meta.dtype.is_complex,
}
_VIEWS = ("aten::slice", "aten::select", "aten::t", "aten::transpose", "aten::permute")
_GIVES_ITS_KIND = ("aten::clone", "aten::contiguous", "aten::detach")
"""Operators whose result is of the dtype, device and shape of the operand."""
_OF_KIND = ("prim::dtype", "prim::device", "prim::is_cuda", "aten::is_floating_point")


def forward_shape_queries(graph: Graph, metas: dict[Value, TensorMeta]) -> dict[Node, Value]:
    """Return the questions that are asked of other values now, and which were asked before."""
    changed = {}
    for node in graph.all_nodes():
        if node.kind in _OF_SHAPE or node.kind in _OF_KIND:
            asked = node.inputs[0]
            source = _source(asked, metas, node.kind in _OF_KIND)
            if source is not asked:
                node.set_input(0, source)
                changed[node] = asked
    return changed


def return_shape_queries(before: Mapping[Node, Value], given: Mapping[Value, Value]) -> None:
    """Ask again what was asked `before`, where the view that is asked now is read by nobody else.

    `given` are the outputs of groups, by the values that they replace.
    """
    for node, asked in before.items():
        result = given.get(asked)
        if result is None or node.block is None or node.inputs[0].node.kind not in _VIEWS:
            continue
        view = node.inputs[0].node
        is_only_asked = all(use.user in before for use in view.output.uses)
        if is_only_asked and result.node.block is node.block and result.node.is_before(node):
            node.set_input(0, result)
            if not view.output.uses:
                view.destroy()


def fold_tensor_queries(graph: Graph, metas: dict[Value, TensorMeta]) -> bool:
    """Return whether the graph changed: constants are where arguments were asked about."""
    changed = False
    for node in list(graph.all_nodes()):
        answer = _answer(node, graph, metas)
        if answer is not None:
            constant = make_constant(graph, answer)
            constant.insert_before(node)
            node.output.replace_all_uses_with(constant.output)
            node.destroy()
            changed = True
    return changed


def _answer(node: Node, graph: Graph, metas: dict[Value, TensorMeta]) -> Any:
    """Return the answer of a question in all calls; None if it is not known."""
    if node.kind == "aten::dim":
        source = _source_of_rank(node.inputs[0], metas)
        return metas[source].rank if source is not None and source in graph.inputs else None
    if node.kind in _SETTLED and node.inputs[0] in metas:
        source = _source(node.inputs[0], metas, same_kind=True)
        return _SETTLED[node.kind](metas[source]) if source in graph.inputs else None
    return None


def _source_of_rank(value: Value, metas: dict[Value, TensorMeta]) -> Value | None:
    """Return a value of the same rank, from as far up as possible; None if nothing is known."""
    while value in metas:
        source = _source(value, metas, same_kind=False)
        if source.node.kind != "aten::linear":
            return source
        value = source.node.inputs[0]
    return None


def source_of_shape(value: Value, metas: dict[Value, TensorMeta]) -> Value:
    """Return a value of the same shape as a computed tensor, on its device, from further up."""
    source = _source(value, metas, same_kind=False)
    return source if metas[source].device == metas[value].device else value


def _source(value: Value, metas: dict[Value, TensorMeta], same_kind: bool) -> Value:
    """Return a value of the same shape, from as far up as possible."""
    while True:
        meta = metas.get(value)
        kind = value.node.kind
        rule = RULES.get(kind)
        passes_on = rule in _OF_THE_SAME_SHAPE or kind in _GIVES_ITS_KIND
        if meta is None or not passes_on:
            return value
        operands = value.node.inputs if rule is elementwise else value.node.inputs[:1]
        found = [each for each in operands if _is_like(metas.get(each), meta, same_kind)]
        if not found:
            return value
        value = found[0]


def _is_like(one: TensorMeta | None, other: TensorMeta, same_kind: bool) -> bool:
    if one is None or one.shape != other.shape:
        return False
    return not same_kind or (one.dtype, one.device) == (other.dtype, other.device)
