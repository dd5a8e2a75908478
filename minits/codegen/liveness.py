"""Liveness analysis: where values are assigned, and where they are read afterwards.

Positions number the nodes of a graph in order, so that most questions are comparisons of numbers:

    %y.1 : int = prim::If(%c)                    2, its end is 7
      block0():                                  3
        %y.2 : int = aten::add(%x, %one)         4
        -> (%y.2)                                5
      block1():                                  6
        -> (%x)                                  7
    return (%y.1)                                8
"""

from __future__ import annotations

from bisect import bisect_right

from minits.codegen.uses import uses_of
from minits.ir.graph import Block, Graph, Node, Value


class Liveness:
    """Liveness of a graph's values, by the positions of its nodes."""

    def __init__(self, graph: Graph) -> None:
        self._position: dict[Node, int] = {}
        self._end: dict[Node, int] = {}
        self._loops: dict[Block, tuple[Node, ...]] = {}
        """The loops around each block, innermost first."""
        self._users: dict[Value, list[Node]] = {}
        self._count = 0
        self._number(graph.block, ())

    def _number(self, block: Block, loops: tuple[Node, ...]) -> None:
        """Number nodes in order: a node before its blocks, a block's end after its nodes."""
        self._loops[block] = loops
        self._position[block.param] = self._next()
        for node in block.nodes:
            self._position[node] = self._next()
            for inner in node.blocks:
                self._number(inner, (node, *loops) if node.kind == "prim::Loop" else loops)
            self._end[node] = self._count
        self._position[block.end] = self._next()

    def _next(self) -> int:
        self._count += 1
        return self._count

    def extents(self, value: Value) -> list[tuple[int, int]]:
        """Return the positions at which a value matters, as half-open ranges.

        It does from its definition to its last use, and where its variable is assigned: of an
        `If`'s result at the ends of both blocks, but not within the second one. Values whose ranges
        have nothing in common do not interfere.
        """
        first, last = self._defined(value), 0
        home = value.node.owner
        for user in self._users_of(value):
            around = self._loops_around(user, home)
            last = max(last, self._end[around[-1]] + 1 if around else self._position[user])
        points = [self._position[point] for point in _assignments(value)]
        return [(first, max(last, first + 1)), *((p, p + 1) for p in points if p != first)]

    def interfere(self, assigned: Value, kept: Value) -> bool:
        """Return whether `kept` is live where `assigned` gets its value, as all parameters do."""
        if assigned.node is kept.node and assigned.node.kind == "prim::Param":
            return True
        return any(
            self._defined(kept) <= self._position[point] and self._is_live_after(kept, point)
            for point in _assignments(assigned)
        )

    def _defined(self, value: Value) -> int:
        """Return the position from which on a value is defined; -1 for a graph's parameter."""
        node = value.node
        if node.kind == "prim::Param":
            owner = node.owner.owning_node
            return -1 if owner is None else self._position[owner]
        return self._end[node] if node.blocks else self._position[node]

    def _is_live_after(self, value: Value, point: Node) -> bool:
        users, home = self._users_of(value), value.node.owner
        if self._is_later(users, point.owner, self._position[point]):
            return True
        loops = self._loops_around(point, home)
        return bool(loops) and any(
            loop in loops
            for user in users
            if user is not point
            for loop in self._loops_around(user, home)
        )

    def is_read_behind(self, value: Value, user: Node) -> bool:
        """Return whether a value is read after `user` and its blocks, or again in a later trip."""
        if self._loops_around(user, value.node.owner):
            return True
        return self._is_later(self._users_of(value), user.owner, self._end[user])

    def _users_of(self, value: Value) -> list[Node]:
        """Return the nodes that read a value, in order."""
        found = self._users.get(value)
        if found is None:
            users = {use.user for use in uses_of(value)}
            found = self._users[value] = sorted(users, key=self._position.__getitem__)
        return found

    def _is_later(self, users: list[Node], block: Block, after: int) -> bool:
        """Return whether a node follows a position in a block, not in the other branch of an `If`.

        From block to block outwards, the next of the nodes decides: what is left of an `If` around
        the position is passed over.
        """
        while True:
            index = bisect_right(users, after, key=self._position.__getitem__)
            if index == len(users):
                return False
            location, owner = self._position[users[index]], block.owning_node
            if owner is None or location <= self._position[block.end]:
                return True
            if location <= self._end[owner] and owner.kind != "prim::If":
                return True
            block, after = owner.owner, self._end[owner]

    def _loops_around(self, node: Node, home: Block) -> tuple[Node, ...]:
        """Return the loops around a node that are inside `home`, the block that defines a value."""
        if not self._position[home.param] <= self._position[node] <= self._position[home.end]:
            return ()
        loops = self._loops[node.owner]
        return loops[: len(loops) - len(self._loops[home])]


def _assignments(value: Value) -> list[Node]:
    """Return the nodes at which a value's variable is assigned."""
    node = value.node
    if node.kind == "prim::If":
        return [block.end for block in node.blocks]
    if node.kind == "prim::Loop":
        return [node, node.blocks[0].end]
    if node.kind == "prim::Param":
        loop = node.owner.owning_node
        if loop is None:
            return []
        return [node, node.owner.end] if value.index else [node]
    return [node]
