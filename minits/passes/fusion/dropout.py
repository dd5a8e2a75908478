"""Dropout in training, in two: the draw of the noise, and what is computed with it.

Before:
    %y : Tensor = aten::dropout(%h, %p, %true)
After, where %x is a tensor from further up that has the shape of %h:
    %kept : Tensor = aten::bernoulli(%x, %one_minus_p, %none)
    %noise : Tensor = aten::div(%kept, %one_minus_p)
    %y : Tensor = aten::mul(%h, %noise)

The division and the multiplication are fused with what is around them. The draw reads nothing of
its operand but the shape, so that no group need end before it. On CPUs it takes from torch's
generator what eager takes, in the same order, since eager computes
`x * empty_like(x).bernoulli_(1 - p).div_(1 - p)` there. Eager's CUDA kernels draw in an order of
their own: on GPUs other elements are dropped than in eager, with the same probability, and the same
ones under the same seed.

`aten::feature_dropout` drops whole channels: the noise is of the shape [N, C, 1...], drawn for a
slice. Where p is known at run time alone, or the tensor is not contiguous, the noise is what
dropout makes of ones. Dropout with nothing around it is left alone, as it is on further devices.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch

from minits.ir.constants import NOT_CONSTANT, insert_constant, to_python
from minits.ir.graph import Graph, Node, Value
from minits.kernels.lowering import LOWERINGS
from minits.kernels.scalar_ops.row import kind_of
from minits.ops.eager_strides import contiguous_strides
from minits.passes.fusion.shape_queries import source_of_shape
from minits.passes.remarks import Remark
from minits.records import dataclass, replace
from minits.types.dtypes import DTYPE_CODES
from minits.types.tensor_meta import TensorMeta

_DROPOUTS = ("aten::dropout", "aten::feature_dropout")
_DEVICES = ("cpu", "cuda")
_CONTIGUOUS = 0
"""The number of `torch.contiguous_format`."""


@dataclass(frozen=True, slots=True)
class Part:
    """The role of a node that `split_dropouts` put in the place of `operator`.

    `role` is "room" (also for a view of that size), "draw", "scale" or "product".
    """

    role: str
    operator: str

    def told(self, remark: Remark) -> Remark | None:
        """Return a remark on the operator as one on the node."""
        if self.role == "draw":
            text = f"the random numbers of {self.operator} are drawn by torch, outside of kernels"
            return replace(remark, kind="analysis", code="random", message=text, fix=None)
        if self.role == "product":
            product = f"the multiplication of {self.operator}"
            text = remark.message.replace(remark.operator, product, 1)
            return replace(remark, operator=self.operator, message=text)
        return None


def split_dropouts(graph: Graph, metas: dict[Value, TensorMeta], made: dict[Node, Part]) -> bool:
    """Return whether the graph changed. Adds to `metas`, and to `made` what the new nodes are."""
    changed = False
    for node in list(graph.all_nodes()):
        if node.kind in _DROPOUTS and to_python(node.inputs[2]) is True:
            meta = metas.get(node.inputs[0])
            if meta is not None and meta.device.type in _DEVICES and kind_of(meta.dtype) == "f":
                changed |= _split(graph, metas, node, meta, made)
    return changed


def _split(
    graph: Graph,
    metas: dict[Value, TensorMeta],
    node: Node,
    meta: TensorMeta,
    made: dict[Node, Part],
) -> bool:
    p = to_python(node.inputs[1])
    with graph.inserting_at(node):
        if p == 0:  # torch gives the very tensor, as it does outside of training
            node.set_input(2, insert_constant(graph, False, loc=node.range))
            return True
        if node.kind == "aten::feature_dropout" and meta.rank < 2:
            return False
        can_split = _is_only_read(node) if p is NOT_CONSTANT else 0 < p <= 1
        if not can_split or not _has_neighbour(node):
            return False
        parts = _Parts(graph, metas, node, meta, made)
        factor = 0.0 if p == 1 else parts.noise(p)
        product = parts.emit("mul", [node.inputs[0], factor], "product", _like(meta))
    node.output.replace_all_uses_with(product)
    node.destroy()
    return True


def _is_only_read(node: Node) -> bool:
    """Return whether nobody could tell the result from a copy: where p is 0, it is the operand."""
    rows = [LOWERINGS.get(user.kind) for user, _ in node.output.uses]
    return all(
        row is not None and row.views is None and not (row.may_alias or row.is_view) for row in rows
    )


def _has_neighbour(node: Node) -> bool:
    """Return whether the multiplication could be fused with an operator before or after it."""
    before = node.inputs[0].node
    while _is_view(before):
        before = before.inputs[0].node
    return _is_computed(before) or any(_is_computed(user) for user in _readers(node))


def _readers(node: Node) -> Iterator[Node]:
    """Yield the nodes that read a node's results, through views."""
    for user in [user for value in node.outputs for user, _ in value.uses]:
        if _is_view(user):
            yield from _readers(user)
        else:
            yield user


def _is_view(node: Node) -> bool:
    row = LOWERINGS.get(node.kind)
    return row is not None and row.views is not None


def _is_computed(node: Node) -> bool:
    return node.kind in LOWERINGS and not _is_view(node)


class _Parts:
    """Writes the parts of one dropout where it stands."""

    def __init__(
        self,
        graph: Graph,
        metas: dict[Value, TensorMeta],
        node: Node,
        meta: TensorMeta,
        made: dict[Node, Part],
    ) -> None:
        self.graph = graph
        self.metas = metas
        self.node = node
        self.meta = meta
        self.made = made

    def noise(self, p: Any) -> Value:
        """Return the factor of each element, or channel: 0, or 1 / (1 - p)."""
        x, is_whole = self.node.inputs[0], self.node.kind == "aten::dropout"
        is_contiguous = not is_whole or _is_contiguous(self.meta)
        like = source_of_shape(x, self.metas) if is_contiguous else x
        like = like if is_whole else self._one_of_each_channel(like)
        meta = replace(_like(self.meta), shape=self.metas[like].shape, requires_grad=False)
        if not is_whole:
            meta = replace(meta, strides=contiguous_strides(meta.shape))
        if p is NOT_CONSTANT or not is_contiguous:
            layout = _CONTIGUOUS if is_contiguous else None
            ones = self._room("ones_like", like, layout, meta)
            return self.emit("dropout", [ones, self.node.inputs[1], True], "draw", meta)
        seen = self.metas[like]
        if seen.requires_grad or seen.dtype != self.meta.dtype:
            like = self._room("empty_like", like, _CONTIGUOUS, meta)
        kept = self.emit("bernoulli", [like, 1 - p, None], "draw", meta)
        return self.emit("div", [kept, 1 - p], "scale", meta)

    def _one_of_each_channel(self, like: Value) -> Value:
        """Return a slice of the shape [N, C, 1...]."""
        for dim in range(2, self.meta.rank):
            seen = self.metas[like]
            shape = (*seen.shape[:dim], 1, *seen.shape[dim + 1 :])
            meta = replace(seen, shape=shape)
            like = self.emit("slice", [like, dim, 0, 1, 1], "room", meta)
        return like

    def _room(self, kind: str, like: Value, layout: int | None, meta: TensorMeta) -> Value:
        """Return a new tensor of the noise's shape and dtype."""
        dtype = DTYPE_CODES[self.meta.dtype]
        return self.emit(kind, [like, dtype, None, None, None, layout], "room", meta)

    def emit(self, kind: str, inputs: list[Any], role: str, meta: TensorMeta) -> Value:
        loc = self.node.range
        values = [
            each if isinstance(each, Value) else insert_constant(self.graph, each, loc=loc)
            for each in inputs
        ]
        node = self.graph.emit(f"aten::{kind}", values, loc=loc)
        self.made[node] = Part(role, self.node.kind)
        self.metas[node.output] = meta
        return node.output


def _like(meta: TensorMeta) -> TensorMeta:
    """Return the metadata of a new tensor that is like another."""
    like = torch.empty_like(torch.empty_strided(meta.shape, meta.strides, device="meta"))
    return replace(meta, strides=like.stride())


def _is_contiguous(meta: TensorMeta) -> bool:
    return bool(torch.empty_strided(meta.shape, meta.strides, device="meta").is_contiguous())
