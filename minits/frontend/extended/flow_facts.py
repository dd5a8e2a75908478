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
from minits.frontend.values.environment import Environment
from minits.frontend.values.flow_rules import FlowRules
from minits.frontend.values.refinement import Key
from minits.ir.graph import Graph, Node
from minits.records import dataclass
from minits.syntax import tree

EndedInLoops = dict[tree.Node, dict[Key, None]]
"""For each loop the facts that end in it."""


@dataclass(frozen=True)
class FlowFact:
    """A fact that holds until a variable, attribute or item that it depends on is assigned."""

    variables: frozenset[str]
    parts: Effects
    """The attributes and items that it relies on."""

    def lifted_to(self, environment: Environment) -> FlowFact:
        """Return the fact as it is known in an environment around the one in which it began."""
        return self


class RecordingGraph(Graph):
    """A graph that appends each inserted node to the list `inserted`."""

    def __init__(self, inserted: list[Node]) -> None:
        super().__init__()
        self.inserted: list[Node] | None = inserted

    def insert(self, node: Node) -> Node:
        if self.inserted is not None:
            self.inserted.append(node)
        return super().insert(node)


class BlockFacts:
    """The facts of a block."""

    def __init__(self) -> None:
        self.facts: dict[Key, FlowFact | None] = {}
        """Facts that hold from here on; None for a killed one."""
        self.begins_loop = False
        """Whether it is the body or the condition of a loop."""
        self.hidden: dict[str, PathKey | None] = {}
        """Variables of the compiler that the block, or one within it, has stored; of which place.

        See `access_paths.py`.
        """
        self.imported: set[str] = set()
        """Variables that another branch assigned, not this one; see `correlated_branches.py`."""


class FlowState:
    """The facts of one reading of a function."""

    def __init__(self, ended_in_loops: EndedInLoops) -> None:
        self._inserted: list[Node] = []
        self.graph = RecordingGraph(self._inserted)
        self.found_more = False
        """Whether a loop ends a fact that it was not known to end."""
        self._ended_in_loops = ended_in_loops
        self._loops: list[tuple[tree.Node, Environment]] = []
        self._blocks: defaultdict[Environment, BlockFacts] = defaultdict(BlockFacts)

    def at(self, environment: Environment) -> BlockFacts:
        """Return the facts of the block that has this environment."""
        return self._blocks[environment]

    def is_empty(self, environment: Environment) -> bool:
        """Return whether no fact has begun or ended in a block or those around it."""
        return not any(self._blocks[each].facts for each in environment.chain())

    # ---- Beginning and end ---------------------------------------------------------------------

    def find(self, environment: Environment, key: Key) -> FlowFact | None:
        """Return a fact that holds here."""
        self.kill_clobbered(environment)
        return self.innermost(environment, key)

    def innermost(self, environment: Environment, key: Key) -> FlowFact | None:
        """Return the fact of the innermost block that has an entry for this key, or None."""
        for each in environment.chain():
            facts = self._blocks[each].facts
            if key in facts:
                return facts[key]
        return None

    def live_facts(self, environment: Environment) -> list[tuple[Key, FlowFact]]:
        """Return the facts that hold here."""
        self.kill_clobbered(environment)
        return list(self._live_facts(environment))

    def _live_facts(self, environment: Environment) -> Iterator[tuple[Key, FlowFact]]:
        seen: set[Key] = set()
        for each in environment.chain():
            for key, fact in self._blocks[each].facts.items():
                if key not in seen:
                    seen.add(key)
                    if fact is not None:
                        yield key, fact

    def begin(self, environment: Environment, key: Key, fact: FlowFact) -> None:
        self.kill_clobbered(environment)
        self.at(environment).facts[key] = fact

    def assigned(self, environment: Environment, variable: str) -> None:
        """Kill the facts that depend on a variable."""
        for key, fact in self.live_facts(environment):
            if variable in fact.variables:
                self.at(environment).facts[key] = None

    def kill_clobbered(self, environment: Environment) -> None:
        """Kill the facts that nodes emitted since the last call may have invalidated."""
        effects = effects_of(self._inserted)
        self._inserted.clear()
        if not effects:
            return
        for key, fact in list(self._live_facts(environment)):
            if is_changed_by(fact.parts, effects):
                self.at(environment).facts[key] = None

    def unrecorded(self) -> Graph:
        """Return the graph, which records no more nodes."""
        self.graph.inserted = None
        return self.graph

    # ---- Control flow --------------------------------------------------------------------------

    def merge_maybe_executed(self, outer: Environment, inner: Environment) -> None:
        """Merge a block that may not have executed: facts it killed stay killed."""
        self.kill_clobbered(inner)
        for key, fact in self.at(inner).facts.items():
            self.at(outer).facts[key] = None if fact is None else fact.lifted_to(outer)

    def join(self, outer: Environment, environments: Sequence[Environment]) -> None:
        """Keep the facts that hold at the end of all branches that do not jump away."""
        for key in dict.fromkeys(
            key for environment in environments for key in self.at(environment).facts
        ):
            facts = [self.innermost(environment, key) for environment in environments]
            if facts[0] is not None and all(fact == facts[0] for fact in facts):
                self.at(outer).facts[key] = facts[0]
            elif self.innermost(outer, key) is not None:
                self.at(outer).facts[key] = None

    def enter_loop(self, loop: tree.Node, outer: Environment) -> None:
        self.kill_clobbered(outer)
        self._loops.append((loop, outer))

    def begin_iteration(self, environment: Environment) -> None:
        """Begin the block of a loop's body or condition."""
        block = self.at(environment)
        block.begins_loop = True
        loop, _ = self._loops[-1]
        for key in self._ended_in_loops.get(loop, ()):
            block.facts[key] = None

    def end_iteration(self, environment: Environment) -> None:
        """Kill, for the whole loop, the facts that no longer hold where an iteration ends."""
        self.kill_clobbered(environment)
        if not self._loops:
            return
        loop, outer = self._loops[-1]
        ended = self._ended_in_loops.setdefault(loop, {})
        for key, fact in self._live_facts(outer):
            if key not in ended and self.innermost(environment, key) != fact:
                ended[key] = None
                self.found_more = True

    def leave_loop(self) -> None:
        loop, outer = self._loops.pop()
        for key in self._ended_in_loops.get(loop, ()):
            self.at(outer).facts[key] = None


class Reading(FlowRules):
    """The state of one reading of a function in the extended dialect: what its files share."""

    dialect = "extended"

    def __init__(self, flow: FlowState | None = None) -> None:
        super().__init__()
        self.flow = flow
        """The facts; None while the function is read by torch's rules."""
        self.assigned_in: defaultdict[Environment, set[str]] = defaultdict(set)
        """For each block the variables that assignment expressions in it have assigned."""
        self.may_have_walrus: bool | None = None
        """Whether the function may have assignment expressions; None until that is asked."""
        if flow is not None:
            self.graph = flow.graph


def reading_of(emitter: Emitter) -> Reading:
    """Return the state of the reading, which is one in the extended dialect."""
    assert isinstance(emitter.rules, Reading)
    return emitter.rules


def facts_of(emitter: Emitter) -> FlowState:
    """Return the facts of a reading by more than torch's rules."""
    assert isinstance(emitter.rules, Reading) and emitter.rules.flow is not None
    return emitter.rules.flow


def flow_state_of(emitter: Emitter) -> FlowState | None:
    """Return the facts; None while a function is read by torch's rules."""
    assert isinstance(emitter.rules, Reading)
    return emitter.rules.flow
