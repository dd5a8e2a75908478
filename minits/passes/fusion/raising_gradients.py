"""Operators whose gradients raise an error: what they have saved is written to later.

    %v : Tensor = aten::mul(%b, %three)
    %r : Tensor = aten::elu_(%v, ...)            its gradient reads %r,
    %w : Tensor = aten::mul_(%r, %three)         which is another by then
    %s : Tensor = aten::mul(%b, %a)

A group is one node of autograd, which runs for gradients of any of its inputs, and before it runs
what reads any of its results; behind it runs what made its inputs, whatever the gradients of its
results are. Were %v and %s of one group, gradients of %a would raise the error, too. So operators
that lead to such a one, or follow from one, are in no group with others. (Several such ones in a
program are told apart from the others, not from each other.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from minits.ir.alias import AliasAnalysis
from minits.ir.graph import Graph, Node, Value
from minits.ir.points_to import Memory
from minits.passes.saved_values import SavedValues, requiring_grad, tensors_of, tensors_read
from minits.types.tensor_meta import TensorMeta

Side = tuple[bool, bool]
"""Of an operator: whether it leads to one that raises, and whether it follows from one."""


def beside_errors(
    graph: Graph, metas: Mapping[Value, TensorMeta], alias: AliasAnalysis
) -> dict[Node, Side]:
    """Return the sides of the operators whose gradients raise an error, and of those around them.

    What is missing neither leads to one nor follows from one.
    """
    raising = _raising(graph, metas, alias)
    if not raising:
        return {}
    above, below = _above(raising, alias), _below(raising, alias, graph)
    return {node: (node in above, node in below) for node in above | below}


def _raising(graph: Graph, metas: Mapping[Value, TensorMeta], alias: AliasAnalysis) -> list[Node]:
    """Return the operators of which anything saved is written to later."""
    if not alias.writers or not any(meta.requires_grad for meta in metas.values()):
        return []
    saved = SavedValues(metas, requiring_grad(metas, alias, tensors_of(graph.block)))
    savers: dict[Memory, list[Node]] = {}
    """By memory: the operators that have saved it as it is."""
    found: list[Node] = []
    for node in graph.all_nodes():
        for memory in alias.written(node):
            found += savers.pop(memory, ())
        if alias.written_of([*tensors_read(node), *node.outputs]):
            for memory in alias.written_of(saved.of(node) or ()):
                savers.setdefault(memory, []).append(node)
    return found


def _above(nodes: Iterable[Node], alias: AliasAnalysis) -> set[Node]:
    """Return nodes and all that they depend on, by values and by memory."""
    writers = _by_memory(alias.writers, alias.written)

    def before(node: Node) -> Iterator[Node]:
        for value in (*node.inputs, *[v for block in node.blocks for v in block.outputs]):
            yield value.node
        for memory in alias.written_of(node.inputs):
            yield from writers[memory]

    return _reached(nodes, before)


def _below(nodes: Iterable[Node], alias: AliasAnalysis, graph: Graph) -> set[Node]:
    """Return nodes and all that depends on them, by values and by memory."""
    readers = _by_memory(graph.all_nodes(), lambda node: alias.written_of(node.inputs))

    def after(node: Node) -> Iterator[Node]:
        for value in (*node.outputs, *[v for block in node.blocks for v in block.inputs]):
            for user, _ in value.uses:
                around = user.owner.owning_node if user is user.owner.end else None
                yield around or user
        for memory in alias.written(node):
            yield from readers.get(memory, ())

    return _reached(nodes, after)


def _by_memory(
    nodes: Iterable[Node], memory_of: Callable[[Node], Iterable[Memory]]
) -> dict[Memory, list[Node]]:
    found: dict[Memory, list[Node]] = {}
    for node in nodes:
        for memory in memory_of(node):
            found.setdefault(memory, []).append(node)
    return found


def _reached(nodes: Iterable[Node], following: Callable[[Node], Iterable[Node]]) -> set[Node]:
    found: set[Node] = set()
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting += following(node)
    return found
