"""Dataflow facts of the extended dialect: what holds at a point, beyond types of variables.

A fact (that a place is unchanged since it was read, say) relies on variables and, as `effects.py`
tells them, on attributes and items; it ends where one of those may be assigned. For each block the
facts are kept that begin in it, and None for those that end there. Where control flow joins, a fact
holds if it holds on all ways.

A loop's body runs again after what the body itself did. So a loop is first taken to end nothing; if
it turns out to end facts that held before it, the function is read once more, and they end where
the loop begins; and so on until nothing new ends (`EndedInLoops`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from minits.frontend.extended.keys import PathKey
from minits.frontend.values.effects import Effects, effects_of, is_changed_by
from minits.frontend.values.emitter import Emitter
from minits.frontend.values.environment import Frame
from minits.frontend.values.flow_rules import FlowRules
from minits.frontend.values.refinement import Key
from minits.ir.graph import Graph, Node
from minits.records import dataclass
from minits.syntax import tree

EndedInLoops = dict[tree.Node, dict[Key, None]]
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


class BlockFacts:
    """What is known of a block."""

    def __init__(self) -> None:
        self.facts: dict[Key, Fact | None] = {}
        """Facts that hold from here on; None for a killed one."""
        self.begins_loop = False
        """Whether it is the body or the condition of a loop."""
        self.hidden: dict[str, PathKey | None] = {}
        """Variables of the compiler that the block, or one within it, has stored; of which place.

        See `places.py`.
        """
        self.taken_up: set[str] = set()
        """Variables that another branch assigned, and this one has not; see `correlation.py`."""


class Knowledge:
    """The facts of one reading of a function."""

    def __init__(self, ended_in_loops: EndedInLoops) -> None:
        self._inserted: list[Node] = []
        self.graph = WatchedGraph(self._inserted)
        self.found_more = False
        """Whether a loop ends a fact that it was not known to end."""
        self._ended_in_loops = ended_in_loops
        self._loops: list[tuple[tree.Node, Frame]] = []
        self._blocks: defaultdict[Frame, BlockFacts] = defaultdict(BlockFacts)

    def at(self, frame: Frame) -> BlockFacts:
        """Return what is known of the block that has this frame."""
        return self._blocks[frame]

    def is_empty(self, frame: Frame) -> bool:
        """Whether no fact has begun or ended in a block or those around it."""
        return not any(self._blocks[each].facts for each in frame.chain())

    # ---- Beginning and end ---------------------------------------------------------------------

    def find(self, frame: Frame, key: Key) -> Fact | None:
        """Return a fact that holds here."""
        self.catch_up(frame)
        return self.innermost(frame, key)

    def innermost(self, frame: Frame, key: Key) -> Fact | None:
        """Return the fact of the innermost block that has an entry for this key, or None."""
        for each in frame.chain():
            facts = self._blocks[each].facts
            if key in facts:
                return facts[key]
        return None

    def held(self, frame: Frame) -> list[tuple[Key, Fact]]:
        """Return the facts that hold here."""
        self.catch_up(frame)
        return list(self._held(frame))

    def _held(self, frame: Frame) -> Iterator[tuple[Key, Fact]]:
        seen: set[Key] = set()
        for each in frame.chain():
            for key, fact in self._blocks[each].facts.items():
                if key not in seen:
                    seen.add(key)
                    if fact is not None:
                        yield key, fact

    def begin(self, frame: Frame, key: Key, fact: Fact) -> None:
        self.catch_up(frame)
        self.at(frame).facts[key] = fact

    def assigned(self, frame: Frame, variable: str) -> None:
        """Kill the facts that depend on a variable."""
        for key, fact in self.held(frame):
            if variable in fact.variables:
                self.at(frame).facts[key] = None

    def catch_up(self, frame: Frame) -> None:
        """Kill the facts that nodes emitted since the last call may have invalidated."""
        effects = effects_of(self._inserted)
        self._inserted.clear()
        if not effects:
            return
        for key, fact in list(self._held(frame)):
            if is_changed_by(fact.parts, effects):
                self.at(frame).facts[key] = None

    def unwatched(self) -> Graph:
        """Return the graph, which records no more nodes."""
        self.graph.inserted = None
        return self.graph

    # ---- Control flow --------------------------------------------------------------------------

    def hand_on(self, outer: Frame, inner: Frame) -> None:
        """Merge a block that may not have executed: facts it killed stay killed."""
        self.catch_up(inner)
        for key, fact in self.at(inner).facts.items():
            self.at(outer).facts[key] = None if fact is None else fact.seen_from(outer)

    def join(self, outer: Frame, frames: Sequence[Frame]) -> None:
        """Keep the facts that hold at the end of all `frames`: branches that do not jump away."""
        for key in dict.fromkeys(key for frame in frames for key in self.at(frame).facts):
            facts = [self.innermost(frame, key) for frame in frames]
            if facts[0] is not None and all(fact == facts[0] for fact in facts):
                self.at(outer).facts[key] = facts[0]
            elif self.innermost(outer, key) is not None:
                self.at(outer).facts[key] = None

    def enter_loop(self, loop: tree.Node, outer: Frame) -> None:
        self.catch_up(outer)
        self._loops.append((loop, outer))

    def begin_iteration(self, frame: Frame) -> None:
        """Begin the block of a loop's body or condition."""
        block = self.at(frame)
        block.begins_loop = True
        loop, _ = self._loops[-1]
        for key in self._ended_in_loops.get(loop, ()):
            block.facts[key] = None

    def end_iteration(self, frame: Frame) -> None:
        """Kill, for the whole loop, the facts that no longer hold where an iteration ends."""
        self.catch_up(frame)
        if not self._loops:
            return
        loop, outer = self._loops[-1]
        ended = self._ended_in_loops.setdefault(loop, {})
        for key, fact in self._held(outer):
            if key not in ended and self.innermost(frame, key) != fact:
                ended[key] = None
                self.found_more = True

    def leave_loop(self) -> None:
        loop, outer = self._loops.pop()
        for key in self._ended_in_loops.get(loop, ()):
            self.at(outer).facts[key] = None


class Reading(FlowRules):
    """The state of one reading of a function in the extended dialect: what its files share."""

    dialect = "extended"

    def __init__(self, knowledge: Knowledge | None = None) -> None:
        super().__init__()
        self.knowledge = knowledge
        """The facts; None while the function is read by torch's rules."""
        self.assigned_in: defaultdict[Frame, set[str]] = defaultdict(set)
        """For each block the variables that assignment expressions in it have assigned."""
        self.may_have_walrus: bool | None = None
        """Whether the function may have assignment expressions; None until that is asked."""
        if knowledge is not None:
            self.graph = knowledge.graph


def reading_of(emitter: Emitter) -> Reading:
    """Return the state of the reading, which is one in the extended dialect."""
    assert isinstance(emitter.rules, Reading)
    return emitter.rules


def facts_of(emitter: Emitter) -> Knowledge:
    """Return the facts of a reading by more than torch's rules."""
    assert isinstance(emitter.rules, Reading) and emitter.rules.knowledge is not None
    return emitter.rules.knowledge


def knowledge_of(emitter: Emitter) -> Knowledge | None:
    """Return the facts; None while a function is read by torch's rules."""
    assert isinstance(emitter.rules, Reading)
    return emitter.rules.knowledge
