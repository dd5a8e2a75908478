"""Partition of the nodes of a region into groups that run as one.

What leads from a node can come back before it only through groups that reach over it: past the
first index behind it that no group reaches over, there is no way back. So questions about a group
look at the nodes near it, however long the program is:

    position    0  1  2  3  4  5  6  7  8
    groups      a  .  b  a  b  .  c  .  c        horizon(1) is 4, horizon(5) is 5
"""

from __future__ import annotations

from collections.abc import Mapping

from minits.ir.graph import Node


class Partition:
    """The groups of a region; `of` gives the one that a node is in.

    `_across[i]` counts the groups with members both at or before position i and behind it.
    """

    def __init__(self, position: Mapping[Node, int]) -> None:
        self.of: dict[Node, set[Node]] = {}
        self._position = position
        self._across = [0] * (len(position) + 1)

    def keep(self, group: set[Node]) -> None:
        """Make nodes one group; the groups that they were in are no more."""
        old = {id(found): found for node in group if (found := self.of.get(node)) is not None}
        for each in old.values():
            self._count(each, -1)
        self._count(group, 1)
        for node in group:
            self.of[node] = group

    def _count(self, group: set[Node], change: int) -> None:
        positions = [self._position[node] for node in group]
        for position in range(min(positions), max(positions)):
            self._across[position] += change

    def horizon(self, position: int) -> int:
        """Return the last position from which something may lead to this one or before it."""
        while self._across[position]:
            position += 1
        return position
