"""Walks over a graph: all nodes, those of some kinds, all values, and which node comes first.

A pass that changes nodes one by one is a `rewrite`, or walks by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from minits.ir.graph import Block, Node, Value
    from minits.types.types import Type


def find_nodes(block: Block, kinds: tuple[str, ...], found: list[Node]) -> None:
    """Add the nodes of these kinds to `found`, in pre-order."""
    end = block.end
    node = end.next
    while node is not end:
        if node.kind in kinds:
            found.append(node)
        if node.blocks:
            for inner in node.blocks:
                find_nodes(inner, kinds, found)
        node = node.next


def all_nodes(block: Block) -> Iterator[Node]:
    """Yield the nodes of a block in pre-order, nodes of nested blocks included.

    The current node may be destroyed or moved; the one after it is read beforehand.
    """
    waiting: list[tuple[Node | None, Node]] = [(None, block.end)]
    while waiting:
        here, end = waiting.pop()
        node = end.next if here is None else here
        while node is not end:
            following = node.next
            yield node
            if node.blocks:
                waiting.append((following, end))
                waiting += [(None, inner.end) for inner in reversed(node.blocks)]
                break
            node = following


def all_values(block: Block) -> Iterator[Value]:
    """Yield the values of a block and of those in it: inputs of blocks, and outputs of nodes."""
    yield from block.inputs
    for node in all_nodes(block):
        yield from node.outputs
        for inner in node.blocks:
            yield from inner.inputs


def types_in(block: Block) -> Collection[Type]:
    """Return the types of all values of a block and of those in it, each object once."""
    return {id(value.type): value.type for value in all_values(block)}.values()


def rewrite(block: Block, change: Callable[[Node], bool], kind: str | None = None) -> bool:
    """Change each node, or each of a kind, those in its blocks first.

    `change` returns whether it changed a node, `rewrite` whether any was changed.
    """
    changed = False
    end = block.end
    node = end.next
    while node is not end:
        following = node.next
        if node.blocks:
            for inner in node.blocks:
                changed |= rewrite(inner, change, kind)
        if kind is None or node.kind == kind:
            changed |= change(node)
        node = following
    return changed


def loop_around(node: Node) -> Node | None:
    """Return the innermost `prim::Loop` that a node is in, or None."""
    outer = node.owner.owning_node
    while outer is not None and outer.kind != "prim::Loop":
        outer = outer.owner.owning_node
    return outer


def is_before(node: Node, other: Node) -> bool:
    """Return whether a node runs before another one; they may be in different blocks."""
    mine, theirs = _path(node), _path(other)
    for (block, here), (_, peer) in zip(mine, theirs, strict=False):
        if here is not peer:
            return _precedes(block, here, peer)
    return len(mine) < len(theirs)


def _path(node: Node) -> list[tuple[Block, Node]]:
    """The (block, node) pairs from the graph's block down to `node`."""
    path: list[tuple[Block, Node]] = []
    here: Node | None = node
    while here is not None and here.block is not None:
        path.append((here.block, here))
        here = here.block.owning_node
    return path[::-1]


def _precedes(block: Block, node: Node, peer: Node) -> bool:
    if node is block.end and peer.block is block:
        return False
    if peer.block is not block:  # blocks of one node, such as the arms of a prim::If
        owning = block.owning_node
        assert owning is not None and peer.block is not None
        return owning.blocks.index(block) < owning.blocks.index(peer.block)
    if peer is block.end:
        return True
    after, behind = node.next, peer.next  # the distance of the two counts, not the block's length
    while after is not peer and after is not block.end and behind is not node:
        if behind is block.end:
            return True
        after, behind = after.next, behind.next
    return after is peer
