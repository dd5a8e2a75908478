"""Names and numbers of values that torch copies, where minits moves them.

torch appends a copy of a block to another one, and destroys the block. A copy has a new number, and
a name with another suffix: the block's own value has the name as well, as long as both are there.

Before:
    block1():
      %x.3 : int = aten::add(%n, %one)
      -> (%x.3)
After, where the suffixes of `x` had come to 3 and the numbers to 20:
    block1():
      %x.5 : int = aten::add(%n, %one)      (of the number 20)
      -> (%x.5)

A copy is given its name twice (`clone_block`). The first time the block's value must give way to
it, and gets the next suffix, 5. Then, when all within its node has been copied, too, the copy takes
that name over, and the block's value gets the next one, 7, which goes with it. Inputs of blocks are
named once, and so keep their names.

What follows many early exits is copied once for each. So in a long function what is copied is noted
while nodes move, and each value is named once, in the end, for the last time that it was copied. In
a short one, whose values are not worth listing, they are named each time.

Source: torch/csrc/jit/ir/ir.cpp (`Block::cloneFrom`, `Value::setDebugName`).
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable
from enum import Enum
from typing import NamedTuple, Protocol

from minits.ir.copying import copy_metadata, renew_values
from minits.ir.debug_names import split_name
from minits.ir.graph import Block, Graph, Value

MANY = 1500
"""Values of a graph of which copies are noted and named in the end."""


class NamesOfCopies(Protocol):
    """Names and numbers what is copied."""

    def copied(self, block: Block) -> None:
        """Name what is in a block as its copy. If no value in it has a name, it stays as it is."""

    def output(self, value: Value, source: Value) -> None:
        """Name a new output of a node, `value`, as a copy of `source`."""

    def settle(self) -> None:
        """Name and number all copies of which that was put off."""


def names_of_copies(graph: Graph) -> NamesOfCopies:
    """Return the namer of copies for a graph of this size."""
    return NotedCopies(graph) if graph.values_made > MANY else CopiesAtOnce()


class CopiesAtOnce:
    """Names copies each time that they are made."""

    def __init__(self) -> None:
        self._named: dict[Block, bool] = {}
        """Whether blocks hold named values, as far as they were asked: a block is walked once."""

    def copied(self, block: Block) -> None:
        """Name and number the values in a block."""
        if self._has_names(block):
            renew_values(block)

    def output(self, value: Value, source: Value) -> None:
        """Name an output."""
        copy_metadata(value, source)

    def settle(self) -> None:
        """Do nothing: all have their names."""

    def _has_names(self, block: Block) -> bool:
        """Return whether values of a block, or of blocks in it, have names."""
        found = self._named.get(block)
        if found is None:
            values = [*block.inputs, *(value for node in block.nodes for value in node.outputs)]
            inner = (inner for node in block.nodes for inner in node.blocks)
            found = any(value.has_name for value in values) or any(map(self._has_names, inner))
            self._named[block] = found
        return found


class _Copy(NamedTuple):
    """A block is copied: the steps from `start` up to `stop`."""

    start: int
    stop: int


class _Output(NamedTuple):
    """A node gets an output that is a copy of another node's."""

    value: Value
    source: Value


class _Kind(Enum):
    """The kinds of steps."""

    INPUT = "copies a block's input"
    OUTPUT = "copies a node's output"
    AGAIN = "gives the copy of a node's output its name again"


class NotedCopies:
    """Notes what is copied in a graph; names and numbers it in the end."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.events: list[_Copy | _Output] = []
        self.steps: _Steps | None = None
        self.values_before = 0
        """The number of values that the graph had before any was copied."""

    def copied(self, block: Block) -> None:
        """Note that a block is copied. If no value in it has a name, it stays as it is."""
        if self.steps is None:
            self.steps = _Steps(self.graph)
            self.values_before = self.graph.values_made
        copy = self.steps.extents[block]
        if self.steps.is_named(copy):
            self.events.append(copy)

    def output(self, value: Value, source: Value) -> None:
        """Note that a node has got `value` as a copy of `source`."""
        self.events.append(_Output(value, source))

    def settle(self) -> None:
        """Name and number all copies in the order in which they were noted."""
        if self.steps is None:
            return
        graph = self.graph
        graph.values_made = self.values_before
        for event, last in zip(self.events, self._last_copied(self.steps), strict=True):
            if isinstance(event, _Copy):
                self._name_block(self.steps, event, last)
            else:
                event.value.unique = graph.values_made
                graph.values_made += 1
                event.value.set_name(event.source.name if event.source.has_name else None)

    def _last_copied(self, steps: _Steps) -> list[list[int]]:
        """Return for each event the steps of values that are not copied again later."""
        last_event = [-1] * len(steps.values)
        for number, event in enumerate(self.events):
            if isinstance(event, _Copy):
                last_event[event.start : event.stop] = [number] * (event.stop - event.start)
        found: list[list[int]] = [[] for _ in self.events]
        for step, number in enumerate(last_event):
            if number >= 0:
                found[number].append(step)
        return found

    def _name_block(self, steps: _Steps, copy: _Copy, last: Iterable[int]) -> None:
        """Name and number the values of the steps `last`; pass over those of the whole block."""
        graph = self.graph
        bases = Counter(steps.bases[copy.start : copy.stop])
        suffixes = {base: graph.names.skip(base, count) for base, count in bases.items() if base}
        first = graph.values_made - steps.numbers[copy.start]
        for step in last:
            value, base, kind = steps.values[step], steps.bases[step], steps.kinds[step]
            if kind is not _Kind.AGAIN:
                value.unique = first + steps.numbers[step]
            if kind is _Kind.OUTPUT and base is not None:
                value.set_name(f"{base}.{suffixes[base] + 2 * steps.rank(copy, step)}")
        graph.values_made = first + steps.numbers[copy.stop]


class _Steps:
    """The steps in which a graph would be copied, in order."""

    def __init__(self, graph: Graph) -> None:
        self.values: list[Value] = []
        self.kinds: list[_Kind] = []
        self.bases: list[str | None] = []
        """The name without its suffix, of values that have one."""
        self.numbers = [0]
        """The number of values that are numbered before each step."""
        self.named = [0]
        """The number of steps before each one that have a name."""
        self.steps_of: dict[str, list[int]] = {}
        """The steps of values of each base."""
        self.extents: dict[Block, _Copy] = {}
        self._add_block(graph.block)

    def is_named(self, copy: _Copy) -> bool:
        """Return whether a value of a block has a name."""
        return self.named[copy.start] != self.named[copy.stop]

    def rank(self, copy: _Copy, step: int) -> int:
        """Return the number of a step among those of its base in a copy, from 1."""
        base = self.bases[step]
        assert base is not None
        known = self.steps_of[base]
        return bisect_left(known, step) - bisect_left(known, copy.start) + 1

    def _add_block(self, block: Block) -> None:
        start = len(self.values)
        self._add(_Kind.INPUT, block.inputs)
        for node in block.nodes:
            self._add(_Kind.OUTPUT, node.outputs)
            for inner in node.blocks:
                self._add_block(inner)
            self._add(_Kind.AGAIN, [value for value in node.outputs if value.has_name])
        self.extents[block] = _Copy(start, len(self.values))

    def _add(self, kind: _Kind, values: Iterable[Value]) -> None:
        for value in values:
            base = split_name(value.name)[0] if value.has_name else None
            if base is not None:
                self.steps_of.setdefault(base, []).append(len(self.values))
            self.values.append(value)
            self.kinds.append(kind)
            self.bases.append(base)
            self.numbers.append(self.numbers[-1] + (kind is not _Kind.AGAIN))
            self.named.append(self.named[-1] + (base is not None))
