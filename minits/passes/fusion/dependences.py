"""Dependences in a region of straight-line code: nodes that must come before others.

`%b` must come after `%a` where it reads what `%a` gives, where one writes to memory that the other
reads or writes, and where both have effects that others see (also exceptions and prints). What
refuses elements, such as an index that is none, stays before or behind the writes that others see.

An operator without effects may else move past what raises. Where both do, the program runs again to
find which comes first (`minits/runtime/first_errors.py`).

Operators that groups read through (see `minits.passes.fusion.subgraph`) are not in the way: a
member depends on the leaves that it reads.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Literal

from minits.ir.graph import Block, Node, Value
from minits.ir.points_to import Memory
from minits.ir.walks import all_nodes
from minits.passes.fusion.nested_effects import NestedEffects
from minits.passes.fusion.partition import Partition

Cause = Literal["data", "memory", "effect"]


class DependenceGraph:
    """The dependences among the nodes of a region.

    `leaves(node)` gives the values that a member depends on, and None of other nodes, which depend
    on all that they and the nodes in their blocks read. `refuses(node)` tells whether a node raises
    an error for all tensors of these dtypes and ranks.
    """

    def __init__(
        self,
        nodes: Sequence[Node],
        nested: NestedEffects,
        leaves: Callable[[Node], Iterable[Value] | None],
        refuses: Callable[[Node], bool],
    ) -> None:
        self._position = {node: index for index, node in enumerate(nodes)}
        after: dict[Node, dict[Node, Cause]] = {node: {} for node in nodes}
        if nested.touched:
            _memory(after, nested)
        _effects(after, nested)
        self.writes = [node for node in nodes if node in nested.writes_outside]
        """Nodes that write to memory that others see, such as that of arguments."""
        _refusals(after, self.writes, refuses)
        self._data(after, {node: found for node in nodes if (found := leaves(node)) is not None})
        self.after = {node: self._sorted(followers) for node, followers in after.items()}
        """For each node those that must come after it, in order, and why."""

    def _data(
        self, after: dict[Node, dict[Node, Cause]], leaves: dict[Node, Iterable[Value]]
    ) -> None:
        """Order what gives a value with what reads it: members with their leaves."""
        for node, readers in readers_among(self._position).items():
            after[node] |= {reader: "data" for reader in readers if reader not in leaves}
        for node, values in leaves.items():
            for value in values:
                if value.node in after:
                    after[value.node][node] = "data"

    def _sorted(self, followers: dict[Node, Cause]) -> dict[Node, Cause]:
        return dict(sorted(followers.items(), key=lambda item: self._position[item[0]]))

    # ---- Questions -----------------------------------------------------------------------------

    def cycle_through(self, group: set[Node], groups: Partition) -> list[Node]:
        """Return nodes outside a group that lead from it back into it, in order; [] if none do.

        Then the group cannot run as one. `groups` are those that run as one already.
        """
        position = self._position
        horizon = groups.horizon(max([position[node] for node in group]))
        came_from: dict[Node, Node | None] = {}
        stack: list[Node] = []

        def visit(nodes: Iterable[Node], origin: Node | None) -> Node | None:
            for node in nodes:
                for other in self.after[node]:
                    if position[other] > horizon:
                        break
                    if other in group:
                        if node not in group:
                            return node
                    elif other not in came_from:
                        came_from[other] = origin if node in group else node
                        stack.append(other)
            return None

        last = visit(group, None)
        while stack and last is None:
            node = stack.pop()
            whole = groups.of.get(node, {node})
            for member in whole:
                came_from.setdefault(member, node)
            last = visit(whole, node)
        return _trail(last, came_from)

    def cause(self, first: Node, second: Node) -> Cause:
        """Return the reason why `second` must come after `first`."""
        return self.after[first].get(second, "data")


def _memory(after: dict[Node, dict[Node, Cause]], nested: NestedEffects) -> None:
    """Order what writes to memory with what reads or writes it before and behind.

    What reads memory depends on the last node that wrote to it, and so on those before that.
    """
    writer_of: dict[Memory, Node] = {}
    readers_of: dict[Memory, list[Node]] = {}
    for node in after:
        if node.kind == "prim::Constant":
            continue
        written = nested.written[node]
        for memory in nested.touched[node] - written:
            readers_of.setdefault(memory, []).append(node)
            if memory in writer_of:
                after[writer_of[memory]][node] = "memory"
        for memory in written:
            for earlier in (*readers_of.pop(memory, ()), writer_of.get(memory)):
                if earlier is not None:
                    after[earlier][node] = "memory"
            writer_of[memory] = node


_PICKY = frozenset(
    f"aten::{name}"
    for name in (
        "amax amin aminmax max min argmax argmin gather take take_along_dim index_select index "
        "embedding one_hot nll_loss nll_loss_nd cross_entropy_loss binary_cross_entropy "
        "floor_divide remainder fmod"
    ).split()
)
"""Operators that refuse some elements, or that there are none, whatever the dtype and the rank."""


def _refusals(
    after: dict[Node, dict[Node, Cause]], writes: Sequence[Node], refuses: Callable[[Node], bool]
) -> None:
    """Order what refuses elements, or all tensors, with the writes that others see then."""
    if not writes:
        return
    written = set(writes)
    last: Node | None = None
    waiting: list[Node] = []
    for node in after:
        if node in written:
            for earlier in waiting:
                after[earlier].setdefault(node, "effect")
            last, waiting = node, []
        elif node.kind in _PICKY or refuses(node):
            waiting.append(node)
            if last is not None:
                after[last].setdefault(node, "effect")


def _effects(after: dict[Node, dict[Node, Cause]], nested: NestedEffects) -> None:
    last: Node | None = None
    for node in after:
        if node in nested.has_effects:
            if last is not None:
                after[last].setdefault(node, "effect")
            last = node


def _trail(last: Node | None, came_from: dict[Node, Node | None]) -> list[Node]:
    trail: dict[Node, None] = {}
    while last is not None and last not in trail:
        trail[last] = None
        last = came_from.get(last)
    return list(trail)[::-1]


def sort(after: dict[Node, dict[Node, Cause]], priority: dict[Node, int]) -> list[Node]:
    """Return the nodes in an order that keeps the dependences, otherwise by `priority`."""
    waits = dict.fromkeys(after, 0)
    for followers in after.values():
        for node in followers:
            waits[node] += 1
    ready = [(priority[node], index, node) for index, node in enumerate(after) if not waits[node]]
    heapq.heapify(ready)
    index = len(after)
    result: list[Node] = []
    while ready:
        _, _, node = heapq.heappop(ready)
        result.append(node)
        for follower in after[node]:
            waits[follower] -= 1
            if not waits[follower]:
                index += 1
                heapq.heappush(ready, (priority[follower], index, follower))
    assert len(result) == len(after), "a group depends on itself"
    return result


def with_inner(node: Node) -> Iterator[Node]:
    """Yield the node, and those in its blocks."""
    yield node
    for block in node.blocks:
        yield from all_nodes(block)


def readers_among(position: dict[Node, int]) -> dict[Node, list[Node]]:
    """Return for each of some nodes those that read what it gives, in the order of `position`.

    The nodes are of one block, or not yet in any; they also read what the nodes in their blocks do.
    """
    homes = {node.block for node in position}
    holders: dict[Block, Node | None] = {}
    found: dict[Node, list[Node]] = {}
    for node in position:
        uses = [use.user for value in node.outputs for use in value.uses]
        readers = {_holder(user, position, homes, holders) for user in uses}
        found[node] = sorted(
            (each for each in readers if each is not None), key=position.__getitem__
        )
    return found


def _holder(
    user: Node,
    nodes: Collection[Node],
    homes: Collection[Block | None],
    known: dict[Block, Node | None],
) -> Node | None:
    """Return the one of some nodes that is a user or has it in its blocks, if any.

    `homes` are the blocks of the nodes; `known` has the answers for the blocks met so far.
    """
    passed: list[Block] = []
    here: Node | None = user
    while here is not None and here not in nodes:
        block = here.block
        if block is None or block in homes:
            here = None
        elif block in known:
            here = known[block]
            break
        else:
            passed.append(block)
            here = block.owning_node
    known.update(dict.fromkeys(passed, here))
    return here


_BARRIERS = ("prim::Enter", "prim::Exit", "aten::set_grad_enabled", "aten::backward")


def straight_line_regions(block: Block) -> list[list[Node]]:
    """Return the nodes of a block between those that nothing may be moved across."""
    found: list[list[Node]] = [[]]
    for node in block.nodes:
        if is_barrier(node):
            found.append([])
        else:
            found[-1].append(node)
    return found


def is_barrier(node: Node) -> bool:
    """Return whether nothing may be moved across a node: it ends a region of its block."""
    return node.kind in _BARRIERS
