"""Which values share a Python variable, and what the variables are called.

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
from collections.abc import Iterator

from minits.codegen.uses import is_constant, resolve, uses_of
from minits.ir.graph import Block, Graph, Node, Value

_NOT_IN_NAMES = re.compile(r"\W")
_SUFFIX = re.compile(r"\.\d+$")
_TAKEN = frozenset((*keyword.kwlist, *dir(builtins), "_t", "_d"))


class Variables:
    """The Python variable of each value of a graph."""

    def __init__(self, graph: Graph) -> None:
        self._liveness = Liveness(graph)
        self._groups: dict[Value, list[Value]] = {}
        self._names: dict[Value, str] = {}
        self._used: set[str] = set(_TAKEN)
        for value in graph.inputs:
            self.name(value)
        for node in graph.all_nodes():
            self._coalesce(node)

    def name(self, value: Value) -> str:
        """Return the name of the variable that holds a value."""
        leader = self._group(resolve(value))[0]
        if leader not in self._names:
            self._names[leader] = self.fresh(leader.name)
        return self._names[leader]

    def is_shared(self, value: Value) -> bool:
        """Whether other values are in the value's variable too."""
        return len(self._group(resolve(value))) > 1

    def fresh(self, wanted: str) -> str:
        """Return an unused name like a value's: `x` for `x.7`, `v3` for `3`."""
        base = _NOT_IN_NAMES.sub("_", _SUFFIX.sub("", wanted)) or "v"
        if base[0].isdigit() or base in _TAKEN:
            base = f"v{base}" if base[0].isdigit() else f"{base}_"
        name, count = base, 1
        while name in self._used:
            name, count = f"{base}_{count}", count + 1
        self._used.add(name)
        return name

    def _group(self, value: Value) -> list[Value]:
        return self._groups.setdefault(value, [value])

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
        interferes = self._liveness.interfere
        if not any(interferes(a, b) or interferes(b, a) for a in mine for b in others):
            self._join(source, target)

    def _join(self, first: Value, second: Value) -> None:
        """Put all values of both into one variable, named after the first or after an input."""
        old, new = self._group(first), self._group(second)
        if new[0] in self._names:  # a parameter of the function keeps its name
            old, new = new, old
        old.extend(new)
        for value in new:
            self._groups[value] = old


class Liveness:
    """Where values are assigned, and where they are still to be read."""

    def __init__(self, graph: Graph) -> None:
        self._position: dict[Node, int] = {}
        self._end: dict[Node, int] = {}
        self._count = 0
        self._number(graph.block)

    def _number(self, block: Block) -> None:
        """Number nodes in order: a node before its blocks, a block's end after its nodes."""
        self._position[block.param] = self._next()
        for node in block.nodes:
            self._position[node] = self._next()
            for inner in node.blocks:
                self._number(inner)
            self._end[node] = self._count
        self._position[block.end] = self._next()

    def _next(self) -> int:
        self._count += 1
        return self._count

    def interfere(self, assigned: Value, kept: Value) -> bool:
        """Whether `kept` is live where `assigned` gets its value; parameters all get theirs."""
        if assigned.node is kept.node and assigned.node.kind == "prim::Param":
            return True
        return any(
            self._defined(kept) <= self._position[point] and self._is_live_after(kept, point)
            for point in _assignments(assigned)
        )

    def _defined(self, value: Value) -> int:
        """The position from which on the value is there."""
        node = value.node
        if node.kind == "prim::Param":
            owner = node.owner.owning_node
            return -1 if owner is None else self._position[owner]
        return self._end[node] if node.blocks else self._position[node]

    def _is_live_after(self, value: Value, point: Node) -> bool:
        return any(
            use.user is not point and self._comes_after(use.user, point, value)
            for use in uses_of(value)
        )

    def _comes_after(self, user: Node, point: Node, value: Value) -> bool:
        """Whether `user` may run after `point`, on the same `value`."""
        if self._position[user] > self._position[point] and not _is_exclusive(user, point):
            return True
        home = value.node.owner
        return any(loop in _loops_around(user, home) for loop in _loops_around(point, home))


def _assignments(value: Value) -> list[Node]:
    """The nodes at which a value's variable is assigned."""
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


def _owners(node: Node) -> Iterator[tuple[Node, Block]]:
    """The nodes around a node, innermost first, each with its block that the node is in."""
    block = node.owner
    while block.owning_node is not None:
        yield block.owning_node, block
        block = block.owning_node.owner


def _loops_around(node: Node, home: Block) -> list[Node]:
    """The loops around a node that are inside `home`, where a value is defined."""
    found = []
    for owner, _ in _owners(node):
        if owner.kind == "prim::Loop":
            found.append(owner)
        if owner.owner is home:
            return found
    return []


def _is_exclusive(a: Node, b: Node) -> bool:
    """Whether the two are in different branches of one `If`."""
    mine = {owner: block for owner, block in _owners(a) if owner.kind == "prim::If"}
    return any(mine.get(owner, block) is not block for owner, block in _owners(b))
