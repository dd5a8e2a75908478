"""Sizes that a trace has made tensors of become ints of the graph again.

Before:
    %s : int = aten::size(%x, %dim)
    %t : Tensor = prim::NumToTensor(%s)
    %two : Tensor = prim::Constant[value={2}]()
    %h : Tensor = aten::floor_divide(%t, %two)
    %n : int = aten::Int(%h)
After (`dce` takes away what nobody reads):
    %s : int = aten::size(%x, %dim)
    %t : Tensor = prim::NumToTensor(%s)
    %two : Tensor = prim::Constant[value={2}]()
    %h : Tensor = aten::floor_divide(%t, %two)
    %k : int = prim::Constant[value=2]()
    %n : int = aten::floordiv(%s, %k)

So it is where the tensor is a number for certain: arithmetic of int64 on tensors that nothing
writes to, and that have no views. Division by what may be zero stays: its error is the tensor's.

Needs and keeps: a verified graph.
Source: none; torch's executor computes with the tensors.
"""

from __future__ import annotations

import torch

from minits.ir.alias import READERS_OF_FLAGS
from minits.ir.constants import NOT_CONSTANT, insert_constant, to_python
from minits.ir.graph import Graph, Node, Value
from minits.ops.properties import schema_of
from minits.types import types as t

_CONVERSIONS = ("aten::Int", "aten::ScalarImplicit", "aten::IntImplicit")
_SAME = ("aten::add", "aten::sub", "aten::rsub", "aten::mul")
_KINDS = {"aten::rsub": "aten::sub", "aten::floor_divide": "aten::floordiv"}
"""The operators of ints that are called otherwise than those of tensors."""
_DIVISIONS = ("aten::floor_divide", "aten::remainder")
_DEEPEST = 50
"""More operations in a chain are not followed."""


def compute_sizes_as_numbers(graph: Graph) -> bool:
    """Return whether the graph changed."""
    if not graph.may_have("prim::NumToTensor"):
        return False
    numbers = _Numbers(graph)
    changed = False
    for node in graph.nodes_of_kind(*_CONVERSIONS):
        tensor = node.inputs[0]
        if tensor.type == t.TENSOR and numbers.is_number(tensor):
            node.output.replace_all_uses_with(numbers.of(tensor))
            changed = True
    return changed


class _Numbers:
    """Ints of a graph that are the elements of its tensors without dimensions."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.known: dict[Value, bool] = {}
        self.made: dict[Value, Value] = {}

    def is_number(self, tensor: Value, depth: int = 0) -> bool:
        """Return whether a tensor is, for certain, one int64 that can be computed without it."""
        if tensor not in self.known:
            self.known[tensor] = (
                depth < _DEEPEST and is_only_read(tensor) and self._is_computed(tensor, depth)
            )
        return self.known[tensor]

    def _is_computed(self, tensor: Value, depth: int) -> bool:
        node = tensor.node
        if node.kind == "prim::NumToTensor":
            return node.inputs[0].type == t.INT
        if node.kind == "prim::Constant":
            return _constant_of(tensor) is not None
        if node.kind in _DIVISIONS and len(node.inputs) == 2:
            return bool(_divisor(node)) and self.is_number(node.inputs[0], depth + 1)
        if node.kind == "aten::neg":
            return self.is_number(node.inputs[0], depth + 1)
        if node.kind not in _SAME:
            return False
        left, right, *alpha = node.inputs
        if any(to_python(each) != 1 for each in alpha):
            return False
        return all(each.type == t.INT or self.is_number(each, depth + 1) for each in (left, right))

    def of(self, tensor: Value) -> Value:
        """Return the int of a tensor, computed where the tensor is. Needs: it is a number."""
        if tensor.type == t.INT:
            return tensor
        if tensor not in self.made:
            self.made[tensor] = self._compute(tensor.node)
        return self.made[tensor]

    def _compute(self, node: Node) -> Value:
        if node.kind == "prim::NumToTensor":
            return node.inputs[0]
        operands = [] if node.kind == "prim::Constant" else [*map(self.of, node.inputs[:2])]
        if node.kind == "aten::rsub":
            operands.reverse()
        with self.graph.inserting_at(node):
            if node.kind == "prim::Constant":
                return insert_constant(self.graph, _constant_of(node.output))
            kind = _KINDS.get(node.kind, node.kind)
            return self.graph.emit(kind, operands, [t.INT], node.range).output


def _constant_of(value: Value) -> int | None:
    """Return the int that a constant is, or that a constant tensor without dimensions has."""
    constant = to_python(value)
    if isinstance(constant, torch.Tensor):
        is_int = constant.dim() == 0 and constant.dtype == torch.int64
        return int(constant) if is_int and constant.device.type == "cpu" else None
    is_plain = constant is not NOT_CONSTANT and type(constant) is int
    return constant if is_plain else None


def _divisor(node: Node) -> int | None:
    return _constant_of(node.inputs[1])


def is_only_read(tensor: Value) -> bool:
    """Return whether nothing writes to a tensor, keeps it, or makes a view of it."""
    return all(_only_reads(use.user) for use in tensor.uses)


def _only_reads(node: Node) -> bool:
    """Return whether a node neither writes to a tensor nor returns a view of it, by its schema."""
    schema = schema_of(node)
    if schema is None or node.kind in READERS_OF_FLAGS:
        return False
    return not schema.has_alias_annotations
