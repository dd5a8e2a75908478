"""Operators whose gradients raise an error: what they have saved is written to later.

    %v : Tensor = aten::mul(%b, %three)
    %r : Tensor = aten::elu_(%v, ...)            its gradient reads %r,
    %w : Tensor = aten::mul_(%r, %three)         which is another by then
    %s : Tensor = aten::mul(%b, %a)

A group is one node of autograd, which runs for gradients of any of its inputs, and before it runs
what reads any of its results. Were %v and %s of one group, gradients of %a would raise the error,
too. So operators that lead to such a one are in no group with others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from minits.ir.alias import AliasAnalysis
from minits.ir.graph import Graph, Node, Value
from minits.ir.points_to import Memory
from minits.passes.saved_values import SavedValues, requiring_grad, tensors_of, tensors_read
from minits.types.tensor_meta import TensorMeta


def leading_to_errors(
    graph: Graph, metas: Mapping[Value, TensorMeta], alias: AliasAnalysis
) -> set[Node]:
    """Return the operators whose gradients raise an error, and those above that lead to one."""
    if not alias.writers or not any(meta.requires_grad for meta in metas.values()):
        return set()
    saved = SavedValues(metas, requiring_grad(metas, alias, tensors_of(graph.block)))
    savers: dict[Memory, list[Node]] = {}
    """By memory: the operators that have saved it as it is."""
    raising: list[Node] = []
    for node in graph.all_nodes():
        for memory in alias.written(node):
            raising += savers.pop(memory, ())
        if alias.written_of([*tensors_read(node), *node.outputs]):
            for memory in alias.written_of(saved.of(node) or ()):
                savers.setdefault(memory, []).append(node)
    return _above(raising, alias) if raising else set()


def _above(nodes: Iterable[Node], alias: AliasAnalysis) -> set[Node]:
    """Return nodes and all that they depend on, by values and by memory."""
    writers: dict[Memory, list[Node]] = {}
    for writer in alias.writers:
        for memory in alias.written(writer):
            writers.setdefault(memory, []).append(writer)
    found: set[Node] = set()
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting += [value.node for value in node.inputs]
            waiting += [value.node for block in node.blocks for value in block.outputs]
            waiting += [w for memory in alias.written_of(node.inputs) for w in writers[memory]]
    return found
