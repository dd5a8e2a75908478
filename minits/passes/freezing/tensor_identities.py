"""Tensor operators whose result is an operand, and the rank of what a convolution gives.

Before:
    %y : Tensor = aten::conv2d(%x, %weight, %bias, %stride, %padding, %dilation, %groups)
    %rank : int = aten::dim(%y)
    %z : Tensor = aten::add(%y, %zero, %one)
After (every use of %z now uses %y):
    %y : Tensor = aten::conv2d(%x, %weight, %bias, %stride, %padding, %dilation, %groups)
    %rank : int = prim::Constant[value=4]()

A result and its operand become one tensor only where nobody writes to either, and only one of them
is known outside the graph. `x + 0` differs from `x` in the sign of a zero alone; but of bools it
makes integers: so the operand has to come from an operator that never gives bools.

Needs and keeps: a verified graph.
Source: torch/csrc/jit/passes/peephole.cpp and peephole_alias_sensitive.cpp.
Differs: torch takes `mask * 1` for `mask`, whatever its dtype, which changes results. As in torch,
what a convolution gives has a batch; without one, the rank is another.
"""

from __future__ import annotations

import torch
from torch import Tensor

from minits.ir.alias import AliasAnalysis
from minits.ir.constants import insert_constant, to_python
from minits.ir.graph import Graph, Node, Value

_RANKS = {"aten::conv1d": 3, "aten::conv2d": 4, "aten::conv3d": 5}
_IDENTITIES = ("aten::add", "aten::sub", "aten::mul")
_NEVER_BOOL = frozenset(
    f"aten::{name}"
    for name in "conv1d conv2d conv3d linear matmul mm bmm batch_norm layer_norm group_norm relu "
    "gelu silu sigmoid tanh softmax exp log sqrt mean avg_pool2d max_pool2d adaptive_avg_pool2d "
    "embedding".split()
)


def simplify_tensor_identities(graph: Graph) -> bool:
    """Return whether the graph changed."""
    changed = _undo_transpositions(graph)
    convolutions = graph.nodes_of_kind(*_RANKS)
    nodes = [*convolutions, *filter(_is_neutral, graph.nodes_of_kind(*_IDENTITIES))]
    if not nodes:
        return changed
    alias = AliasAnalysis(graph)
    settled: set[Value] = set()
    """Values whose aliases are not those of the analysis any more."""
    for node in nodes:
        if node.kind in _RANKS:
            changed |= _fold_ranks(node, alias)
        elif settled.isdisjoint((node.inputs[0], node.output)):
            changed |= _replace_by_operand(node, alias, settled)
    return changed


def _undo_transpositions(graph: Graph) -> bool:
    """Replace `x.t().t()` by `x`, which is the same memory."""
    changed = False
    for node in graph.nodes_of_kind("aten::t"):
        inner = node.inputs[0].node
        if inner.kind == "aten::t" and node.output.uses:
            node.output.replace_all_uses_with(inner.inputs[0])
            changed = True
    return changed


def _fold_ranks(node: Node, alias: AliasAnalysis) -> bool:
    questions = [use.user for use in node.output.uses if use.user.kind == "aten::dim"]
    if not questions or alias.is_written(node.output):
        return False
    with node.graph.inserting_at(node):
        rank = insert_constant(node.graph, _RANKS[node.kind])
    for question in questions:
        question.output.replace_all_uses_with(rank)
    return True


def _is_neutral(node: Node) -> bool:
    """Return whether a node adds 0 to a tensor that is none of bools, or multiplies it by 1."""
    numbers = [to_python(value) for value in node.inputs[1:]]
    if not node.output.uses or not all(type(number) is int for number in numbers):
        return False
    neutral = [1] if node.kind == "aten::mul" else [0, 1]
    return numbers == neutral and _is_never_bool(node.inputs[0])


def _is_never_bool(value: Value) -> bool:
    """Return whether a tensor has another dtype than bool; a number that is added has one."""
    node = value.node
    if node.kind == "prim::Constant":
        found = to_python(value)
        is_number = isinstance(found, (int, float)) and not isinstance(found, bool)
        return is_number or (isinstance(found, Tensor) and found.dtype != torch.bool)
    if node.kind in _IDENTITIES:
        return any(map(_is_never_bool, node.inputs[:2]))
    return node.kind in _NEVER_BOOL


def _replace_by_operand(node: Node, alias: AliasAnalysis, settled: set[Value]) -> bool:
    pair = node.inputs[0], node.output
    if any(map(alias.is_written, pair)) or all(map(alias.escapes, pair)):
        return False
    node.output.replace_all_uses_with(node.inputs[0])
    settled.update(pair)
    return True
