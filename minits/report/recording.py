"""The graph after each pass, with nodes and values that keep their identity.

    recorder = Recorder()
    with instrumented(recorder):
        function.plan_for(x)
    recorder.stages_of(graph)

Passes change graphs in place, so a node is the same as before if it is the same object; the
recorder keeps all objects, so that no other gets their `id`. Its number is its *key*. There are two
cases in which another object has the key of one that was there before:

    a copy of a whole graph      a plan is made from a copy of the function's graph: the nodes of
                                 both are paired in order, since their texts but for names are equal
    a copy in the place of it    a pass that outlines nodes into a group copies them and destroys
                                 the originals: paired by kind, range and calls around them
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from minits.ir.graph import Graph, Node, Value
from minits.ir.places import near_range
from minits.ir.printer import PrintedLine, printed_lines
from minits.records import dataclass, field
from minits.report.model import Change
from minits.source import SourceRange

_VALUE = re.compile(r"%[\w.]+")
_ENDS = ("prim::Param", "prim::Return")
_GROUP_NUMBER = re.compile(r"(prim::\w+)_\d+")


class Line(NamedTuple):
    """A line of a graph at one time. `meaning` is its text with keys for the names of values.

    `block` is the key of the block that it is in. `outputs` are the keys of what it defines,
    `values` those of all that it names, `ranges` those of `ranges_of`.
    """

    key: int
    node: Node
    text: str
    meaning: str
    block: int
    outputs: tuple[int, ...]
    values: tuple[int, ...]
    ranges: tuple[SourceRange, ...]
    origin: Any


@dataclass(slots=True, eq=False)
class Stage:
    """A graph after a pass; the first one of a graph is named for where it is from."""

    name: str
    seconds: float
    lines: list[Line]


@dataclass(slots=True, eq=False)
class _History:
    """The stages of one graph object, and those of the graph that it is a copy of."""

    graph: Graph
    stages: list[Stage] = field(default_factory=list)
    before: list[Stage] = field(default_factory=list)


class Recorder:
    """An `Instrumentation` that keeps what each pass did."""

    def __init__(self) -> None:
        self._keys: dict[Node | Value, int] = {}
        self._made = 0
        self._histories: dict[Graph, _History] = {}

    # ---- Instrumentation -------------------------------------------------------------------------

    def before(self, name: str, graph: Graph, program: str) -> None:
        if graph not in self._histories:
            self._begin(graph)

    def after(self, name: str, graph: Graph, program: str, changed: bool, seconds: float) -> None:
        history = self._histories[graph]
        if changed:
            self._add(history, name, seconds)
        else:
            history.stages.append(Stage(name, seconds, history.stages[-1].lines))

    # ---- Results ---------------------------------------------------------------------------------

    def stages_of(self, graph: Graph) -> list[Stage]:
        """Return all stages that led to a graph, the last of them as it is now."""
        history = self._histories.get(graph) or self._begin(graph)
        if _meanings(self.lines(graph)) != _meanings(history.stages[-1].lines):
            self._add(history, "between passes", 0.0)
        copies = history.stages[1:] if history.before else history.stages
        return [*history.before, *copies]

    def key(self, item: Node | Value) -> int:
        """Return the key of a node or value."""
        found = self._keys.get(item)
        if found is None:
            found = self._keys[item] = self._made
            self._made += 1
        return found

    # ---- Recording -------------------------------------------------------------------------------

    def _begin(self, graph: Graph) -> _History:
        history = _History(graph)
        printed = printed_lines(graph, ranges=False)
        found = self._original(printed)
        if found is not None:
            source, count = found
            history.before = [*source.before, *source.stages[bool(source.before) : count]]
            for line, original in zip(printed, source.stages[count - 1].lines, strict=True):
                self._adopt(line.node, original)
        self._histories[graph] = history
        history.stages.append(Stage("emitted", 0.0, self.lines(graph)))
        return history

    def _original(self, printed: list[PrintedLine]) -> tuple[_History, int] | None:
        """Return the last history, and how many of its stages, that a graph is a copy of."""
        text = None
        for history in reversed(self._histories.values()):
            for number in reversed(range(len(history.stages))):
                lines = history.stages[number].lines
                if number + 1 < len(history.stages) and lines is history.stages[number + 1].lines:
                    continue
                if len(lines) == len(printed):
                    text = text or _without_names(printed)
                    if _without_names(lines) == text:
                        return history, number + 1
        return None

    def _add(self, history: _History, name: str, seconds: float) -> None:
        self._pair_copies(history)
        history.stages.append(Stage(name, seconds, self.lines(history.graph)))

    def lines(self, graph: Graph) -> list[Line]:
        """Return the lines of a graph as it is now."""
        return [self._line(node, text) for node, text in printed_lines(graph, ranges=False)]

    def _line(self, node: Node, text: str) -> Line:
        names = {f"%{value.name}": self.key(value) for value in (*node.inputs, *node.outputs)}
        found = _VALUE.findall(text)
        meaning = _VALUE.sub(lambda match: f"%{names.get(match[0], '?')}", text)
        if "_" in meaning:
            meaning = _GROUP_NUMBER.sub(r"\1", meaning)
        return Line(
            self.key(node),
            node,
            text,
            meaning.strip(),
            self.key(node.owner.param),
            tuple([self.key(value) for value in node.outputs]),
            tuple([names[name] for name in found if name in names]),
            ranges_of(node),
            _origin(node),
        )

    def _pair_copies(self, history: _History) -> None:
        """Give new nodes the keys of those that are gone, where they are copies of them."""
        nodes = list(_nodes_of(history.graph))
        present = set(nodes)
        gone: dict[Any, list[Line]] = {}
        for line in history.stages[-1].lines:
            if line.node not in present and line.node.kind not in _ENDS:
                gone.setdefault(line.origin, []).append(line)
        for node in nodes:
            if node not in self._keys and (originals := gone.get(_origin(node))):
                self._adopt(node, originals.pop(0))

    def _adopt(self, node: Node, original: Line) -> None:
        self._keys.setdefault(node, original.key)
        for value, key in zip(node.outputs, original.outputs, strict=False):
            self._keys.setdefault(value, key)


def ranges_of(node: Node) -> tuple[SourceRange, ...]:
    """Return the range of a node, and those of the calls that brought it here, the innermost first.

    torch gives some nodes no range, such as loads of variables and tuples that are made on the way:
    these have that of a node near them.
    """
    own = near_range(node)
    calls = [loc for _, loc in reversed(node.callstack)]
    return tuple([loc for loc in (own, *calls) if loc is not None])


def _origin(node: Node) -> Any:
    """Return a key that a node shares with its copies."""
    return node.kind, node.range, node.callstack


def _nodes_of(graph: Graph) -> Iterator[Node]:
    """Yield the nodes of a graph and of those that are outlined from it."""
    for node in graph.all_nodes():
        yield node
        if "Subgraph" in node.attributes:
            yield from _nodes_of(node["Subgraph"])


def _without_names(lines: Iterable[Line | PrintedLine]) -> list[str]:
    """Return a graph's text with its values numbered in the order of their names."""
    numbers: dict[str, int] = {}

    def numbered(match: re.Match[str]) -> str:
        return f"%{numbers.setdefault(match[0], len(numbers))}"

    return [_VALUE.sub(numbered, line.text) for line in lines]


def _meanings(lines: list[Line]) -> list[tuple[int, str]]:
    return [(line.key, line.meaning) for line in lines]


def change_between(before: list[Line], after: list[Line]) -> Change:
    """Count what differs between two stages, by the identity of nodes and values."""
    if before is after:
        return Change()
    old = {line.key: line for line in before}
    new = {line.key: line for line in after}
    kept = [(old[key], line) for key, line in new.items() if key in old]
    return Change(
        added=sum(line.node.kind not in _ENDS for key, line in new.items() if key not in old),
        removed=sum(line.node.kind not in _ENDS for key, line in old.items() if key not in new),
        changed=sum(a.meaning != b.meaning for a, b in kept),
        moved=sum(a.meaning == b.meaning and a.block != b.block for a, b in kept),
    )
