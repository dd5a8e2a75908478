"""Groups put into the graph, as nodes `prim::FusionGroup` with the attribute `Subgraph`.

A group stands where its last operator stood, or as near to that as its dependences allow, so that
checks between its operators stay in front of it. Writes to memory that others see stay where they
are: what has to come before one does not push it behind an operator that may raise.
"""

from __future__ import annotations

from collections.abc import Sequence

from minits.ir.graph import Block, Graph, Node, Value
from minits.passes.fusion.dependences import Cause, readers_among, sort
from minits.passes.fusion.grouping import Grouping
from minits.types import types as t

KIND = "prim::FusionGroup"
_LEFT_OVER = ("prim::Constant", "prim::ListConstruct", "prim::ListUnpack")


def outline(
    graph: Graph, grouping: Grouping, groups: Sequence[set[Node]], given: dict[Value, Value]
) -> list[Node]:
    """Replace groups by a node each; return these. Adds metadata of their outputs.

    `given` gets these outputs, by the values that they replace.
    """
    if not groups:
        return []
    region = grouping.region
    end = region.nodes[-1].next
    bodies = [region.body(group) for group in groups]
    made: dict[Node, Node] = {}
    for group, body in zip(groups, bodies, strict=True):
        node = graph.create(KIND, body.leaves, [t.TENSOR] * len(body.outputs))
        node.set_attr("Subgraph", "g", body.graph)
        last = region.sorted(group)[-1]
        node.range, node.callstack = last.range, last.callstack
        made |= dict.fromkeys(group, node)
    for group, body in zip(groups, bodies, strict=True):
        node = made[next(iter(group))]
        for old, new in zip(body.outputs, node.outputs, strict=True):
            if old in region.metas:
                region.metas[new] = region.metas[old]
            _replace(old, new)
            given[old] = new
    left = _remove_members(grouping, made)
    _put_in_order(grouping, left, made, end)
    return list(dict.fromkeys(made.values()))


def _replace(old: Value, new: Value) -> None:
    name = old.name if old.has_name else None
    old.replace_all_uses_with(new)
    if name is not None:
        old.set_name(None)
        new.set_name(name)


def _remove_members(grouping: Grouping, made: dict[Node, Node]) -> list[Node]:
    """Destroy the groups' members and views that only they read. Return the nodes that are left."""
    left: list[Node] = []
    read_through = grouping.region.views | grouping.region.sizes
    for node in reversed(grouping.region.nodes):
        is_read_through = node in read_through
        if node in made or (is_read_through and not any(v.uses for v in node.outputs)):
            node.destroy()
        else:
            left.append(node)
    return left[::-1]


def _put_in_order(
    grouping: Grouping, left: Sequence[Node], made: dict[Node, Node], end: Node
) -> None:
    """Put the nodes of a region before `end`, each group in the place of its last operator."""
    priority = {node: grouping.region.position[node] for node in left}
    for member, node in made.items():
        position = grouping.region.position[member]
        priority[node] = max(position, priority.get(node, position))
    after: dict[Node, dict[Node, Cause]] = {node: {} for node in priority}
    for first, followers in grouping.dependences.after.items():
        for second, cause in followers.items():
            one, other = made.get(first, first), made.get(second, second)
            if cause != "data" and one is not other and one in after and other in after:
                after[one].setdefault(other, cause)
    for node, readers in readers_among({node: order for order, node in enumerate(after)}).items():
        after[node] |= dict.fromkeys(readers, "data")
    _bring_forward(grouping.dependences.writes, after, priority)
    for node in sort(after, priority):
        if node.block is not None:
            node.detach()
        node.insert_before(end)


def _bring_forward(
    fixed: Sequence[Node], after: dict[Node, dict[Node, Cause]], priority: dict[Node, int]
) -> None:
    """Lower the priorities of nodes that must come before one of these to at most that one's."""
    if not fixed:
        return
    bound = {node: priority[node] for node in fixed}
    for node in reversed(sort(after, priority)):
        for follower in after[node]:
            if follower in bound:
                priority[node] = min(priority[node], bound[follower])
                bound[node] = priority[node]


def remove_unread(block: Block) -> None:
    """Destroy constants, and lists of what was read, that nobody reads any more."""
    for node in block.reversed_nodes:
        for inner in node.blocks:
            remove_unread(inner)
        if node.kind in _LEFT_OVER and not any(value.uses for value in node.outputs):
            node.destroy()
