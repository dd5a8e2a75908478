"""Pairs of groups that may be joined, near ones first.

Groups stand in the order of their last operators, `distance` is how far two are apart in it:

    groups      a   b   c   d           a-b, b-c, c-d, then a-c, b-d, then a-d
    b and c     a   bc      d           joined: then a-bc, bc-d, a-d

When two are joined, the new one is compared with its neighbours, and groups that came nearer to
each other are compared at their new distance; the rest has been looked at, or still waits.
"""

from __future__ import annotations

import heapq
from bisect import bisect_left
from collections.abc import Iterator, Mapping

from minits.ir.graph import Node, Value
from minits.passes.fusion.subgraph import StraightLineRegion

FARTHEST = 12
"""Groups are joined with the next ones as far as this."""

Group = set[Node]


class Neighbours:
    """The groups of a region in order, each known by the position of its last operator."""

    def __init__(self, region: StraightLineRegion, group_of: Mapping[Node, Group]) -> None:
        self._region = region
        self._groups: dict[int, Group] = {}
        self._tensors: dict[int, set[Value]] = {}
        """The tensors that each group reads."""
        for group in {id(group): group for group in group_of.values()}.values():
            self._add(self._last(group), group)
        self._order = sorted(self._groups)
        self._waiting: list[tuple[int, int, int]] = []
        """Pairs as (distance, first, second): a heap."""
        self._seen: set[tuple[int, int]] = set()
        """Pairs that need not be looked at again, unless one of the two changes."""
        for index in range(len(self._order)):
            self._push_after(index)

    def _last(self, group: Group) -> int:
        return max([self._region.position[node] for node in group])

    def _add(self, last: int, group: Group) -> None:
        leaves = self._region.trace(group)[0]
        self._groups[last] = group
        self._tensors[last] = {leaf for leaf in leaves if leaf in self._region.metas}

    def pairs(self) -> Iterator[tuple[Group, Group]]:
        """Yield pairs of groups of which one reads what the other reads or gives, near first."""
        while self._waiting:
            _, first, second = heapq.heappop(self._waiting)
            if (first, second) in self._seen or not self._groups.keys() >= {first, second}:
                continue
            self._seen.add((first, second))
            if self._are_related(first, second):
                yield self._groups[first], self._groups[second]

    def _are_related(self, first: int, second: int) -> bool:
        one, other = self._groups[first], self._groups[second]
        mine, theirs = self._tensors[first], self._tensors[second]
        return (
            any(leaf.node in one for leaf in theirs)
            or any(leaf.node in other for leaf in mine)
            or not mine.isdisjoint(theirs)
        )

    def join(self, one: Group, other: Group) -> None:
        """Make two groups one, in the place of the later."""
        first, second = sorted((self._last(one), self._last(other)))
        del self._groups[first], self._tensors[first]
        gone = bisect_left(self._order, first)
        del self._order[gone]
        self._add(second, one | other)
        position = bisect_left(self._order, second)
        for near in self._order[max(position - FARTHEST, 0) : position + FARTHEST + 1]:
            self._seen -= {(near, second), (second, near)}
        for index in range(max(gone - FARTHEST, 0), gone):
            self._push_after(index)
        for index in range(gone, position + 1):
            self._push_after(index)

    def _push_after(self, index: int) -> None:
        """Let a group wait with each of the next ones."""
        first = self._order[index]
        for distance, second in enumerate(self._order[index + 1 : index + 1 + FARTHEST], 1):
            if (first, second) not in self._seen:
                heapq.heappush(self._waiting, (distance, first, second))
