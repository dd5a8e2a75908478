"""Python variables for the values of a graph: which of them share one, and their names.

A loop variable is one variable in SSA form several values: the initial one, the block's input, the
new one and the loop's output. Where no older value is read after a newer one is computed, they are
one Python variable, as in the user's program:

    %s : int = prim::Loop(%n, %true, %s.1)          s = 0
      block0(%i : int, %s.5 : int):                 for i in range(n):
        %s.9 : int = aten::add(%s.5, %i)                s = s + i
        -> (%true, %s.9)

Otherwise the new value is copied at the end of the block. This is the coalescing of copies of a
register allocator: values are put into one variable when none is *live* (will be read again) where
another one is assigned.
"""

from __future__ import annotations

import builtins
import keyword
import re
from bisect import bisect_left
from collections.abc import Iterator
from itertools import accumulate
from operator import itemgetter

from minits.codegen.expressions import STORED, UNPACKED, WRAPPED
from minits.codegen.generated import STACKS
from minits.codegen.liveness import Liveness
from minits.codegen.uses import is_constant, resolve
from minits.ir.graph import Graph, Node, Value
from minits.types import types as t
from minits.types.type_parts import may_hold_tensors

_NOT_IN_NAMES = re.compile(r"\W")
_SUFFIX = re.compile(r"\.\d+$")
_TAKEN = frozenset(
    (*keyword.kwlist, *dir(builtins), "__builtins__", STACKS, "_", STORED, UNPACKED, WRAPPED)
)
"""Names that have a meaning in generated code whatever the program calls its own."""


class Variables:
    """The Python variable of each value of a graph."""

    def __init__(self, graph: Graph) -> None:
        self._liveness = Liveness(graph)
        self._groups: dict[Value, _Group] = {}
        self._names: dict[Value, str] = {}
        self._used: set[str] = set(_TAKEN)
        self._set = {node["name"] for node in graph.nodes_of_kind("prim::SetAttr")}
        """The names of attributes that are set."""
        self.holding: set[str] = set()
        """The variables that may hold a tensor, or an object that has one."""
        self._counts: dict[str, int] = {}
        """The number that was given last to each name."""
        for value in graph.inputs:
            self.name(value)
        for node in graph.all_nodes():
            self._coalesce(node)

    def name(self, value: Value) -> str:
        """Return the name of the variable that holds a value."""
        leader = self._group(resolve(value)).leader
        name = self._names.get(leader)
        if name is None:
            name = self._names[leader] = self.fresh(leader.name)
        if may_hold_tensors(value.type) and not self._is_attribute(value):
            self.holding.add(name)
        return name

    def _is_attribute(self, value: Value) -> bool:
        """Return whether a module holds a value in any case."""
        node = value.node
        if node.kind != "prim::GetAttr" or node["name"] in self._set:
            return False
        owner = node.inputs[0].type
        return isinstance(owner, t.ClassType) and owner.is_module

    def is_last_use(self, value: Value, node: Node) -> bool:
        """Return whether no node after `node`, which reads a value, reads it again."""
        return not self._liveness.is_read_behind(value, node)

    def is_shared(self, value: Value) -> bool:
        """Return whether other values are in the value's variable too."""
        return self._group(resolve(value)).n_values > 1

    def fresh(self, wanted: str) -> str:
        """Return an unused name like a value's: `x` for `x.7`, `v3` for `3`."""
        base = _NOT_IN_NAMES.sub("_", _SUFFIX.sub("", wanted)) or "v"
        if base[0].isdigit() or base in _TAKEN:
            base = f"v{base}" if base[0].isdigit() else f"{base}_"
        name = base
        while name in self._used:
            count = self._counts[base] = self._counts.get(base, 0) + 1
            name = f"{base}_{count}"
        self._used.add(name)
        return name

    def _group(self, value: Value) -> _Group:
        found = self._groups.get(value)
        if found is None:
            found = self._groups[value] = _Group(value, self._liveness.extents(value))
        return found

    def _coalesce(self, node: Node) -> None:
        """Try to make no copies at the ends of the node's blocks."""
        if node.kind == "prim::Loop":
            body = node.blocks[0]
            for index, output in enumerate(node.outputs):
                variable = body.inputs[index + 1]
                self._join(variable, output)
                self._try(variable, body.outputs[index + 1])
                self._try(variable, node.inputs[index + 2])
        elif node.kind == "prim::If":
            for output in node.outputs:
                for block in node.blocks:
                    self._try(output, block.outputs[output.index])

    def _try(self, target: Value, source: Value) -> None:
        """Put two values into one variable, if all that are in theirs can be in one."""
        source = resolve(source)
        mine, others = self._group(target), self._group(source)
        if mine is others or is_constant(source):
            return
        few, many = sorted((mine, others), key=lambda group: len(group.extents))
        if not any(self._interfere(many, value, extent) for value, extent in few.items()):
            self._join(source, target)

    def _interfere(self, group: _Group, value: Value, extent: tuple[int, int]) -> bool:
        interferes = self._liveness.interfere
        return any(interferes(a, value) or interferes(value, a) for a in group.near(*extent))

    def _join(self, first: Value, second: Value) -> None:
        """Put all values of both into one variable, named after the first or after an input."""
        old, new = self._group(first), self._group(second)
        # a parameter of the function keeps its name
        leader = new.leader if new.leader in self._names else old.leader
        few, many = sorted((old, new), key=lambda group: len(group.extents))
        many.take(few)
        many.leader = leader
        self._groups.update(dict.fromkeys((value for value, _ in few.items()), many))


class _Group:
    """A set of values that share a Python variable, named after the value `leader`.

    `extents` are (first position, last position, number of the value, value), sorted, some values
    in several; `_reach[i]` is the largest last position of `extents[: i + 1]`.
    """

    def __init__(self, leader: Value, extents: list[tuple[int, int]]) -> None:
        self.leader = leader
        self.n_values = 1
        self.extents = sorted((*extent, leader.unique, leader) for extent in extents)
        self._reach = list(accumulate((last for _, last, *_ in self.extents), max))

    def items(self) -> Iterator[tuple[Value, tuple[int, int]]]:
        return ((value, (first, last)) for first, last, _, value in self.extents)

    def near(self, first: int, last: int) -> Iterator[Value]:
        """Yield the values whose extents have something in common with this one."""
        index = bisect_left(self.extents, last, key=itemgetter(0))
        while index > 0 and self._reach[index - 1] > first:
            index -= 1
            if self.extents[index][1] > first:
                yield self.extents[index][3]

    def take(self, other: _Group) -> None:
        """Add the values of another group, which has fewer extents."""
        self.n_values += other.n_values
        for extent in other.extents:
            index = bisect_left(self.extents, extent)
            self.extents.insert(index, extent)
            self._extend_reach(index, extent[1])

    def _extend_reach(self, index: int, last: int) -> None:
        """Note that an extent was inserted at an index; those behind it mostly reach further."""
        reach = self._reach
        reach.insert(index, max(reach[index - 1], last) if index else last)
        index += 1
        while index < len(reach) and reach[index] < last:
            reach[index] = last
            index += 1
