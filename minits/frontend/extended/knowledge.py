"""Dataflow facts of the extended dialect: what holds at a point, beyond types of variables.

A fact (that a place is unchanged since it was read, say) relies on variables and, as `effects.py`
tells them, on attributes and items; it ends where one of those may be assigned. Each frame keeps
the facts that begin in its block, and None for those that end there (`Frame.facts`). Where control
flow joins, a fact holds if it holds on all ways.

A loop's body runs again after what the body itself did. So a loop is first taken to end nothing; if
it turns out to end facts that held before it, the function is read once more, and they end where
the loop begins; and so on until nothing new ends (`EndedInLoops`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from minits.frontend.values.effects import Effects, effects_of, is_changed_by
from minits.ir.graph import Graph, Node
from minits.records import dataclass
from minits.syntax import tree

if TYPE_CHECKING:
    from minits.frontend.values.environment import Frame

EndedInLoops = dict[tree.Node, set[str]]
"""For each loop the facts that end in it."""


@dataclass(frozen=True)
class Fact:
    """A fact that holds until a variable, attribute or item that it depends on is assigned."""

    variables: frozenset[str]
    parts: Effects
    """The attributes and items that it relies on."""

    def seen_from(self, frame: Frame) -> Fact:
        """Return the fact as it is known in a frame around the one in which it began."""
        return self


class WatchedGraph(Graph):
    """A graph that appends each inserted node to the list `inserted`."""

    def __init__(self, inserted: list[Node]) -> None:
        super().__init__()
        self.inserted: list[Node] | None = inserted

    def insert(self, node: Node) -> Node:
        if self.inserted is not None:
            self.inserted.append(node)
        return super().insert(node)


class Knowledge:
    """The facts of one reading of a function."""

    def __init__(self, ended_in_loops: EndedInLoops) -> None:
        self._inserted: list[Node] = []
        self.graph = WatchedGraph(self._inserted)
        self.found_more = False
        """Whether a loop ends a fact that it was not known to end."""
        self._ended_in_loops = ended_in_loops
        self._loops: list[tuple[tree.Node, Frame]] = []

    # ---- Beginning and end ---------------------------------------------------------------------

    def find(self, frame: Frame, key: str) -> Fact | None:
        """Return a fact that holds here."""
        self.catch_up(frame)
        return innermost(frame, key)

    def held(self, frame: Frame) -> list[tuple[str, Fact]]:
        """Return the facts that hold here."""
        self.catch_up(frame)
        return list(_held(frame))

    def begin(self, frame: Frame, key: str, fact: Fact) -> None:
        self.catch_up(frame)
        frame.facts[key] = fact

    def assigned(self, frame: Frame, variable: str) -> None:
        """Kill the facts that depend on a variable."""
        for key, fact in self.held(frame):
            if variable in fact.variables:
                frame.facts[key] = None

    def catch_up(self, frame: Frame) -> None:
        """Kill the facts that nodes emitted since the last call may have invalidated."""
        effects = effects_of(self._inserted)
        self._inserted.clear()
        if not effects:
            return
        for key, fact in list(_held(frame)):
            if is_changed_by(fact.parts, effects):
                frame.facts[key] = None

    def unwatched(self) -> Graph:
        """Return the graph, which records no more nodes."""
        self.graph.inserted = None
        return self.graph

    # ---- Control flow --------------------------------------------------------------------------

    def hand_on(self, outer: Frame, inner: Frame) -> None:
        """Merge a block that may not have executed: facts it killed stay killed."""
        self.catch_up(inner)
        for key, fact in inner.facts.items():
            outer.facts[key] = None if fact is None else fact.seen_from(outer)

    def join(self, outer: Frame, frames: Sequence[Frame]) -> None:
        """Keep the facts that hold at the end of all `frames`: branches that do not jump away."""
        for key in dict.fromkeys(key for frame in frames for key in frame.facts):
            facts = [innermost(frame, key) for frame in frames]
            if facts[0] is not None and all(fact == facts[0] for fact in facts):
                outer.facts[key] = facts[0]
            elif innermost(outer, key) is not None:
                outer.facts[key] = None

    def enter_loop(self, loop: tree.Node, outer: Frame) -> None:
        self.catch_up(outer)
        self._loops.append((loop, outer))

    def begin_iteration(self, frame: Frame) -> None:
        """Begin the block of a loop's body or condition."""
        frame.begins_loop = True
        loop, _ = self._loops[-1]
        for key in self._ended_in_loops.get(loop, ()):
            frame.facts[key] = None

    def end_iteration(self, frame: Frame) -> None:
        """Kill, for the whole loop, the facts that no longer hold where an iteration ends."""
        self.catch_up(frame)
        if not self._loops:
            return
        loop, outer = self._loops[-1]
        ended = self._ended_in_loops.setdefault(loop, set())
        for key, fact in _held(outer):
            if key not in ended and innermost(frame, key) != fact:
                ended.add(key)
                self.found_more = True

    def leave_loop(self) -> None:
        loop, outer = self._loops.pop()
        for key in self._ended_in_loops.get(loop, ()):
            outer.facts[key] = None


def innermost(frame: Frame, key: str) -> Fact | None:
    """Return the fact with this key in the innermost frame that has an entry for it, or None."""
    return next((each.facts[key] for each in frame.chain() if key in each.facts), None)


def _held(frame: Frame) -> Iterator[tuple[str, Fact]]:
    seen: set[str] = set()
    for each in frame.chain():
        for key, fact in each.facts.items():
            if key not in seen:
                seen.add(key)
                if fact is not None:
                    yield key, fact
